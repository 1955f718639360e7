"""What passes between a framework and the api: requests, responses, and a handler's waits."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Protocol


class Headers(Protocol):
    """A framework's own mapping of headers, by names in any letter case."""

    def get(self, name: str, /) -> str | None:
        """Return the header's text, several of one name joined by commas, or None."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it was sent: of it only `params`, the route's, are decoded.

    `target` is the request line's, empty where a server keeps it to itself.
    """

    method: str
    query: str
    params: Mapping[str, str]
    headers: Headers
    target: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """A status, the headers that every app sends alike, and the body.

    `gzipped` is the body in gzip where it was compressed beforehand; no app looks at it.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    gzipped: bytes = b""


class Wait(Protocol):
    """Something that takes time. Each app uses the one of the two that its server can afford."""

    def block(self) -> object:
        """Return what was waited for, holding the thread."""

    async def arrive(self) -> object:
        """Return what was waited for, leaving the event loop free."""


# A handler that only computes returns its response; one that waits yields what it waits for.
Steps = Generator[Wait, object, Response]
Handler = Callable[[Request], Response | Steps]
