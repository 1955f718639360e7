"""What a person sees while a run goes on."""

import time
from collections import defaultdict
from statistics import fmean

from rich.console import Console
from rich.status import Status
from rich.text import Text

from loadtest.experiment import Calibration
from loadtest.plan import Cell, Plan, Turn
from loadtest.results import Trial

FIRST_GUESS_S = 3.0  # for a trial, before any has been seen
# rich draws 12.5 times a second unless told, which took 5 % of a core from what is measured.
DRAWN_PER_S = 1


class Clock:
    """How much time is left, from how long the trials of each lane have taken so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._took: dict[str, list[float]] = defaultdict(list)
        self._began = 0.0

    def start(self) -> None:
        """Note that a trial begins."""
        self._began = time.perf_counter()

    def stop(self, turn: Turn) -> None:
        """Note that the turn's trial is over."""
        self._took[turn.cell.lane.name].append(time.perf_counter() - self._began)

    def left(self, position: int) -> str:
        """Return the time that the turns after a position will take, as `2 min 40 s`."""
        cells = len(self._plan.cells)
        typical = [self._typical(cell.lane.name) for cell in self._plan.cells]
        remaining = cells * self._plan.blocks - position
        minutes, seconds = divmod(round(fmean(typical) * remaining), 60)
        return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"

    def _typical(self, lane: str) -> float:
        return fmean(self._took[lane]) if self._took[lane] else FIRST_GUESS_S


class Lines:
    """A line for each trial, and on a terminal one that changes below them."""

    def __init__(self, plan: Plan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._clock = Clock(plan)
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

    def calibrating(self, cell: Cell) -> None:
        self._now(f"calibrating {cell.lane.name}")

    def calibrated(self, cell: Cell, calibration: Calibration) -> None:
        if calibration.failure:
            self._line(f"{cell.lane.name}: {calibration.failure}")
            if calibration.log:
                self._line(calibration.log)
        else:
            self._line(f"{cell.lane.name}: some {calibration.rate_rps:,.0f} requests/s")

    def measuring(self, turn: Turn) -> None:
        self._clock.start()
        self._now(f"block {turn.block} of {self._plan.blocks}: {turn.cell.lane.name}")

    def measured(self, turn: Turn, trial: Trial) -> None:
        self._clock.stop(turn)
        total = len(self._plan.cells) * self._plan.blocks
        outcome = f"invalid: {trial.invalid}"
        if trial.invalid is None:
            outcome = f"{trial.throughput_rps:,.0f} requests/s"
        self._line(
            f"{turn.position:>{len(str(total))}}/{total} block {turn.block} "
            f"{trial.lane}: {outcome}; {self._clock.left(turn.position)} left"
        )

    def _now(self, text: str) -> None:
        if self._status:
            self._status.update(text)

    def _line(self, text: str) -> None:
        self._console.print(Text(text), soft_wrap=True)
