"""The secrets of the replay benchmark, as its conversations tell them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from redaction_corpus import is_given_away

from strata.transcripts.redaction import redact

SCENARIOS = (
    Path(__file__).parents[3] / ".." / "shared" / "bench" / "planted" / "scenarios"
)


def scenario(name: str) -> dict[str, Any]:
    # YAML is what it is: the parts that matter are looked up by name.
    path = SCENARIOS / f"{name}.yaml"
    if not path.exists():
        pytest.skip(f"{path} is not there: the benchmark's scenarios are needed")
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("name", ["dev_en", "dev_zh"])
def test_planted_secrets_are_replaced(name: str) -> None:
    """
    Neither a planted secret nor twelve characters of it are left of a conversation.
    """
    loaded = scenario(name)
    secrets = {key: "".join(row["parts"]) for key, row in loaded["secrets"].items()}
    texts = [session["text"] for session in loaded["sessions"] if session.get("text")]
    for key, secret in secrets.items():
        texts = [text.replace(f"<<{key}>>", secret) for text in texts]
        # The large log is made up by the benchmark; this is the line that matters.
        line = f"12:00:00.001 INFO ingest[3] env SERVICE_TOKEN={secret}"
        texts = [
            text.replace(f"<<BIG 61000 {key}>>", f"{line}\n  {line}") for text in texts
        ]

    told = {key for key, secret in secrets.items() if any(secret in t for t in texts)}
    left = [
        key
        for key, secret in secrets.items()
        for text in texts
        if is_given_away(secret, redact(text))
    ]

    assert set(secrets) == told
    assert left == []
