"""How true is the sky? Written of the same comparisons that the tests hold.

make accuracy
"""

from collections.abc import Callable, Iterable
from math import ceil
from pathlib import Path

from planettracker.sky import BODIES
from planettracker.sky.timescales import known_until
from tests.comparisons import COMPARISONS, Comparison
from tests.event_comparisons import EVENT_COMPARISONS
from tests.truth import largest, of

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"


def dates() -> str:
    """Return for which instants the page holds."""
    return f"""\
# Accuracy

How far PlanetTracker's answers are from what others publish or compute: JPL Horizons, the US Naval
Observatory, and JPL's DE421 as Skyfield computes with it. `make accuracy` writes this page, of the
comparisons that the tests hold.

| instants | are taken as | UT1, in which the Earth turns |
| --- | --- | --- |
| 1900 to 1971 | UT1, since there was no UTC, as in Horizons | the instant; TT is PyEphem's |
| 1972 to {known_until():%Y-%m-%d} | UTC | the IERS's, measured, and for the last year predicted |
| later, to 2100 | UTC without another leap second | the IERS's last UT1 less UTC, held |

A newer `astropy-iers-data`, which has the IERS's tables, moves the second row's end on. In the
third, altitude and azimuth err by 15" for each second that the Earth is fast or slow by then, and
times by that second. The other fields hardly depend on it.
"""


def comparisons() -> str:
    """Return how far apart the answers are: a row for each comparison, a column for each body."""
    return f"""\
## Where bodies are and how they look

Each field has the largest difference that was seen, and after the stroke what the tests allow.

{_table(COMPARISONS)}

Why the tests allow so much:

{_reasons(COMPARISONS)}

The constellation is that of DE421 in every row. The Sun's magnitude was compared with no one's.
"""


def events() -> str:
    """Return the same of what happens at an instant."""
    return f"""\
## When bodies rise, transit and set, and when twilight begins and ends

{_table(EVENT_COMPARISONS)}

Why the tests allow so much:

{_reasons(EVENT_COMPARISONS)}

On each of DE421's days every event was found, and none that it does not have. At the horizon the
air refracts by more or less than 34' as the weather has it, which is a minute or more.
"""


# What the page has, in its order.
PARTS: tuple[Callable[[], str], ...] = (dates, comparisons, events)


def page() -> str:
    return "\n".join(part() for part in PARTS)


def _table(those: Iterable[Comparison]) -> str:
    rows = "\n".join(map(_row, those))
    return f"""\
| quantity | beside | years | rows | {" | ".join(BODIES)} |
| --- | --- | --- | --- |{" --- |" * len(BODIES)}
{rows}"""


def _row(one: Comparison) -> str:
    fields = (_field(one, body) if body in one.bodies else "" for body in BODIES)
    return (
        f"| {one.quantity} | {one.source} | {one.years} | {len(one.rows)} | {' | '.join(fields)} |"
    )


def _field(one: Comparison, body: str) -> str:
    difference, _ = largest(one.difference, of(body, one.rows))
    scale = 10**one.decimals
    # Upwards, since it is a bound.
    return f"{ceil(difference * scale) / scale:.{one.decimals}f} / {one.tolerance[body]:g}"


def _reasons(those: Iterable[Comparison]) -> str:
    return "\n".join(f"- {one}: {one.reason}." for one in those)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
