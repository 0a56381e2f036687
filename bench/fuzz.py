"""
Whatever stands in transcripts, notes, settings and questions: no crash, no hang, no harm.

    python bench/fuzz.py [--minutes 10] [--target NAME] [--seed 0]

Throws made-up, broken and spiteful input at each target in turns, and stops at the first
one that raises what is no `StrataError`, takes more than a second of CPU, or writes
outside its workspace. Prints how many inputs each target took. The tests run a slice.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from strata.errors import StrataError
from strata.jobs.deciding.wording import fit_for_memory
from strata.judges.entries import extract_facts
from strata.language.quarantine import attempts
from strata.models import Message, Origin
from strata.notes.daily import parse_daily, render_daily
from strata.notes.entries import LONGEST, one_line, parse_entry
from strata.notes.foreign import statements_in
from strata.notes.lines import said_by
from strata.notes.long_term import parse_long_term, render_long_term
from strata.search.answering.citations import get
from strata.search.answering.operators import parse
from strata.sensitivity import NO_RULES
from strata.settings import load_settings
from strata.transcripts.announced import Announced
from strata.transcripts.openclaw import Transcripts
from strata.transcripts.private import Privacy
from strata.transcripts.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_SECONDS = 1.0
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
# Pieces that mean something to one parser or the other.
PIECES = (
    *(
        "# 2026-11-20\n",
        "## 14:02 session:61871d67 | 12 messages\n",
        "- [decision] x\n",
    ),
    *(
        "(src: 2026-11-20)",
        "<!-- importance: 7 -->",
        "<!--",
        "-->",
        "```\n",
        "> ",
        "---\n",
    ),
    *(
        "<private>",
        "off the record. ",
        "别记这段。",
        "[a](b)",
        "![](x)",
        "[[",
        "]]",
        "<b>",
    ),
    *(
        "From: a <a@b.example>\n",
        "Subject: x\n",
        "System: ",
        "{\n",
        "}\n",
        '{"a":',
        "[\n",
    ),
    *(
        "password is ",
        "密码是 ",
        "ghp_",
        "AKIA",
        "eyJ",
        "sk-",
        "%41",
        "\\u0041",
        "&amp;",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----\n",
        "\u200b",
        "\u202e",
        "\U000e0041",
        "\x00",
        "\x1b[2J",
    ),
    *(
        "\ud800",
        "\r\n",
        "\t",
        "  ",
        "/",
        "../",
        "..",
        "~",
        "$(id)",
        "' OR 1=1 --",
        '"',
        "-",
    ),
    *(
        "last Wednesday ",
        "上周三",
        "2026-13-45",
        "9" * 30,
        "a" * 40,
        "我" * 40,
        "= ",
        "|",
    ),
    *(
        "[trust]\n",
        "masked = [",
        "never_store = ['/",
        "/']\n",
        "a = 1\n",
        "[" * 20,
        "{" * 20,
    ),
    *(
        "NEAR(",
        "AND ",
        "OR ",
        "*",
        ":",
        "^",
        "always ",
        "never ",
        "以后",
        "记住",
        "yes",
        ".",
    ),
)


class Failure(Exception):
    """An input that did harm."""


def text(chance: random.Random, pieces: int = 40) -> str:
    """Return a text of *pieces* at most, some of them repeated very often."""
    parts = []
    for _ in range(chance.randint(0, pieces)):
        piece = chance.choice(PIECES)
        if chance.random() < 0.1:
            piece = "".join(
                chr(chance.choice((chance.randrange(0x250), 0x4E00))) for _ in "abcd"
            )
        parts.append(piece * chance.choice((1, 1, 1, 1, 2, 30)))
    return "".join(parts)


def line(chance: random.Random) -> bytes:
    """Return one line of a transcript, whole, strange or broken."""
    said: dict[str, object] = {
        "role": chance.choice(("user", "assistant", "toolResult", 7))
    }
    said["content"] = chance.choice(
        (
            text(chance, 8),
            [{"type": "text", "text": text(chance, 8)}],
            None,
            {"a": 1},
            [3],
        )
    )
    entry = {
        "type": chance.choice(
            ("message", "message", "message", "session", "leaf", "reset", 5)
        ),
        "id": chance.choice(("a", "b", "c", None, 9)),
        "parentId": chance.choice((None, "a", "b", "zz", 4)),
        "timestamp": chance.choice(
            ("2026-11-20T10:00:00Z", 1795173287468, "x", None, 10**40)
        ),
        "message": chance.choice((said, said, said, "x", None)),
    }
    raw = json.dumps(entry).encode("utf-8", "surrogatepass")
    cut = chance.randrange(len(raw)) if chance.random() < 0.1 else len(raw)
    return raw[:cut] + chance.choice((b"", b"", b"\xff\xfe", b"\x00"))


def transcript(chance: random.Random, folder: Path) -> None:
    """Read a conversation, then take it for what it says."""
    place = folder / "agents" / "main" / "sessions"
    place.mkdir(parents=True, exist_ok=True)
    raw = b"\n".join(line(chance) for _ in range(chance.randint(0, 30)))
    (place / "61871d67-1111-4222-8333-444444444444.jsonl").write_bytes(raw)
    transcripts = Transcripts(folder)
    for session in transcripts.sessions():
        transcripts.outline(session)
        extract_facts(transcripts.read(session), timezone=UTC)


def note(chance: random.Random, _folder: Path) -> None:
    """Take notes apart; put together again they are the same."""
    raw = text(chance)
    same = (
        render_daily(parse_daily(raw, NOON.date())),
        render_long_term(parse_long_term(raw)),
    )
    if same != (raw, raw):
        raise Failure("a note is not put together as it was")
    list(statements_in(raw))
    for each in raw.split("\n"):
        parse_entry(each)
        said_by(each)
        once = one_line(each)
        if len(once) < LONGEST and one_line(once) != once:
            raise Failure("a neutral line is not neutral")


def settings(chance: random.Random, folder: Path) -> None:
    """Read settings that nobody wrote."""
    file = folder / "config.toml"
    file.write_bytes(text(chance, 12).encode("utf-8", "surrogatepass"))
    load_settings(
        file, environment={}, overrides=[text(chance, 2)] * chance.randint(0, 1)
    )


def question(chance: random.Random, folder: Path) -> None:
    """Ask, read a citation, and remember what nobody would say."""
    parse(text(chance, 12))
    outside = folder.parent / "outside.md"
    for citation in (
        text(chance, 4),
        f"memory/{text(chance, 3)}",
        f"../{outside.name}",
    ):
        try:
            found = get(folder, citation.replace("\x00", ""))
        except StrataError:
            continue
        if "OUTSIDE" in found.text:
            raise Failure("a citation leads out of the workspace")
    fit_for_memory(text(chance, 6), NOON, NO_RULES, lambda _: False)


def redaction(chance: random.Random, _folder: Path) -> None:
    """Look for secrets; what was redacted is not redacted again."""
    raw = text(chance)
    once = redact(raw)
    if redact(once) != once:
        raise Failure("redacting twice is not redacting once")
    announced, privacy = Announced(), Privacy()
    announced.hear("assistant", raw)
    announced.redacted("user", text(chance, 4))
    privacy.heard(raw, by_owner=True)
    message = Message("a", 1, "user", raw, NOON, Origin.OWNER)
    list(attempts(message))


TARGETS: dict[str, Callable[[random.Random, Path], None]] = {
    "transcript": transcript,
    "note": note,
    "settings": settings,
    "question": question,
    "redaction": redaction,
}


def shot(name: str, seed: int, folder: Path) -> None:
    """Throw the input of *seed* at the target *name*; raise `Failure` where it harms."""
    # Named so that a failure can be repeated by itself.
    chance = random.Random(f"{name} {seed}")  # noqa: S311 - repeatable
    began = time.process_time()
    try:
        TARGETS[name](chance, folder)
    except StrataError:
        pass
    except Failure as failure:
        raise Failure(f"{name} {seed}: {failure}") from None
    except Exception as error:
        raise Failure(f"{name} {seed}: {type(error).__name__}: {error}") from error
    took = time.process_time() - began
    if took > LONGEST_SECONDS:
        raise Failure(f"{name} {seed}: took {took:.1f} s")


def room(scratch: Path) -> Path:
    """Return a folder to work in, beside a file that must never be read or changed."""
    folder = scratch / "workspace"
    (folder / "memory").mkdir(parents=True)
    (scratch / "outside.md").write_text("OUTSIDE\n")
    (folder / "memory" / "link.md").symlink_to(scratch / "outside.md")
    (folder / "memory" / f"{date(2026, 11, 20)}.md").write_text("# 2026-11-20\n")
    return folder


def untouched(scratch: Path) -> bool:
    """Say whether nothing outside of the room was written."""
    left = {path.name for path in scratch.iterdir()}
    return left == {"workspace", "outside.md"} and (
        (scratch / "outside.md").read_text() == "OUTSIDE\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--target", choices=sorted(TARGETS))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    names = [options.target] if options.target else list(TARGETS)
    with tempfile.TemporaryDirectory() as place:
        folder = room(Path(place))
        end, seed = time.monotonic() + 60 * options.minutes, options.seed
        while time.monotonic() < end:
            for name in names:
                shot(name, seed, folder)
            seed += 1
        if not untouched(Path(place)):
            raise SystemExit("something was written outside of the workspace")
    print(f"{seed - options.seed} inputs for each of {', '.join(names)}: no harm")


if __name__ == "__main__":
    main()
