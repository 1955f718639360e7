"""Does the experiment find a slowdown of a known size? One is planted in a lane, and measured.

make planted
"""

from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import click

from loadtest.figures import percent
from loadtest.lanes import PREFERRED, lanes
from loadtest.measuring import SLICES
from loadtest.options import NOISY, PATIENCE, Duration, Percent, refuse_others
from loadtest.plan import LEAST_PILOT, Cell, Plan, TwoStages, Workload
from loadtest.stats import Interval
from loadtest.summary import Summary
from tests import series
from tests.series import Series

COMMAND = "make planted"
APP = "tests.slowed_app:create_app"
PLAIN = lanes()[PREFERRED]


def cells(share: float) -> tuple[Cell, Cell]:
    """Return a lane, and the lane with (1 - share) times its throughput as if it were its twin.

    Both have the timer that pauses, so that nothing but its pauses is between them.
    """
    plain = replace(PLAIN, app=f"{APP}(0.0)")
    slowed = replace(PLAIN, app=f"{APP}({share!r})", twin=True)
    workload = Workload(load=series.LOAD)
    return Cell(plain, workload), Cell(slowed, workload)


def share(planned: Plan) -> float:
    """Return the slowdown that is planted in a plan."""
    app = planned.cells[1].lane.app
    return float(app.removeprefix(f"{APP}(").removesuffix(")"))


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found: the slowed lane's throughput as a factor of the plain one's."""

    ratio: Interval
    blocks: int
    planted: float

    @property
    def called(self) -> bool:
        """Return whether the lane is said to be slower."""
        return self.ratio.high < 1

    @property
    def held(self) -> bool:
        """Return whether the interval holds what was planted."""
        return self.ratio.holds(self.planted)


def found(summary: Summary, planted: float) -> Found | None:
    """Return what a run found, or None where no block is valid."""
    ratio = summary.noise()
    if ratio is None:
        return None
    inverse = Interval(1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low if ratio.low else inf)
    (sample,) = summary.compared().values()
    return Found(inverse, len(sample.values), planted)


def sentence(one: Found | None) -> str:
    """Return what a run found, in words."""
    if one is None:
        return "no valid pair of trials"
    called = "a slowdown" if one.called else "not called"
    held = "holds" if one.held else "does not hold"
    ratio = percent(one.ratio)
    return f"{ratio}, {one.blocks} blocks: {called}; {held} {100 * (one.planted - 1):g} %"


def verdict(ones: list[Found | None]) -> str:
    """Return how many runs found the slowdown, and how many its size."""
    of = len(ones)
    called = sum(one is not None and one.called for one in ones)
    held = sum(one is not None and one.held for one in ones)
    return f"called in {called} of {of}; held in {held} of {of}"


@click.command()
@click.option("--slowdown", default="5%", show_default=True, type=Percent())
@click.option("--runs", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--precision", default="2%", show_default=True, type=Percent())
@click.option("--pilot", default=LEAST_PILOT, show_default=True, type=click.IntRange(2, 1000))
@click.option("--patience", default="20m", show_default=True, type=Duration(), help=PATIENCE)
@click.option("--seconds", default=2.0, show_default=True, type=click.FloatRange(0.05, 60))
@click.option("--slices", default=20, show_default=True, type=click.IntRange(1, 1000), help=SLICES)
@click.option("--noisy", is_flag=True, help=NOISY)
@click.option("--pin", help="Cores SERVER:LOAD, such as 0:1. [all for both]")
@click.option("--seed", type=click.IntRange(0), help="[random, and recorded]")
@click.option("--out", type=click.Path(path_type=Path), help="A new folder for the runs.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with such a folder.")
@click.pass_context
def main(
    context: click.Context,
    slowdown: float,
    runs: int,
    precision: float,
    pilot: int,
    patience: float,
    seconds: float,
    slices: int,
    noisy: bool,
    pin: str | None,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
) -> None:
    """Measure a lane beside itself made slower, as often as --runs says, to a precision."""
    if resume:
        refuse_others(context, "resume", "patience")
        return _measure(resume, patience)
    folder = out or series.new_folder("planted")
    seed = series.new_seed() if seed is None else seed
    rule = TwoStages(precision, pilot, patience)
    planned = Plan(
        cells=cells(slowdown),
        blocks=pilot,
        seconds=seconds,
        seed=seed,
        two_stages=rule,
        noisy=noisy,
        slices=slices,
    )
    with series.going_on(COMMAND, folder):
        series.create(Series(folder, replace(planned, pin=series.cores(pin)), runs))
    _measure(folder, patience)


def _measure(folder: Path, patience_s: float) -> None:
    with series.going_on(COMMAND, folder):
        planned = series.load(folder)
        slowed = share(planned.plan)
        click.echo(f"A slowdown of {100 * slowed:g} %, {planned.runs} times, in {folder}\n")
        ones = []

        def each(number: int, summary: Summary) -> None:
            ones.append(found(summary, 1 - slowed))
            click.echo(series.line(number, planned, summary, sentence(ones[-1])))

        series.measure(planned, patience_s, each)
    click.echo(f"\n{verdict(ones)}")


if __name__ == "__main__":
    main(prog_name="python -m tests.planted")
