"""The service on aiohttp, slower by an exactly known share: what an experiment must find.

A timer of the event loop, some 50 times a second, takes the processor time that was used since the
last pause, and uses that * share / (1 - share) more of it for nothing. So a request costs
1 / (1 - share) of what it would, and a server that is the bottleneck has (1 - share) times the
throughput.

Not counted per request: the lightest middleware costs 4 us of some 70, more than a slowdown of
5 % would. Not by the clock on the wall: where the load is kept from running, the server's wait for
it would be slowed down too. Eight loads of each kind in turn, on a busy machine: 109 us a request,
112 with a timer that pauses for nothing, 159 with a share of 0.3 (0.69 times, 0.7 was planted), of
which 111 were not the pauses.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from planettracker.apps import aiohttp as service

# A pause is 0.2 ms for 1 %: long beside the microsecond that a look at the clock takes, and short
# beside a trial, whose ends may fall on either side of one. The timer's own microseconds are some
# 0.01 % of the period.
PERIOD_S = 0.02


@dataclass(slots=True)
class Pauses:
    """Pauses that are `share` of the time of a clock, which runs while they last."""

    share: float
    now: Callable[[], float] = time.thread_time
    ended: float = 0.0

    def begin(self) -> None:
        """Note that from now on there are pauses."""
        self.ended = self.now()

    def pause(self) -> None:
        """Go on when the share is reached, counted from the end of the last pause."""
        began = self.now()
        self.ended = began + (began - self.ended) * self.share / (1 - self.share)
        while self.now() < self.ended:
            pass


def create_app(share: float) -> web.Application:
    """Return the service with (1 - share) times its throughput."""
    app = service.create_app()

    async def slow_down(app: web.Application) -> None:
        pauses = Pauses(share)
        pauses.begin()
        _pause_again(asyncio.get_running_loop(), pauses)

    app.on_startup.append(slow_down)
    return app


def _pause_again(loop: asyncio.AbstractEventLoop, pauses: Pauses) -> None:
    loop.call_later(PERIOD_S, _pause_again, loop, pauses)
    pauses.pause()
