"""Any endpoint that speaks OpenAI's chat completions: hosted, or on this machine."""

from __future__ import annotations

import asyncio
import json
import re
import time
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import httpx

from strata.errors import (
    AnswerTooLong,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
)
from strata.messages import Notice
from strata.model.provider import Completion, counted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

_T = TypeVar("_T")

KEY_VARIABLE = "STRATA_MODEL_API_KEY"
MOST_BYTES = 1_000_000
# Where the server says that it is busy and not for how long.
_PAUSE_SECONDS = 60.0
_PATH = "/chat/completions"
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
# An error's code, such as context_length_exceeded; its message may repeat the prompt.
_NAME = re.compile(r"[\w./:@+-]{1,100}")
_CODE = re.compile(r"[a-z][a-z0-9_]{2,40}")


class OpenAI:
    """The model *model* below *url*, asked with *key* where one is needed."""

    name = "openai"

    def __init__(self, url: str, model: str, key: str) -> None:
        self.model = model
        self._url = url.rstrip("/").removesuffix(_PATH) + _PATH
        self._key = key
        # A server that refuses a schema is asked without one from then on.
        self._is_plain = False

    def complete(
        self, prompt: str, *, schema: Mapping[str, object], deadline_seconds: float
    ) -> Completion:
        """Ask over HTTP; nothing is followed elsewhere, and nothing goes on for ever."""
        exchange = self._exchange(prompt, schema)
        return asyncio.run(self._in_time(exchange, deadline_seconds))

    def examine(self, *, deadline_seconds: float) -> str:
        """Ask for the list of models, which costs nothing; some servers have none."""
        return asyncio.run(self._in_time(self._list(), deadline_seconds))

    async def _in_time(self, asking: Awaitable[_T], deadline_seconds: float) -> _T:
        try:
            # One deadline for all of it: each read has a timeout of its own, which a
            # server that sends a byte now and then never exceeds.
            async with asyncio.timeout(deadline_seconds):
                return await asking
        except TimeoutError:
            raise ModelTimedOut(
                Notice("model.late", seconds=deadline_seconds)
            ) from None
        except httpx.HTTPError as error:
            raise ModelUnreachable(self._unreachable(error)) from None
        except (httpx.InvalidURL, UnicodeError):
            raise ModelRefused(Notice("model.no-address")) from None

    async def _exchange(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        async with self._client() as client:
            status, headers, body = await self._post(client, prompt, schema)
            if not self._is_plain and status in _WRONG_FORM:
                self._is_plain = True
                status, headers, body = await self._post(client, prompt, schema)
        if status != HTTPStatus.OK:
            raise self._failure(status, headers, body)
        return _completion(body, prompt, self.model)

    async def _list(self) -> str:
        url = self._url.removesuffix(_PATH) + "/models"
        async with (
            self._client() as client,
            client.stream("GET", url, headers=self._headers()) as response,
        ):
            status, headers = response.status_code, response.headers
        if status != HTTPStatus.OK and status not in _NO_LIST:
            raise self._failure(status, headers, b"")
        return f"answers at {urlsplit(self._url).netloc}"

    def _client(self) -> httpx.AsyncClient:
        # A proxy of the environment is for other hosts, not for this machine.
        is_local = urlsplit(self._url).hostname in _LOOPBACK
        try:
            return httpx.AsyncClient(
                timeout=None,  # noqa: S113 - `_in_time` has the deadline
                follow_redirects=False,
                trust_env=not is_local,
            )
        except (ImportError, ValueError, OSError) as error:
            # A SOCKS proxy, one without a scheme, a file of certificates that is not there.
            raise ModelRefused(
                Notice("model.bad-environment", kind=type(error).__name__)
            ) from None

    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._key}"} if self._key else {}

    async def _post(
        self, client: httpx.AsyncClient, prompt: str, schema: Mapping[str, object]
    ) -> tuple[int, httpx.Headers, bytes]:
        asked = self._request(prompt, schema)
        async with client.stream(
            "POST", self._url, json=asked, headers=self._headers()
        ) as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise AnswerTooLong(
                        Notice("model.endless", megabytes=MOST_BYTES // 1_000_000)
                    )
            return response.status_code, response.headers, bytes(body)

    def _request(self, prompt: str, schema: Mapping[str, object]) -> dict[str, object]:
        message = {"role": "user", "content": prompt}
        request: dict[str, object] = {"model": self.model, "messages": [message]}
        if self._is_plain:
            return request
        form = {"name": "answer", "schema": schema}
        return request | {
            "temperature": 0,
            "response_format": {"type": "json_schema", "json_schema": form},
        }

    def _failure(self, status: int, headers: httpx.Headers, body: bytes) -> ModelError:
        code = _error_code(body)
        said = f"HTTP {status}, {code}" if code else f"HTTP {status}"
        if "retry-after" in headers or status == HTTPStatus.TOO_MANY_REQUESTS:
            pause = _retry_after(headers.get("retry-after", ""))
            return ModelBusy(
                f"wants to be asked later ({said})", retry_after_seconds=pause
            )
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return ModelUnreachable(f"is out of order ({said})")
        return ModelRefused(f"{self._refusal(status, code)} ({said})")

    def _refusal(self, status: int, code: str) -> str:
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            wrong = "does not take the key in" if self._key else "wants a key; set"
            return f"{wrong} {KEY_VARIABLE}"
        if status == HTTPStatus.NOT_FOUND:
            return "is not known there; look at model.name and model.url"
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or "context_length" in code:
            return "takes no prompt of this length; lower model.window_chars"
        if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            return "is said to be elsewhere, which is not followed; mend model.url"
        return "refused the request"

    def _unreachable(self, error: httpx.HTTPError) -> str:
        place = urlsplit(self._url).netloc
        if "CERTIFICATE" in str(error):
            return Notice("model.no-trust", place=place)
        if isinstance(error, httpx.ConnectError):
            return Notice("model.not-there", place=place)
        return Notice("model.broke-off", place=place, kind=type(error).__name__)


_NO_LIST = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
_WRONG_FORM = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}


def _completion(body: bytes, prompt: str, model: str) -> Completion:
    try:
        document = json.loads(body)
        choice = document["choices"][0]
        text = _text(choice["message"].get("content"))
        finish = choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ModelUnreachable(Notice("model.no-completion")) from None
    if finish == "length":
        raise AnswerTooLong(Notice("model.endless-cut"))
    told = document.get("usage")
    usage = told if isinstance(told, dict) else {}
    return Completion(
        text,
        counted(usage.get("prompt_tokens"), prompt),
        counted(usage.get("completion_tokens"), text),
        _name(document.get("model"), model),
    )


def _text(content: Any) -> str:  # Any: text, a list of parts, or null for a refusal
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content)
    return str(content or "")


def _name(told: Any, model: str) -> str:  # Any: whatever the server calls itself
    # It is written down, so it must not be a place where a server repeats the prompt.
    return told if isinstance(told, str) and _NAME.fullmatch(told) else model


def _error_code(body: bytes) -> str:
    try:
        error = json.loads(body)["error"]
        named = (error.get("code"), error.get("type"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""
    return next((str(code) for code in named if _CODE.fullmatch(str(code))), "")


def _retry_after(text: str) -> float:
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return _PAUSE_SECONDS
