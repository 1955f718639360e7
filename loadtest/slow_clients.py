"""A program that holds connections open and asks for little or nothing, as slow clients do.

    python -I -S slow_clients.py KIND COUNT HOST PORT

Clients that are `idle` send nothing after they have connected. Those that are `trickling` send one
byte of a request's head a second, and never its end. What a server closes is opened again within a
second. When all connections stand it prints `standing`; it ends when it is ended, or after two
minutes. It imports nothing of the harness, and so starts soon.
"""

import errno
import itertools
import socket
import sys
import time
from contextlib import suppress

HEAD = b"GET / HTTP/1.1\r\nHost: slow\r\nX-Slow: "  # and then of this last line more and more
EVERY_S = 1.0
CONNECT_S = 5.0
LIMIT_S = 120.0
KINDS = ("idle", "trickling")
STANDING = "standing"


class Client:
    """One connection, kept open by whatever it takes."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self.sent = 0
        self.socket = socket.create_connection(address, CONNECT_S)
        self.socket.setblocking(False)

    def act(self, trickles: bool) -> None:
        """Open what the server has closed; else send a byte, or nothing."""
        if self._closed():
            self._open_again()
        elif trickles:
            self._send()

    def _closed(self) -> bool:
        try:
            return not self.socket.recv(4096)  # an answer, to a request that it gave up, is left
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _open_again(self) -> None:
        self.socket.close()
        self.sent = 0
        self.socket = socket.socket()
        self.socket.setblocking(False)
        refused = self.socket.connect_ex(self.address) not in (0, errno.EINPROGRESS)
        if refused:  # and tried again a second later
            self.socket.close()

    def _send(self) -> None:
        with suppress(OSError):  # it takes no more for now, or has closed, which is seen next time
            self.sent += self.socket.send(HEAD[self.sent : self.sent + 1] or b"a")


def main() -> None:
    """Hold the connections that the arguments name."""
    kind, count, address = sys.argv[1], int(sys.argv[2]), (sys.argv[3], int(sys.argv[4]))
    if kind not in KINDS:
        sys.exit(f"no clients are called {kind!r}; there are {', '.join(KINDS)}")
    try:
        clients = [Client(address) for _ in range(count)]
    except OSError as error:
        sys.exit(f"cannot connect: {error}")
    print(STANDING, flush=True)
    until_s = time.monotonic() + LIMIT_S
    for client in itertools.cycle(clients):  # one after another, and each once a second
        if time.monotonic() >= until_s:
            break
        client.act(trickles=kind == "trickling")
        time.sleep(EVERY_S / count)


if __name__ == "__main__":
    main()
