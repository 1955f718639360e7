"""In which order plots show lanes: as planned where they are few, else most throughput first."""

from collections.abc import Iterable

from loadtest.summary import Summary

FEW = 8  # lanes that an eye finds in any order


def shown(summary: Summary, lanes: Iterable[str]) -> list[str]:
    """Return the lanes in the order to show them in; those without a valid trial are last."""
    found = list(lanes)
    if len(found) <= FEW:
        return found
    rates = {lane: summary.throughput_rps(lane) for lane in found}
    return sorted(found, key=lambda lane: -(rate.estimate if (rate := rates[lane]) else 0.0))
