"""One GET and its reply, on this machine; and what is raised where there is none."""

import http.client
import socket
from contextlib import closing
from dataclasses import dataclass

from loadtest.ports import HOST as HOST

REPLY_TIMEOUT_S = 5.0


class ServerError(Exception):
    """A server that did not start or did not stop; `log` is the end of what it printed."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.log = log


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered to one request."""

    status: int
    body: bytes


def connected(port: int) -> socket.socket:
    """Return a new connection to a port of this machine, or raise OSError."""
    return socket.create_connection((HOST, port), REPLY_TIMEOUT_S)


def get(port: int, target: str) -> Reply:
    """Return the answer to one GET on a fresh connection.

    Raises OSError or HTTPException where none comes.
    """
    with closing(connected(port)) as connection:
        return ask(connection, target)


def ask(connection: socket.socket, target: str) -> Reply:
    """Return the answer to one GET, after which the connection is to be closed."""
    request = f"GET {target} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
    connection.sendall(request.encode("ascii"))
    with closing(http.client.HTTPResponse(connection)) as response:
        response.begin()
        return Reply(response.status, response.read())
