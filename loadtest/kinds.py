"""How a lane waits: in an event loop, a greenlet, a thread, or with its whole worker."""

from collections.abc import Mapping
from enum import StrEnum
from math import inf

from loadtest.lanes import AIOHTTP_WORKER, UVLOOP_WORKER, Lane


class Kind(StrEnum):
    """What waits in a server while a request does."""

    ASYNC = "async"
    GREENLETS = "greenlets"
    THREADS = "threads"
    SYNC = "sync"
    OTHER = "its own way"


OF_WORKERS: Mapping[str, Kind] = {
    AIOHTTP_WORKER: Kind.ASYNC,
    UVLOOP_WORKER: Kind.ASYNC,
    "asgi": Kind.ASYNC,
    "tornado": Kind.ASYNC,
    "gevent": Kind.GREENLETS,
    "gthread": Kind.THREADS,
    "wsgi": Kind.THREADS,
    "sync": Kind.SYNC,
}
OF_DEVELOPMENT: Mapping[str, Kind] = {
    "aiohttp": Kind.ASYNC,
    "tornado": Kind.ASYNC,
    "starlette": Kind.ASYNC,
}


def kind(lane: Lane) -> Kind:
    """Return how the lane waits. Flask's development server has a thread for each connection."""
    if lane.own:
        return Kind.OTHER
    if lane.server == "dev":
        return OF_DEVELOPMENT.get(lane.framework, Kind.THREADS)
    return OF_WORKERS.get(lane.worker_class, Kind.SYNC)


def waiting_at_once(lane: Lane) -> float:
    """Return how many requests can wait in the lane at once; inf where nobody has set a bound."""
    bounded = lane.server == "gunicorn" and kind(lane) in (Kind.SYNC, Kind.THREADS)
    return lane.workers * lane.threads if bounded else inf


def holders(lane: Lane) -> str:
    """Return what holds a waiting request, for instance `4 threads` or `async`."""
    of = kind(lane)
    if of is Kind.SYNC:
        return "1 sync worker" if lane.workers == 1 else f"{lane.workers} sync workers"
    bound = waiting_at_once(lane)
    return f"{bound:g} threads" if of is Kind.THREADS and bound < inf else of.value
