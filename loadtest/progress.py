"""What a person sees while a run goes on."""

import time
from collections import defaultdict
from dataclasses import replace
from statistics import fmean

from rich.console import Console
from rich.status import Status
from rich.text import Text

from loadtest import two_stages
from loadtest.calibration import Calibration
from loadtest.lanes import Lane
from loadtest.plan import Cell, Plan, Turn, label
from loadtest.results import Trial
from loadtest.two_stages import Decision

FIRST_GUESS_S = 3.0  # for a trial, before any has been seen
# rich draws 12.5 times a second unless told, which took 5 % of a core from what is measured.
DRAWN_PER_S = 1


class Clock:
    """How much time is left, from how long the trials of each cell have taken so far."""

    def __init__(self) -> None:
        self._took: dict[Cell, list[float]] = defaultdict(list)
        self._began = 0.0

    def start(self) -> None:
        """Note that a trial begins."""
        self._began = time.perf_counter()

    def stop(self, turn: Turn) -> None:
        """Note that the turn's trial is over. Of trials that ran at once the first takes all."""
        now = time.perf_counter()
        self._took[turn.cell].append(now - self._began)
        self._began = now

    def left(self, plan: Plan, position: int) -> str:
        """Return the time that the turns after a position will take, as `2 min 40 s`."""
        typical_s = fmean(self._typical_s(cell) for cell in plan.cells)
        minutes, seconds = divmod(round(typical_s * (turns(plan) - position)), 60)
        return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"

    def _typical_s(self, cell: Cell) -> float:
        return fmean(self._took[cell]) if self._took[cell] else FIRST_GUESS_S


def turns(plan: Plan) -> int:
    """Return how many trials a plan has."""
    return len(plan.cells) * plan.blocks


class Lines:
    """A line for each trial, and on a terminal one that changes below them."""

    def __init__(self, plan: Plan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._clock = Clock()
        self._status: Status | None = (
            console.status("", refresh_per_second=DRAWN_PER_S) if console.is_terminal else None
        )

    def __enter__(self) -> "Lines":
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._status:
            self._status.stop()

    def say(self, text: str) -> None:
        """Print a line above the one that changes."""
        self._console.print(Text(text), soft_wrap=True)

    def calibrating(self, lane: Lane) -> None:
        self._now(f"calibrating {lane.name}")

    def calibrated(self, cell: Cell, calibration: Calibration) -> None:
        name = label(self._plan, cell)
        if calibration.failure:
            self.say(f"{name}: {calibration.failure}")
            if calibration.log:
                self.say(calibration.log)
        else:
            self.say(f"{name}: some {calibration.rate_rps:,.0f} requests/s")

    def extended(self, decision: Decision) -> None:
        self._plan = replace(self._plan, blocks=decision.blocks)
        left = self._clock.left(self._plan, len(self._plan.cells) * decision.pilot)
        self.say(f"{two_stages.sentence(decision)} {left} left.")

    def measuring(self, turn: Turn) -> None:
        self._clock.start()
        self._now(f"block {turn.block} of {self._plan.blocks}: {label(self._plan, turn.cell)}")

    def measured(self, turn: Turn, trial: Trial) -> None:
        self._clock.stop(turn)
        total = turns(self._plan)
        outcome = f"{'aborted' if trial.aborted else 'invalid'}: {trial.invalid}"
        if trial.invalid is None:
            failed = f", {trial.failed:,} failed" if trial.failed else ""
            outcome = f"{trial.throughput_rps:,.0f} requests/s{failed}"
        self.say(
            f"{turn.position:>{len(str(total))}}/{total} block {turn.block} "
            f"{label(self._plan, turn.cell)}: {outcome}; "
            f"{self._clock.left(self._plan, turn.position)} left"
        )

    def _now(self, text: str) -> None:
        if self._status:
            self._status.update(text)
