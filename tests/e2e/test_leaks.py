"""Nothing leaks: each of six scopes asks by every way out, and hears of itself alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from builders_dashboard import browser, page_of
from builders_exports import everything_in
from builders_leaks import (
    CANARIES,
    COLLEAGUE,
    FORGOTTEN,
    SHARED,
    memories,
    populated,
)
from builders_scopes import LATER, open_agent
from builders_scopes import OWNER as OWNERS

from strata import warm
from strata.bundle import BUNDLE
from strata.cli import run
from strata.cli.mcp_tools import ASKER, Toolbox
from strata.cli.serve import Desk
from strata.dashboard.site import MODULES, screens_at
from strata.embedding_models.folder import find_model
from strata.errors import StrataError
from strata.history.statements import KINDS
from strata.jobs.exporting.export import FORMS
from strata.jobs.undo import known_runs
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from builders_dashboard import Browser

# Whose words come out: o the owner, g and h groups, u and v other people, a another agent
# of the owner's, s what the owner shares of the first with it; `.` nobody's, and `/` where
# nobody can ask so. Whoever asks is
# - the owner, who names no scope or one of the six;
# - an agent in the conversation of one of the six, of a stranger (?), or nobody says of
#   whom (-);
# - the same agent who reaches for another's: from o for the memory of a.
MATRIX = """
            no  the owner names    an agent in the talk of    and reaches for another's
         scope  o  g  h  u  v  a   o  g  h  u  v  a  ?  -   o>a a>o g>o g>a u>v ?>a
query      o    o  g  h  u  v  a   o  g  h  u  v  a  .  .    .   .   .   .   .   .
get        o    o  g  h  u  v  a   o  g  h  u  v  a  .  .    .   .   .   .   .   .
why        o    o  g  h  u  v  a   o  g  h  u  v  a  .  .    .   .   .   .   .   .
trace      o    o  g  h  u  v  a   o  g  h  u  v  a  .  .    .   .   .   .   .   .
inspect    o    o  g  h  u  v  a   o  g  h  u  v  a  .  .    .   .   .   .   .   .
recall     o    o  .  .  u  v  a   o  .  .  u  v  a  .  .    .   .   .   .   .   .
entity     o    o  .  .  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
names      o    o  .  .  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
projects   o    o  .  .  .  .  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
review     o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
forget     o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
log        o    o  .  .  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
share      s    s  .  .  .  .  s   s  .  .  .  .  s  .  .    .   .   .   .   .   .
digest     oa   oa .  .  .  .  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
/strata    /    /  /  /  /  /  /   oa .  .  .  .  oa .  .    /   /   /   /   /   /
figures    o    o  .  .  .  .  .   o  .  .  .  .  .  .  .    .   .   .   .   .   .
archive    o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
jsonl      o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
markdown   o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
html       o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
machines   o    o  .  .  .  .  a   o  .  .  .  .  a  .  .    .   .   .   .   .   .
mcp-search o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   /   .   /   .
mcp-get    o    o  g  h  u  v  a   o  .  .  .  .  a  .  .    .   .   /   .   /   .
mcp-rest   .    .  .  .  .  .  .   .  .  .  .  .  .  .  .    .   .   /   .   /   .
search     /    /  /  /  /  /  /   o  g  h  u  v  a  .  .    .   .   /   .   /   .
read       /    /  /  /  /  /  /   o  g  h  u  v  a  .  .    .   .   /   .   /   .
reminder   /    /  /  /  /  /  /   o  .  .  u  v  a  .  .    .   .   /   .   /   .
"""
# The same of the screens of the dashboard, which the owner alone may open.
SCREENS = """
                 no  the owner names
              scope  o g h u v a
/                o   o g h u v a
/memory          o   o . . u v a
/read            o   o g h u v a
/story           o   o g h u v a
/search          o   o g h u v a
/why             o   o g h u v a
/people          o   o . . u v a
/people/page     o   o . . u v a
/time            .   . . . . . .
/time/day        o   o g h u v a
/forget          .   . . . . . .
/forget/preview  o   o g h u v a
/forget/do       .   . . . . . .
/forget/proof    .   . . . . . .
/runs            .   . . . . . .
/runs/run        o   o . . u v a
/runs/undo       .   . . . . . .
/health          .   . . . . . .
/health/settings .   . . . . . .
/health/audit    o   o . . u v a
"""
# And of the files of each memory. The index has the names of files and no words; of what
# is in the owner's folder `users` OpenClaw reads to each person their own alone.
FILES = """
          o g h u v a
MEMORY.md o . . u v a
AGENTS.md . . . . . .
users     uv . . . . .
memory    o g h u v a
bank      o . . u v a
index     o . . u v a
.strata   o g h u v a
"""
# Where the line that o shares with a (s) is heard, beside the words of o that these tables
# have, and beside those of a, who reads it and hands it on to nobody.
SHARED_WITH = {
    "o": """query get why trace inspect review forget archive jsonl markdown html
            mcp-search mcp-get search read MEMORY.md memory .strata machines
            /memory /read /story /search /why /forget/preview /runs/run""",
    "a": """query get recall forget mcp-search mcp-get search read memory
            /read /search /forget/preview""",
}
QUESTIONS = ("where does the new office go", "周报寄到哪里", f"who is {COLLEAGUE}")
PEOPLE = [f"{COLLEAGUE} {each.stem}son" for each in CANARIES.values()]
STRANGER = "agent:main:telegram:direct:31337"
# What bears on this stands before the turn in which somebody says it.
DINNER = f"I cook dinner for {COLLEAGUE} tonight. What may {COLLEAGUE} not eat?"


@dataclass(frozen=True)
class Asker:
    """
    The owner, or an agent in the conversation *session* of *agent*.

    *named* are the options that name the memory *asked*, as the matrix calls it.
    """

    asked: str = "o"
    named: tuple[str, ...] = ()
    session: str | None = None
    agent: str = "main"

    @property
    def agent_asked(self) -> str:
        """
        The agent in whose workspace lies what is asked for.
        """
        return CANARIES[self.asked].agent

    @property
    def folder(self) -> str:
        """
        Where it stands; who reaches for another's has left the workspace.
        """
        if self.session is not None and self.named:
            return "."
        return "workspace" if self.agent == "main" else "workspace-b"

    @property
    def environment(self) -> dict[str, str]:
        """
        What OpenClaw and the plugin tell a command that an agent runs.
        """
        if self.session is None:
            return {}
        return {warm.SHELL: "exec", warm.SESSION: self.session}

    @property
    def can_call_tools(self) -> bool:
        """
        Whether there is a tool for it: those of an agent name no scope.
        """
        return not self.named or self.agent != self.agent_asked


OWNER = [Asker(), *(Asker(name, each.named) for name, each in CANARIES.items())]
AGENTS = [
    *(Asker(n, (), each.key, each.agent) for n, each in CANARIES.items()),
    Asker("o", (), STRANGER),
    Asker("o", (), ""),
    Asker("a", ("--scope", "agent:b"), CANARIES["o"].key),
    Asker("o", ("--agent", "main"), CANARIES["a"].key, "b"),
    Asker("o", ("--scope", "private"), CANARIES["g"].key),
    Asker("a", ("--agent", "b"), CANARIES["g"].key),
    Asker("v", CANARIES["v"].named, CANARIES["u"].key),
    Asker("a", ("--agent", "b"), STRANGER),
]
ASKERS = [*OWNER, *AGENTS]


def rows(table: str) -> dict[str, str]:
    """
    The rows of *table*, by the way out that stands before each.
    """
    lines = (line.split() for line in table.splitlines() if line[:1].strip())
    heard = {whose: ways.split() for whose, ways in SHARED_WITH.items()}

    def with_shared(way: str, cell: str) -> str:
        return cell + ("s" if way in heard.get(cell, ()) else "")

    return {
        name: " ".join(with_shared(name, e) for e in cells) for name, *cells in lines
    }


def expected(ways: Iterable[str]) -> dict[str, str]:
    """
    The rows of the matrix of these *ways*.
    """
    found = rows(MATRIX)
    return {way: found[way] for way in ways}


def whose(said: str, asked: str = "") -> str:
    """
    Whose words *said* holds beside those that the question *asked* holds itself.

    What everybody has forgotten, or is secret, nobody may hear.
    """
    said, stems = said.casefold(), {n: c.stem.casefold() for n, c in CANARIES.items()}
    stems["s"] = SHARED.casefold()
    for word in re.findall(r"\w+", asked.casefold()):
        if any(each in word for each in stems.values()):
            said = said.replace(word, "")
    for each in CANARIES.values():
        assert each.gone.casefold() not in said
        assert each.secret.casefold() not in said
    return "".join(name for name, stem in stems.items() if stem in said)


def row_of(cells: Iterable[Iterable[str] | None]) -> str:
    """
    The row of the matrix in which these stand: whose words came out, None for not asked.
    """
    return " ".join(
        "/"
        if each is None
        else "".join(n for n in (*CANARIES, "s") if n in {*"".join(each)}) or "."
        for each in cells
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    Everybody has talked, has been tidied, and has forgotten.
    """
    return populated(tmp_path_factory.mktemp("leaks"))


def files_of(root: Path) -> list[str]:
    """
    Every note and page of everybody, by the names that somebody might try.
    """
    found = set()
    for _, memory in memories(root):
        for each in memory.workspace.root.rglob("*.md"):
            found.add(os.path.relpath(each, memory.workspace.root))
            found.add(os.path.relpath(each, root / "workspace"))
    return sorted(found)


def commands(root: Path) -> dict[str, list[list[str]]]:
    """
    What is asked on the command line, by the way out.
    """
    words = [*PEOPLE, COLLEAGUE, FORGOTTEN, "office"]
    repos = [each.project for each in CANARIES.values()]
    lines = [f"{path}:4" for path in files_of(root) if "archive" in path]
    kinds = [f"--kind={each}" for each in KINDS]
    figures = ["status", "rules", "doctor", "model", "reflect --dry-run", "audit scan"]
    figures += ["audit verify", "undo --list", "undo --dry-run", "tidy --dry-run"]
    figures += ["sync --dry-run --since 90d", "sync --prepare --since 90d"]
    return {
        "query": [["query", each] for each in (*QUESTIONS, *words)]
        + [["query", QUESTIONS[0], "--project", each] for each in (*repos, "here")]
        + [["query", QUESTIONS[0], "--explain", "--json"]],
        "get": [["get", each] for each in files_of(root)],
        "why": [["why", each] for each in words]
        + [["why", QUESTIONS[0], "--expect", "office"]],
        "trace": [["trace", each] for each in (*words, *lines)],
        "inspect": [["inspect", each] for each in (*words, *lines)],
        "recall": [["recall", COLLEAGUE], ["recall", "office", "--json"]]
        + [["recall", "--entity", each] for each in words],
        "entity": [["entity", each] for each in words],
        "names": [["entity", "--list"], ["entity", "--list", "--json"]],
        "projects": [["project"], ["project", "--json"], ["project", "here"]]
        + [["project", "set", "office", each] for each in repos]
        + [["project", "rename", "nothing", "office"]],
        "review": [["review"], ["review", *kinds, "--json"]],
        "forget": [["forget", each, "--dry-run"] for each in ("office", COLLEAGUE)]
        + [["forget", "--last", "90d", "--dry-run", "--json"]],
        "log": [["audit", "log", "-n", "500"], ["audit", "log", "--json"]],
        "share": [["share", "--list"], ["share", "--list", "--json"]],
        "digest": [["digest", "--quiet-token", "T"], ["digest"], ["digest", "--json"]],
        "figures": [each.split() for each in figures]
        + [[*each.split(), "--json"] for each in figures],
    }


def given(root: Path) -> list[str]:
    """
    What every command is told beside who asks.
    """
    settings = ("timezone=UTC", "capture.groups=true", "search.without=vectors")
    found = ["--state-dir", str(root / "state"), "--now", LATER]
    return found + [part for each in settings for part in ("--set", each)]


def answer(root: Path, asker: Asker, command: Sequence[str]) -> str:
    """
    What *command* says to *asker*, on both of its outputs.
    """
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        run([*given(root), *asker.named, *command])
    return out.getvalue()


@pytest.fixture
def be(world: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Asker], None]:
    """
    Makes an asker of this process: where it stands, and what OpenClaw tells it.
    """
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(world / "state"))

    def become(asker: Asker) -> None:
        monkeypatch.chdir(world / asker.folder)
        for name in warm.ASKERS:
            monkeypatch.delenv(name, raising=False)
        for name, value in asker.environment.items():
            monkeypatch.setenv(name, value)

    return become


def test_commands(world: Path, be: Callable[[Asker], None]) -> None:
    """
    Every command that shows memory shows each asker their own, and nobody else's.
    """
    ways = commands(world)
    found: dict[str, list[list[str]]] = {way: [] for way in ways}
    for asker in ASKERS:
        # Everything is news to whoever asks next.
        (OwnFolder(world / "state").root / "digest.json").unlink(missing_ok=True)
        be(asker)
        for way, asked in ways.items():
            said = ((answer(world, asker, each), " ".join(each)) for each in asked)
            found[way].append([whose(*each) for each in said])

    assert {way: row_of(cells) for way, cells in found.items()} == expected(ways)
    # A stranger was told nothing, and got no memory for asking.
    apart = [each for each in CANARIES.values() if each.agent == "main"][1:]
    assert len(open_agent(world).scopes.names()) == len(apart)
    assert open_agent(world, "b").scopes.names() == []


def test_exports(world: Path, be: Callable[[Asker], None], tmp_path: Path) -> None:
    """
    A file that is handed over holds the memory that was named, unpacked to the last byte.
    """
    found: dict[str, list[list[str]]] = {form: [] for form in FORMS}
    for number, asker in enumerate(ASKERS):
        be(asker)
        for form, cells in found.items():
            target = tmp_path / f"{form}{number}"
            said = answer(world, asker, ["export", "--format", form, str(target)])
            held = everything_in(target) if target.exists() else ""
            cells.append([whose(said + held)])

    assert {way: row_of(cells) for way, cells in found.items()} == expected(FORMS)


def test_machines(world: Path, be: Callable[[Asker], None], tmp_path: Path) -> None:
    """
    Nobody but an owner's agent puts a memory into a folder, or joins what is in one.

    Into that of somebody else nobody comes without the key, and nobody else is told it.
    """
    joined = tmp_path / "joined"
    be(Asker())
    answer(world, Asker(), ["machines", "join", str(joined)])
    key = answer(world, Asker(), ["machines", "key"]).strip()
    before = everything_in(joined)
    cells = []
    for number, asker in enumerate(ASKERS):
        be(asker)
        own = tmp_path / str(number)
        is_joined = asker in {OWNER[0], OWNER[1], AGENTS[0]}
        said = answer(world, asker, ["machines", "join", str(joined)])
        said += answer(world, asker, ["machines", "join", str(own)])
        said += answer(world, asker, ["machines", "status"])
        said += answer(world, asker, ["machines", "key"])
        place = joined if is_joined else own
        held = everything_in(place) if place.exists() else ""
        cells.append([whose(said + held)])
        # It is one for all agents of an OpenClaw, which share nothing for that.
        assert (key in said) == (is_joined or "a" in whose(held))
        if not is_joined:
            answer(world, asker, ["machines", "leave"])
    be(Asker())

    assert {"machines": row_of(cells)} == expected(["machines"])
    assert everything_in(joined) == before
    assert answer(world, Asker(), ["machines", "leave"])


def test_owners_command_in_a_chat(world: Path) -> None:
    """
    `/strata` answers the owner of all agents, where nobody else reads along.
    """

    def ask(asker: Asker, words: str) -> str:
        whom = asker.session.rpartition("agent:main:")[2] if asker.session else ""
        is_owner = asker.session in {CANARIES["o"].key, CANARIES["a"].key}
        told = {"name": "command", "agent": asker.agent, "key": asker.session}
        told |= {"channel": "telegram", "words": words}
        told |= (
            {"from": f"telegram:{OWNERS}", "sender": OWNERS}
            if is_owner
            else {"from": whom, "sender": whom.rpartition(":")[2]}
        )
        event = ["event", "--batch", json.dumps([told])]
        return whose(answer(world, Asker(), event))

    found = [
        None
        if asker.session is None or asker.named
        else [ask(asker, each) for each in ("review", "digest")]
        for asker in ASKERS
    ]

    assert {"/strata": row_of(found)} == expected(["/strata"])


def told(asked: Iterable[tuple[str, Callable[[], object]]]) -> list[str]:
    """
    Whose words each call tells beside those of its question; a refusal tells nothing.
    """
    found = []
    for question, call in asked:
        with suppress(StrataError):
            found.append(whose(json.dumps(call(), ensure_ascii=False), question))
    return found


def test_mcp_server(world: Path) -> None:
    """
    The server that the owner starts for a scope serves it alone; the one of an agent only
    the owner's conversations with that agent.
    """
    opened = dict(memories(world))
    texts = {
        "mcp-search": [("memory_search", "query", e) for e in (*QUESTIONS, *PEOPLE)],
        "mcp-get": [("memory_get", "path", each) for each in files_of(world)],
        "mcp-rest": [("memory_remember", "text", "Lunch is at noon.")],
    }

    def ask(asker: Asker, way: str) -> list[str] | None:
        if asker.session is not None and not asker.can_call_tools:
            return None
        private = "a" if asker.agent_asked == "b" else "o"
        memory = opened[asker.asked if asker.session is None else private]
        box = Toolbox(lambda: memory, must_say=asker.session is not None)
        who = {} if asker.session is None else {ASKER: {"session": asker.session}}
        calls = [
            (text, partial(box.call, tool, {name: text, **who}))
            for tool, name, text in texts[way]
        ]
        if way == "mcp-rest":
            calls.append(("", partial(box.call, "memory_status", who)))
        try:
            return told(calls)
        finally:
            box.close()

    found = {way: row_of([ask(asker, way) for asker in ASKERS]) for way in texts}

    assert found == expected(texts)


def question(asker: Asker, asked: dict[str, str]) -> str:
    """
    The line in which the plugin asks for *asker*.
    """
    who = {"agent": asker.agent_asked, "asker": {"session": asker.session}}
    return json.dumps({**who, **asked})


def test_agents_own_tools(world: Path) -> None:
    """
    The process behind `memory_search` and `memory_get`, and the reminder before a turn,
    answer each conversation from its own memory.
    """
    desk = Desk(
        world / "state", lambda agent: open_agent(world, agent or "main", LATER)
    )
    ways = {
        "search": [{"name": "search", "query": e} for e in (*QUESTIONS, *PEOPLE)],
        "read": [{"name": "get", "path": each} for each in files_of(world)],
        "reminder": [
            {"name": "recall", "text": DINNER, "conversation": e} for e in "cd"
        ],
    }
    if find_model(BUNDLE) is None:
        del ways["reminder"]

    def ask(asker: Asker, asked: dict[str, str]) -> str:
        # What was never read is read when nobody asks.
        desk.idle(bool)
        if "conversation" in asked:
            # Who was reminded once is not reminded again.
            asked = {**asked, "conversation": f"{asked['conversation']} {asker}"}
        said = json.dumps(desk.answer(question(asker, asked)), ensure_ascii=False)
        return whose(said, " ".join(asked.values()))

    found = {
        way: row_of(
            [ask(asker, each) for each in asked]
            if asker.session is not None and asker.can_call_tools
            else None
            for asker in ASKERS
        )
        for way, asked in ways.items()
    }

    assert found == expected(ways)


def test_server_of_the_plugin(world: Path) -> None:
    """
    The process that the plugin keeps answers everybody, each from their own memory.
    """
    command = [sys.executable, "-m", "strata", *given(world), "serve"]
    tools = [each for each in AGENTS if each.can_call_tools]
    told = []
    with subprocess.Popen(
        command,
        cwd=BUNDLE,
        env=os.environ | {"OPENCLAW_STATE_DIR": str(world / "state")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        for number, asker in enumerate(tools):
            asked = question(asker, {"name": "search", "query": QUESTIONS[0]})
            server.stdin.write(f"{number} {asked}\n")
            server.stdin.flush()
            told.append([whose(server.stdout.readline())])
        server.stdin.close()

    assert row_of(told) == expected(["search"])["search"].replace("/ ", "")


def test_mcp_server_of_a_scope(world: Path) -> None:
    """
    The server that the command starts is of the scope that it names, also as a process.
    """
    sdk, anyio = pytest.importorskip("mcp"), pytest.importorskip("anyio")

    async def ask(scope: str) -> str:
        started = sdk.StdioServerParameters(
            command=sys.executable,
            args=["-m", "strata", *given(world), *CANARIES[scope].named, "mcp"],
            cwd=str(BUNDLE),
            env=dict(os.environ),
        )
        async with sdk.Client(started) as client:
            asked = {"query": QUESTIONS[0], "queries": PEOPLE[:3]}
            found = await client.call_tool("memory_search", asked)
            return whose(json.dumps(found.structured_content))

    assert [anyio.run(ask, scope) for scope in "gua"] == ["g", "u", "as"]


def visits(root: Path) -> dict[str, list[str]]:
    """
    Every screen of the dashboard that can be read, and what somebody might ask there.
    """
    found = {
        each.path: [""]
        for name in MODULES
        for each in screens_at(f"/{name}")
        if each.show
    }
    files = files_of(root)
    runs = [
        f"id={e.run.id}" for _, memory in memories(root) for e in known_runs(memory)
    ]
    fields = {
        "/search": [f"q={each}" for each in (*QUESTIONS, *PEOPLE)],
        "/people": [f"name={each}" for each in (COLLEAGUE, *PEOPLE)],
        "/people/page": [page_of(each).partition("?")[2] for each in files],
        "/time/day": ["date=2026-11-20"],
        "/read": [f"path={each}" for each in files],
        "/story": [f"of={each}:{line}" for each in files for line in (4, 9)],
        "/runs/run": runs,
        "/runs/undo": runs,
        "/health/audit": ["verify=1"],
    }
    for path, asked in fields.items():
        found[path] += [f"?{each}" for each in asked]
    return found


# What is sent in a form, of which nothing stands in an address.
SENT = {
    "/why": [{"text": each} for each in ("office", *PEOPLE)],
    "/forget/preview": [{"entity": COLLEAGUE}, {"text": "office"}, {"last": "90d"}],
}


def send(window: Browser, path: str, fields: dict[str, str]) -> str:
    """
    Whose words come back for *fields* in a form of the dashboard that leads to *path*.
    """
    window.open(f"/{path.split('/')[1]}")
    form = next(each for each in window.forms() if each["to"] == path)
    return whose(window.post(path, {**form, **fields}), " ".join(fields.values()))


def test_dashboard(world: Path) -> None:
    """
    Every screen, whatever is asked there, shows the memory that was named and no other.
    """
    opened = dict(memories(world))
    asked = visits(world)

    def look(asker: Asker) -> dict[str, list[str]]:
        memory = opened[asker.asked]
        window = browser(lambda: memory, alone="private" in asker.named)
        found = {
            path: [whose(window.open(f"{path}{each}"), each) for each in addresses]
            for path, addresses in asked.items()
        }
        for path, forms in SENT.items():
            found[path] += [send(window, path, each) for each in forms]
        return found

    looks = [look(asker) for asker in OWNER]

    found = {path: row_of(each[path] for each in looks) for path in asked}
    assert found == rows(SCREENS)


def part_of(path: Path) -> str:
    """
    Which row of `FILES` the file *path* of a workspace belongs to.
    """
    if path.parts[:2] in {("memory", "bank"), (".strata", "index")}:
        return path.parts[1]
    return path.parts[0]


def words_in(file: Path) -> str:
    """
    What *file* holds, whatever its form: Qdrant's reserve much that is empty.
    """
    with file.open("rb") as stream:
        blocks = iter(partial(stream.read, 1 << 16), b"")
        return b"".join(each.strip(b"\0") for each in blocks).decode("latin-1")


def test_files(world: Path) -> None:
    """
    No file of a memory holds another's words: notes, bank, index, journal.
    """
    held: dict[str, dict[str, list[str]]] = {}
    apart = world / "workspace" / "scopes"
    for name, memory in memories(world):
        root = memory.workspace.root
        for file in root.rglob("*"):
            if file.is_file() and (memory.parent or apart not in file.parents):
                cells = held.setdefault(part_of(file.relative_to(root)), {})
                cells.setdefault(name, []).append(whose(words_in(file)))

    found = {
        part: row_of(cells.get(each, ()) for each in CANARIES)
        for part, cells in held.items()
    }
    assert found == rows(FILES)


def test_read_to_other_people(world: Path) -> None:
    """
    The file of a person holds that person's words, and nobody else's.
    """
    folder = world / "workspace" / "users"

    found = {file.parent.name: whose(file.read_text()) for file in folder.glob("*/*")}

    assert found == {"profile-u": "u", "profile-v": "v"}


def test_tab(world: Path) -> None:
    """
    The page in OpenClaw's Control UI, which its owner alone opens, is of their agents.
    """
    page = (OwnFolder(world / "state").root / "tab.html").read_text("utf-8")

    assert whose(page) == "oa"
