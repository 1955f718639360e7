"""What a run of many stacks says: which answers most, what threads, greenlets and loops give."""

from collections.abc import Iterator

from loadtest.figures import NOTHING, TO, factor, finite, rate, times
from loadtest.lanes import Lane
from loadtest.pairs import BEHIND, FRAMEWORK, OWN, PROXY, PYTHON, STACK, VARIANT, Pair
from loadtest.ranking import Ranked, Ranking, ranking
from loadtest.stats import Interval
from loadtest.summary import Summary
from loadtest.table import Table
from loadtest.words import NAMES, called, listed, variant, workers

FEW = 4  # stacks that a sentence can name
SAID_EACH = (OWN, PROXY, BEHIND, PYTHON)  # a sentence for each pair
AS_MANY = "as many requests per second as"


def lead(summary: Summary) -> Iterator[str]:
    """Yield which stack answers most, and what the article's frameworks do; nothing without any."""
    found = ranking(summary)
    if found is None:
        return
    yield _most(found)
    yield _rivals(found)
    yield from _article(summary)


def _most(found: Ranking) -> str:
    first = found.first
    most = "answers most" if finite(first.rps) else "answered most in the one block there is"
    among = f"With {workers(found.workers)}, {called(first.lane)} {most}"
    if first.times is None:
        return f"{among}: {rate(first.rps)} requests per second."
    per_cpu = f", per CPU second {times(first.times_per_cpu)}" if first.times_per_cpu else ""
    return f"{among}: {times(first.times)} {AS_MANY} {called(found.plain)}{per_cpu}{_kept(first)}."


def _kept(row: Ranked) -> str:
    if row.keep_alive is None or row.times is None or row.times.low <= 1:
        return ""
    return f"; a factor of {factor(row.keep_alive)} of that is keep-alive"


def _rivals(found: Ranking) -> str:
    rivals = found.rivals()
    if not rivals:
        return "Every other stack answers fewer for sure."
    if len(rivals) > FEW:
        return f"{len(rivals)} of the {len(found.rows) - 1} others cannot be told apart from it."
    return f"Not told apart from it: {listed([called(lane) for lane in rivals])}."


def _article(summary: Summary) -> Iterator[str]:
    """Yield one sentence for all rows of the article's table, what to deploy first."""
    ratios = summary.throughput_ratios()
    pairs = [pair for pair in summary.pairs if pair.purpose == FRAMEWORK and pair.names in ratios]
    pairs = sorted(pairs, key=lambda pair: pair.a.server == "dev")
    said = [f"{_place(pair.a)} {_times_or_not(ratios[pair.names])}" for pair in pairs]
    if said:
        yield f"aiohttp answers, for each request of Flask: {', '.join(said)}."


def _place(lane: Lane) -> str:
    if lane.server == "dev":
        return "on the development servers"
    return f"with {workers(lane.workers)}" if lane.workers > 1 else f"under {lane.server}"


def _times_or_not(ratio: Interval) -> str:
    if ratio.holds(1) and finite(ratio):
        return f"no difference shown ({ratio.low:.2f}{TO}{ratio.high:.2f})"
    return factor(ratio)


def each(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each pair of a user's own lanes, of a proxy and of two Pythons."""
    ratios = summary.throughput_ratios()
    for purpose in SAID_EACH:
        for pair in summary.pairs:
            if pair.purpose == purpose and pair.names in ratios:
                yield sentence(summary, pair, ratios[pair.names])


def every(summary: Summary) -> Iterator[str]:
    """Yield a sentence for every planned pair: of few lanes, which nothing else is said of."""
    ratios = summary.throughput_ratios()
    for pair in summary.pairs:
        if pair.names in ratios:
            yield sentence(summary, pair, ratios[pair.names])


def sentence(summary: Summary, pair: Pair, ratio: Interval) -> str:
    """Return which lane of a pair answers how many times as many requests as the other."""
    a, b = (pair.a, pair.b) if ratio.estimate >= 1 or ratio.holds(1) else (pair.b, pair.a)
    cpu = summary.cpu_ratio(b.name, a.name)
    per_cpu = f"; per CPU second {times(cpu)}" if cpu else ""
    if ratio.holds(1):
        return (
            f"No difference between {called(a)} and {called(b)} was shown: {called(a)} answers "
            f"{times(ratio)} {AS_MANY} {called(b)}{per_cpu}."
        )
    lead = ratio if a == pair.a else inverse(ratio)
    return f"{_upper(called(a))} answers {times(lead)} {AS_MANY} {called(b)}{per_cpu}."


def _upper(text: str) -> str:
    return text if text.startswith("aiohttp") else text[:1].upper() + text[1:]


def inverse(ratio: Interval) -> Interval:
    """Return B/A of A/B."""
    high = 1 / ratio.low if ratio.low else float("inf")
    return Interval(1 / ratio.estimate, 1 / ratio.high, high)


def details(summary: Summary) -> Iterator[str]:
    """Yield what each way to serve one framework gives, and how much of a lead is keep-alive."""
    found = ranking(summary)
    if found is None:
        return
    yield from _ways(summary, found)
    yield from _variants(summary)
    yield from _keep_alive(found)


def _ways(summary: Summary, found: Ranking) -> Iterator[str]:
    """Yield the plain stack's framework on its other servers, by threads and by greenlets."""
    ratios = summary.throughput_ratios()
    ways = [
        f"{variant(pair.a)} {_times_or_not(ratios[pair.names])}"
        for pair in summary.pairs
        if pair.purpose == STACK
        and (pair.a.framework, pair.b) == (found.plain.framework, found.plain)
        and pair.names in ratios
    ]
    if ways:
        name = NAMES.get(found.plain.framework, found.plain.framework)
        yield f"{name}, for each request of {called(found.plain)}: {', '.join(ways)}."


def _variants(summary: Summary) -> Iterator[str]:
    ratios = summary.throughput_ratios()
    for pair in summary.pairs:
        if pair.purpose == VARIANT and pair.names in ratios:
            yield sentence(summary, pair, ratios[pair.names])


def _keep_alive(found: Ranking) -> Iterator[str]:
    parts = {row.lane: row.keep_alive for row in found.rows if row.keep_alive}
    if len(parts) > 1:
        least, most = (f(parts, key=lambda lane: parts[lane].estimate) for f in (min, max))
        yield (
            f"Keep-alive raises what a stack answers by a factor from {factor(parts[least])} "
            f"({called(least)}) to {factor(parts[most])} ({called(most)})."
        )


def table(summary: Summary) -> Table:
    """Return the ranking as a table; without rows where there is none."""
    found = ranking(summary)
    rows = tuple(_row(row) for row in found.rows) if found else ()
    title = f"Stacks with {workers(found.workers)}" if found else "Stacks"
    plain = called(found.plain) if found else ""
    factors = (f"as a factor of {plain}", "per CPU second", "keep-alive's part")
    return Table(
        f"{title}, by {summary.workload.load}",
        ("", "requests per second", *factors, "as a factor of the first"),
        rows,
        (
            "In the order of what they answer. The intervals of the last column are such that "
            "whichever answers most in truth is the first or one whose interval holds 1, but for "
            "one run in twenty. Keep-alive's part is the throughput as a factor of that with a "
            "connection for each request, where both were measured and differ for sure.",
        ),
    )


def _row(row: Ranked) -> tuple[str, ...]:
    intervals = (row.times, row.times_per_cpu, row.keep_alive, row.behind_first)
    return row.lane.name, rate(row.rps), *(factor(i) if i else NOTHING for i in intervals)
