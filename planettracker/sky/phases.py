"""The Moon's phases: the four principal ones, and what it is called in between."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import ephem

from planettracker.sky.site import Observer, site
from planettracker.sky.timescales import moment, utc

# Each with the search for it, and what the Moon is called on its way there.
_PRINCIPAL = {
    "new_moon": (ephem.next_new_moon, "waning_crescent"),
    "first_quarter": (ephem.next_first_quarter_moon, "waxing_crescent"),
    "full_moon": (ephem.next_full_moon, "waxing_gibbous"),
    "last_quarter": (ephem.next_last_quarter_moon, "waning_gibbous"),
}
PRINCIPAL_PHASES = tuple(_PRINCIPAL)


@dataclass(frozen=True, slots=True)
class Phase:
    """A principal phase by name, and its UTC instant.

    The Moon's geocentric ecliptic longitude is then 0, 90, 180 or 270 degrees past the Sun's.
    """

    name: str
    at: datetime


def next_phases(at: datetime) -> tuple[Phase, ...]:
    """Return the next of each of the four principal phases after an aware instant, in order."""
    near = moment(at)
    found = [(search(near.date), name) for name, (search, _) in _PRINCIPAL.items()]
    return tuple(Phase(name, utc(date, near)) for date, name in sorted(found))


def phase_of_span(following: Sequence[Phase], end: datetime) -> str:
    """Return the phase of a span of time until `end`, given the phases that follow its beginning.

    It is the principal one that falls into the span, or else one of those between.
    """
    first = following[0]
    return first.name if first.at < end else _PRINCIPAL[first.name][1]


def illuminated_fraction(observer: Observer, at: datetime) -> float:
    """Return the illuminated part of the Moon's disc at an aware instant, from 0 to 1."""
    moon = ephem.Moon(site(observer, moment(at)))
    return float(moon.phase) / 100
