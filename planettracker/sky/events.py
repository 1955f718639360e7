"""When a body crosses a height or the meridian of a place, and when it stands highest.

PyEphem's own searches raise on some events that graze the horizon, look one day ahead from wherever
they begin, and move the body that they are given. Here PyEphem is asked for a body's place every
few hours, and between these it is interpolated. Every event is closed in between two looks at that,
and what reaches over a height from between two looks is searched for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import cos, degrees, pi, sin

from planettracker.sky.curve import root, turn
from planettracker.sky.site import Observer
from planettracker.sky.timescales import moment, utc
from planettracker.sky.way import Height, Sight, Way

_DAY = timedelta(days=1)
# In PyEphem's days, as the dates of looks are.
_HOUR = 1 / 24
_SECOND = _HOUR / 3600
_CLOSE = _SECOND / 100
# The sine of an altitude is nearly a wave of 24 hours, of one extreme or none between two looks.
# Within 2 degrees of the poles, where the wave is small, the Moon's own 6 degrees a day bring a
# high and a low closer together; those less than half an hour apart differ by less than 1".
_LOOKS = 2 * _HOUR
_POLAR_LOOKS = _HOUR / 2
_POLAR_DEG = 88.0
# An extreme is at most half their distance from a look, and by that reaches no further beyond it.
_REACH = 1.1 * (1 - cos(pi * _LOOKS))


@dataclass(frozen=True, slots=True)
class Event:
    """The UTC instant at which something happens to a body, and where its centre then stands.

    Azimuth is in degrees from north through east, altitude in degrees without refraction.
    """

    at: datetime
    azimuth_deg: float
    altitude_deg: float


@dataclass(frozen=True, slots=True)
class Crossings:
    """Where a body comes up through a height, and where it goes down through it; each in order."""

    rises: tuple[Event, ...]
    sets: tuple[Event, ...]


class Course:
    """The way of one body over an observer's sky from `begin` to `end`, both aware instants.

    Its methods look at pieces of that.
    """

    def __init__(self, name: str, observer: Observer, begin: datetime, end: datetime) -> None:
        self._begin = begin
        self._near = moment(begin)
        self._looks = _LOOKS if abs(observer.lat_deg) < _POLAR_DEG else _POLAR_LOOKS
        # One look before and two after: an extreme shows in those on both its sides.
        looks = range(-1, int((end - begin) / _DAY / self._looks) + 3)
        dates = [self._near.date + look * self._looks for look in looks]
        self._way = Way(name, observer, self._near, dates[0], dates[-1])
        self._sights = [self._way.sight(date) for date in dates]

    def is_above(self, height: Height, at: datetime) -> bool:
        """Return whether the body stands above the height."""
        return self._way.sight(self._date(at)).above(height) > 0

    def crossings(self, height: Height, begin: datetime, end: datetime) -> Crossings:
        """Return the rises through the height and the sets, of begin <= at < end."""
        rises: list[Event] = []
        sets: list[Event] = []
        for (a, at_a), (b, at_b) in pairwise(self._knots(height)):
            if (at_a > 0) != (at_b > 0) and self._touches(a, b, begin, end):
                found = root(lambda date: self._above(height, date), a, at_a, b, at_b, _CLOSE)
                (rises if at_b > 0 else sets).append(self._event(self._way.sight(found)))
        return Crossings(_within(rises, begin, end), _within(sets, begin, end))

    def transits(self, begin: datetime, end: datetime) -> tuple[Event, ...]:
        """Return where the body crosses the meridian above the pole, of begin <= at < end."""
        transits: list[Event] = []
        for a, b in pairwise(self._sights):
            # Below the pole the hour angle falls, from pi to -pi.
            if a.hour_angle <= 0 < b.hour_angle and self._touches(a.date, b.date, begin, end):
                ends = a.date, a.hour_angle, b.date, b.hour_angle
                transits.append(self._event(self._way.sight(root(self._hour_angle, *ends, _CLOSE))))
        return _within(transits, begin, end)

    def below(
        self, height: Height, begin: datetime, end: datetime
    ) -> list[tuple[datetime, datetime]]:
        """Return from when to when, between begin and end, the body is not above the height."""
        crossings = self.crossings(height, begin, end)
        edges = sorted(event.at for event in (*crossings.rises, *crossings.sets))
        pieces = list(pairwise((begin, *edges, end)))
        return pieces[self.is_above(height, begin) :: 2]

    def highest(self, begin: datetime, end: datetime) -> Event:
        """Return where the body's centre is highest from begin to end, both included."""
        first, last = self._date(begin), self._date(end)
        within = [sight for sight in self._sights if first < sight.date < last]
        sights = [self._way.sight(first), *within, self._way.sight(last)]
        best = max(sights, key=lambda sight: sight.altitude)
        peak = self._way.sight(min(max(self._turn(best.date), first), last))
        return self._event(max(best, peak, key=lambda sight: sight.altitude))

    def _knots(self, height: Height) -> Iterator[tuple[float, float]]:
        """Yield dates, and how much above the height, between which it is crossed once or never.

        They are the looks, and the extremes that reach over the height from between them.
        """
        looks = [(sight.date, sight.above(height)) for sight in self._sights]
        yield looks[0]
        for (_, before), look, (_, after) in zip(looks, looks[1:], looks[2:], strict=False):
            extreme = self._beyond(height, *look) if _grazes(before, look[1], after) else None
            yield from sorted((look, extreme)) if extreme else (look,)
        yield looks[-1]

    def _beyond(self, height: Height, date: float, above: float) -> tuple[float, float] | None:
        """Return the extreme near a date, where it is on the other side of the height."""
        peak = self._turn(date)
        at_peak = self._above(height, peak)
        return (peak, at_peak) if (at_peak > 0) != (above > 0) else None

    def _turn(self, date: float) -> float:
        """Return the date of the altitude's extreme: to some minutes, then to the second."""
        return turn(self._sine, turn(self._sine, date, self._looks), _HOUR)

    def _sine(self, date: float) -> float:
        return sin(self._way.sight(date).altitude)

    def _above(self, height: Height, date: float) -> float:
        return self._way.sight(date).above(height)

    def _hour_angle(self, date: float) -> float:
        return self._way.sight(date).hour_angle

    def _event(self, sight: Sight) -> Event:
        azimuth_deg, altitude_deg = degrees(sight.azimuth) % 360, degrees(sight.altitude)
        return Event(utc(sight.date, self._near), azimuth_deg, altitude_deg)

    def _date(self, at: datetime) -> float:
        """Return PyEphem's date, to a second where a leap second lies between."""
        return self._near.date + (at - self._begin) / _DAY

    def _touches(self, a: float, b: float, begin: datetime, end: datetime) -> bool:
        return b > self._date(begin) - 2 * _SECOND and a < self._date(end) + 2 * _SECOND


def _grazes(before: float, value: float, after: float) -> bool:
    """Return whether an extreme near a look may reach over the height that all three miss."""
    if value > 0:
        return value < _REACH and value <= min(before, after)
    return value > -_REACH and value >= max(before, after)


def _within(events: list[Event], begin: datetime, end: datetime) -> tuple[Event, ...]:
    return tuple(event for event in events if begin <= event.at < end)
