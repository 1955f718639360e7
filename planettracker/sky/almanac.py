"""What one civil date brings at one place: twilights, rises, transits, sets, and the Moon's phase.

And when each body is best seen: at its greatest altitude in darkness, on the night that follows.
The night lasts from the Sun's transit on the date to its next one, in whatever zone, and at the
poles, too. Darkness is a rule of thumb: for the Moon and the planets of the naked eye it begins
with the end of civil twilight, the Sun 6 degrees down, when the brightest stars are seen; for
Uranus, Neptune and Pluto with that of astronomical twilight, 18 degrees, when the Sun no longer
lights the sky (USNO, Rise, Set, and Twilight Definitions).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from planettracker.sky.ephemeris import BODIES
from planettracker.sky.events import Course, Crossings, Event
from planettracker.sky.phases import Phase, illuminated_fraction, next_phases, phase_of_span
from planettracker.sky.site import Observer
from planettracker.sky.visibility import TWILIGHTS_DEG
from planettracker.sky.way import HORIZON, Height
from planettracker.sky.zone import Zone, limits

Status = Literal["normal", "always_up", "always_down"]
WhyNot = Literal["the_sun", "no_darkness", "in_daylight", "below_horizon"]
Span = tuple[datetime, datetime]

# How low the Sun's centre is where the light of each twilight begins and ends.
TWILIGHTS = {name: Height(altitude_deg) for name, altitude_deg in TWILIGHTS_DEG.items()}
# The twilight whose end lets a body be seen.
DARKNESS = dict.fromkeys(BODIES, "civil")
DARKNESS |= dict.fromkeys(("uranus", "neptune", "pluto"), "astronomical")
# The Sun's second transit after a date's beginning comes within two days and a minute.
_TWO_NOONS = timedelta(hours=49)


@dataclass(frozen=True, slots=True)
class Twilight:
    """When, on the date, one twilight's light begins (dawns) and ends (dusks).

    `always_up` says that the Sun stays above that twilight's limit, `always_down` below it.
    """

    name: str
    status: Status
    dawns: tuple[Event, ...]
    dusks: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class BodyEvents:
    """A body's rises, transits and sets on the date, and its best moment on the night that follows.

    `always_up` and `always_down` are for a body that neither rises nor sets on the date. Exactly
    one of `best` and `why_not` is None.
    """

    name: str
    status: Status
    rises: tuple[Event, ...]
    transits: tuple[Event, ...]
    sets: tuple[Event, ...]
    best: Event | None
    why_not: WhyNot | None


@dataclass(frozen=True, slots=True)
class MoonPhase:
    """The Moon's phase on the date, its illuminated part at the date's middle, from 0 to 1.

    And the next of each principal phase from the date's beginning, in order.
    """

    name: str
    illuminated_fraction: float
    following: tuple[Phase, ...]


@dataclass(frozen=True, slots=True)
class Almanac:
    """One civil date in a zone, and the UTC instants at which it begins and the next one does."""

    observer: Observer
    date: date
    zone: Zone
    begin: datetime
    end: datetime
    twilights: tuple[Twilight, ...]
    bodies: tuple[BodyEvents, ...]
    moon: MoonPhase


@dataclass(frozen=True, slots=True)
class _Night:
    """From one of the Sun's transits to the next, and where in it each twilight leaves darkness."""

    span: Span
    darkness: Mapping[str, list[Span]]


def almanac(observer: Observer, day: date, zone: Zone) -> Almanac:
    """Return the almanac of a date at a place; raise DateError or MissingDateError."""
    begin, end = span = limits(day, zone)
    until = max(end, begin + _TWO_NOONS)
    sun = Course("sun", observer, begin, until)
    night = _night(sun, begin, until)
    courses = {name: Course(name, observer, begin, max(end, night.span[1])) for name in BODIES}
    return Almanac(
        observer=observer,
        date=day,
        zone=zone,
        begin=begin,
        end=end,
        twilights=tuple(_twilight(name, sun, span) for name in TWILIGHTS),
        bodies=tuple(_body(name, course, span, night) for name, course in courses.items()),
        moon=_moon(observer, span),
    )


def _twilight(name: str, sun: Course, span: Span) -> Twilight:
    limit = TWILIGHTS[name]
    crossings = sun.crossings(limit, *span)
    return Twilight(name, _status(sun, limit, crossings, span), crossings.rises, crossings.sets)


def _body(name: str, course: Course, span: Span, night: _Night) -> BodyEvents:
    crossings = course.crossings(HORIZON, *span)
    best = _best(name, course, night)
    return BodyEvents(
        name=name,
        status=_status(course, HORIZON, crossings, span),
        rises=crossings.rises,
        transits=course.transits(*span),
        sets=crossings.sets,
        best=best if isinstance(best, Event) else None,
        why_not=None if isinstance(best, Event) else best,
    )


def _status(course: Course, height: Height, crossings: Crossings, span: Span) -> Status:
    if crossings.rises or crossings.sets:
        return "normal"
    return "always_up" if course.is_above(height, span[0]) else "always_down"


def _night(sun: Course, begin: datetime, until: datetime) -> _Night:
    first, second, *_ = (transit.at for transit in sun.transits(begin, until))
    needed = set(DARKNESS.values())
    darkness = {name: sun.below(TWILIGHTS[name], first, second) for name in needed}
    return _Night((first, second), darkness)


def _best(name: str, course: Course, night: _Night) -> Event | WhyNot:
    """Return where the body is highest in darkness, or why it is never up then."""
    if name == "sun":
        return "the_sun"
    darkness = night.darkness[DARKNESS[name]]
    if not darkness:
        return "no_darkness"
    best = _highest(course, darkness)
    if course.is_above(HORIZON, best.at):
        return best
    by_day = course.is_above(HORIZON, _highest(course, [night.span]).at)
    return "in_daylight" if by_day else "below_horizon"


def _highest(course: Course, spans: Sequence[Span]) -> Event:
    return max((course.highest(*span) for span in spans), key=lambda event: event.altitude_deg)


def _moon(observer: Observer, span: Span) -> MoonPhase:
    begin, end = span
    following = next_phases(begin)
    return MoonPhase(
        name=phase_of_span(following, end),
        illuminated_fraction=illuminated_fraction(observer, begin + (end - begin) / 2),
        following=following,
    )
