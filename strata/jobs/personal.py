"""users/PROFILE/USER.md: what of a person's own page OpenClaw may read to that person."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from strata.errors import NotAccepted, StrataError
from strata.history.decisions import decisions
from strata.history.ledger import statement_id
from strata.history.names import PERSONAL, UNDONE
from strata.history.projection import History
from strata.history.records import undone_runs
from strata.history.statements import Statement
from strata.jobs.undoing.runs import recorded
from strata.messages import Notice
from strata.notes.long_term import Section, placed_lines
from strata.notes.managed_block import block_in, with_block, without_block
from strata.transcripts.profiles import Profiles, is_profile
from strata.workspace.layout import LONG_TERM
from strata.workspace.openclaw import configuration
from strata.workspace.own_folder import OwnFolder
from strata.workspace.owners import whose
from strata.workspace.prompt_limits import (
    PROFILE,
    USERS,
    is_alias,
    length,
    most_of_profile,
    personal_files,
)
from strata.workspace.provenance import provenance
from strata.workspace.scopes import Scope, scope_of_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.memory import Memory

VERSION = 1
_FIRST_VERSION = (2026, 9, 6)
_ACCEPTED = "accept"


def proposed(memory: Memory, known: Sequence[Statement]) -> list[Statement]:
    """
    Return which lines of the page of *memory* OpenClaw might read to its person.

    *known* are the statements of the memory. There are none where OpenClaw would not, as
    `why_not` says, and none about which the owner has decided.
    """
    profile, obstacle = _place(memory)
    if obstacle:
        return []
    decided = _answers(memory)
    return [
        _proposal(each, path_of(profile), memory.scope)
        for each in wishes(memory, known)
        if (profile, each.id) not in decided
    ]


def wishes(memory: Memory, known: Sequence[Statement]) -> list[Statement]:
    """
    Return which of *known* are lines of the page that the person wishes for good.

    What the owner worded on somebody's page is not that person's wish.
    """
    told = {each.id for each in decisions(memory.journal).remembered}
    sections = [each for each, _ in placed_lines(memory.workspace.read(LONG_TERM))]
    return [
        each
        for each in known
        if each.line
        and each.kind == "promoted"
        and each.id not in told
        and sections[each.line - 1] is Section.PREFERENCES
    ]


def why_not(memory: Memory) -> Notice | None:
    """Return why OpenClaw would read nothing of the page to its person, None if it does."""
    return _place(memory)[1]


def answer(memory: Memory, found: Statement, action: str) -> Statement:
    """
    Do what the owner says of the proposal *found*, and bring the file up to date.

    The caller lets no other job in. Raise `NotAccepted` where OpenClaw would not read it.
    """
    profile, obstacle = _place(memory)
    if action == _ACCEPTED:
        if obstacle:
            raise NotAccepted(obstacle)
        _refuse_too_long(memory, profile, str(found.record["of"]))
    with recorded(memory, PERSONAL, always=True) as run:
        record = {
            "event": PERSONAL,
            "version": VERSION,
            "at": memory.now.isoformat(timespec="seconds"),
            "run": run.id,
            "id": found.record["of"],
            "action": action,
            "profile": profile,
        }
        memory.journal.append([record])
    bring_up(memory)
    return replace(found, kind="promoted" if action == _ACCEPTED else "declined")


def bring_up(memory: Memory) -> list[str]:
    """
    Let OpenClaw read to the person of *memory* what the owner accepted and the page says.

    Return the files that changed. They lie in the owner's workspace, where OpenClaw looks;
    whatever is beside our block in them stays.
    """
    if memory.parent is None or not memory.is_of_one:
        return []
    profiles = {profile for profile, _ in _answers(memory)} | _standing(memory)
    theirs = _still_theirs(memory, profiles) if profiles else set()
    return [
        path_of(profile)
        for profile in sorted(profiles)
        # Whose account it no longer is hears nothing of it any more, and the owner never.
        if _write(memory, profile, _lines(memory, profile) if profile in theirs else ())
    ]


def path_of(profile: str) -> str:
    """Return where in the owner's workspace the file of *profile* lies."""
    return f"{USERS}/{profile}/{PROFILE}"


def _proposal(each: Statement, path: str, scope: str) -> Statement:
    record: dict[str, Any] = {
        "event": "waiting",
        "at": each.record.get("at"),
        "dimension": PERSONAL,
        "reason": f"OpenClaw would read it to them from {path}",
        "wanted": PERSONAL,
        "of": each.id,
        "path": path,
        "scope": scope,
    }
    return Statement(statement_id(f"{path} {each.text}"), each.text, "waiting", record)


def _place(memory: Memory) -> tuple[str, Notice | None]:
    """Return the profile of the person of *memory*, and why its file would not be read."""
    try:
        return _placed(memory)
    except StrataError as error:
        # OpenClaw's own store may be locked, or damaged.
        return "", Notice("personal.unreadable", problem=error.told)


def _placed(memory: Memory) -> tuple[str, Notice | None]:
    known = Profiles(memory.state_folder)
    if not known.are_known or _is_older(memory):
        return "", Notice("personal.too-old")
    profile = _linked(memory)
    if not profile:
        return "", Notice("personal.not-linked")
    return profile, _obstacle(memory, profile, known.read_in(profile, memory.agent))


def _obstacle(memory: Memory, profile: str, keys: set[str]) -> Notice | None:
    """Return why the file of *profile*, which is read in *keys*, is not to be written."""
    path, workspace = path_of(profile), memory.private.workspace
    record = provenance(memory.state_folder, workspace.root, path)
    is_trusted = record is None or record.origin == "agent"
    if reaches := _reaches_owner(memory, profile, keys):
        return reaches
    if not keys:
        return Notice("personal.no-conversation")
    if is_alias(workspace.root, path) or not is_trusted:
        return Notice("personal.left-out", path=path)
    return None


def _is_older(memory: Memory) -> bool:
    """Say whether the OpenClaw into which we are installed is too old; unknown is not."""
    installed = OwnFolder(memory.state_folder).load()
    parts = (installed.version if installed else "").split(".")[:3]
    numbers = tuple(int(each) for each in parts if each.isdecimal())
    return bool(numbers) and numbers < _FIRST_VERSION


def _linked(memory: Memory) -> str:
    """Return the one profile whose account it is that talks in *memory*, else ""."""
    # The name of a scope tells nothing of who it is, so each account is tried.
    found = {
        profile
        for account, profile in Profiles(memory.state_folder).linked()
        for sender in {account.sender, account.sender.lower()}
        if memory.scopes.name(Scope("user", account.channel, sender)) == memory.scope
    }
    return found.pop() if len(found) == 1 else ""


def _still_theirs(memory: Memory, profiles: set[str]) -> set[str]:
    """
    Return which of *profiles* have the account of *memory*, and reach nobody but them.

    Those are all where nobody can say.
    """
    try:
        profile = _linked(memory)
        keys = Profiles(memory.state_folder).read_in(profile, memory.agent)
        return set() if _reaches_owner(memory, profile, keys) else {profile}
    except StrataError:
        return profiles


def _reaches_owner(memory: Memory, profile: str, keys: set[str]) -> Notice | None:
    """Return why the file of *profile*, read in *keys*, would be read to the owner."""
    configured = configuration(memory.state_folder)
    accounts = (
        account
        for account, each in Profiles(memory.state_folder).linked()
        if each == profile
    )
    if any(whose(configured, e.channel, e.sender) != "other" for e in accounts):
        return Notice("personal.owners")
    chats = (each for each in map(scope_of_key, keys) if each and each.kind == "user")
    if f"agent:{memory.agent}:main" in keys or any(
        whose(configured, each.channel, each.id) == "owner" for each in chats
    ):
        return Notice("personal.owners-conversation")
    return None


def _answers(memory: Memory) -> dict[tuple[str, str], str]:
    """Return what the owner says of each statement, by profile and id."""
    records = list(memory.journal.records(PERSONAL, UNDONE))
    undone = undone_runs(records)
    return {
        (str(each["profile"]), str(each["id"])): str(each["action"])
        for each in records
        if each["event"] == PERSONAL and each["run"] not in undone
        if is_profile(str(each["profile"]))
    }


def _standing(memory: Memory) -> set[str]:
    """Return the profiles in whose files a block of *memory* stands."""
    workspace = memory.private.workspace
    names = {each.split("/")[1] for each in personal_files(workspace.root)}
    by = _by(memory)
    return {e for e in names if block_in(workspace.read(path_of(e)), by=by) is not None}


def _by(memory: Memory) -> str:
    """Return the command that decides what stands in the block of *memory*."""
    # One person may have an account on each of several channels, and a memory for each.
    return f"strata --scope {memory.scope} review"


def _lines(memory: Memory, profile: str, *more: str) -> list[Statement]:
    """Return what of the page is accepted for *profile*, and the statements *more*."""
    answers = _answers(memory)
    page = memory.workspace.read(LONG_TERM)
    known = History(memory.journal, worded=False).statements(page)
    chosen = [
        each
        for each in wishes(memory, known)
        if each.id in more or answers.get((profile, each.id)) == _ACCEPTED
    ]
    return sorted(chosen, key=lambda each: each.line)


def _refuse_too_long(memory: Memory, profile: str, new: str) -> None:
    """Raise `NotAccepted` where OpenClaw would leave out the file with the line *new*."""
    text = memory.private.workspace.read(path_of(profile))
    after = _with(text, _lines(memory, profile, new), _by(memory))
    most = most_of_profile(configuration(memory.state_folder), memory.agent)
    if length(after) > most:
        path = path_of(profile)
        raise NotAccepted(Notice("personal.too-long", path=path, most=most))


def _write(memory: Memory, profile: str, lines: Sequence[Statement]) -> bool:
    workspace, path = memory.private.workspace, path_of(profile)
    if is_alias(workspace.root, path):
        return False
    with workspace.unrecorded():
        changed = workspace.update(path, lambda text: _with(text, lines, _by(memory)))
        if changed and not (left := workspace.read(path)).strip():
            workspace.remove(path, text=left)
    return changed


def _with(text: str, lines: Sequence[Statement], by: str) -> str:
    if not lines:
        return without_block(text, "\n", by=by)
    return with_block(text, "\n\n".join(_entries(lines)), by=by)


def _entries(lines: Sequence[Statement]) -> Iterator[str]:
    """Give each line in the form that OpenClaw asks for, docs/concepts/user-model.md."""
    for each in lines:
        days = [str(source.get("day")) for source in each.record.get("sources") or ()]
        day = max(days, default=str(each.record.get("at", ""))[:10])
        said = each.text.replace("<!--", "‹!--")
        yield f"<!-- observed: {day} | status: active -->\n\n- {said}"
