"""A client of a real gateway: JSON over a WebSocket on loopback, with nothing installed."""

from __future__ import annotations

import base64
import json
import secrets
import socket
import struct
import time
import uuid
from typing import Any

SCOPES = ["operator.read", "operator.write", "operator.admin"]


class Client:
    """One connection, as a program on the same machine."""

    def __init__(self, port: int, token: str, *, timeout: float = 90.0) -> None:
        self._buffer = b""
        self._number = 0
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        try:
            self._greet(port, token)
        except BaseException:
            self._socket.close()
            raise

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def call(self, method: str, **parameters: Any) -> Any:
        """Return what the gateway answers; raise where it refuses."""
        (answer,) = self.call_all(method, [parameters])
        return answer

    def call_all(self, method: str, given: list[dict[str, Any]]) -> list[Any]:
        """Ask all at once, and return the answers in order."""
        numbers = [self._ask(method, parameters) for parameters in given]
        answers: dict[str, Any] = {}
        while len(answers) < len(numbers):
            message = self._receive()
            if message.get("type") == "res" and message.get("id") in numbers:
                if not message.get("ok"):
                    raise RuntimeError(f"{method}: {json.dumps(message.get('error'))}")
                answers[message["id"]] = message.get("payload")
        return [answers[number] for number in numbers]

    def _ask(self, method: str, parameters: dict[str, Any]) -> str:
        self._number += 1
        number = str(self._number)
        request = {"type": "req", "id": number, "method": method, "params": parameters}
        self._send(json.dumps(request).encode())
        return number

    def turn(self, text: str, session: str) -> dict[str, Any]:
        """Say *text* in *session* and wait for the agent's answer."""
        agent = session.split(":")[1]
        run = self.call(
            "agent",
            message=text,
            agentId=agent,
            sessionKey=session,
            idempotencyKey=str(uuid.uuid4()),
        )
        if run.get("status") == "accepted":
            run = self.call("agent.wait", runId=run["runId"], timeoutMs=80_000)
        if run.get("status") != "ok":
            raise RuntimeError(f"the turn failed: {json.dumps(run)[:500]}")
        answer: dict[str, Any] = run
        return answer

    def _greet(self, port: int, token: str) -> None:
        self._upgrade(port)
        self.hello = self.call(
            "connect",
            minProtocol=3,
            maxProtocol=4,
            role="operator",
            scopes=SCOPES,
            client={
                "id": "gateway-client",
                "version": "0.1",
                "platform": "linux",
                "mode": "backend",
            },
            caps=[],
            auth={"token": token},
        )

    def _upgrade(self, port: int) -> None:
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [
            "GET / HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            "",
            "",
        ]
        self._socket.sendall("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self._buffer:
            self._fill()
        head, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode(errors="replace"))

    def _fill(self) -> None:
        received = self._socket.recv(65536)
        if not received:
            raise EOFError("the gateway closed the connection")
        self._buffer += received

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._fill()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _send(self, payload: bytes, opcode: int = 1) -> None:
        mask, size = secrets.token_bytes(4), len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0xFE]) + struct.pack(">H", size)
        else:
            head += bytes([0xFF]) + struct.pack(">Q", size)
        masked = bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))
        self._socket.sendall(head + mask + masked)

    def _receive(self) -> dict[str, Any]:
        whole = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            payload, opcode = self._take(size), first & 0x0F
            if opcode == 9:
                self._send(payload, 10)
            elif opcode == 8:
                raise EOFError(f"the gateway closed the connection: {payload[2:]!r}")
            elif opcode in {0, 1, 2}:
                whole += payload
                if first & 0x80:
                    message: dict[str, Any] = json.loads(whole)
                    return message


def connected(port: int, token: str, *, seconds: float) -> Client:
    """Return a client as soon as the gateway takes one."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return Client(port, token)
        except (OSError, EOFError, RuntimeError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)
