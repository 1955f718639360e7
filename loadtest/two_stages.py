"""Stein's two stages: a pilot says how many blocks the headline needs, then they are run."""

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import floor, log
from statistics import median

from loadtest import stats
from loadtest.plan import Plan
from loadtest.results import Run, Trial
from loadtest.summary import summarise


@dataclass(frozen=True, slots=True)
class Decision:
    """How many blocks are needed for the half-width, and how many patience allows: `blocks`."""

    half_width: float
    pilot: int
    needed: int | None  # None: the pilot has no two valid blocks of any comparison
    blocks: int

    @property
    def enough(self) -> bool:
        """Return whether the half-width is reached."""
        return self.needed is not None and self.needed <= self.blocks


def decide(run: Run, plan: Plan) -> Decision:
    """Return how many blocks there must be, from the trials of the pilot alone.

    Each planned comparison is to have the half-width at the confidence that it has if it is the
    least sure of all; so its printed interval, by Holm's method, is at most as wide.
    """
    rule = plan.two_stages
    assert rule is not None
    trials = tuple(trial for trial in run.trials if trial.block <= rule.pilot)
    needed = blocks_needed(Run(run.folder, run.description, trials), rule.half_width)
    allowed = rule.pilot + floor(rule.patience_s / max(_block_s(trials, plan), 1e-3))
    blocks = rule.pilot if needed is None else min(needed, allowed)
    return Decision(rule.half_width, rule.pilot, needed, max(blocks, rule.pilot))


def sentence(decision: Decision) -> str:
    """Return what was decided, in words."""
    aim = f"a half-width of {100 * decision.half_width:g} %"
    if decision.needed is None:
        return f"The pilot of {decision.pilot} blocks has nothing to compare; no more are run."
    said = f"By a pilot of {decision.pilot} blocks {aim} needs {decision.needed}"
    if decision.enough:
        return f"{said}."
    return f"{said}; patience allows {decision.blocks} (--patience)."


def blocks_needed(pilot: Run, half_width: float) -> int | None:
    """Return the number of blocks for the half-width, a share of the ratio, of each comparison."""
    samples = [s for s in summarise(pilot).compared().values() if s.degrees > 0]
    if not samples:
        return None
    confidence = 1 - (1 - stats.CONFIDENCE) / len(samples)
    return max(stats.needed(s.log(), log(1 + half_width), confidence) for s in samples)


def _block_s(trials: tuple[Trial, ...], plan: Plan) -> float:
    """Return how long a block takes: the middle time from one trial's begin to the next one's."""
    began = [datetime.fromisoformat(trial.started) for trial in trials]
    gaps_s = [(later - earlier).total_seconds() for earlier, later in pairwise(began)]
    return median(gaps_s) * len(plan.cells) if gaps_s else 0.0
