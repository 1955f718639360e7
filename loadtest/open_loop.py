"""When the requests of an open loop are due, and how long each took from then on.

A client that waits for a reply before it asks again measures a stall once, whoever would have come
meanwhile. Here requests are due by the clock, and each is counted from that instant, sent or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from loadtest.load import US_PER_MS, Latency, LoadError, Order, latency_ms

# h2load looks at each client's clock every 10 ms at the soonest: a faster client sends in pairs.
MOST_RPS = 90.0
# A connection that waits for longer may be closed: gunicorn's gthread worker does after 2 s.
IDLE_S = 1.0
# So much faster than requests come do clients begin, to be there before the first one's second.
RAMP, ROUGHLY = 1.2, 0.15
LEAST_MS = 2  # between two starts of clients; of periods of 1 ms h2load loses one in four
ROUNDING = 0.02  # of a rate that is made of whole clients in whole milliseconds
EARLY = 0.1  # of a load's time, by which its last request may be sent too early
ALONE = 10  # requests that were due while nothing was under way: enough to judge the load by


@dataclass(frozen=True, slots=True)
class Pace:
    """How requests come: `at_once` clients begin every `every_ms`, until there are so many.

    Each then sends `each_rps` requests per second; where that is None, each sends one request.
    """

    clients: int
    each_rps: float | None
    at_once: int
    every_ms: int

    @property
    def rate_rps(self) -> float:
        """Return the requests per second of all clients."""
        if self.each_rps is None:
            return 1000 * self.at_once / self.every_ms
        return self.clients * self.each_rps


def pace(order: Order) -> Pace:
    """Return how the order's requests are to come; it must have a rate.

    A connection that is kept sends at its own rate. On each new one h2load sends at once, whatever
    the rate: where connections are not kept, it is they that come at the rate, one to a request.
    """
    assert order.rate_rps is not None
    if not order.keep_alive:
        return Pace(order.requests, None, *_pulse(order.rate_rps, ROUNDING))
    clients = max(ceil(order.rate_rps / MOST_RPS), order.concurrency)
    clients = min(clients, order.requests, max(1, int(order.rate_rps * IDLE_S)))
    return Pace(clients, order.rate_rps / clients, *_pulse(order.rate_rps * RAMP, ROUGHLY))


def _pulse(rate_rps: float, rounding: float) -> tuple[int, int]:
    """Return the fewest at once, and every how many milliseconds, that make almost the rate."""
    every_ms = LEAST_MS
    while True:
        wanted = rate_rps * every_ms / 1000
        at_once = max(round(wanted), 1)
        if abs(at_once / wanted - 1) <= rounding:
            return at_once, every_ms
        every_ms += 1


def due_us(pace: Pace, starts_us: Sequence[int], requests: int) -> list[float]:
    """Return when each request was due, in order, given when they were sent, in order.

    A client's first is due as the client begins. So many as there are clients come first, since
    all begin within the time between two requests of one.
    """
    if pace.each_rps is None:
        step_us = 1000 * pace.every_ms
        return [starts_us[0] + step_us * (n // pace.at_once) for n in range(requests)]
    each, rest = divmod(requests, pace.clients)
    apart_us = 1e6 / pace.each_rps
    return sorted(
        first_us + apart_us * n
        for client, first_us in enumerate(starts_us[: pace.clients])
        for n in range(each + (client < rest))
    )


def times_us(starts_us: Sequence[int], ends_us: Sequence[int], due: Sequence[float]) -> list[float]:
    """Return the k-th end less the k-th instant due, or sent where that was earlier; all in order.

    Where replies overtake one another their mean is exact, and the spread at most too small.
    """
    return [end - min(start, at) for start, end, at in zip(starts_us, ends_us, due, strict=False)]


def late_ms(starts_us: Sequence[int], ends_us: Sequence[int], due: Sequence[float]) -> float | None:
    """Return how late, in the middle, requests were sent that nothing of the server held up.

    That is each which was due when all before it had been answered. None where they are too few.
    """
    alone = [
        max(starts_us[n] - due[n], 0.0)
        for n in range(1, len(starts_us))
        if ends_us[n - 1] <= due[n]
    ]
    return median(alone) / 1000 if len(alone) >= ALONE else None


@dataclass(frozen=True, slots=True)
class Observed:
    """What an open loop shows: latencies, the rate that was offered, and the load's own delay."""

    latency_ms: Latency
    offered_rps: float
    late_ms: float | None


def observe(order: Order, sent: Sequence[tuple[int, int]]) -> Observed:
    """Return what requests show that began and took so many microseconds, or raise LoadError."""
    paced = pace(order)
    starts = sorted(start for start, _ in sent)
    ends = sorted(start + time for start, time in sent)
    due = due_us(paced, starts, order.requests)
    span = due[-1] - due[0]
    if len(starts) == order.requests and due[-1] - starts[-1] > EARLY * span:
        raise LoadError(
            "h2load: requests came faster than asked for: on each new connection it sends one at "
            "once, and the server closes them; ask for a connection for each request"
        )
    times = times_us(starts, ends, due)
    return Observed(latency_ms(times, US_PER_MS), paced.rate_rps, late_ms(starts, ends, due))
