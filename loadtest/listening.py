"""A server's listen queue as the kernel has it, whatever the server was asked for."""

import errno
import socket
import struct
from dataclasses import dataclass
from pathlib import Path

# From <linux/sock_diag.h>, <linux/inet_diag.h> and <net/tcp_states.h>.
_BY_FAMILY, _DONE, _ERROR = 20, 3, 2
_REQUEST, _DUMP = 0x1, 0x300
_LISTEN = 10
_HEADER = struct.Struct("=IHHII")
_QUESTION = struct.Struct("=BBBxI 48x")  # of any socket
_ANSWER = struct.Struct("=4x2s 50x II 8x")  # the port; connections that wait, how many may

NETSTAT = Path("/proc/net/netstat")


@dataclass(frozen=True, slots=True)
class Listening:
    """How many connections may wait to be accepted, and how many have found no room so far.

    Those are of all listeners in this machine's network since it started; a client whose attempt
    found no room tries again, after 1 s, 3 s and so on, and each attempt counts.
    """

    queue: int | None
    overflows: int | None

    def since(self, before: "Listening") -> int | None:
        """Return how many have found no room since then, None where that is not known."""
        if self.overflows is None or before.overflows is None:
            return None
        return self.overflows - before.overflows


def listening(port: int) -> Listening:
    """Return what the kernel says of the port now; None where it says nothing."""
    try:
        return Listening(queue_length(port), overflows())
    except (OSError, LookupError, ValueError):
        return Listening(None, None)


def queue_length(port: int) -> int | None:
    """Return the length of the port's listen queue, None where nobody listens."""
    lengths = [
        length
        for family in (socket.AF_INET, socket.AF_INET6)
        for found, length in _listeners(family)
        if found == port
    ]
    return max(lengths, default=None)


def _listeners(family: int) -> list[tuple[int, int]]:
    """Return the port and the queue's length of each listener."""
    question = _QUESTION.pack(family, socket.IPPROTO_TCP, 0, 1 << _LISTEN)
    header = _HEADER.pack(_HEADER.size + len(question), _BY_FAMILY, _REQUEST | _DUMP, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4) as kernel:  # NETLINK_SOCK_DIAG
        kernel.settimeout(1)
        kernel.send(header + question)
        found: list[tuple[int, int]] = []
        while _read(kernel.recv(1 << 16), found):
            pass
    return found


def _read(answers: bytes, found: list[tuple[int, int]]) -> bool:
    """Add what the kernel's messages say, and return whether more will come."""
    while answers:
        length, kind, *_ = _HEADER.unpack_from(answers)
        if kind == _ERROR:
            raise OSError(errno.EOPNOTSUPP, "no answer about sockets")
        if kind == _DONE:
            return False
        port, _, queue = _ANSWER.unpack_from(answers, _HEADER.size)
        found.append((int.from_bytes(port, "big"), queue))
        answers = answers[(length + 3) // 4 * 4 :]
    return True


def overflows() -> int:
    """Return how many connections have found a listen queue full."""
    lines = [line.split() for line in NETSTAT.read_text().splitlines()]
    names, numbers = (line for line in lines if line[0] == "TcpExt:")
    return int(dict(zip(names, numbers, strict=True))["ListenOverflows"])
