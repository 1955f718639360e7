"""The servers that must answer alike, and what of their replies must be equal."""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import wire
from fences import Fence, fence
from requests_table import Row

from loadtest.interruption import Interruption
from loadtest.lanes import FIRST, FURTHER, Lane
from loadtest.server import ServerError
from loadtest.server import running as start

LANES = (*FIRST, *FURTHER)
SERVERS = tuple(lane.name for lane in LANES)
REFERENCE = SERVERS[0]
AT_ONCE = 4
# What a server says of itself and of the connection.
SERVERS_OWN = {"server", "date", "connection", "keep-alive", "transfer-encoding"}
Replies = dict[str, wire.Reply | None]


class Fleet:
    """The servers, and what they answer."""

    def __init__(self, ports: Mapping[str, int], pool: ThreadPoolExecutor) -> None:
        self.ports = ports
        self._pool = pool

    def ask(self, row: Row) -> Replies:
        """Return what each server answers, asked several at once."""
        return self.send(row.message(self._tag(row) if row.needs_tag() else ""))

    def send(self, message: bytes) -> Replies:
        """Return what each server answers to the bytes."""
        replies = self._pool.map(lambda port: wire.exchange(port, message), self.ports.values())
        return dict(zip(self.ports, replies, strict=True))

    def one(self, row: Row) -> wire.Reply:
        """Return what the first server answers."""
        reply = wire.exchange(self.ports[REFERENCE], row.message())
        assert reply is not None
        return reply

    def _tag(self, row: Row) -> str:
        (tag,) = self.one(Row("", row.target, 200)).values("etag")
        return tag

    def check(self, row: Row, replies: Replies) -> None:
        """Fail unless each server answers as the first does, or as its fence says."""
        wanted = comparable(row, replies[REFERENCE])
        for name, reply in replies.items():
            behind = fence(name, row)
            if behind:
                self._check_fence(behind, name, row, reply)
            else:
                assert comparable(row, reply) == wanted, f"{name} differs from {REFERENCE}"

    def _check_fence(self, behind: Fence, name: str, row: Row, reply: wire.Reply | None) -> None:
        assert reply is not None, f"{name} hung up without a reply"
        if behind.statuses:
            assert reply.status in behind.statuses, f"{name}: {behind.why}"
            assert b'"observer"' not in reply.body
        else:
            other = behind.instead(row)
            assert comparable(other, reply) == comparable(other, self.one(other)), name


@contextmanager
def running(folders: pytest.TempPathFactory, lanes: tuple[Lane, ...] = LANES) -> Iterator[Fleet]:
    """Run the servers while the block lasts."""
    stacks = [ExitStack() for _ in lanes]
    places = [folders.mktemp(lane.name) for lane in lanes]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            ports = list(pool.map(_port, stacks, lanes, places))
            yield Fleet({lane.name: port for lane, port in zip(lanes, ports, strict=True)}, pool)
        finally:
            # At once, too: some take seconds to end.
            list(pool.map(ExitStack.close, stacks))


def _port(stack: ExitStack, lane: Lane, folder: Path) -> int:
    """Return the port of a server that runs until the stack is closed.

    Started anew where it ended: of several that start at once two may have chosen one port.
    """
    try:
        return stack.enter_context(start(lane, folder, Interruption())).port
    except ServerError:
        return stack.enter_context(start(lane, folder, Interruption())).port


def comparable(row: Row, reply: wire.Reply | None) -> object:
    """Return what must be equal; of a reply for now neither its body nor its length."""
    assert reply is not None, "hung up without a reply"
    if row.now and row.method == "GET":
        return alike(reply, now=True)
    fleeting = reply.status == 200 and reply.values("cache-control") == ["no-store"]
    if not fleeting or row.path().lower().startswith(("/healthz", "/wait")):
        return alike(reply, now=False)
    passing = {"content-length", *SERVERS_OWN}
    return reply.status, sorted(pair for pair in reply.headers if pair[0] not in passing)


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
