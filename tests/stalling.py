"""A server that answers at once, but for one second in which it answers nobody.

    python tests/stalling.py PORT_FILE [--close]

It writes its port into the file. The stall comes a second after the first request. With --close
each reply ends its connection.
"""

import asyncio
import sys
import time
from pathlib import Path

AFTER_S, STALL_S = 1.0, 1.0
BODY = b'{"name": "mars"}\n'
CLOSING = "--close" in sys.argv
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n" % (
    len(BODY),
    b"Connection: close\r\n" if CLOSING else b"",
)


class Stalling(asyncio.Protocol):
    """Answers each request; one of them a second late, and so all that come meanwhile."""

    first_s: float | None = None
    stalled = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        cls = type(self)
        cls.first_s = cls.first_s or time.monotonic()
        if not cls.stalled and time.monotonic() > cls.first_s + AFTER_S:
            cls.stalled = True
            time.sleep(STALL_S)  # as a garbage collection would, or a slow disk
        self.transport.write(HEAD + BODY)
        if CLOSING:
            self.transport.close()


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Stalling, "127.0.0.1", 0, backlog=4096)
    port = server.sockets[0].getsockname()[1]
    written = Path(sys.argv[1]).with_suffix(".new")
    written.write_text(str(port))
    written.rename(sys.argv[1])  # whole, when it is seen
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
