"""Whatever is written encrypted is read as it was, in lines and whole."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from builders_encryption import KEY
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.errors import DecryptionFailed
from strata.workspace import stored
from strata.workspace.ciphers import Cipher
from strata.workspace.files import Workspace
from strata.workspace.vault import UserKey, new_vault

CIPHER = Cipher("01234567", bytes(range(32)))
TEXTS = st.binary(max_size=300) | st.text(max_size=80).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


@given(TEXTS, st.text(min_size=1, max_size=20).map(lambda t: t.encode().hex()))
def test_file_comes_back(content: bytes, name: str) -> None:
    """
    Any bytes, whatever they end with, come back under their name.
    """
    assert CIPHER.plain_file(CIPHER.file(content, name), name) == content


@given(TEXTS)
def test_line_comes_back(content: bytes) -> None:
    """
    A line holds no line feed, whatever it says.
    """
    line = CIPHER.line(content, "journal.jsonl")

    assert b"\n" not in line
    assert CIPHER.plain_line(line, "journal.jsonl") == content


@given(st.binary(min_size=1, max_size=60), st.data())
def test_cut_line_says_nothing(content: bytes, data: st.DataObject) -> None:
    """
    However much of a line a crash leaves, it is never taken for another record.
    """
    line = CIPHER.line(content, "journal.jsonl")
    cut = line[: data.draw(st.integers(0, len(line) - 1))]

    try:
        CIPHER.plain_line(cut, "journal.jsonl")
    except DecryptionFailed:
        return
    raise AssertionError(cut)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, st.booleans()), max_size=8))
def test_lines_of_any_past_are_read(parts: list[tuple[bytes, bool]]) -> None:
    """
    A file of plain and encrypted lines, torn ones too, says what was written to it, and
    says the same after it was stored anew.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "memory").mkdir()
        made, cipher = new_vault(UserKey(KEY, "the test"))
        (root / "memory/encryption.json").write_text(made.text(), "utf-8")
        file = root / ".strata" / "journal.jsonl"
        lines = [(part.replace(b"\n", b" "), sealed) for part, sealed in parts]
        content = b"".join(
            (cipher.line(line, file.name) if sealed and line else line) + b"\n"
            for line, sealed in lines
        )
        said = b"".join(line + b"\n" for line, _ in lines)

        assert stored.plain(content, file) == said
        Workspace(root).write_private(file, said)
        assert stored.read(file) == said
