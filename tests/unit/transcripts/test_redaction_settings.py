"""Secrets in settings, commands, headers and addresses, and the code that reads them."""

from __future__ import annotations

import pytest

from strata.transcripts.redaction import redact

TOKEN = "Zk3jf8sKd92m" + "Vn47pQ5tX1aB"
PASSWORD = "cathode" + "-x71"

GIVEN = [
    ("SESSION_SECRET={}", TOKEN),
    ('"apiKey": "{}",', TOKEN),
    ("app_secret = {}", TOKEN),
    ("WXPAY_V3={}", "29d9affa884d6ecd" + "55f1c588948f1095"),
    ("  - name: API_TOKEN\n    value: {}", TOKEN),
    ('<add key="ApiKey" value="{}"/>', TOKEN),
    ("| api token | {} |", TOKEN),
    ("ENV API_TOKEN {}", TOKEN),
    ('os.getenv("API_TOKEN", "{}")', TOKEN),
    ("https://api.example/v1?api_key={}&page=2", TOKEN),
    ("Authorization: Bearer {}", TOKEN),
    ("curl -H 'X-Api-Key: {}' https://x.example", TOKEN),
    ("//registry.example/:_authToken={}", TOKEN),
    ("DB_PASSWORD={}", PASSWORD),
    ("password: {}", PASSWORD),
    ("<password>{}</password>", PASSWORD),
    ("Server=db;User Id=sa;Password={};Encrypt=true", PASSWORD),
    ("mongodb://heliox:{}@mongo.example:27017/meta", PASSWORD),
    ("redis://:{}@127.0.0.1:6379/0", PASSWORD),
    ("app:{}@tcp(10.0.0.3:3306)/shop", PASSWORD),
    ("mysql -u root -p{} shop", PASSWORD),
    ("curl -u nini:{} https://x.example", PASSWORD),
    ("tool --password {} --verbose", PASSWORD),
    ("machine api.example login nini password {}", PASSWORD),
    ("db.example:5432:shop:nini:{}", PASSWORD),
    ("WIFI:T:WPA;S:home;P:{};;", PASSWORD),
]

READ = [
    "password: string;",
    "def login(user: str, password: str) -> None:",
    'password = os.environ["DB_PASSWORD"]',
    "const token = process.env.GITHUB_TOKEN;",
    "connect(user=user, password=password)",
    "password: ${DB_PASSWORD}",
    "password: <your-password>",
    "password: ********",
    "Authorization: Bearer ${TOKEN}",
    "postgres://user:password@localhost/db",
    "--token TOKEN",
    "max_tokens: 4096",
    "secretName: wildcard-tls-2026",
    '"sessionKey": "agent:main:telegram:direct:88120045"',
    "idempotencyKey: 8d0f8a74-4f3e-4f0c-b7a1-6f0a3c2d1e55",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "docker run -p 8080:80 -u 1000:1000 nginx",
    "keys look like sk-ant-api03-xxxxxxxxxxxxxxxxxxxx",
    "the file must start with -----BEGIN PRIVATE KEY-----",
]


@pytest.mark.parametrize(("frame", "secret"), GIVEN)
def test_given_secret_is_replaced(frame: str, secret: str) -> None:
    """
    The value goes, its name and everything after it stay.
    """
    before, _, after = frame.partition("{}")
    text = redact(frame.format(secret))

    assert text.startswith(before)
    assert text.endswith(after)
    assert "⟦secret:" in text.removeprefix(before).removesuffix(after)
    assert secret not in text


@pytest.mark.parametrize("text", READ)
def test_code_and_stand_ins_stay(text: str) -> None:
    """
    Types, variables, placeholders, ids and checksums are no secrets.
    """
    assert redact(text) is text


def test_cloud_keys_come_in_pairs() -> None:
    """
    The secret half of a cloud key goes with its public half.
    """
    public, secret = (
        "AKIA" + "F4KEY4LEQNVB4U5B",
        "Ta9voRqjZBQt9rAy" + "ax7IzkD+/LAxlekPYSfYOHAS",
    )

    assert "⟦secret:aws-access-key⟧ ⟦secret:cloud-secret-key⟧" == redact(
        f"{public} {secret}"
    )
