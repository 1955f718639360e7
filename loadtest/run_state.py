"""Whether a run is whole: its state, its beginnings, and the precision it was asked for."""

from loadtest.plan import from_description
from loadtest.results import Run


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
    for again in described.get("resumed", []):
        said.append(
            f"The run was interrupted after {again['after_trials']} trials and resumed at "
            f"{again['at']}; blocks are compared within themselves, but the one that was cut in "
            "two may hold two states of the machine."
        )
    return said


def _how(state: str) -> str:
    return "it was going on or was ended" if state == "running" else f"it {_past(state)}"


def _past(state: str) -> str:
    return f"was {state}" if state.startswith("interrupted") else state


def precision(run: Run) -> list[str]:
    """Return which precision was asked for and whether it was reached; empty where none was."""
    rule = run.description["plan"]["two_stages"]
    if rule is None:
        return []
    asked = f"Asked for was a half-width of {100 * rule['half_width']:g} %"
    decision = run.description.get("second_stage")
    if decision is None:
        return [f"{asked}; the run ended before its pilot of {rule['pilot']} blocks did."]
    if decision["needed"] is None:
        return [f"{asked}; the pilot of {decision['pilot']} blocks had nothing to compare."]
    needs = f"{asked}, which by a pilot of {decision['pilot']} blocks needs {decision['needed']}"
    if run.description["state"] != "finished":
        return [f"{needs}; it was not reached, since the run is not whole."]
    if decision["needed"] <= decision["blocks"]:
        return [f"{needs}; it was reached with {decision['blocks']}."]
    return [f"{needs}; it was not reached, since patience allowed {decision['blocks']}."]
