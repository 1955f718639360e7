"""The bright stars, seen from one place at one instant."""

from dataclasses import dataclass
from datetime import datetime
from math import degrees

import ephem
import ephem.stars

from planettracker.sky.ephemeris import HORIZON_DEG, PlanetTracker
from planettracker.sky.refraction import apparent_altitude_deg

FAINTEST_MAGNITUDE = 2.5

# PyEphem has these stars twice: a spelling or a name beside the one that the IAU has approved.
_SECOND_NAMES = {"Adara", "Agena", "Alcaid", "Etamin", "Formalhaut", "Sirrah"}


@dataclass(frozen=True, slots=True)
class Star:
    """One star for one observer and instant.

    Its name is the IAU's; its magnitude is Hipparcos's and does not vary. The other fields are as
    an Ephemeris has them: the place is apparent and of date, from Hipparcos's of 2000 and its
    proper motion, without parallax (0.8" at most, Rigil Kentaurus).
    """

    name: str
    azimuth_deg: float
    altitude_deg: float
    apparent_altitude_deg: float | None
    right_ascension_deg: float
    declination_deg: float
    magnitude: float
    constellation: str
    up: bool


def _bright() -> dict[str, ephem.FixedBody]:
    """Return PyEphem's stars brighter than FAINTEST_MAGNITUDE by name, the brightest first."""
    magnitudes = {}
    for name in ephem.stars.stars.keys() - _SECOND_NAMES:
        star = ephem.stars.star(name, "2000")
        if star.mag < FAINTEST_MAGNITUDE:
            magnitudes[name] = star.mag
    names = sorted(magnitudes, key=lambda name: (magnitudes[name], name))
    return {name: ephem.stars.stars[name] for name in names}


_BRIGHT = _bright()
STARS = tuple(_BRIGHT)


def stars(tracker: PlanetTracker, at: datetime) -> tuple[Star, ...]:
    """Return all of STARS, in that order, at an aware instant; raise InstantError."""
    here = tracker.here(at)
    return tuple(_star(name, here) for name in STARS)


def _star(name: str, here: ephem.Observer) -> Star:
    star = _BRIGHT[name].copy()  # to compute changes it, and threads share the catalogue
    star.compute(here)
    altitude_deg = degrees(star.alt)
    up = altitude_deg > HORIZON_DEG
    return Star(
        name=name,
        azimuth_deg=degrees(star.az) % 360,
        altitude_deg=altitude_deg,
        apparent_altitude_deg=apparent_altitude_deg(altitude_deg) if up else None,
        right_ascension_deg=degrees(star.ra),
        declination_deg=degrees(star.dec),
        magnitude=star.mag,
        constellation=ephem.constellation(star)[0],
        up=up,
    )
