"""Several runs of one plan, each in a folder of its own under that of the series.

A series that was interrupted goes on where it was: with the run that was under way, if there is
one, then with those that have not begun.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from random import SystemRandom
from typing import Any

import click

from loadtest import experiment, loads, pinning, plan, results, session
from loadtest.environment import environment
from loadtest.experiment import Progress
from loadtest.interruption import Interrupted, Interruption
from loadtest.measuring import RESULTS
from loadtest.options import refusals
from loadtest.pinning import Pin
from loadtest.plan import Plan
from loadtest.results import RunFolderError
from loadtest.summary import Summary, summarise
from loadtest.trial import World
from tests.fakes import Watcher

SERIES_FILE = "series.json"
LOAD = "ab"  # which every machine with this experiment has


@dataclass(frozen=True, slots=True)
class Series:
    """So many runs of a plan in a folder; the seed of each is the plan's and its number."""

    folder: Path
    plan: Plan
    runs: int

    def run_folder(self, number: int) -> Path:
        """Return the folder of a run, counted from 1."""
        return self.folder / f"{number:0{len(str(self.runs))}}"


def new_folder(kind: str) -> Path:
    """Return where a new series goes, unless it is told."""
    return RESULTS / f"{kind}-{datetime.now():%Y-%m-%dT%H-%M-%S}"


def new_seed() -> int:
    """Return a seed that no one chose."""
    return SystemRandom().randrange(10**6)


def cores(pin: str | None) -> Pin | None:
    """Return the cores that --pin names, or raise PinError."""
    return None if pin is None else pinning.parse(pin, os.sched_getaffinity(0))


def create(series: Series) -> None:
    """Write the series down, or raise RunFolderError where its folder is in use."""
    if series.folder.exists() and any(series.folder.iterdir()):
        raise RunFolderError(f"{series.folder} exists and is not empty; --resume goes on with it")
    series.folder.mkdir(parents=True, exist_ok=True)
    described = {"runs": series.runs, "plan": plan.described(series.plan)}
    (series.folder / SERIES_FILE).write_text(json.dumps(described, indent=2) + "\n")


def load(folder: Path) -> Series:
    """Return the series in the folder, or raise RunFolderError."""
    try:
        described = json.loads((folder / SERIES_FILE).read_text())
        return Series(folder, plan.from_description(described["plan"]), described["runs"])
    except (OSError, ValueError, KeyError, TypeError):
        raise RunFolderError(f"{folder} is no series: it has no readable {SERIES_FILE}") from None


def measured(
    series: Series, machine: Callable[[], Mapping[str, Any]], real: World, progress: Progress
) -> Iterator[Summary]:
    """Yield each run's figures as soon as they are there; what is finished is not run again.

    `machine` is called before each run for its environment. Raises what it does, and
    `experiment.run` and `experiment.resume` do.
    """
    for number in range(1, series.runs + 1):
        folder = series.run_folder(number)
        if not (folder / results.RUN_FILE).exists():
            planned = replace(series.plan, seed=series.plan.seed + number)
            experiment.run(planned, folder, machine(), real, progress)
        elif results.load(folder).description["state"] != "finished":
            experiment.resume(folder, machine(), real, progress)
        yield summarise(results.load(folder))


def measure(
    series: Series, patience_s: float, each: Callable[[int, Summary], None]
) -> list[Summary]:
    """Return the figures of all runs on real servers; `each` sees those of a run when it ends.

    Before each a quiet machine is waited for, at most so long. Raises what `measured` does,
    LoadMissingError too.
    """
    chosen = loads.chosen([LOAD])
    described = environment({name: load.version() for name, load in chosen.items()})
    found = []
    with Interruption() as interruption:

        def machine() -> dict[str, Any]:
            return described | session.prepare(series.plan, interruption, patience_s, click.echo)

        real = session.world(chosen, interruption, series.plan.noisy, series.plan.pin)
        for number, summary in enumerate(measured(series, machine, real, Watcher()), 1):
            each(number, summary)
            found.append(summary)
    return found


@contextmanager
def going_on(command: str, folder: Path) -> Iterator[None]:
    """Turn what a person can mend into a refusal, and say after an interruption how to go on."""
    try:
        with refusals():
            yield
    except Interrupted as interrupted:
        click.echo(f"Interrupted by {interrupted}. To go on: {command} ARGS='--resume {folder}'")
        sys.exit(128 + interrupted.signum)


def line(number: int, series: Series, summary: Summary, said: str) -> str:
    """Return the line of a run, which says too how many of its trials count for nothing."""
    invalid = len(summary.invalid())
    lost = f"; {invalid} trials invalid" if invalid else ""
    return f"{number:>{len(str(series.runs))}}/{series.runs}: {said}{lost}"
