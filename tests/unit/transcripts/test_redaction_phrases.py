"""Recovery phrases that nothing names, keys of networks, and rows of words that stay."""

from __future__ import annotations

import pytest

from strata.transcripts.announced import Announced
from strata.transcripts.redaction import redact

PHRASE = "⟦secret:recovery-phrase⟧"
TWELVE = (
    "velvet cricket orchard mammal dwarf siren oyster tuna liberty fade glimpse plunge"
)
FIFTEEN = f"{TWELVE} gravity canyon lumber"
UNLISTED = (
    "kumquat zephyr larkspur bobbin thimble gazebo pelican walrus quartz jetty elk oak"
)

NETWORKS = [
    ("it's on the sticker: SSID birch-3307, key {}. print it", "Maple-FAKE-kettle"),
    ("network name: birch, key: {}", "mapletree"),
    ("ssid: birch\nkey: {}\n", "sunflowers77"),
    ("key {}, ssid birch", "wintergarden9"),
    ("网名 birch-5G,密码 {}", "mapletree"),
    ("热点叫老林,密钥 {}", "fakelin99"),
    ("密码 {},网名 birch", "fakelin99"),
]

STAYS = [
    "the wifi is down, key people complain",
    "wifi is fine, the key point is speed",
    "热点很慢，密码还是老样子",
    "milk eggs bread butter rice pasta onions garlic apples cheese coffee sugar",
    "milk, bread, butter, egg, salt, rice, orange, lemon, fish, apple, tomato, corn",
    "shall i compare thee to a summer's day thou art more lovely and more temperate",
    "import time return value class object list dict tuple set string number field",
    "春眠不觉晓处处闻啼鸟夜来风雨声",
]

TALKS = [
    (["I found the recovery phrase of my wallet.", UNLISTED], PHRASE),
    (["我把钱包的助记词抄下来了", "山 水 风 云 花 鸟 虫 鱼 日 月 星 辰"], PHRASE),
    (
        [
            "the seed phrase is safe",
            "we talk about it over dinner with the kids and mum",
        ],
        "",
    ),
    (["冷钱包的助记词锁好了", "今晚开会讨论新年计划的事，别忘了"], ""),
]


@pytest.mark.parametrize("words", [TWELVE, FIFTEEN, TWELVE.title()])
@pytest.mark.parametrize("frame", ["{}", "it just says: {}. in that order", "写着 {}"])
def test_row_of_listed_words_is_a_phrase(frame: str, words: str) -> None:
    """
    Twelve and more words of the wallets' list need no name.
    """
    assert frame.format(PHRASE) == redact(frame.format(words))


def test_numbered_words_are_a_phrase() -> None:
    """
    A paper has one word to a line, with its number.
    """
    rows = "\n".join(f"{at}. {word}" for at, word in enumerate(TWELVE.split(), start=1))
    assert redact(rows) == f"1. {PHRASE}"


@pytest.mark.parametrize(("frame", "key"), NETWORKS)
def test_key_beside_a_network_is_replaced(frame: str, key: str) -> None:
    """
    In either order, with any sign between.
    """
    assert key not in redact(frame.format(key))
    assert "birch" in redact(frame.format(key)) or "老林" in frame


@pytest.mark.parametrize("text", STAYS)
def test_other_words_stay(text: str) -> None:
    """
    Lists, poems, code and talk about networks.
    """
    assert redact(text) is text


@pytest.mark.parametrize(("talk", "told"), TALKS)
def test_row_after_its_name_in_another_message(talk: list[str], told: str) -> None:
    """
    What an earlier message names, the next one tells alone.
    """
    announced = Announced()
    announced.hear("user", talk[0])
    announced.hear("assistant", "ok")
    assert redact(announced.redacted("user", talk[1])) == (told or talk[1])
