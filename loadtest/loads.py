"""The load generators, as rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from loadtest import ab, h2load, locust_load
from loadtest.clients import client
from loadtest.load import Load, LoadMissingError


@dataclass(frozen=True, slots=True)
class Row:
    """How a load is found, and what is peculiar to it.

    One that is no `default` is there only where it is named. A `client` is not there to measure a
    server: it is what is measured, by a burst of requests. A load may be `busy` itself between a
    reply and the next request, so that fewer are under way than it has clients.
    """

    find: Callable[[], Load]
    default: bool = True
    client: bool = False
    busy: bool = False


def _client(name: str) -> Row:
    return Row(partial(client.find, name), default=False, client=True)


LOADS: Mapping[str, Row] = {
    "ab": Row(lambda: ab.ApacheBench(ab.find())),
    "h2load": Row(lambda: h2load.H2Load(h2load.find())),
    "locust": Row(locust_load.find, default=False, busy=True),
    "requests": _client("requests"),
    "threads": _client("threads"),
    "aiohttp": _client("aiohttp"),
    "httpx": _client("httpx"),
}
REQUIRED = "ab"  # the article's table is its
OF_SERVERS = tuple(name for name, row in LOADS.items() if not row.client)


class UnknownLoadError(ValueError):
    """A name that no load has, or none that is of use here."""

    def __init__(self, name: str, known: Sequence[str] = OF_SERVERS) -> None:
        super().__init__(f"no load is called {name!r}; there are {', '.join(known)}")
        self.name = name


def chosen(names: Sequence[str]) -> dict[str, Load]:
    """Return the named loads, or raise UnknownLoadError or LoadMissingError.

    Where none is named, return those that are installed; ab must be.
    """
    for name in names:
        if name not in LOADS:
            raise UnknownLoadError(name)
    if names:
        return {name: row.find() for name, row in LOADS.items() if name in names}
    return {REQUIRED: LOADS[REQUIRED].find(), **_installed()}


def of_servers(names: Sequence[str]) -> dict[str, Load]:
    """Return what `chosen` does, for a question about servers: there no client is a load."""
    for name in names:
        if name not in OF_SERVERS:
            raise UnknownLoadError(name)
    return chosen(names)


def is_client(name: str) -> bool:
    """Return whether a load is a client, which is itself what is measured."""
    return name in LOADS and LOADS[name].client


def is_further(name: str) -> bool:
    """Return whether a load is there only where it is named: it comes with the further stacks."""
    return name in LOADS and not LOADS[name].default


def is_busy(name: str) -> bool:
    """Return whether a load is itself busy between a reply and the next request."""
    return name in LOADS and LOADS[name].busy


def _installed() -> dict[str, Load]:
    found = {}
    for name, row in LOADS.items():
        try:
            if row.default:
                found[name] = row.find()
        except LoadMissingError:
            continue
    return found
