"""
How fast secrets are looked for, and how many are found.

    python bench/redaction.py [--megabytes 2] [--repeat 5]

Prints CPU time for made-up chat in English and Chinese, for logs, code and JSON, in whole
texts and message by message, and what the corpus of the tests gives. The texts hold no
secrets; a text that does is read again after each replacement.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests"))

from redaction_corpus import harmless_texts, is_given_away, planted_secrets  # noqa: E402

from strata.transcripts.redaction import redact  # noqa: E402

MEGABYTE = 1_000_000
ENGLISH = """
Can you look at the build on main, it has been red since the merge of the new parser.
The resample step expected a 1 Hz grid, the new cyclers log at 10 Hz. Shall I change it?
Yes, and rerun only that step. From here on please use cividis for every plot.
We decided on DuckDB because the analysts sit on laptops and the data is 40 GB.
I'll tell Ruben. The report for Ana goes out on Friday at 14:30, 12 pages, no annex.
Remind me to renew the passport, the appointment is on 2026-12-04 in room 1204.
""".strip().splitlines()
CHINESE = """
下午好，译栈在我这台机器上又起不来了，看看日志。
检索服务没连上，它找的是 7700 端口，我的一直跑在 7710。
术语一律以 terms.csv 为准，别的表都作废，提交信息用英文，动词开头。
全文检索就用 Meilisearch，定了，机器只有 4G 内存，理由写清楚。
周四之前测试机都在扩容，这两天别往上部署，周五 14:30 再开会。
晚上喝了奶茶肚子又疼，以后点东西记得换燕麦奶或者不要奶。
""".strip().splitlines()


def log_line(random_numbers: random.Random) -> str:
    """Return one line as a service writes it."""
    request, milliseconds = (
        random_numbers.getrandbits(32),
        random_numbers.randrange(900),
    )
    return (
        f"2026-11-20T12:00:{request % 60:02d}.{milliseconds:03d}Z INFO  "
        f"ingest[{request % 99}] req={request:08x} shard={request % 16} "
        f"took={milliseconds}ms queue={request % 64}"
    )


def kinds(characters: int) -> dict[str, list[str]]:
    """Return messages of each kind, about *characters* in all."""
    numbers = random.Random(7)  # noqa: S311 - the same text in every run
    code = sorted((ROOT / "strata" / "search").rglob("*.py"))
    return {
        "English chat": _fill(lambda: numbers.choice(ENGLISH), characters),
        "Chinese chat": _fill(lambda: numbers.choice(CHINESE), characters),
        "logs": _fill(lambda: log_line(numbers), characters),
        "Python code": _fill(
            lambda: numbers.choice(code).read_text(encoding="utf-8"), characters
        ),
        "JSON in JSON": _fill(
            lambda: json.dumps({"content": json.dumps({"text": log_line(numbers)})}),
            characters,
        ),
    }


def _fill(line: Callable[[], str], characters: int) -> list[str]:
    lines: list[str] = []
    length = 0
    while length < characters:
        lines.append(line())
        length += len(lines[-1])
    return lines


def cpu_seconds(texts: Sequence[str], repeat: int) -> float:
    """Return the CPU time of redacting *texts*, the median of *repeat* runs."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        for text in texts:
            redact(text)
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    redact("warm up: password=hunter22")

    print(f"{'':14}{'one text':>12}{'messages':>12}  (MB per second of CPU)")
    for name, lines in kinds(int(options.megabytes * MEGABYTE)).items():
        size = sum(len(line.encode()) for line in lines) / MEGABYTE
        whole = size / cpu_seconds(["\n".join(lines)], options.repeat)
        single = size / cpu_seconds(lines, options.repeat)
        print(f"{name:14}{whole:12.1f}{single:12.1f}")
    _print_corpus()


def _print_corpus() -> None:
    secrets, harmless = planted_secrets(), harmless_texts()
    left = sum(is_given_away(row.secret, redact(row.text)) for row in secrets)
    touched = sum(redact(text) != text for text in harmless)
    print(f"\n{len(secrets)} secrets, {left} given away")
    print(f"{len(harmless)} harmless texts, {touched} touched")


if __name__ == "__main__":
    main()
