"""
A language model whose answers somebody writes: for figures where none can be had.

Usage: ``python bench/by_hand.py DIR [--port 8765] [--collect]``, and beside it any program
with ``STRATA_MODEL_PROVIDER=openai STRATA_MODEL_NAME=hand
STRATA_MODEL_URL=http://127.0.0.1:8765/v1 STRATA_MODEL_TIMEOUT_SECONDS=3600`` and limits
(``STRATA_MODEL_MAX_…``) that wait for a hand.

Each new prompt becomes ``DIR/NAME.prompt``, with the form of the answer below it; who
reads it writes ``DIR/NAME.answer``. Answers stay: what was asked before, in this run or
in another one, is answered at once, so that what is done with answers can be measured
again and again. With ``--collect`` each question is answered with nothing, so that a first
run writes down what is asked about conversations; who has written those answers plays it
again without.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

LOOK = 0.5
# The marks around data differ from one question to the next.
MARK = re.compile(r"data-[0-9a-f]{16}")


def reply(
    folder: Path, prompt: str, schema: dict[str, Any], *, collect: bool = False
) -> str:
    """Return the answer to *prompt*, as soon as somebody has written it, or none at all."""
    name = sha256(MARK.sub("data", prompt).encode()).hexdigest()[:16]
    answer = folder / f"{name}.answer"
    if not answer.exists():
        form = json.dumps(schema, ensure_ascii=False)
        asked = f"{prompt}\n\nThe answer is one JSON object of this form:\n{form}\n"
        (folder / f"{name}.prompt").write_text(asked, encoding="utf-8")
    while True:
        if collect:
            return json.dumps({name: [] for name in schema.get("required", ())})
        if answer.exists():
            text = answer.read_text(encoding="utf-8").strip()
            if text.endswith("}"):
                return text
        time.sleep(LOOK)


def serve(folder: Path, port: int, *, collect: bool) -> None:
    """Answer for ever what is asked at *port*, or only *collect* it."""

    class Hand(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say({"data": [{"id": "hand"}]})

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            asked = json.loads(self.rfile.read(length))
            form = asked.get("response_format", {}).get("json_schema", {}).get("schema")
            said = asked["messages"][-1]["content"]
            text = reply(folder, said, form or {}, collect=collect)
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._say({"model": "hand", "choices": [choice]})

        def _say(self, told: object) -> None:
            body = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing: the folder tells what is asked."""

    folder.mkdir(parents=True, exist_ok=True)
    ThreadingHTTPServer(("127.0.0.1", port), Hand).serve_forever()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--collect", action="store_true", help="answer with nothing")
    options = parser.parse_args()
    serve(options.folder, options.port, collect=options.collect)


if __name__ == "__main__":
    main()
