"""What latencies at a fixed rate say, in words."""

from collections.abc import Sequence
from statistics import median

from loadtest.figures import number, rate
from loadtest.questions.rates import GROWN, WITHIN_MS, Rates, percent

ASTRAY = 0.15  # by which what was offered may differ from what was asked

ASKED = (
    "Requests came by the clock, whether or not earlier ones had been answered, at shares of what "
    "each lane answers when it is asked without a pause.",
    "Each latency counts from the instant at which its request was due: the k-th reply less the "
    "k-th request due. h2load's own columns count from when it got round to sending, and so hide "
    "a stall: of a second at 1,000 requests a second 20 clients show 20 slow requests, not 1,000.",
    "On lanes that keep connections each client sends at an even pace, one client after another; "
    "on the others each request has a connection of its own.",
)
COUNTED = (
    "Where a lane cannot keep up, requests wait longer and longer: its latencies then say how "
    "long the trial was, and nothing of a steady state.",
    "Requests of real users come at random, not evenly: their latencies are longer near the limit.",
)


def answer(lanes: Sequence[Rates]) -> list[str]:
    """Return what each lane answers in time, the most first, and what a closed loop claims."""
    known = [lane for lane in lanes if lane.measured]
    if not known:
        return ["No trial at a rate counts: the table of invalid trials says why."]
    ranked = sorted(known, key=_served_rps, reverse=True)
    return [*map(_within, ranked), *_growth(known), *_claimed(known)]


def _served_rps(lane: Rates) -> float:
    best = lane.good(WITHIN_MS)
    return (lane.came_rps(best) or 0.0) if best else 0.0


def _within(lane: Rates) -> str:
    """Return what a lane answers in time, in words."""
    best, capacity = lane.good(WITHIN_MS), lane.capacity_rps()
    of = f" of the {rate(capacity)} that it can answer" if capacity else ""
    within = f"99 in 100 requests within {WITHIN_MS:g} ms"
    if best is None:
        lowest = lane.measured[0]
        return (
            f"{lane.lane} does not answer {within} even at {number(lane.came_rps(lowest))} "
            f"requests a second, {lane.share(lowest)}{of}."
        )
    p99 = lane.latency_ms(best, "p99")
    assert p99 is not None
    return (
        f"{lane.lane} answers {within} up to {number(lane.came_rps(best))} requests a second, "
        f"{lane.share(best)}{of} ({number(p99.estimate, 1)} ms there){_next(lane, best)}."
    )


def _next(lane: Rates, best: float) -> str:
    """Return what comes at the next share that was measured."""
    above = next((share for share in lane.measured if share > best), None)
    p99 = lane.latency_ms(above, "p99") if above is not None else None
    if above is None or p99 is None:
        return ", the most that was asked" if best == max(lane.loads) else "; above no trial counts"
    if not lane.kept_up(above):
        return f", and at {lane.share(above)} cannot keep up"
    return f"; at {lane.share(above)} one in 100 takes more than {number(p99.estimate, 0)} ms"


def _growth(lanes: Sequence[Rates]) -> list[str]:
    said = [f"{r.lane} at {percent(share)}" for r in lanes if (share := r.grown())]
    lowest = min(share for lane in lanes for share in lane.loads)
    if not said:
        return [f"No lane's 99th percentile is {GROWN:g} times what it is at {percent(lowest)}."]
    return [
        f"The 99th percentile is {GROWN:g} times what it is at {percent(lowest)} on "
        f"{', '.join(said)}."
    ]


def _claimed(lanes: Sequence[Rates]) -> list[str]:
    """Return what a closed loop says of the same lanes."""
    said = [
        f"{number(p99.estimate, 1)} ms on {lane.lane}"
        for lane in lanes
        if (p99 := lane.latency_ms(None, "p99"))
    ]
    if not said:
        return []
    clients = lanes[0].closed.concurrency
    return [
        f"A closed loop of {clients} clients, each waiting for its reply before it asks again, "
        f"would have claimed a 99th percentile of {', '.join(said)}, whatever the rate."
    ]


def late(lanes: Sequence[Rates]) -> list[str]:
    """Return how exact the instants are."""
    late = [t.late_ms for r in lanes for s in r.loads for t in r.trials(s) if t.late_ms is not None]
    if not late:
        return []
    return [
        "h2load's clocks tick each millisecond: where nothing held a request up, it was sent "
        f"{median(late):.1f} ms after it was due, and a latency holds that, too."
    ]


def astray(lanes: Sequence[Rates]) -> list[str]:
    """Return on which lanes the shares are others than were asked for."""
    said = []
    for lane in lanes:
        highest = max(lane.loads)
        found = lane.offered(highest)
        if found and abs(found.estimate / highest - 1) > ASTRAY:
            said.append(f"{lane.lane} ({lane.share(highest)} for {percent(highest)})")
    if not said:
        return []
    return [
        "The machine was faster or slower when the rates were fixed than in the blocks, so that "
        f"other shares were offered than were asked for, on {', '.join(said)}: measure again when "
        "it is quiet."
    ]
