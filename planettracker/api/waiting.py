"""A route that waits, as for a store or an upstream: for the experiment, and off in production."""

import asyncio
import os
import time
from dataclasses import dataclass

import orjson

from planettracker.api import parse
from planettracker.api.contract import Parameter, Parameters, Route
from planettracker.api.messages import Request, Response, Steps
from planettracker.api.replies import FLEETING

SWITCH = "PLANETTRACKER_EXPERIMENT"
MS = Parameter(
    "ms",
    "milliseconds from 0 to 1000, as a plain decimal such as 10",
    (0.0, 1000.0),
    ("delay", "milliseconds", "sleep", "time"),
    "10",
    ("not-a-number", "out-of-range"),
    "number",
)
WAIT: Parameters = {MS.name: MS}
DEFAULT_MS = 10.0


@dataclass(frozen=True, slots=True)
class Pause:
    """A wait of so long, for nothing."""

    seconds: float

    def block(self) -> None:
        """Hold the thread, or the greenlet: gevent puts its own in the place of `time.sleep`."""
        time.sleep(self.seconds)

    async def arrive(self) -> None:
        """Leave the event loop free."""
        await asyncio.sleep(self.seconds)


def wait(request: Request) -> Steps:
    """Answer after the milliseconds asked for."""
    given = parse.values(request.query, WAIT)
    ms = parse.limited(MS, given[MS.name]) if MS.name in given else DEFAULT_MS
    yield Pause(ms / 1000)
    waited = int(ms) if ms.is_integer() else ms
    return Response(200, FLEETING, orjson.dumps({"waited_ms": waited}))


ROUTE = Route("/wait", wait, WAIT, "a fixed small reply, after so many milliseconds")


def routes() -> tuple[Route, ...]:
    """Return the route where the environment turns it on, and else none: a stranger could wait."""
    return (ROUTE,) if os.environ.get(SWITCH) == "1" else ()
