"""Requests as raw bytes over a socket, to real servers: nothing in between tidies them up."""

import gzip
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

HOST = "127.0.0.1"
PATIENCE_S = 20  # for what should take a part of a second


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered; header names are in small letters, whatever the server sends.

    `interim` holds the statuses before the last, such as 100; `rest` what came after the reply. A
    reply without a status line, as HTTP/0.9 has it, has the status 0.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    interim: tuple[int, ...] = ()
    rest: bytes = b""

    def content(self) -> bytes:
        """Return the body as it is when it is not coded."""
        coding = self.values("content-encoding")
        return gzip.decompress(self.body) if coding == ["gzip"] else self.body

    def values(self, name: str) -> list[str]:
        """Return the values of all headers of this name, which is in small letters."""
        return [value for header, value in self.headers if header == name]


def free_port() -> int:
    """Return a port of HOST that is free."""
    with socket.create_server((HOST, 0)) as probe:
        return probe.getsockname()[1]


def exchange(port: int, message: bytes) -> Reply | None:
    """Return the reply to the message, or None where the server hangs up without one.

    The reply ends where its framing says, since not every server closes the connection; what
    comes after that until it is closed is the reply's `rest`.
    """
    with socket.create_connection((HOST, port), PATIENCE_S) as connection:
        with suppress(ConnectionError):  # refused before its end; there may be a reply
            connection.sendall(message)
        try:
            with connection.makefile("rb") as stream:
                return _reply(connection, stream, is_head=message.startswith(b"HEAD "))
        except ConnectionError:
            return None


def _reply(connection: socket.socket, stream: BinaryIO, is_head: bool) -> Reply | None:
    interim: list[int] = []
    while line := stream.readline():
        if not line.startswith(b"HTTP/"):
            return Reply(0, (), line + stream.read())
        status = int(line.split()[1])
        headers = tuple(_headers(stream))
        if status >= 200:
            body = b"" if is_head else _body(stream, status, dict(headers))
            return Reply(status, headers, body, tuple(interim), _rest(connection, stream))
        interim.append(status)
    return None


def _headers(stream: BinaryIO) -> Iterator[tuple[str, str]]:
    while line := stream.readline().strip(b"\r\n"):
        name, _, value = line.decode("latin-1").partition(":")
        yield name.lower(), value.strip()


def _body(stream: BinaryIO, status: int, headers: dict[str, str]) -> bytes:
    if status in (204, 304):
        return b""
    if headers.get("transfer-encoding") == "chunked":
        return b"".join(_chunks(stream))
    return stream.read(int(headers.get("content-length", "-1")))


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    while size := int(stream.readline(), 16):
        yield stream.read(size)
        stream.readline()
    stream.readline()


def _rest(connection: socket.socket, stream: BinaryIO) -> bytes:
    with suppress(OSError):  # the server has reset the connection
        connection.shutdown(socket.SHUT_WR)
        return stream.read()
    return b""
