"""Errors of the clients."""

from __future__ import annotations

from .views import Code, Problem


class Refused(Exception):
    """The arena refused a request; `problem` has the reason and the next step."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.problem = problem

    @property
    def code(self) -> Code:
        """The stable name of the problem, such as `illegal_move`."""
        return self.problem["code"]


class BotError(Exception):
    """The bot made no valid decision, and `on_error` is "raise"; `__cause__` is its own error."""


class Untrusted(Exception):
    """No secure connection. SSL_CERT_FILE can name a file of CA certificates."""


class NotAnArena(Exception):
    """The server at this address is not an arena; probably the address is wrong."""


class BadKey(Exception):
    """RENJU_API_KEY or the stored key is not a valid key."""


class Unreachable(Exception):
    """No reply, half of one, or a busy gateway. The clients send the request again."""

    def __init__(self, why: str, retry_after_s: float = 0) -> None:
        super().__init__(why)
        self.retry_after_s = retry_after_s
