"""Lanes and numbers as sentences call them."""

from collections.abc import Callable, Mapping, Sequence

from loadtest.lanes import Lane
from loadtest.pairs import DEV

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
NAMES = {"aiohttp": "aiohttp", "flask": "Flask", "tornado": "Tornado", "starlette": "Starlette"}
SERVERS = {"granian": "Granian"}
VARIANTS: Mapping[str, Callable[[Lane], str]] = {
    "gthread": lambda lane: f"{lane.threads} threads",
    "gevent": lambda lane: "greenlets (gevent)",
    "uvloop": lambda lane: "uvloop",
}


def called(lane: Lane) -> str:
    """Return for instance Flask's sync worker, Starlette on Granian, or `shop` for a user's own."""
    context = f" on {lane.python}" if lane.python else ""
    context += f" behind {lane.behind}" if lane.behind else ""
    if lane.own:
        return f"`{lane.framework}`{context}"
    several = f" with {workers(lane.workers)}" if lane.workers > 1 else ""
    return f"{_stack(lane)}{several}{context}"


def _stack(lane: Lane) -> str:
    name = NAMES.get(lane.framework, lane.framework)
    if lane.server == DEV:
        return f"{name}'s own server"
    if lane.variant:
        return f"{name} with {variant(lane)}"
    if lane.server == "gunicorn":
        return f"{name}'s sync worker" if lane.worker_class == "sync" else f"{name} under gunicorn"
    return f"{name} on {SERVERS.get(lane.server, lane.server)}"


def variant(lane: Lane) -> str:
    """Return what a lane has beyond another of its framework, for instance 32 threads."""
    if not lane.variant:
        return SERVERS.get(lane.server, lane.server)
    kind = "gthread" if lane.threads > 1 else lane.variant
    return VARIANTS[kind](lane) if kind in VARIANTS else lane.variant


def workers(number: int) -> str:
    """Return for instance one worker, or four workers."""
    return "one worker" if number == 1 else f"{NUMBERS.get(number, number)} workers"


def listed(names: Sequence[str]) -> str:
    """Return the names as a sentence has them: a, b and c."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
