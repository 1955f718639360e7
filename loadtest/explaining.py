"""A run that goes on to what explains it: where its lanes' CPU time goes, for the same report."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from loadtest import attribution, experiment, results, session
from loadtest.lanes import Lane
from loadtest.plan import Plan, from_description

OPTION = "--attribute"
HELP = "Then measure where the CPU time goes, in so many blocks, for the same report."
SECONDS = 0.4  # of a trial


def asked(blocks: int | None, lanes: Sequence[Lane]) -> tuple[str, ...]:
    """Return the option as a plan keeps it, so that a run that is resumed goes on to this too.

    Raises NoPartsError where these lanes cannot be explained.
    """
    if not blocks:
        return ()
    attribution.plan(lanes, blocks, SECONDS, seed=1, noisy=False)
    return (OPTION, str(blocks))


def blocks(plan: Plan) -> int:
    """Return in how many blocks the plan wants to be explained, 0 if it does not."""
    options = dict(zip(plan.asked, plan.asked[1:], strict=False))
    return int(options.get(OPTION, 0)) if plan.question == "run" else 0


def left(plan: Plan, folder: Path) -> bool:
    """Return whether the run in the folder is still to be explained."""
    nested = folder / attribution.FOLDER
    if not blocks(plan):
        return False
    if not (nested / results.RUN_FILE).exists():
        return True
    return bool(results.load(nested).description["state"] != "finished")


def explain(plan: Plan, folder: Path, terminal: Console, patience_s: float) -> int:
    """Measure what explains the run, if its plan asks for it; return session's exit status."""
    if not left(plan, folder):
        return 0
    nested = folder / attribution.FOLDER
    if (nested / results.RUN_FILE).exists():
        parts = from_description(results.load(nested).description["plan"])
        return session.conduct(parts, nested, experiment.resume, terminal, patience_s, whole=folder)
    lanes = list(dict.fromkeys(cell.lane for cell in plan.cells if not cell.lane.twin))
    parts = attribution.plan(lanes, blocks(plan), SECONDS, plan.seed, plan.noisy)
    results.make(nested)
    go = partial(experiment.run, parts)
    return session.conduct(parts, nested, go, terminal, patience_s, whole=folder)
