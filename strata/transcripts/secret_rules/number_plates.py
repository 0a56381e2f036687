"""The number plate of the owner's own car, where the text names it as that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.mentions import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

CLUES_TO_PLATES = Clues("plate", "reg", "车牌", "車牌", "kennzeichen")
_NAMED = re.compile(
    r"\b(?:(?:number |licen[cs]e |reg(?:istration)? )?plates?|reg(?:istration)?)\b"
    r"(?: (?:number|no\.?)(?!\w))?|[车車]牌[号號]?[码碼]?|Kennzeichen",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"[^\n0-9]{0,16}?(?P<number>(?:(?<![\u3400-\u9fff])|(?<=[是为為牌号號码碼]))"
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
    r"[A-Z][ ·•-]?[A-HJ-NP-Z0-9]{5,6}(?!\w)"
    r"|(?<![\w-])(?:[A-Z]{1,3}[ -]?[A-Z]{0,2}[ -]?\d{2,4}[ -]?[A-Z]{0,3}"
    r"|\d{1,4}[ -][A-Z]{2,3}[ -]?\d{0,4})(?!\w))"
)
# "My plate AB12 CDE", "the plate is …", "reg: …" tell one's own; a bare label does not.
_TOLD = re.compile(r"\s*(?:is\b|ist\b|was\b|[:=,(：，（是为為])")
_MINE = re.compile(
    r"\b(?:my|our|mine|meine?|unser)\b|[我咱俺]|本人|自[己家]", re.IGNORECASE
)
_OF_OTHERS = re.compile(
    r"\b(?:examples?|sample|e\.g|format|like|shuttle|bus|coach|taxi|cab|uber|rental|hire"
    r"|their|his|her|your|(?:an)?other|neighbou?r|colleague|friend|in front|behind)"
    r"|[例他她你]|比如|格式|班车|大巴|公交|接驳|摆渡|出租|网约|租[来的车]|对方|别人|另|邻居"
    r"|同事|朋友|前车|后车|那[辆台]|旁边",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"[,.;!?，。；！？]")
_LONGEST_CLAUSE = 48


def number_plates(view: View) -> Iterator[Secret]:
    """Yield the number plates in *view* that are named as the owner's."""
    for line in CLUES_TO_PLATES.lines(view):
        for called in _NAMED.finditer(view.text, *line):
            plate = _VALUE.match(view.text, called.end())
            if plate and _is_own(view.text, line[0], called, plate.start("number")):
                yield Secret(*plate.span("number"), "personal:number-plate")


def _is_own(text: str, start: int, called: re.Match[str], plate: int) -> bool:
    before = text[max(start, called.start() - _LONGEST_CLAUSE) : called.start()]
    clause = _CLAUSE_ENDS.split(before)[-1] + text[called.start() : plate]
    if _OF_OTHERS.search(clause):
        return False
    return bool(_TOLD.match(text, called.end(), plate) or _MINE.search(clause))
