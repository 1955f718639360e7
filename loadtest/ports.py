"""Ports of this machine: which are free, and one of them by chance."""

import random
import socket
from contextlib import closing

HOST = "127.0.0.1"  # `localhost` may be ::1, where nobody listens

# Below the range of ports from which clients' ends are taken, as ab's are.
SERVERS = range(20000, 30000)
LOADS = range(10000, 20000)
TRIES = 100


def free(among: range) -> int:
    """Return one of the ports that nobody listens on, or raise OSError."""
    for port in random.sample(among, TRIES):
        if is_free(port):
            return port
    raise OSError(f"no free port from {among.start} to {among.stop}")


def is_free(port: int) -> bool:
    """Return whether a server could listen on the port."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True
