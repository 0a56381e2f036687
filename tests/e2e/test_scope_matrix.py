"""Nobody sees another's memory: a canary a scope, and every way out asked from each."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_scopes import CANARIES, KEYS, LATER, OTHER, OWNER, open_agent, populate

from strata import warm
from strata.cli import run
from strata.cli.listening import Listener
from strata.cli.mcp_tools import ASKER, Toolbox
from strata.cli.serve import Desk
from strata.errors import NotFound, ScopeNotAllowed, StrataError
from strata.jobs.reflect import reflect_on_all
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy, tidy_scopes
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

QUESTIONS = ("where does the new office go", "周报寄到哪里")


def chat(sender: str, where: str) -> dict[str, str]:
    """
    What OpenClaw tells a command that an agent runs in a chat.
    """
    context = {"sender": {"id": sender}, "chat": {"id": where}}
    return {warm.SHELL: "exec", warm.CHANNEL: json.dumps(context)}


# Who asks: by options of the owner's, or from where OpenClaw says.
ASKERS: list[tuple[str, list[str], dict[str, str]]] = [
    ("main", [], {}),
    ("main", ["--scope", "private"], {}),
    ("main", [], {warm.SHELL: "exec", warm.SESSION: KEYS["main"]}),
    ("main", [], chat(OWNER, OWNER)),
    ("group1", ["--scope", "group:telegram:-100123"], {}),
    ("group1", ["--scope", "group:-100123"], {}),
    ("group1", [], chat("4242", "-100123")),
    ("group1", [], chat(OWNER, "telegram:-100123")),
    ("group2", ["--scope", "group:whatsapp:120363@g.us"], {}),
    ("group2", [], chat(OTHER, "120363@g.us")),
    ("other", ["--scope", f"user:whatsapp:{OTHER}"], {}),
    ("other", [], chat(OTHER, OTHER)),
    ("agent b", ["--agent", "b"], {}),
    ("agent b", ["--scope", "agent:b"], {}),
    ("nobody", [], chat("31337", "31337")),
    ("nobody", ["--scope", "private"], chat(OTHER, OTHER)),
    ("nobody", ["--scope", "group:-100123"], chat(OTHER, "120363@g.us")),
    # Addressed by the operator from outside there is no chat, and none is said at all
    # where the plugin is not loaded.
    ("group1", [], {warm.SHELL: "exec", warm.SESSION: KEYS["group1"]}),
    ("other", [], {warm.SHELL: "exec", warm.SESSION: KEYS["other"]}),
    ("nobody", [], {warm.SHELL: "exec", warm.SESSION: "agent:main:chat:space:9"}),
    ("nobody", [], {warm.SHELL: "exec", warm.SESSION: "agent:main:subagent:0b1"}),
    ("nobody", [], {warm.SHELL: "exec"}),
    ("nobody", ["--agent", "b"], {warm.SHELL: "exec"}),
]


@pytest.fixture(scope="module", params=["sqlite", "files"])
def world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """
    Everybody has talked; sync, tidy, reflect and update have run, then and weeks later.
    """
    root: Path = tmp_path_factory.mktemp("scopes")
    populate(root, era=request.param)
    for agent in ("main", "b"):
        captured = open_agent(root, agent)
        refresh(captured, sync(captured).paths, say=pytest.fail)
        later = open_agent(root, agent, LATER)
        refresh(later, [*tidy(later).paths, *tidy_scopes(later)], say=pytest.fail)
        reflect_on_all(later)
        refresh(later, None, say=pytest.fail)
    return root


def memories(root: Path) -> Iterator[tuple[str, Memory]]:
    """
    The memory of each, by whose it is.
    """
    main = open_agent(root, now=LATER)
    found = main.scopes
    yield "main", main
    yield "agent b", open_agent(root, "b", LATER)
    yield "group1", main.within(found.find("group:-100123"))
    yield "group2", main.within(found.find("group:whatsapp:120363@g.us"))
    yield "other", main.within(found.find(f"user:{OTHER}"))


def ways_out(root: Path) -> Iterator[list[str]]:
    """
    Every command that shows something of memory.
    """
    for question in QUESTIONS:
        yield ["query", question]
        yield ["query", question, "--explain", "--json", "--set", "search.without="]
        yield ["why", question, "--expect", "office"]
    workspace = root / "workspace"
    notes = (path.relative_to(workspace).as_posix() for path in workspace.rglob("*.md"))
    for path in sorted({"MEMORY.md", "../../MEMORY.md", *notes}):
        yield ["get", path]
        yield ["inspect", f"{path}:4"]
    for what in ("office", "new office", "周报"):
        yield ["trace", what]
        yield ["why", what]
        yield ["inspect", what]
    for command in ("status", "rules", "review", "doctor", "model", "update"):
        yield [command]
    yield ["entity", "--list"]
    for question in QUESTIONS:
        yield ["recall", question, "--json"]
    yield ["review", "--kind", "quarantined", "--json"]
    yield ["status", "--json"]
    yield ["audit", "log"]
    yield ["audit", "scan"]
    yield ["tidy", "--dry-run"]
    yield ["sync", "--dry-run", "--since", "90d", "--json"]
    yield ["sync", "--prepare", "--since", "90d"]
    yield ["forget", "--last", "90d", "--dry-run"]
    yield ["forget", "--entity", "office", "--dry-run", "--json"]


def answer(root: Path, options: list[str], command: list[str]) -> tuple[int, str]:
    """
    What *command* says, on both of its outputs.
    """
    out = StringIO()
    given = [
        "--state-dir",
        str(root / "state"),
        "--now",
        LATER,
        "--set",
        "timezone=UTC",
    ]
    given += ["--set", "capture.groups=true", "--set", "search.without=vectors"]
    with redirect_stdout(out), redirect_stderr(out):
        code = run([*given, *options, *command])
    return code, out.getvalue()


def canaries_in(text: str) -> set[str]:
    """
    Whose canaries *text* holds.
    """
    return {whose for whose, canary in CANARIES.items() if canary in text}


@pytest.mark.parametrize(
    "asker", ASKERS, ids=lambda each: " ".join([each[0], *each[1], *each[2].values()])
)
def test_only_own_memory_comes_out(
    world: Path,
    asker: tuple[str, list[str], dict[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Whatever is asked, by whatever way, shows no canary of another scope.
    """
    whose, options, environment = asker
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(world / "state"))
    monkeypatch.chdir(world / "workspace")

    shown = {
        tuple(command): canaries_in(answer(world, options, command)[1]) - {whose}
        for command in ways_out(world)
    }

    assert {command: found for command, found in shown.items() if found} == {}
    found = {
        question: answer(world, options, ["query", question]) for question in QUESTIONS
    }
    own = {whose} & CANARIES.keys()
    assert {canaries_in(text) == own for _, text in found.values()} == {True}


def test_state_of_another_openclaw_opens_no_memory(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Who asks is not looked up where nobody is known and so nobody is a stranger.
    """
    for name, value in chat("4242", "-100123").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(world / "state"))
    named = ["--workspace", str(world / "workspace"), "--state-dir", str(tmp_path)]

    code, said = answer(world, named, ["query", QUESTIONS[0]])

    assert (code, canaries_in(said)) == (1, set())
    assert "leave out --state-dir" in said


def test_files_hold_their_own(world: Path) -> None:
    """
    No file of a memory, its index and journal among them, holds another's canary.
    """
    apart = world / "workspace" / "scopes"
    held = {}
    for whose, memory in memories(world):
        root = memory.workspace.root
        held[whose] = {
            name
            for file in root.rglob("*")
            if file.is_file() and (memory.parent or apart not in file.parents)
            for name, canary in CANARIES.items()
            if canary.encode() in file.read_bytes()
        }

    assert held == {whose: {whose} for whose in held}


def test_page_is_made_of_own_words_alone(world: Path) -> None:
    """
    The owner and each other person have a MEMORY.md of their own words; groups have none.
    """
    pages = {
        whose: memory.workspace.read("MEMORY.md") for whose, memory in memories(world)
    }

    found = {whose: canaries_in(page) for whose, page in pages.items()}
    alone = {whose: {whose} for whose in ("main", "agent b", "other")}
    assert found == {**alone, "group1": set(), "group2": set()}


def test_folders_tell_nothing(world: Path) -> None:
    """
    No path holds an id of a chat or a person; folders and notes are their owner's alone.
    """
    apart = world / "workspace" / "scopes"
    paths = [apart, *apart.rglob("*")]

    names = "\n".join(map(str, paths))
    assert not any(each in names for each in ("100123", OTHER.strip("+"), "120363"))
    closed = [apart, *apart.iterdir(), *apart.rglob("*.md")]
    assert {path.stat().st_mode & 0o077 for path in closed} == {0}


def test_tools_are_bound_to_one_scope(world: Path) -> None:
    """
    An MCP server answers from the memory that it was started for.
    """
    for whose, memory in memories(world):
        toolbox = Toolbox(lambda memory=memory: memory)  # type: ignore[misc]
        asked = [toolbox.call("memory_search", {"query": each}) for each in QUESTIONS]
        asked += [toolbox.call("memory_status", {})]
        # What is said in a group bears nothing out, so that it has no bank.
        own = set() if whose.startswith("group") else {CANARIES[whose]}
        asked += [toolbox.call("memory_recall", {"entity": each}) for each in own]
        for place in {*CANARIES.values()} - own:
            with pytest.raises(NotFound):
                toolbox.call("memory_recall", {"entity": place})
        for path in world.rglob("*.md"):
            with pytest.raises(StrataError):
                toolbox.call("memory_get", {"path": str(path)})

        assert canaries_in(json.dumps(asked)) == {whose}


@pytest.mark.parametrize(
    ("asker", "whose"),
    [
        ({"session": KEYS["main"]}, "main"),
        ({"session": KEYS["main"], "sender": OWNER}, "main"),
        ({"session": KEYS["main"], "sender": OTHER}, ""),
        ({"session": KEYS["group1"], "sender": OWNER}, ""),
        ({"session": KEYS["other"]}, ""),
        ({"session": "agent:main:chat:space:9"}, ""),
        ({"session": "agent:main:subagent:0b1"}, ""),
        ({}, ""),
        ("the owner", ""),
        (None, ""),
    ],
)
def test_server_answers_the_conversation_it_is_for(
    world: Path, asker: object, whose: str
) -> None:
    """
    The plugin says which, with each call; without that nobody is answered.
    """
    main = open_agent(world, now=LATER)
    toolbox = Toolbox(lambda: main, must_say=True)
    calls: dict[str, dict[str, object]] = {
        "memory_search": {"query": QUESTIONS[0]},
        "memory_recall": {"entity": CANARIES["main"]},
    }

    for name, arguments in calls.items():
        asked = arguments | ({} if asker is None else {ASKER: asker})
        if whose:
            assert canaries_in(json.dumps(toolbox.call(name, asked))) == {whose}
        else:
            with pytest.raises(ScopeNotAllowed):
                toolbox.call(name, asked)


@pytest.mark.parametrize(
    ("asker", "whose"),
    [
        ({"session": KEYS["main"]}, "main"),
        ({"session": KEYS["main"], "sender": OWNER}, "main"),
        ({"session": KEYS["main"], "sender": OTHER}, "other"),
        ({"session": KEYS["main"], "sender": "31337"}, ""),
        ({"session": KEYS["group1"], "sender": OWNER}, "group1"),
        ({"session": KEYS["group2"], "sender": "4242"}, "group2"),
        ({"session": KEYS["other"]}, "other"),
        ({"session": "agent:main:chat:space:9"}, ""),
        ({"session": "agent:main:subagent:0b1"}, ""),
        ({}, ""),
        ("the owner", ""),
        (None, ""),
    ],
)
def test_agents_own_tools_show_each_asker_their_own_memory(
    world: Path, asker: object, whose: str
) -> None:
    """
    The process behind them answers everybody, and nobody from another's notes.
    """
    state = world / "state"
    desk = Desk(state, lambda agent: open_agent(world, agent or "main", LATER))

    def ask(**told: object) -> str:
        line = json.dumps({"agent": "main", "asker": asker, **told})
        return json.dumps(desk.answer(line), ensure_ascii=False)

    said = [ask(name="search", query=" | ".join(QUESTIONS))]
    said += [ask(name="get", path=each) for each in notes_of(world)]

    assert canaries_in("".join(said)) == ({whose} if whose else set())


def test_question_of_a_stranger_makes_no_memory(world: Path) -> None:
    """
    A group of which nothing was captured is told so, and no folder is made for it.
    """
    desk = Desk(world / "state", lambda agent: open_agent(world, agent or "main"))
    before = sorted((world / "workspace" / "scopes").iterdir())
    asker = {"session": "agent:main:telegram:group:-100999"}

    told = {"agent": "main", "asker": asker, "name": "search", "query": "office"}
    found = desk.answer(json.dumps(told))

    assert found.get("results") is None
    assert found["notice"]
    assert sorted((world / "workspace" / "scopes").iterdir()) == before


def notes_of(world: Path) -> list[str]:
    """
    Every note of everybody, by the names that somebody might try.
    """
    found = [
        path.relative_to(world / "workspace")
        for path in (world / "workspace").rglob("*.md")
    ]
    return sorted({"MEMORY.md", "../workspace-b/MEMORY.md", *map(str, found)})


def test_warm_process_answers_its_own_only(world: Path) -> None:
    """
    A process that is warm for the owner answers no group, and leaves it to ask itself.
    """
    memory = open_agent(world, now=LATER)
    listener = Listener(Toolbox(lambda: memory), memory.workspace.root)
    package, folder = str(Path(warm.__file__).parent), str(memory.workspace.root)
    question = ["query", QUESTIONS[0], "--now", LATER]

    def asked(environment: dict[str, str], *options: str) -> bytes:
        places = {"OPENCLAW_STATE_DIR": str(world / "state"), **environment}
        values = [places.get(name, "") for name in warm.OPENCLAW]
        decisive = warm.decisive_environment()
        return listener.answer(
            warm.pack(package, folder, *values, decisive, *options, *question)
        )

    assert canaries_in(asked(chat(OWNER, OWNER)).decode()) == {"main"}
    for environment in (chat(OWNER, "-100123"), chat(OTHER, OTHER)):
        with pytest.raises(StrataError):
            asked(environment)
    with pytest.raises(StrataError):
        asked({}, "--scope", "group:-100123")
