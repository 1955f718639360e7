"""Rises, sets, transits and twilights beside what others say: how far apart they may be, and why.

The tests hold each of EVENT_COMPARISONS, and `make accuracy` writes docs/accuracy.md of them.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from math import inf

from planettracker.sky.almanac import TWILIGHTS
from planettracker.sky.events import Course, Event
from planettracker.sky.way import HORIZON, Height
from tests.comparisons import Comparison, held
from tests.truth import (
    DE421_EVENTS,
    DE421_TRANSITS,
    USNO_EVENTS,
    USNO_POLAR_EVENTS,
    USNO_TWILIGHTS,
    Row,
    instant,
    tracker,
)

_NEAR = timedelta(hours=2)

Span = tuple[datetime, datetime]


def _rises(height: Height) -> Callable[[Course, Span], tuple[Event, ...]]:
    return lambda course, span: course.crossings(height, *span).rises


def _sets(height: Height) -> Callable[[Course, Span], tuple[Event, ...]]:
    return lambda course, span: course.crossings(height, *span).sets


HAPPENING: dict[str, Callable[[Course, Span], tuple[Event, ...]]] = {
    "rise": _rises(HORIZON),
    "set": _sets(HORIZON),
    "transit": lambda course, span: course.transits(*span),
    **{f"{name} dawn": _rises(height) for name, height in TWILIGHTS.items()},
    **{f"{name} dusk": _sets(height) for name, height in TWILIGHTS.items()},
}


def found(row: Row, span: Span) -> tuple[Event, ...]:
    """Return the events of the row's body, place and kind in a span of time."""
    course = Course(row["body"], tracker(row).observer, *span)
    return HAPPENING[row["event"]](course, span)


def seconds_apart(row: Row) -> float:
    """Return how far from the row's time the nearest such event is; inf if none is near."""
    at = instant(row)
    events = found(row, (at - _NEAR, at + _NEAR))
    return min((abs((event.at - at).total_seconds()) for event in events), default=inf)


def _of_usno(rows: list[Row]) -> list[Row]:
    """Return the rows in the words of the others."""
    events = {"r": "rise", "s": "set"}
    return [{**row, "body": row["body"].lower(), "event": events[row["event"]]} for row in rows]


def _twilights() -> Iterator[Row]:
    dawns = [f"{name} dawn" for name in reversed(TWILIGHTS)]
    dusks = [f"{name} dusk" for name in TWILIGHTS]
    for latitude_deg, longitude_deg, _, *times in USNO_TWILIGHTS:
        place = {"lat_deg": latitude_deg, "lon_east_deg": longitude_deg, "elev_m": "0"}
        for event, at in zip([*dawns, *dusks], times, strict=True):
            yield {"body": "sun", **place, "event": event, "time_utc": at}


RISES_AND_SETS = "rises and sets (seconds)"

EVENT_COMPARISONS = (
    Comparison(
        RISES_AND_SETS,
        "the Naval Observatory",
        1,
        _of_usno(USNO_EVENTS),
        seconds_apart,
        held(36.0),
        "published in whole minutes, so that 30 s are rounding",
    ),
    Comparison(
        f"{RISES_AND_SETS} at 80 degrees and beyond",
        "the Naval Observatory",
        1,
        _of_usno(USNO_POLAR_EVENTS),
        seconds_apart,
        held(60.0),
        'as above; 1" is up to a minute to a grazing Moon, and to the Sun at the poles',
    ),
    Comparison(
        RISES_AND_SETS,
        "DE421",
        1,
        DE421_EVENTS,
        seconds_apart,
        held(15.0),
        'published for the centres of planets, whose upper limbs, up to 33" above, come up sooner',
    ),
    Comparison(
        "transits (seconds)",
        "DE421",
        1,
        [row for row in DE421_TRANSITS if row["time_utc"]],
        seconds_apart,
        held(1.0),
        "published in whole seconds",
    ),
    Comparison(
        "twilights (seconds)",
        "the Naval Observatory",
        1,
        list(_twilights()),
        seconds_apart,
        held(60.0),
        "published in whole minutes, of which the seconds were mostly dropped",
    ),
)
