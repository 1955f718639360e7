"""The command line of the experiment."""

import errno
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from math import isnan
from pathlib import Path
from random import SystemRandom

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from loadtest import ab, experiment, lanes, plan, report, results, server, trial
from loadtest.environment import environment
from loadtest.interruption import Interrupted, Interruption
from loadtest.load import Load, LoadError, LoadMissingError
from loadtest.progress import Lines
from loadtest.summary import summarise

RESULTS = server.ROOT / "loadtest" / "results"
WIDTH = 140  # in a pipe, where nobody says how wide a line may be


class Refusal(click.ClickException):
    """One sentence that says what to do, and exit status 2."""

    exit_code = 2


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what a person can mend into a Refusal."""
    try:
        yield
    except (lanes.UnknownLaneError, results.RunFolderError, LoadMissingError, LoadError) as error:
        raise Refusal(str(error)) from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
            raise
        raise Refusal(
            f"cannot write ({error.strerror}); make room or name another folder with --out"
        ) from None


@click.group()
def main() -> None:
    """Measure which web stack serves the planet tracker faster, by how much, and how surely."""


@main.command("lanes")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
def list_lanes(workers: int) -> None:
    """Show the lanes and the command of each."""
    table = Table("lane", "workers", "keep-alive", "command")
    for lane in lanes.lanes(workers).values():
        command = shlex.join(lane.command("python", server.HOST, 8000))
        table.add_row(lane.name, str(lane.workers), "yes" if lane.keeps_alive else "no", command)
    _console().print(table)


def _split(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


@main.command()
@click.option("--lanes", "names", default="", callback=_split, help="Some of them: a,b,c. [all]")
@click.option("--blocks", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seconds", default=1.25, show_default=True, type=click.FloatRange(0.05, 60))
@click.option("--requests", type=click.IntRange(1, 10_000_000), help="Of a trial. [by --seconds]")
@click.option("--concurrency", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--target", default=plan.MARS, help="What is asked for. [mars at a fixed time]")
@click.option("--no-keep-alive", is_flag=True, help="A connection for each request, on all lanes.")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
@click.option("--aa", is_flag=True, help="Measure one lane twice, as its own twin: the noise.")
@click.option("--seed", type=int, help="Of the order of the lanes. [random, and recorded]")
@click.option("--out", type=click.Path(path_type=Path), help="A new folder. [loadtest/results/...]")
def run(
    names: list[str],
    blocks: int,
    seconds: float,
    requests: int | None,
    concurrency: int,
    target: str,
    no_keep_alive: bool,
    workers: int,
    aa: bool,
    seed: int | None,
    out: Path | None,
) -> None:
    """Measure the lanes in shuffled blocks, and report."""
    if not re.fullmatch("/[!-~]*", target):
        raise Refusal(
            "--target must be an ASCII path without spaces such as /planets?time=2026-01-01T00:00Z"
        )
    if isnan(seconds):  # which no range refuses
        raise Refusal("--seconds must be a number")
    if requests is not None and requests < concurrency:
        raise Refusal(f"--requests must be at least --concurrency, which is {concurrency}")
    with refusals():
        load = ab.ApacheBench(ab.find())
        workload = plan.Workload(target, concurrency, not no_keep_alive, load.name)
        chosen = lanes.chosen(names, workers)
        planned = plan.Plan(
            cells=tuple(
                plan.Cell(lane, workload) for lane in (lanes.with_twin(chosen) if aa else chosen)
            ),
            blocks=blocks,
            seconds=seconds,
            requests=requests,
            seed=SystemRandom().randrange(10**6) if seed is None else seed,
        )
        folder = out or RESULTS / datetime.now().strftime("%Y-%m-%dT%H-%M-%S")
        _run(planned, load, folder)


def _run(planned: plan.Plan, load: Load, folder: Path) -> None:
    console = _console()
    machine = environment(f"{load.name} {ab.version().split()[0]}")
    status = 0
    with Interruption() as interruption, Lines(planned, console) as progress:
        world = trial.World(
            start=partial(server.running, interruption=interruption),
            apply=partial(trial.apply, load, interruption),
        )
        try:
            experiment.run(planned, folder, machine, world, progress)
        except Interrupted as interrupted:
            console.print(f"Interrupted by {interrupted}; what was measured is reported.")
            status = 128 + interrupted.signum
    never_valid = _report(folder, console)
    sys.exit(status or never_valid)


@main.command("report")
@click.argument("folder", type=click.Path(path_type=Path))
def report_run(folder: Path) -> None:
    """Report the run in FOLDER again, from its files alone."""
    with refusals():
        sys.exit(_report(folder, _console()))


def _report(folder: Path, console: Console) -> int:
    """Write and show the run's report; return 1 if a lane never became valid."""
    summary = summarise(results.load(folder))
    written = report.write(summary)
    report.show(summary, console)
    console.print(Text("".join(f"\n{path}" for path in written)), soft_wrap=True)
    return 1 if summary.never_valid() else 0


def _console() -> Console:
    """Return the terminal; for CI and for a pipe plain lines, whatever FORCE_COLOR says."""
    if os.isatty(1) and "CI" not in os.environ:
        return Console()
    return Console(width=WIDTH, force_terminal=False)


if __name__ == "__main__":
    main(prog_name="python -m loadtest")
