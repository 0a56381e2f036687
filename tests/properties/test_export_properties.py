"""Whatever stands in memory: an archive of it is it, elsewhere too."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from builders_exports import every_form, memory_in, records_in
from builders_memory import NOON, open_memory
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.jobs.audit_scan import cleaner
from strata.jobs.exporting.export import export
from strata.jobs.exporting.restoring import restore
from strata.jobs.forgetting.removal import bytes_of

# What people, programs and broken disks write into notes; no note holds a zero byte.
WORDS = st.sampled_from(
    [
        *(
            "- ",
            "# ",
            "## 14:28 session:ea86accd | 6 messages",
            "```",
            "\r\n",
            "\n",
            " ",
        ),
        *(
            "[preference] ",
            "Always use pnpm.",
            "周报每周五下午发。",
            "(src: 2026-11-17)",
        ),
        *(
            "<!-- keep -->",
            "\u2028",
            "\ufeff",
            "\udcff",
            "token: ",
            "ghp_" + "a1B2c3D4e5" * 4,
        ),
        *("## User Preferences", "⟦secret:password⟧", "My password is hunter2-Zebra."),
    ]
)
TEXTS = (
    st.lists(
        WORDS
        | st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=12),
        min_size=1,
        max_size=30,
    )
    .map("".join)
    .filter(bool)
)
PATHS = st.sampled_from(
    [
        *("MEMORY.md", "memory/2026-11-17.md", "memory/2026-11-18.md"),
        *("memory/weekly/2026-11-16.md", "memory/archive/2026/2026-11-09.md"),
        *("memory/Büro und 家/ideas.md", "memory/a b/2026-11-17.MD"),
    ]
)
NOTES = st.dictionaries(PATHS, TEXTS, max_size=5)


@settings(max_examples=40)
@given(NOTES)
def test_archive_is_the_memory(notes: dict[str, str]) -> None:
    """
    Restored elsewhere, each note is the same to the byte but for its secrets, and what
    is exported there is the same archive.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        here, there = (open_memory(root / name, NOON) for name in ("here", "there"))
        for path, text in notes.items():
            here.workspace.update(path, text.__add__)
        clean = cleaner(here)

        export(here, root / "a.zip")
        restore(there, root / "a.zip")
        export(there, root / "b.zip")

        expected = {path: bytes_of(clean(text)) for path, text in notes.items()}
        assert memory_in_any_case(there.workspace.root) == expected
        assert (root / "b.zip").read_bytes() == (root / "a.zip").read_bytes()


@settings(max_examples=25)
@given(
    NOTES, st.sampled_from(["ghp_" + "Z9y8X7w6V5" * 4, "sk-ant-api03-" + "Ab1_" * 20])
)
def test_no_form_holds_a_secret(notes: dict[str, str], secret: str) -> None:
    """
    Among whatever words a known secret stands, no form has it, and none fails.
    """
    with TemporaryDirectory() as folder:
        memory = open_memory(Path(folder), NOON)
        for path, text in notes.items():
            told = f"{text}\n- The key is {secret} now.\n"
            memory.workspace.update(path, told.__add__)

        for told in every_form(memory, Path(folder) / "out").values():
            assert secret not in told
        assert all(each["text"] for each in records_in(Path(folder) / "out" / "jsonl"))


def memory_in_any_case(workspace: Path) -> dict[str, bytes]:
    """
    The notes of *workspace*, those whose ending is written large too.
    """
    large = {
        file.relative_to(workspace).as_posix(): file.read_bytes()
        for file in workspace.glob("memory/**/*.MD")
    }
    return {**memory_in(workspace), **large}
