"""What two load generators say of the same lanes, and why they differ where they do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from loadtest.figures import NOTHING, factor, rate
from loadtest.lanes import Lane
from loadtest.plan import from_description
from loadtest.stats import Interval
from loadtest.summary import Summary, by_load, throughput, workload_ratio
from loadtest.table import Table

ALIKE = 1.10  # a factor between two loads that needs no reason
CHANCE = "perhaps chance, since the interval holds 1."


@dataclass(frozen=True, slots=True)
class Reason:
    """Why ab and h2load differ on a kind of lane. The first that applies is the one."""

    applies: Callable[[Lane], bool]
    sentence: str


# Measured. Of four workers on two cores one had 70 % of h2load's requests and more in each of 14
# trials, and all of them in 7; ab's went to two or three in each of 14. Against a server that
# closes 50 ms after its reply, 20 requests took ab 1.05 s and h2load 0.01 s; a request that keeps
# its connection cost ab 17 to 21 us of CPU, h2load 22 to 31.
REASONS = (
    Reason(
        lambda lane: lane.keeps_alive is None,
        "nobody has said how the application keeps connections. h2load speaks HTTP/1.1, as clients "
        "do; ab HTTP/1.0, in which many servers close each connection.",
    ),
    Reason(
        lambda lane: bool(lane.keeps_alive) and lane.workers > 1,
        "a connection stays with the worker that accepted it. h2load opens all of its own at once, "
        "and often one worker gets most of them; ab's are shared by more.",
    ),
    Reason(
        lambda lane: bool(lane.keeps_alive),
        "connections are kept. ab asks for that in HTTP/1.0, where a header of each request and of "
        "each reply says so; h2load speaks HTTP/1.1, where it is the rule, but spends more CPU of "
        "its own on a request, which it takes from the server where cores are few.",
    ),
    Reason(
        lambda lane: True,
        "a connection for each request. ab waits until the server has closed it; h2load connects "
        "again as soon as the reply is whole, so that the server is asked while it still closes.",
    ),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A lane's throughput under two loads, and the factor between them."""

    lane: str
    first: Interval | None
    second: Interval | None
    ratio: Interval | None

    @property
    def differs(self) -> bool:
        """Return whether the loads differ by more than needs no reason, and not by chance."""
        if self.ratio is None or self.ratio.holds(1):
            return False
        return not 1 / ALIKE <= self.ratio.estimate <= ALIKE


def pairs(summary: Summary) -> list[Pair]:
    """Return each lane under the deciding load and the other; empty where there is one load."""
    loads = list(by_load(summary.run).values())
    return list(_pairs(loads[0], loads[1])) if len(loads) > 1 else []


def _pairs(first: Summary, second: Summary) -> Iterator[Pair]:
    for lane in (lane for lane in first.lanes if lane in second.lanes):
        ratio = workload_ratio(first.run, lane, first.workload, second.workload, throughput)
        yield Pair(lane, first.throughput_rps(lane), second.throughput_rps(lane), ratio)


def table(summary: Summary) -> Table:
    """Return both loads' figures and their ratio, with the reasons where they differ."""
    names = list(by_load(summary.run))[:2]
    found = pairs(summary)
    return Table(
        "The two loads",
        ("lane", *(f"{name}, requests/s" for name in names), " / ".join(names)),
        tuple(map(_row, found)),
        (
            f"The verdict is from {names[0]}; the article's table is ab's, as the article's was. "
            f"Where the two differ by more than a factor of {ALIKE:g}, this is why.",
            *_reasons(summary, found),
        ),
    )


def _row(pair: Pair) -> tuple[str, ...]:
    ratio = NOTHING if pair.ratio is None else factor(pair.ratio)
    return pair.lane, rate(pair.first), rate(pair.second), ratio


def _reasons(summary: Summary, found: list[Pair]) -> Iterator[str]:
    """Yield each reason with the lanes that it is for."""
    lanes: dict[str, list[str]] = {}
    for pair in found:
        if why := _why(summary, pair):
            lanes.setdefault(why, []).append(pair.lane)
    yield from (f"{', '.join(names)}: {why}" for why, names in lanes.items())


def _why(summary: Summary, pair: Pair) -> str | None:
    if pair.ratio is None or 1 / ALIKE <= pair.ratio.estimate <= ALIKE:
        return None
    if not pair.differs:
        return CHANCE
    plan = from_description(summary.run.description["plan"])
    lane = next(cell.lane for cell in plan.cells if cell.lane.name == pair.lane)
    return next(reason.sentence for reason in REASONS if reason.applies(lane))
