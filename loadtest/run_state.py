"""Whether a run is whole: its state, its beginnings, and the precision it was asked for."""

from collections.abc import Mapping
from typing import Any

from loadtest.doctor import NOT_KNOWN
from loadtest.plan import from_description
from loadtest.results import Run
from loadtest.summary import Summary


def state(run: Run) -> list[str]:
    """Return what a reader must know of how the run went; empty where it went through at once."""
    described = run.description
    said = []
    if described["state"] != "finished":
        plan = from_description(described["plan"])
        planned = len(plan.cells) * plan.blocks
        said.append(
            f"The run is not whole: {_how(described['state'])} after {len(run.trials)} of "
            f"{planned} trials. What follows is of those."
        )
    quiet = described["environment"].get("quiet")
    if isinstance(quiet, Mapping) and quiet.get("quiet") is False:
        said.append(
            "The machine was not quiet when the run began: trials beside other load count for "
            "nothing, and `doctor` says what disturbs."
        )
    for again in described.get("resumed", []):
        said.append(
            f"The run was interrupted after {again['after_trials']} trials and resumed at "
            f"{again['at']}; blocks are compared within themselves, but the one that was cut in "
            "two may hold two states of the machine."
        )
    return said


def wait(run: Run) -> str:
    """Return how long the run waited for a quiet machine, and whether it became so."""
    found = run.description["environment"].get("quiet")
    if not isinstance(found, Mapping):
        return "no"
    became = "it was quiet" if found.get("quiet") else f"it was not: {found.get('left')}"
    if found.get("quiet") is None:
        became = "whether it was cannot be seen"
    return f"{found.get('waited_s')} s; {became}"


def findings(run: Run) -> str:
    """Return what would have spoiled the run, or is to be known, by the checks of `doctor`."""
    found = run.description["environment"].get("findings")
    rows = found if isinstance(found, list) else []
    known = [row for row in rows if isinstance(row, Mapping) and row.get("level") != NOT_KNOWN]
    return "; ".join(f"{row.get('check')}: {row.get('found')}" for row in known) or "nothing"


def _how(state: str) -> str:
    return "it was going on or was ended" if state == "running" else f"it {_past(state)}"


def _past(state: str) -> str:
    return f"was {state}" if state.startswith("interrupted") else state


def precision(summary: Summary) -> list[str]:
    """Return which precision was asked for and whether it was reached; empty where none was."""
    described = summary.run.description
    rule = described["plan"]["two_stages"]
    if rule is None:
        return []
    asked = f"Asked for was a half-width of {100 * rule['half_width']:g} %"
    decision = described.get("second_stage")
    if decision is None:
        return [f"{asked}; the run ended before its pilot of {rule['pilot']} blocks did."]
    if decision["needed"] is None:
        return [f"{asked}; the pilot of {decision['pilot']} blocks had nothing to compare."]
    needs = f"{asked}, which by a pilot of {decision['pilot']} blocks needs {decision['needed']}"
    return [f"{needs}; {_reached(summary, rule['half_width'], decision)}."]


def _reached(summary: Summary, half_width: float, decision: Mapping[str, Any]) -> str:
    """Return whether the intervals are as narrow as asked, and if not, why."""
    if summary.run.description["state"] != "finished":
        return "it was not reached, since the run is not whole"
    widest = _widest(summary)
    if widest is None:
        return "it was not reached: nothing can be compared"
    blocks = f"with {decision['blocks']} the widest is {100 * widest:.1f} %"
    if widest <= half_width:
        return f"it was reached: {blocks}"
    if decision["needed"] > decision["blocks"]:
        return f"it was not reached, since patience allowed no more (--patience): {blocks}"
    return f"it was not reached, since the blocks after the pilot were less steady: {blocks}"


def _widest(summary: Summary) -> float | None:
    """Return the half-width of the least sure comparison, as a share of its ratio."""
    noise = summary.noise()
    ratios = list(summary.throughput_ratios().values()) or ([noise] if noise else [])
    return max((ratio.high / ratio.estimate - 1 for ratio in ratios), default=None)
