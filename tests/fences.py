"""Where the boundary is drawn closer for one server: what its own parser does, and with what.

A fence is around requests that every other server answers alike. It says what the server does
instead, so that this is tested too: it answers one of some statuses by itself, or as if it had been
asked for another target.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from requests_table import Row

GRANIAN = ("flask-granian", "starlette-granian")
TORNADO = ("tornado-dev", "tornado-gunicorn")
MOST_PAIRS = 1000
_FORBIDDEN = re.compile(r'[^?#]*[<>^`]|[^?#]*\?[^#]*[<>"]')
_PATH_WITH_FRAGMENT = re.compile(r"[^?]*#")
_ENCODED_SLASH = re.compile(r"[^?#]*%2[Ff]")
_NO_HOST = re.compile(r"[^\w.~!$&'()*+;=%:\[\]-]", re.ASCII)
_HANDSHAKE = re.compile(r"connection: [^\n]*upgrade", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fence:
    """The servers, the requests, and what is answered: by `statuses`, or as for another row."""

    why: str
    servers: tuple[str, ...]
    holds: Callable[[Row], bool]
    statuses: tuple[int, ...] = ()
    instead: Callable[[Row], Row] = lambda row: row


def _is_websocket(row: Row) -> bool:
    headers = "\n".join(row.headers)
    asked = row.method == "GET" and "upgrade: websocket" in headers.lower()
    return asked and _HANDSHAKE.search(headers) is not None


def _has_odd_host(row: Row) -> bool:
    hosts = [header[5:].strip() for header in row.headers if header.lower().startswith("host:")]
    return any(_NO_HOST.search(host) for host in hosts)


def _without_fragment(row: Row) -> Row:
    return replace(row, target=row.target.partition("#")[0])


def _divided(row: Row) -> Row:
    """Return the row with a slash for each encoded one in its path, several at its start as one."""
    path, mark, rest = _without_fragment(row).target.partition("?")
    divided = re.sub("%2f", "/", path, flags=re.IGNORECASE).lstrip("/")
    return replace(row, target=f"/{divided}{mark}{rest}")


FENCES = (
    Fence(
        "Granian refuses what a URL may not have, with an empty body",
        GRANIAN,
        lambda row: _FORBIDDEN.match(row.target) is not None,
        (400,),
    ),
    Fence(
        "a WSGI application on Granian is not told the target as it was sent",
        ("flask-granian",),
        lambda row: _ENCODED_SLASH.match(row.target) is not None,
        instead=_divided,
    ),
    Fence(
        "these drop a fragment before the application sees it",
        (*GRANIAN, "starlette-uvicorn"),
        lambda row: _PATH_WITH_FRAGMENT.match(row.target) is not None,
        instead=_without_fragment,
    ),
    Fence(
        "gunicorn's ASGI worker takes each WebSocket handshake for one",
        ("starlette-gunicorn",),
        _is_websocket,
        (403, 426),
    ),
    Fence("Tornado refuses a Host that is none", TORNADO, _has_odd_host, (400,)),
    Fence(
        "Tornado reads at most 1,000 parameters",
        TORNADO,
        lambda row: row.target.partition("?")[2].count("&") >= MOST_PAIRS,
        (400,),
    ),
)


def fence(server: str, row: Row) -> Fence | None:
    """Return the fence that the request is behind for this server, None where there is none."""
    return next((each for each in FENCES if server in each.servers and each.holds(row)), None)
