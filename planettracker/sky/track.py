"""The path of a body across the sky."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from planettracker.sky.ephemeris import Ephemeris, PlanetTracker, canonical_name

MAX_POINTS = 2000


class TooManyPointsError(ValueError):
    """A track of more than MAX_POINTS."""

    def __init__(self, points: int) -> None:
        super().__init__(f"a track has at most {MAX_POINTS:,} points, not {points:,}")
        self.points = points


@dataclass(frozen=True, slots=True)
class Track:
    """Where one body is at equal steps of time: as many ephemerides as instants."""

    name: str
    instants: tuple[datetime, ...]
    ephemerides: tuple[Ephemeris, ...]


def track(
    tracker: PlanetTracker, body: str, start: datetime, end: datetime, step: timedelta
) -> Track:
    """Return the body's path from an aware instant to another, both included.

    The last point is the last whole step that is not after the end. Raise UnknownBodyError,
    TooManyPointsError, or InstantError as the tracker does. A point takes some 40 us.
    """
    name = canonical_name(body)
    points = (end - start) // step + 1
    if points > MAX_POINTS:
        raise TooManyPointsError(points)
    instants = tuple(start + number * step for number in range(points))
    return Track(name, instants, tuple(tracker.ephemeris(name, at) for at in instants))
