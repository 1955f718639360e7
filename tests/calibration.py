"""Is the experiment as sure as it says? By simulation, and by deed: one lane against itself.

make calibrate
"""

import sys
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from math import comb, log, sqrt
from pathlib import Path
from statistics import fmean, median, variance

import click

from loadtest import stats
from loadtest.figures import percent
from loadtest.lanes import PREFERRED, lanes, twin
from loadtest.options import NOISY, Duration, refuse_others
from loadtest.plan import Cell, Plan, Workload
from loadtest.summary import Summary
from tests import series, simulation
from tests.series import Series

COMMAND = "make calibrate"
PATIENCE = "For a quiet machine, before each experiment."
LANE = lanes()[PREFERRED]
CELLS = tuple(Cell(lane, Workload(load=series.LOAD)) for lane in (LANE, twin([LANE])))
ERROR = 1 - stats.CONFIDENCE
NORMAL = 1.96  # half-width over standard error, where there are many blocks


def more_than(called: int, of: int) -> float:
    """Return how likely more are called, of so many experiments that err as often as they say."""
    chances = (comb(of, k) * ERROR**k * (1 - ERROR) ** (of - k) for k in range(called + 1))
    return 1 - sum(chances)


def most_called(of: int) -> int:
    """Return how many may be called: an honest method exceeds it once in twenty, or less."""
    return next(called for called in range(of + 1) if more_than(called, of) < ERROR)


def is_called(summary: Summary) -> bool | None:
    """Return whether a lane is said to differ from itself, None without an interval."""
    ratio = summary.noise()
    return None if ratio is None else not ratio.holds(1)


def verdict(called: list[bool | None]) -> tuple[str, bool]:
    """Return what the experiments say of the method, and whether it is within the bound."""
    found, of, bound = called.count(True), len(called), most_called(len(called))
    text = (
        f"{found} of {of} experiments tell a lane from itself at {stats.CONFIDENCE:.0%}: "
        f"{ERROR * of:g} are expected, {bound} allowed, and a method that errs as often as it "
        f"says is over that with a probability of {more_than(bound, of):.3f}."
    )
    lost = called.count(None)
    if lost:
        text += f" {lost} had no valid pair of trials."
    return text, found <= bound and not lost


def price(runs: list[Summary]) -> str:
    """Return what a half-width of 1 % takes with trials of this length, to choose the length by."""
    samples = [sample.log() for run in runs for sample in run.compared().values()]
    spread = sqrt(fmean([variance(sample.values) for sample in samples if sample.degrees] or [0]))
    trial_s = median(_gaps_s(runs))
    minutes = 2 * trial_s * (NORMAL * spread / log(1.01)) ** 2 / 60
    return (
        f"A block's ratio is spread by {spread:.2%}, a trial takes {trial_s:.2f} s: "
        f"a half-width of 1 % takes {minutes:.0f} minutes."
    )


def _gaps_s(runs: list[Summary]) -> Iterator[float]:
    """Yield the times from a trial's begin to the next one's."""
    for run in runs:
        began = [datetime.fromisoformat(trial.started) for trial in run.run.trials]
        yield from ((later - earlier).total_seconds() for earlier, later in pairwise(began))


@click.command()
@click.option("--simulations", default=2000, show_default=True, type=click.IntRange(0, 100_000))
@click.option("--experiments", default=40, show_default=True, type=click.IntRange(0, 1000))
@click.option("--blocks", default=8, show_default=True, type=click.IntRange(2, 1000))
@click.option("--seconds", default=0.5, show_default=True, type=click.FloatRange(0.05, 60))
@click.option("--patience", default="10m", show_default=True, type=Duration(), help=PATIENCE)
@click.option("--noisy", is_flag=True, help=NOISY)
@click.option("--pin", help="Cores SERVER:LOAD, such as 0:1. [all for both]")
@click.option("--seed", type=click.IntRange(0), help="Of it all. [random, and recorded]")
@click.option("--out", type=click.Path(path_type=Path), help="A new folder for the experiments.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with such a folder.")
@click.pass_context
def main(
    context: click.Context,
    simulations: int,
    experiments: int,
    blocks: int,
    seconds: float,
    patience: float,
    noisy: bool,
    pin: str | None,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
) -> None:
    """Simulate experiments with a known truth, then measure one lane against itself."""
    if resume:
        refuse_others(context, "resume", "patience")
        sys.exit(not _measured(resume, patience))
    seed = series.new_seed() if seed is None else seed
    folder = out or series.new_folder("calibration")
    if experiments:
        with series.going_on(COMMAND, folder):
            cores = series.cores(pin)
            planned = Plan(CELLS, blocks, seconds, seed=seed, noisy=noisy, pin=cores)
            series.create(Series(folder, planned, experiments))
    good = not simulations or simulation.show(simulations, seed)
    if experiments:
        good &= _measured(folder, patience)
    sys.exit(not good)


def _measured(folder: Path, patience_s: float) -> bool:
    """Measure the folder's series, say what came out, return whether it is within the bound."""
    with series.going_on(COMMAND, folder):
        planned = series.load(folder)
        click.echo(f"\nOne lane against itself, {planned.runs} times, in {folder}\n")
        found = series.measure(
            planned,
            patience_s,
            lambda number, run: click.echo(series.line(number, planned, run, percent(run.noise()))),
        )
    text, good = verdict([is_called(run) for run in found])
    click.echo(f"\n{text}\n{price(found)}")
    return good


if __name__ == "__main__":
    main(prog_name="python -m tests.calibration")
