"""Of which repository a folder is, read from its ``.git`` without running git."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

# A configuration has a kilobyte; a file that points elsewhere has one line.
_MOST_BYTES = 65_536
_DEEPEST = 64
_POINTER = "gitdir:"
_SECTION = re.compile(r'\[remote "((?:[^"\\\n]|\\.)*)"\]\s*(?:[#;].*)?')
_URL = re.compile(r"url\s*=\s*(.*)", re.IGNORECASE)
# ssh://git@host:22/owner/name.git, and how ssh itself writes it: git@host:owner/name.git
_WITH_SCHEME = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/]*@)?(\[[^]/]*\]|[^/:@]*)(?::\d*)?/(.*)"
)
# One letter before the colon is a drive of Windows.
_OF_SSH = re.compile(r"(?:[^/]*@)?([^/:@\\]{2,}):(?!//)(.*)")
# What may come after the path, and may be a password.
_AFTER = re.compile(r"[?#;]")
# A note shows it, and no person has a longer one.
_LONGEST = 200
_STRANGE = re.compile(r"[^\w.~+-]+")


def repository_at(folder: str, own: Path) -> str | None:
    """
    Return the name of the repository that *folder* is in: host and path of its remote.

    Clones and worktrees have one name; without a remote it is that of the main folder.
    "" where there is none, or it holds the workspace *own*, which is no project. None
    where *folder* is gone. No user, no password and no query of a remote is in it.
    """
    place = Path(folder)
    if not place.is_absolute() or not _is_folder(place):
        return None
    with suppress(OSError, ValueError):
        place = place.resolve()
        for each in [place, *place.parents][:_DEEPEST]:
            if (each / ".git").exists():
                within = own.resolve().is_relative_to(each)
                return "" if within else _name_of(each)
    return ""


def normalised(url: str) -> str:
    """Return a remote's *url* as host and path, the path's last part for a local one."""
    told = url.strip().strip('"')
    found = _WITH_SCHEME.fullmatch(told) or _OF_SSH.fullmatch(told)
    local = found is None or not found[1] or told.lower().startswith("file:")
    # Of an address that is none, whatever stands before the last @ may be a password.
    rest = told.rpartition("@")[2]
    host, path = ("", rest) if local or found is None else (found[1], found[2])
    path = _AFTER.split(path, maxsplit=1)[0]
    parts = [_plain(each) for each in re.split(r"[/\\]+", path)]
    if parts and parts[-1] == "git" and len(parts) > 1 and path.endswith("/.git"):
        parts.pop()
    parts = [each for each in parts if each and set(each) != {"."}]
    if not parts:
        return ""
    parts[-1] = parts[-1].removesuffix(".git") or parts[-1]
    return "/".join([_plain(host), *parts]) if host else parts[-1]


def _plain(part: str) -> str:
    return _STRANGE.sub("-", part.rsplit("@", maxsplit=1)[-1]).strip("-").casefold()


def _name_of(root: Path) -> str:
    """Return the name of the repository whose working folder is *root*."""
    git = _git_folder(root)
    if git is None:
        return _plain(root.name)
    remotes = dict(_remotes(_text(git / "config")))
    # As git does where nothing else is said.
    url = remotes.get("origin") or next(iter(remotes.values()), "")
    main = git.parent if git.name == ".git" else git
    name = normalised(url)
    return name if 0 < len(name) <= _LONGEST else _plain(main.name.removesuffix(".git"))


def _git_folder(root: Path) -> Path | None:
    """
    Return the folder that holds the configuration of the repository of *root*.

    A file in its place is followed to a worktree's folder that names *root* as its own,
    and to one below the ``.git`` of a folder around it, as modules have: nowhere else,
    and by no link.
    """
    own = root / ".git"
    if own.is_symlink():
        return None
    if own.is_dir():
        return own
    told = _text(own).strip()
    if not told.startswith(_POINTER):
        return None
    private = Path(os.path.realpath(root / told.removeprefix(_POINTER).strip()))
    back = _text(private / "gitdir").strip()
    if back and os.path.realpath(private / back) == str(own):
        common = _text(private / "commondir").strip()
        shared = Path(os.path.realpath(private / common)) if common else private
        # Such a folder is always <shared>/worktrees/<name>.
        return shared if private.parent.parent == shared else None
    around = (each / ".git" for each in root.parents)
    return private if any(private.is_relative_to(each) for each in around) else None


def _remotes(config: str) -> list[tuple[str, str]]:
    """Return name and address of each remote in *config*, in its order."""
    found, remote = [], ""
    for line in map(str.strip, config.splitlines()):
        if line.startswith("["):
            section = _SECTION.fullmatch(line)
            remote = section[1] if section else ""
        elif remote and (told := _URL.match(line)):
            found.append((remote, told[1]))
    return found


def _text(file: Path) -> str:
    """Return what the *file* says, "" where it is none, or a link."""
    with suppress(OSError, ValueError):
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
        descriptor = os.open(file, flags)
        with os.fdopen(descriptor, "rb") as opened:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return opened.read(_MOST_BYTES).decode("utf-8", "replace")
    return ""


def _is_folder(place: Path) -> bool:
    try:
        return place.is_dir()
    except (OSError, ValueError):
        return False
