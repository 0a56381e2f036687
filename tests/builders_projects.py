"""Repositories in which somebody works, and talks about them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from builders import START, Conversation
from builders_memory import open_memory

from strata.jobs.sync import sync

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

HERON = "https://ada:gh_secret@github.com/Ada/Heron.git"
EGRET = "git@github.com:ada/egret.git"
LATER = "2026-11-20T22:00:00+00:00"


def repository(folder: Path, url: str) -> Path:
    """
    A folder with as much of a repository as tells its remote.
    """
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    return folder


def talk(
    root: Path, number: int, folder: Path | None, *said: str, at: datetime = START
) -> Conversation:
    """
    Conversation *number* of the owner, in which the agent works in *folder*.
    """
    name = f"{number}1871d67-1111-4222-8333-444444444444"
    told = Conversation(root / "state", name, f"agent:main:t{number}", at)
    told.at += timedelta(minutes=20 * number)
    for each in said:
        told.user(each)
        if folder:
            told.tool("exec", "ok", command="make", workdir=str(folder))
        told.agent("Noted.")
    told.save()
    return told


def worked(root: Path) -> Memory:
    """
    The memory after talks in Heron and Egret, and one about nothing of the kind.
    """
    heron = repository(root / "work" / "heron", HERON)
    egret = repository(root / "work" / "egret", EGRET)
    talk(
        root,
        1,
        heron,
        "We decided to keep the data in PostgreSQL 16, as the reports need ACID.",
        "I prefer short commit messages in English.",
    )
    talk(
        root,
        2,
        egret,
        "We decided to keep the data in MySQL 8, as the hoster has it.",
        "We decided that egret ships on Fridays.",
    )
    talk(
        root,
        3,
        None,
        "We decided to keep the spare keys in the blue drawer.",
        "Anna moved to Porto last week.",
    )
    memory = open_memory(root, LATER)
    sync(memory)
    return open_memory(root, LATER)
