"""What counts after turns were rewound, retried or written by mistake."""

from __future__ import annotations

import json
from itertools import pairwise

from builders_transcripts import Script

from strata.transcripts.branches import Branch
from strata.transcripts.entries import Entry, parse_entry
from strata.transcripts.sources import find_branch, mark_path


def entries_of(script: Script) -> list[Entry]:
    return [parse_entry(json.loads(line)) for line in script.lines]


def alive(script: Script) -> list[str]:
    entries = entries_of(script)
    marked = mark_path(lambda: entries)
    return [entry.said.text for entry, counts in marked if counts and entry.said]


def test_chain_counts_whole() -> None:
    """
    A transcript in which each entry follows the last needs one range.
    """
    script = Script().header().user("a").agent("b").user("c")

    assert Branch.whole(4) == find_branch(lambda: entries_of(script))
    assert alive(script) == ["a", "b", "c"]


def test_rewound_turns_do_not_count() -> None:
    """
    Going back to an earlier entry drops everything said since.
    """
    script = Script().header().user("a").agent("b")
    kept = script.last

    script.user("dead").agent("dead too").rewind(kept).user("c").agent("d")

    assert alive(script) == ["a", "b", "c", "d"]


def test_rewinding_twice_leaves_the_last_path() -> None:
    """
    Dead branches may themselves have been gone back to.
    """
    script = Script().user("a")
    first = script.last
    script.agent("b1").user("c1").rewind(first).agent("b2")
    second = script.last

    script.user("c2").agent("d2").rewind(second).user("c3")

    assert alive(script) == ["a", "b2", "c3"]


def test_going_back_to_a_dead_branch_revives_it() -> None:
    """
    What counts is the path from the tip, not which branch is older.
    """
    script = Script().user("a")
    first = script.last
    script.agent("b1")
    old = script.last

    script.rewind(first).agent("b2").user("c2").rewind(old).user("c1")

    assert alive(script) == ["a", "b1", "c1"]


def test_leaf_entry_chooses_the_tip() -> None:
    """
    After a failed call OpenClaw re-anchors with a leaf entry: what it skips is dead.
    """
    script = Script().user("a").agent("b")
    target = script.last
    script.user("[OpenClaw heartbeat poll]")

    script.entry("leaf", parentId=target, targetId=target).rewind(target).user("c")

    assert alive(script) == ["a", "b", "c"]


def test_leaf_at_the_end_drops_what_follows_its_target() -> None:
    """
    A leaf may be the newest entry of all.
    """
    script = Script().user("a").agent("b")
    target = script.last

    script.user("dead").entry("leaf", parentId=target, targetId=target)

    assert alive(script) == ["a", "b"]


def test_leaf_to_nowhere_changes_nothing() -> None:
    """
    A leaf whose target does not exist, or that names none, is ignored.
    """
    script = Script().user("a").agent("b")
    tip = script.last

    script.entry("leaf", targetId="gone").entry("leaf").rewind(tip).user("c")

    assert alive(script) == ["a", "b", "c"]


def test_side_entries_never_count_nor_lead() -> None:
    """
    Delivered media is mirrored beside the path; the next entry follows either.
    """
    script = Script().user("a").agent("b")
    tip = script.last
    mirror = {"role": "assistant", "content": "mirror"}

    script.said(mirror, appendMode="side")
    through_side = Script(lines=list(script.lines), last=script.last).user("c")
    past_side = Script(lines=list(script.lines), last=tip).user("c")

    assert alive(through_side) == ["a", "b", "c"]
    assert alive(past_side) == ["a", "b", "c"]


def test_plugin_notes_hang_in_the_tree_without_leading_it() -> None:
    """
    An entry of an unknown type that follows something else does not drop the path.
    """
    script = Script().user("a")
    first = script.last

    script.agent("b").rewind(first).entry("x-plugin-note").user("c")

    assert alive(script) == ["a", "b", "c"]


def test_unknown_parent_counts_as_the_entry_before() -> None:
    """
    A parent whose line was broken, or lost by OpenClaw (issue 64287), loses nothing.
    """
    script = Script().user("a").agent("b").rewind("never-written").user("c").agent("d")

    assert alive(script) == ["a", "b", "c", "d"]


def test_malformed_message_still_links_its_neighbours() -> None:
    """
    A message that cannot be read keeps its place in the tree.
    """
    script = Script().user("a")
    first = script.last
    script.agent("dead").rewind(first).entry("message", message=None).user("c")

    assert alive(script) == ["a", "c"]


def test_entries_without_links_stay_in_order() -> None:
    """
    Lines of old writers have no parent, some no id either.
    """
    script = Script()
    for text in "abc":
        message = {"role": "user", "content": text}
        script.raw(
            json.dumps(
                {"type": "message", "timestamp": script.now(), "message": message}
            )
        )

    assert alive(script.rewind(None).user("d")) == ["a", "b", "c", "d"]


def test_null_parents_everywhere_rewind_nothing() -> None:
    """
    In a transcript without links a null parent says nothing.
    """
    script = Script()
    for text in "abc":
        script.rewind(None).user(text)

    assert alive(script) == ["a", "b", "c"]


def test_injected_reply_with_null_parent_drops_nothing() -> None:
    """
    Early OpenClaw versions wrote injected replies with a null parent by mistake.
    """
    script = Script().user("a").agent("b").rewind(None).agent("injected").user("c")

    assert alive(script) == ["a", "b", "injected", "c"]


def test_going_back_to_before_the_first_message() -> None:
    """
    A prompt with a null parent in a linked transcript starts it anew.
    """
    script = Script().user("dead").agent("dead").rewind(None).user("a").agent("b")

    assert alive(script) == ["a", "b"]


def test_cycle_of_parents_ends() -> None:
    """
    A parent that comes later, or the entry itself, counts as unknown.
    """
    script = Script().user("a").agent("b")
    later = Script(lines=[*script.lines]).rewind("itself")
    later.said({"role": "user", "content": "c"}, id="itself").user("d")

    assert alive(later) == ["a", "b", "c", "d"]


def test_ranges_never_overlap() -> None:
    """
    However often a transcript jumps, its ranges rise and lie apart.
    """
    script = Script().user("0")
    ids = [script.last]
    for step in range(60):
        script.rewind(ids[step * 7 % len(ids)]).user(str(step + 1))
        ids.append(script.last)

    branch = find_branch(lambda: entries_of(script))

    assert all(one.stop <= two.start for one, two in pairwise(branch.ranges))
    assert branch.ranges[-1].stop == branch.length
