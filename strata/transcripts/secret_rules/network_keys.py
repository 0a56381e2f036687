"""The key of a wireless network that stands beside the network's name, in either order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.judging import Way, is_secret
from strata.transcripts.secret_rules.mentions import Clues
from strata.transcripts.secret_rules.names import Meaning
from strata.transcripts.secret_rules.reading import QUOTE, read_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

CLUES_TO_NETWORKS = Clues(
    *("ssid", "wifi", "wi-fi", "wlan", "hotspot", "wireless", "网名", "热点", "无线"),
    *("网络名", "network name", "路由器"),
)
# Only a name follows these.
_NAMES = frozenset({"ssid", "网名", "网络名", "network name"})
_KEY = (
    r"(?:(?<![a-z])(?:key|pass|pw|pwd|pass(?:word|code|phrase|key))(?![a-z])"
    r"|密[码钥匙碼鑰]|口令)"
)
_CLUES_TO_KEYS = Clues("key", "pass", "pw", "密", "口令")
_IS = r"(?:[ \t]{0,2}(?P<is>[:：=]|is\b|就?是|为))?[ \t]{0,2}"
_NAME = r"[^,，;；、/|\n\ue000]{1,40}"
_NEXT = (
    r"[ \t]{0,3}(?:[,，;；、/|\n]|(?<=[ \t])(?:and|with))[ \t]{0,3}"
    r"(?:and[ \t]|the[ \t]|its[ \t]){0,2}"
)
_SHORTEST = 6
# "SSID bell-3307, key …": what stands beside a network and its name needs no other proof.
_AFTER = re.compile(
    rf"(?:[ \t]?(?:name|名字?|名称|账号|叫))?(?:[ \t]?(?:[:：=]|is\b|[是叫]))?"
    rf"{_NAME}?{_NEXT}{_KEY}{_IS}{QUOTE}",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"{_KEY}{_IS}[\"'`“]?(?P<value>[!-~]{{4,63}}?)[\"'`”]?"
    r"[ \t]{0,3}(?:[,，;；、/|\n]|(?<=[ \t])(?:for|on|and))[ \t]{0,3}"
    r"(?:(?:and|for|on|the|my|our)[ \t]){0,2}\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 96


def network_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that stand beside the name of a wireless network."""
    for network in (
        CLUES_TO_NETWORKS.in_view(view) if _CLUES_TO_KEYS.are_in(view) else ()
    ):
        at = view.lowered.find(network)
        while at >= 0:
            end = at + len(network)
            yield from _keys_beside(view.text, at, end)
            at = view.lowered.find(network, end)


def _keys_beside(text: str, start: int, end: int) -> Iterator[Secret]:
    if after := _AFTER.match(text, end):
        value = read_value(text, after.end(), after["quote"])
        sure = after["is"] or text[start:end].lower() in _NAMES
        if value and _is_key(value.text, sure=bool(sure)):
            yield Secret(value.start, value.end, "secret:password")
    first = max(0, start - _LOOK_BACK)
    before = _BEFORE.search(text[first:start])
    if before and _is_key(before["value"], sure=bool(before["is"])):
        begin = first + before.start("value")
        yield Secret(begin, begin + len(before["value"]), "secret:password")


def _is_key(value: str, *, sure: bool) -> bool:
    """Say whether *value* is a key; unless it is *sure*, a plain word is none."""
    way = Way.SAID if sure else Way.BESIDE
    return len(value) >= _SHORTEST and is_secret(Meaning.PASSWORD, value, way)
