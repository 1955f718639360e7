"""The servers that must answer alike, and what of their replies must be equal."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import wire
from requests_table import Row

from loadtest.interruption import Interruption
from loadtest.lanes import lanes
from loadtest.server import running as start

SERVERS = ("aiohttp-dev", "flask-dev", "aiohttp-gunicorn", "flask-gunicorn")
# What a server says of itself and of the connection.
SERVERS_OWN = {"server", "date", "connection", "keep-alive", "transfer-encoding"}
Replies = dict[str, wire.Reply | None]


class Fleet:
    """The servers, and what they answer."""

    def __init__(self, ports: dict[str, int]) -> None:
        self.ports = ports

    def ask(self, row: Row) -> Replies:
        message = row.message(self._tag(row) if row.needs_tag() else "")
        return {name: wire.exchange(port, message) for name, port in self.ports.items()}

    def one(self, row: Row) -> wire.Reply:
        """Return what the first server answers."""
        reply = wire.exchange(next(iter(self.ports.values())), row.message())
        assert reply is not None
        return reply

    def _tag(self, row: Row) -> str:
        (tag,) = self.one(Row("", row.target, 200)).values("etag")
        return tag


@contextmanager
def running(folders: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Run the servers while the block lasts."""
    with ExitStack() as stack:
        ports = {}
        for name in SERVERS:
            served = stack.enter_context(start(lanes()[name], folders.mktemp(name), Interruption()))
            ports[name] = served.port
        yield Fleet(ports)


def alike(reply: wire.Reply | None, *, now: bool) -> object:
    """Return what must be equal: all but SERVERS_OWN, and for now all but times and positions."""
    assert reply is not None, "hung up without a reply"
    assert reply.rest == b"", "more bytes than the reply has"
    assert set(reply.interim) <= {100}
    headers = sorted(pair for pair in reply.headers if pair[0] not in SERVERS_OWN)
    if not now:
        return reply.status, headers, reply.body
    members = json.loads(reply.content())
    headers = [pair for pair in headers if pair[0] != "content-length"]
    return reply.status, headers, list(members), members["observer"]
