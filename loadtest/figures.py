"""Figures as text for a reader: rounded, with their intervals."""

from math import isfinite

from loadtest.stats import Interval

NOTHING = "-"
NO_DIFFERENCE = "no difference shown"
# Lines break before an interval in brackets, and nowhere else in a figure.
TO = "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}"
PERCENT = "\N{NO-BREAK SPACE}%"


def number(value: float | None, decimals: int = 0, unit: str = "") -> str:
    """Return a figure with its unit, or a dash."""
    return NOTHING if value is None else f"{value:,.{decimals}f}{unit}"


def rate(interval: Interval | None) -> str:
    """Return for instance `2,023 (1,990 to 2,056)`; without an interval for one trial."""
    if interval is None:
        return NOTHING
    spread = f" ({interval.low:,.0f}{TO}{interval.high:,.0f})" if finite(interval) else ""
    return f"{interval.estimate:,.0f}{spread}"


def factor(interval: Interval) -> str:
    """Return for instance `3.4 (3.2 to 3.6)`."""
    spread = f" ({interval.low:.2f}{TO}{interval.high:.2f})" if finite(interval) else ""
    return f"{interval.estimate:.2f}{spread}"


def percent(ratio: Interval | None) -> str:
    """Return a ratio as a change, for instance `+180 % (+170 to +191)`, or that none is shown."""
    if ratio is None:
        return NOTHING
    change = ratio.map(lambda value: 100 * (value - 1))
    decimals = 0 if abs(change.estimate) >= 10 else 1
    spread = f" ({change.low:+,.{decimals}f}{TO}{change.high:+,.{decimals}f})"
    shown = f"{change.estimate:+,.{decimals}f}{PERCENT}{spread if finite(ratio) else ''}"
    return f"{NO_DIFFERENCE}: {shown}" if ratio.holds(1) else shown


def times(ratio: Interval) -> str:
    """Return for instance `3.41 times (3.20 to 3.60)`."""
    spread = f" ({ratio.low:.2f}{TO}{ratio.high:.2f})" if finite(ratio) else ""
    return f"{ratio.estimate:.2f}\N{NO-BREAK SPACE}times{spread}"


def finite(interval: Interval) -> bool:
    """Return whether the interval has ends: that of a single value has none."""
    return isfinite(interval.high - interval.low)
