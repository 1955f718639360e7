"""A summary in paragraphs, written from the figures: what to read in a hurry."""

from collections.abc import Iterator

from loadtest import run_state, stacks, two_loads
from loadtest.figures import PERCENT, TO, factor, finite, times
from loadtest.pairs import FRAMEWORKS
from loadtest.ranking import keep_alive
from loadtest.stacks import inverse
from loadtest.stats import Interval
from loadtest.summary import BASELINE, Server, Summary
from loadtest.tables import shares, with_idle_worker
from loadtest.words import NAMES, listed, workers

TITLE = "PlanetTracker: web stacks compared"
MOST_NAMED = 4
ENOUGH_BLOCKS = 5  # Student's t makes an interval of 2 blocks seven times as wide as one of 5


def title(summary: Summary) -> str:
    """Return what is compared: where lanes of a person's own are, those by their names."""
    own = list(
        dict.fromkeys(lane.framework for lane in map(summary.lane, summary.lanes) if lane.own)
    )
    if not own:
        return TITLE
    named = own if len(own) <= MOST_NAMED else [*own[: MOST_NAMED - 1], "others"]
    return f"{listed(named)} {'compared' if len(own) > 1 else 'measured'}"


def headline(summary: Summary) -> list[str]:
    """Return the paragraphs to read in a hurry: first the verdict, with how far it can be seen."""
    return [" ".join(sentences) for sentences in paragraphs(summary)]


def paragraphs(summary: Summary) -> list[list[str]]:
    """Return the sentences of each paragraph."""
    verdicts = [*(list(stacks.lead(summary)) or _verdicts(summary)), *stacks.each(summary)]
    verdicts = verdicts or list(stacks.every(summary))
    if not summary.compared():
        verdicts = ["No two lanes of this run can be compared."]
    warnings = [
        *_few_blocks(summary),
        *_invalid(summary),
        *_idle_workers(summary),
        *_loads(summary),
    ]
    how = [*_basis(summary), *run_state.precision(summary)]
    details = list(stacks.details(summary))
    found = ([*verdicts, *_noise(summary)], details, run_state.state(summary.run), how, warnings)
    return [sentences for sentences in found if sentences]


def _verdicts(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each row of the article's table, what to deploy before development."""
    ratios = summary.throughput_ratios()
    for server in (*summary.servers[1:], BASELINE):
        pair = server.lane(FRAMEWORKS[0]), server.lane(FRAMEWORKS[1])
        if pair in ratios:
            yield _verdict(summary, server, ratios[pair])


def _verdict(summary: Summary, server: Server, ratio: Interval) -> str:
    a, b = FRAMEWORKS
    if ratio.holds(1):
        return (
            f"{_where(server)}, no difference between {NAMES[a]} and {NAMES[b]} was shown: "
            f"{NAMES[a]} answers {_reach(ratio)} as many requests per second"
            f"{_per_cpu(summary, server)}."
        )
    slower = ratio.estimate < 1
    faster, other = (b, a) if slower else (a, b)
    lead = inverse(ratio) if slower else ratio
    return (
        f"{_where(server)}, {_who(summary, server, faster)} answers {times(lead)} as many requests "
        f"per second as {_who(summary, server, other)}{_keep_alive(summary, server)}"
        f"{_per_cpu(summary, server, slower)}."
    )


def _reach(ratio: Interval) -> str:
    if not finite(ratio):
        return f"{ratio.estimate:.2f} times (from one block, which says nothing of chance)"
    return f"between {ratio.low:.2f} and {ratio.high:.2f} times"


def _where(server: Server) -> str:
    if server == BASELINE:
        return f"On the {server.label}s"
    return f"Under {server.key}" + (
        f" with {workers(server.workers)}" if server.workers > 1 else ""
    )


def _who(summary: Summary, server: Server, framework: str) -> str:
    """Return the framework, and where its lane has one its worker class: Flask's sync worker."""
    lane = summary.lane(server.lane(framework))
    plain = lane.server == BASELINE.key or "." in lane.worker_class
    return NAMES[framework] if plain else f"{NAMES[framework]}'s {lane.worker_class} worker"


def _keep_alive(summary: Summary, server: Server) -> str:
    """Return what part of a lead is that connections are kept, where the run has measured that."""
    ratio = keep_alive(summary, server.lane(FRAMEWORKS[0]))
    return "" if ratio is None else f"; a factor of {factor(ratio)} of that is keep-alive"


def _per_cpu(summary: Summary, server: Server, slower: bool = False) -> str:
    a, b = (server.lane(framework) for framework in FRAMEWORKS)
    ratio = summary.cpu_ratio(a, b) if slower else summary.cpu_ratio(b, a)
    return "" if ratio is None else f"; per CPU second {times(ratio)}"


def _noise(summary: Summary) -> Iterator[str]:
    """Yield what a lane differs by from itself: no smaller difference can be seen."""
    noise = summary.noise()
    if noise is None or summary.twins is None:
        if len(summary.lanes) > 1:
            yield "The noise is not known: no lane was measured twice (--aa)."
        return
    lane = summary.twins[0]
    change = noise.map(lambda value: 100 * (value - 1))
    differed = f"{lane} measured twice differed by {change.estimate:+.1f}{PERCENT}"
    if not finite(noise):
        yield f"The noise: {differed}; one block says no more."
        return
    spread = f"({change.low:+.1f}{TO}{change.high:+.1f})"
    if noise.holds(1):
        least = 100 * (max(1 / noise.low, noise.high) - 1)
        yield (
            f"The noise: {differed} {spread}, so nothing smaller than {least:.1f}{PERCENT} can be "
            "seen."
        )
    else:
        yield (
            f"Beware: {differed} {spread}, an interval that does not hold 0. Something came "
            "between the two; trust no difference of that size, and measure again."
        )


def _basis(summary: Summary) -> Iterator[str]:
    """Yield what the figures are of, and what their intervals promise."""
    ratios, workload = summary.throughput_ratios(), summary.workload
    if not ratios:
        return
    target = workload.target.partition("?")[0]
    blocks = _blocks(summary)
    adjusted = (
        "; those of requests per second are adjusted by Holm's method for the "
        f"{len(ratios)} planned comparisons"
        if len(ratios) > 1
        else ""
    )
    yield (
        f"Measured by {workload.load}, {workload.concurrency} clients asking for {target}, in "
        f"{blocks} {'block' if blocks == 1 else 'blocks'} of trials on fresh servers in shuffled "
        f"order. In brackets are 95{PERCENT} intervals{adjusted}."
    )


def _blocks(summary: Summary) -> int:
    return len({trial.block for trial in summary.run.trials if trial.invalid is None})


def _few_blocks(summary: Summary) -> Iterator[str]:
    blocks = _blocks(summary)
    if summary.throughput_ratios() and blocks < ENOUGH_BLOCKS:
        only = "1 block" if blocks == 1 else f"{blocks} blocks"
        yield f"Only {only}: with more of them (--blocks 10) more can be shown."


def _invalid(summary: Summary) -> Iterator[str]:
    invalid = len(summary.invalid())
    never = summary.never_valid()
    if never:
        why = "; see the invalid trials" if invalid else ""
        yield f"Without any valid trial: {', '.join(never)}{why}."
    elif invalid:
        yield f"{invalid} of {len(summary.run.trials)} trials are invalid and count for nothing."


def _idle_workers(summary: Summary) -> Iterator[str]:
    for lane, found in shares(summary).items():
        idle = with_idle_worker(found)
        if 2 * idle >= len(found):
            yield (
                f"In {idle} of {len(found)} trials of {lane} some worker had nothing to do, so "
                "that it shows less than its workers could do: a connection that is kept alive "
                "stays with the worker that accepted it."
            )


def _loads(summary: Summary) -> Iterator[str]:
    differing = [pair.lane for pair in two_loads.pairs(summary) if pair.differs]
    if differing:
        yield (
            f"The two loads differ by more than {100 * (two_loads.ALIKE - 1):.0f}{PERCENT} on "
            f"{', '.join(differing)}: the table of the two loads says why."
        )
