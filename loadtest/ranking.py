"""The stacks of a run for production, with as many workers each, in order: what answers most."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from loadtest import stats
from loadtest.lanes import Lane
from loadtest.pairs import DEV, STACK
from loadtest.stats import CONFIDENCE, Interval
from loadtest.summary import Summary, throughput, workload_ratio


@dataclass(frozen=True, slots=True)
class Ranked:
    """A stack and its figures: by `times` the throughput of the plain one, of which it is none.

    `behind_first` is its throughput as a factor of the first one's, with an interval of which
    `Ranking` says how sure it is.
    """

    lane: Lane
    rps: Interval
    times: Interval | None
    times_per_cpu: Interval | None
    keep_alive: Interval | None
    behind_first: Interval | None

    @property
    def told_apart(self) -> bool:
        """Return whether the stack is shown to answer less than the first."""
        return self.behind_first is not None and self.behind_first.high < 1


@dataclass(frozen=True, slots=True)
class Ranking:
    """The stacks, most requests per second first, and the plain one that they are held against.

    Whichever answers most in truth is the first or among those not told apart from it, but for one
    run in twenty: against it there are as many comparisons as there are other stacks, and each
    interval has its share of the 5 % (Bonferroni). So it does not matter that the data chose.
    """

    workers: int
    plain: Lane
    rows: tuple[Ranked, ...]

    @property
    def first(self) -> Ranked:
        """Return the stack that answered most."""
        return self.rows[0]

    def rivals(self) -> list[Lane]:
        """Return the stacks that cannot be told apart from the first."""
        return [row.lane for row in self.rows[1:] if not row.told_apart]


def ranking(summary: Summary) -> Ranking | None:
    """Return the ranking; None where fewer than two stacks can be ranked."""
    stacks = [pair for pair in summary.pairs if pair.purpose == STACK and pair.a.server != DEV]
    if not stacks:
        return None
    workers = min(pair.a.workers for pair in stacks)
    plain = next(pair.b for pair in stacks if pair.a.workers == workers)
    lanes = dict.fromkeys(lane for pair in summary.pairs for lane in (pair.a, pair.b))
    known = [lane for lane in lanes if lane.workers == workers and lane.server != DEV]
    rates = {lane: rps for lane in known if (rps := summary.throughput_rps(lane.name))}
    if len(rates) < 2:
        return None
    order = sorted(rates, key=lambda lane: rates[lane].estimate, reverse=True)
    return Ranking(workers, plain, tuple(_rows(summary, order, plain)))


def _rows(summary: Summary, order: list[Lane], plain: Lane) -> Iterator[Ranked]:
    ratios, first = summary.throughput_ratios(), order[0]
    sure = 1 - (1 - CONFIDENCE) / (len(order) - 1)
    for lane in order:
        rps = summary.throughput_rps(lane.name)
        assert rps is not None  # or it is not in the order
        ours = summary.ratios(lane.name, first.name) if lane != first else None
        yield Ranked(
            lane,
            rps,
            ratios.get((lane.name, plain.name)),
            summary.cpu_ratio(plain.name, lane.name) if lane != plain else None,
            keep_alive(summary, lane.name),
            stats.geometric_mean(ours, sure) if ours and ours.values else None,
        )


def keep_alive(summary: Summary, lane: str) -> Interval | None:
    """Return by which factor kept connections raise a lane's throughput, where that is shown."""
    kept, closed = (replace(summary.workload, keep_alive=keep) for keep in (True, False))
    ratio = workload_ratio(summary.run, lane, kept, closed, throughput)
    return None if ratio is None or ratio.holds(1) else ratio
