"""The question `python`: the same lanes on two Pythons, or more, side by side in one run."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from loadtest import figures, pythons, run_state, stats, summary, tables
from loadtest.content import Content
from loadtest.figures import NOTHING, PERCENT
from loadtest.lanes import Lane
from loadtest.options import split
from loadtest.plan import Cell, Workload
from loadtest.plots import forest
from loadtest.plots.axes import Plot
from loadtest.questions import cells
from loadtest.questions.question import Question, content
from loadtest.results import Run, Trial
from loadtest.stats import Interval
from loadtest.summary import cpu, throughput
from loadtest.table import Table

TITLE = "PlanetTracker: Pythons compared"
LOAD = "h2load"
GIVE = "--python needs two commands or more, such as python3.11,python3.13"
HOLM = (
    "Compared within blocks; the intervals are wide enough that at most one run in twenty shows "
    "any difference that is not there (Holm's method)."
)

OPTIMISED = {None: "not known", True: "yes", False: "no"}

# What of the first lane and of the second is compared, by the plain lane's name and the Python.
Key = tuple[str, str]


def _cells(rows: Sequence[Lane], options: dict[str, Any]) -> tuple[Cell, ...]:
    names = list(dict.fromkeys(options["pythons"]))
    wrong = [name for name in names if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name)]
    if wrong:
        raise ValueError(f"{GIVE}; {wrong[0]!r} is the name of no command")
    if len(names) < 2:
        raise ValueError(GIVE)
    pythons.check(names)
    return tuple(
        Cell(replace(lane, python=name), Workload(load=LOAD))
        for lane in rows
        for name in names
        if lane.takes(LOAD)
    )


def report(run: Run) -> Content:
    """Return the answer, from the run's files alone."""
    said = (_answer(run), _asked(run), run_state.state(run), _warnings(run))
    return content(run, TITLE, said, [_plot(run)], _tables(run))


def names(run: Run) -> list[str]:
    """Return the Pythons in the order in which they were given."""
    return list(dict.fromkeys(lane.python for lane in cells.lanes(run)))


def ratios(run: Run, of: Callable[[Trial], float]) -> dict[Key, Interval]:
    """Return each lane's figure on a Python as a factor of that on the first, with Holm's."""
    first, *others = names(run)
    (workload,) = cells.workloads(run)
    found = {}
    for lane in cells.lanes(run):
        if lane.python == first:
            for name in others:
                beside = replace(lane, python=name).name
                sample = summary.ratios(run, (beside, workload), (lane.name, workload), of)
                if sample.values:
                    found[replace(lane, python="").name, name] = sample
    adjusted = stats.holm(found)
    return {key: adjusted[key] for key in found}  # in the order of the lanes, not of how sure


def _answer(run: Run) -> list[str]:
    faster, cheaper = ratios(run, throughput), ratios(run, cpu)
    if not faster:
        return ["No lane has a valid trial on two Pythons in the same block."]
    said = []
    first = _version(run, names(run)[0])
    for name in names(run)[1:]:
        beside = _version(run, name)
        said += [
            _sentence(
                _of(faster, name),
                (f"{beside} answers", "more", "fewer", f"requests per second than {first}"),
                f"Between {beside} and {first} no difference in requests per second was shown",
            ),
            _sentence(
                _of(cheaper, name),
                ("A request costs it", "more", "less", "CPU time"),
                "No difference in the CPU time of a request was shown",
            ),
        ]
    return said


def _of(found: dict[Key, Interval], name: str) -> dict[str, Interval]:
    return {lane: ratio for (lane, python), ratio in found.items() if python == name}


def _sentence(found: dict[str, Interval], words: tuple[str, str, str, str], nothing: str) -> str:
    """Return on which lanes there is more of something, on which less, and on which neither."""
    begin, more, less, what = words
    above = _listed({lane: ratio for lane, ratio in found.items() if ratio.low > 1})
    below = _listed({lane: ratio for lane, ratio in found.items() if ratio.high < 1})
    neither = _listed({lane: ratio for lane, ratio in found.items() if ratio.holds(1)})
    if not above and not below:
        return f"{nothing}, on {neither}."
    said = f"{begin} {more if above else less} {what} on {above or below}"
    said += f", and {less} on {below}" if above and below else ""
    return f"{said}; no difference was shown on {neither}." if neither else f"{said}."


def _listed(found: dict[str, Interval]) -> str:
    return ", ".join(f"{lane} ({_times(ratio)})" for lane, ratio in found.items())


def _times(ratio: Interval) -> str:
    spread = f", {ratio.low:.2f}{figures.TO}{ratio.high:.2f}" if figures.finite(ratio) else ""
    return f"{ratio.estimate:.2f}\N{NO-BREAK SPACE}times{spread}"


def _version(run: Run, name: str) -> str:
    """Return for instance `python3.13 (CPython 3.13.0)`."""
    known = _known(run).get(name)
    return f"{name} ({known['python']})" if known else name


def _known(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = run.description["environment"].get("pythons") or {}
    return found


def _asked(run: Run) -> list[str]:
    (workload,) = cells.workloads(run)
    blocks = len({trial.block for trial in run.trials if trial.invalid is None})
    return [
        f"Each lane is served by each of {', '.join(names(run))}, and asked for "
        f"{workload.target.partition('?')[0]} by {workload.concurrency} clients over "
        f"{workload.load}, in {blocks} {'block' if blocks == 1 else 'blocks'} of trials on fresh "
        "servers in shuffled order.",
        f"In brackets are 95{PERCENT} intervals by Holm's method over the lanes, once for requests "
        "per second and once for CPU time.",
    ]


def _warnings(run: Run) -> list[str]:
    return [*_builds(run), *_other_packages(run), *_invalid(run)]


def _builds(run: Run) -> Iterator[str]:
    """Yield which Pythons were built plainly: such a one is slower, by its own part."""
    plain = [name for name, about in _known(run).items() if not about.get("optimised", True)]
    if plain:
        verb = "was" if len(plain) == 1 else "were"
        yield (
            f"Beware: {' and '.join(plain)} {verb} built without --enable-optimizations, and would "
            "be faster with it; a distribution's own Python mostly has it."
        )


def _other_packages(run: Run) -> Iterator[str]:
    """Yield what the Pythons have in different versions, since that might be the difference."""
    packages = {name: about["packages"] for name, about in _known(run).items()}
    for package in sorted({package for found in packages.values() for package in found}):
        versions = {name: found.get(package, "none") for name, found in packages.items()}
        if len(set(versions.values())) > 1:
            told = ", ".join(f"{version} on {name}" for name, version in versions.items())
            yield f"Beware: {package} is {told}."


def _invalid(run: Run) -> Iterator[str]:
    invalid = sum(trial.invalid is not None for trial in run.trials)
    if invalid:
        yield f"{invalid} of {len(run.trials)} trials are invalid and count for nothing."


def _plot(run: Run) -> Plot | None:
    first = names(run)[0]
    found = {
        f"{lane}: {python} / {first}": ratio
        for (lane, python), ratio in ratios(run, throughput).items()
    }
    if not found:
        return None
    svg = forest.drawing(forest.TITLE, found, None)
    shown = sum(not ratio.holds(1) for ratio in found.values())
    return Plot(
        forest.TITLE,
        svg,
        f"Requests per second on each Python as a factor of those on {first}, by lane. {shown} of "
        f"{len(found)} comparisons show a difference (full squares): their intervals, by Holm's "
        "method, do not hold 1. The scale is logarithmic.",
    )


def _tables(run: Run) -> list[Table]:
    return [
        _compared(run),
        _figures(run, "Requests per second", throughput),
        _figures(run, "CPU µs per request", cpu),
        _environments(run),
    ]


def _compared(run: Run) -> Table:
    faster, dearer = ratios(run, throughput), ratios(run, cpu)
    first = names(run)[0]
    return Table(
        f"Beside {first}",
        ("lane", "on", "requests per second", "CPU time per request"),
        tuple(
            (lane, python, figures.factor(ratio), _factor(dearer.get((lane, python))))
            for (lane, python), ratio in faster.items()
        ),
        (f"Factors of what the lane has on {first}. {HOLM}",),
    )


def _factor(ratio: Interval | None) -> str:
    return NOTHING if ratio is None else figures.factor(ratio)


def _figures(run: Run, title: str, of: Callable[[Trial], float]) -> Table:
    (workload,) = cells.workloads(run)
    first, *others = names(run)
    lanes = [lane for lane in cells.lanes(run) if lane.python == first]
    rows = []
    for lane in lanes:
        on = [replace(lane, python=name).name for name in (first, *others)]
        means = (figures.rate(cells.mean(run, name, workload, of)) for name in on)
        rows.append((replace(lane, python="").name, *means))
    note = "Geometric means over trials, with 95 % intervals."
    return Table(title, ("lane", first, *others), tuple(rows), (note,))


def _environments(run: Run) -> Table:
    rows = (
        (name, about["python"], OPTIMISED[about.get("optimised")], tables.fact(about["packages"]))
        for name, about in _known(run).items()
    )
    return Table(
        "The Pythons", ("", "version", "built with optimisations", "packages"), tuple(rows)
    )


PYTHONS = Question(
    name="python",
    help="Serve the same lanes by two Pythons or more, side by side in one run.",
    cells=_cells,
    report=report,
    options=(
        click.Option(
            ["--python", "pythons"],
            required=True,
            callback=split,
            help="Commands, the first to compare with: python3.11,python3.13.",
        ),
    ),
    lanes=("aiohttp-gunicorn", "flask-gunicorn", "tornado-dev", "starlette-uvicorn"),
    blocks=6,
)
