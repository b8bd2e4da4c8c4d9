"""One HTTP request to an arena and its reply, with the standard library."""

from __future__ import annotations

import gzip
import http.client
import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from email.message import Message
from typing import Any, Mapping, Optional, Tuple, cast

from .errors import NotAnArena, Refused, Unreachable, Untrusted
from .views import Problem

# Longer than a server waits for a change.
TIMEOUT_S = 45


class Http:
    """Requests of one agent to one server. Not for two requests at the same time."""

    def __init__(self, server: str) -> None:
        self.server = server.rstrip("/")
        self.key: Optional[str] = None
        # Path, tag and body of the last reply that can be asked for again by its tag.
        self._seen: Optional[Tuple[str, str, Any]] = None
        if not self.server.startswith(("http://", "https://")):
            raise self._no_server()
        try:
            _ = urllib.parse.urlsplit(self.server).port
        except ValueError:
            raise self._no_server() from None

    def send(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """The JSON of the reply; raises Refused, Unreachable, Untrusted or NotAnArena."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Accept-Encoding", "gzip")
        seen = self._seen if method == "GET" and self._seen and self._seen[0] == path else None
        if seen:
            request.add_header("If-None-Match", seen[1])
        if self.key:
            request.add_header("Authorization", f"Bearer {self.key}")
        status, headers, text = self._receive(request)
        if status == 304 and seen:
            # The hint depends on the time; the reply has the one that holds now.
            hint = headers.get("Retry-After", "")
            return {**seen[2], "poll_after_ms": int(hint) * 1000} if hint.isdigit() else seen[2]
        answer = _read(text, headers)
        if isinstance(answer, dict) and status < 300:
            # Not on the agent's own turn: there it needs to know how much time is left now.
            if method == "GET" and headers.get("ETag") and not answer.get("required_action"):
                self._seen = path, headers["ETag"], answer
            return answer
        if isinstance(answer, dict) and answer.keys() >= {"code", "detail", "retryable"}:
            raise Refused(cast(Problem, answer))
        # Not the arena itself: a busy gateway, or something else.
        if status == 429 or status >= 500:
            after = headers.get("Retry-After", "")
            raise Unreachable(f"status {status}", int(after) if after.isdigit() else 0)
        start = text[:80].decode(errors="replace")
        raise NotAnArena(f"{self.server} is not an arena (status {status}): {start!r}")

    def _receive(self, request: urllib.request.Request) -> Tuple[int, Message[str, str], bytes]:
        try:
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
                    return reply.status, reply.headers, reply.read()
            except urllib.error.HTTPError as error:
                return error.code, error.headers, error.read()
        except http.client.InvalidURL:
            raise self._no_server() from None
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "reason", None)
            if isinstance(why, ssl.SSLCertVerificationError):
                raise Untrusted(f"no secure connection to {self.server}: {why}") from None
            raise Unreachable(f"cannot reach {self.server}: {error}") from None

    def _no_server(self) -> NotAnArena:
        return NotAnArena(f"{self.server!r} is not a server such as http://127.0.0.1:8080")


def _read(text: bytes, headers: Message[str, str]) -> Any:
    """The JSON of a body; None if it is not JSON."""
    try:
        if headers.get("Content-Encoding") == "gzip":
            text = gzip.decompress(text)
        return json.loads(text)
    except (ValueError, OSError, EOFError):
        return None
