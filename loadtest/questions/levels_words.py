"""What is said of a sweep: each stack's best number of clients, where it fails, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence

from loadtest import figures
from loadtest.figures import PERCENT
from loadtest.kinds import Kind, kind
from loadtest.plan import Workload
from loadtest.questions.levels import Level, Series, between
from loadtest.results import Trial
from loadtest.stats import Interval


def clients(number: int) -> str:
    """Return for instance `1,000 clients`."""
    return f"{number:,} client{'' if number == 1 else 's'}"


def answer(found: Sequence[Series]) -> list[str]:
    """Return the answer to the question: which stacks fail, and how many clients are best."""
    return [*_unfailing(found), *_best(found), *_threads_and_greenlets(found)]


def details(found: Sequence[Series]) -> list[str]:
    """Return a sentence for each stack: where it stops rising, where it fails, and why."""
    said = []
    for series in found:
        known = series.measured_up_to()
        what = f"{_rise(series)}; {_failing(series)}" if known else "no trial counts"
        said += [f"{series.name}: {what}."]
    return said


def _best(found: Sequence[Series]) -> list[str]:
    named = [(series.name, best) for series in found if (best := series.best())]
    said = [f"{name} {workload.concurrency:,}" for name, workload in named]
    return [f"The best number of clients is, on {_listed(said)}."] if said else []


def _unfailing(found: Sequence[Series]) -> list[str]:
    most = max((level.clients for s in found for level in s.levels if level.measured), default=0)
    tried = {s.name: s.fails() for s in found if s.measured_up_to() == most}
    if not tried:
        return []
    good = [name for name, level in tried.items() if level is None]
    bad = [name for name, level in tried.items() if level is not None]
    if not good:
        return [f"With up to {clients(most)} at once requests fail on every stack."]
    but = f"; some do on {_listed(bad)}" if bad else ""
    return [f"With up to {clients(most)} at once no request failed on {_listed(good)}{but}."]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _rise(series: Series) -> str:
    best = series.best()
    if best is None:
        return "it has no valid trial"
    rps = figures.rate(series.throughput_rps(best))
    said = f"best with {clients(best.concurrency)}, {rps} requests a second"
    falls = series.falls()
    if falls:
        workload, ratio = falls
        return (
            f"{said}; less from {clients(workload.concurrency)} on, {figures.factor(ratio)} of it"
        )
    if best != series.workloads[-1]:
        return f"{said}, and no more is shown with more clients"
    return f"{said}, still rising where it was measured last" if len(series.workloads) > 1 else said


def _failing(series: Series) -> str:
    level = series.fails()
    if level is None:
        up_to = series.measured_up_to()
        last = up_to == series.workloads[-1].concurrency
        return f"none failed{'' if last else f' up to {clients(up_to)}, above it none counts'}"
    why = reason(level)
    queue = queue_full(level)
    return f"it starts to fail at {clients(level.clients)}: {why}{f' ({queue})' if queue else ''}"


def reason(level: Level) -> str:
    """Return how much fails at a level, and how, in the load's words."""
    said = []
    if level.failed:
        share = 100 * level.failed / level.ended
        said.append(
            f"{figures.number(share, 1 if share >= 0.1 else 3, PERCENT)} of requests, "
            f"{level.failed:,} of {level.ended:,}{_how(level)}"
        )
    if level.aborted:
        times = f" in {len(level.aborted)} of {len(level.trials)} trials" if level.valid else ""
        said.append(f"{gave_up(level.aborted[0])}{times}")
    return ", and ".join(said)


def gave_up(trial: Trial) -> str:
    """Return why the load gave up, and what it had completed."""
    complete = "an unknown number" if trial.complete is None else f"{trial.complete:,}"
    return f"aborted: {trial.invalid}, {complete} of {trial.requests:,} completed"


# By the loads' own names. A reset is one of ab's failures of length, too.
HOW: Mapping[str, str] = {
    "unanswered": "closed without a whole reply",
    "receive": "reset",
    "connect": "refused",
    "timeout": "not answered in time",
    "connection": "closed without a whole reply",
}


def _how(level: Level) -> str:
    kinds: Counter[str] = Counter()
    for trial in level.valid:
        kinds.update(trial.failures or {})
    if kinds["length"]:  # of which some may be requests beyond those that were asked for
        kinds["unanswered"] = max(level.failed - kinds["receive"] - kinds["connect"], 0)
    known = [f"{kinds[name]:,} {how}" for name, how in HOW.items() if kinds[name]]
    return f": {', '.join(known)}" if known else ""


def queue_full(level: Level) -> str | None:
    """Return what the kernel says of the listen queue, where it had no room."""
    found = level.overflows()
    if found is None:
        return None
    length, times = found
    return f"its listen queue holds {length:,} connections and was full {times:,} times a trial"


def _threads_and_greenlets(found: Sequence[Series]) -> list[str]:
    """Return threads held against greenlets, where the run has both under one load."""
    gunicorns = [s for s in found if s.lane.server == "gunicorn" and s.lane.workers == 1]
    greenlets = next((s for s in gunicorns if kind(s.lane) is Kind.GREENLETS), None)
    threads = next((s for s in gunicorns if kind(s.lane) is Kind.THREADS), None)
    if greenlets is None or threads is None:
        return []
    shared = [w for w in greenlets.workloads if between(greenlets, threads, w)]
    if not shared:
        return []
    ratios = [(w, between(greenlets, threads, w)) for w in dict.fromkeys((shared[0], shared[-1]))]
    times = " and ".join(_times(w, ratio) for w, ratio in ratios if ratio)
    return [
        f"Greenlets against {threads.lane.threads} threads: {greenlets.name} answers {times} what "
        f"{threads.name} does; {greenlets.name} {_first(greenlets)}, {threads.name} "
        f"{_first(threads)}."
    ]


def _times(workload: Workload, ratio: Interval) -> str:
    return f"{figures.times(ratio)} at {clients(workload.concurrency)}"


def _first(series: Series) -> str:
    level = series.fails()
    return f"fails from {clients(level.clients)} on" if level else "did not fail"
