"""Where bodies are, seen from one place at one instant."""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import degrees

import ephem

from planettracker.sky import moon
from planettracker.sky.magnitude import apparent_magnitude
from planettracker.sky.refraction import apparent_altitude_deg
from planettracker.sky.site import Observer, site
from planettracker.sky.timescales import moment

MODELS = {
    "sun": ephem.Sun,
    "moon": ephem.Moon,
    "mercury": ephem.Mercury,
    "venus": ephem.Venus,
    "mars": ephem.Mars,
    "jupiter": ephem.Jupiter,
    "saturn": ephem.Saturn,
    "uranus": ephem.Uranus,
    "neptune": ephem.Neptune,
    "pluto": ephem.Pluto,
}
BODIES = tuple(MODELS)

FIRST_INSTANT = datetime(1900, 1, 1, tzinfo=UTC)
END_INSTANT = datetime(2101, 1, 1, tzinfo=UTC)  # the first instant that is too late

# A body is up while its upper limb stands higher than this, without refraction: 34' is the
# refraction at the horizon by which the almanacs define rise and set (USNO, Rise, Set, and
# Twilight Definitions).
HORIZON_DEG = -34 / 60


class UnknownBodyError(LookupError):
    """A name that is none of BODIES."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no body is called {name!r}; there are {', '.join(BODIES)}")
        self.name = name


class InstantError(ValueError):
    """An instant without a time zone, or outside the years that are covered."""


@dataclass(frozen=True, slots=True)
class Ephemeris:
    """One body for one observer and instant.

    Angles are in degrees: azimuth from north through east, altitude without refraction (and
    apparent, with it, as refraction.py has it; None while the body is down), right ascension and
    declination apparent, topocentric, of date: PyEphem's, at the true time. The magnitude is that
    of magnitude.py. Elongation is the angle from the Sun, negative in the morning sky. The Sun has
    neither elongation nor illuminated fraction; the Moon alone has a phase name, one of
    `moon.PHASE_NAMES`.
    """

    name: str
    azimuth_deg: float
    altitude_deg: float
    apparent_altitude_deg: float | None
    right_ascension_deg: float
    declination_deg: float
    distance_au: float
    magnitude: float
    elongation_deg: float | None
    illuminated_fraction: float | None
    phase_name: str | None
    diameter_arcsec: float
    constellation: str
    up: bool


def canonical_name(body: str) -> str:
    """Return the name as it stands in BODIES, in whatever case it comes; or UnknownBodyError."""
    name = body.lower()
    if name not in MODELS:
        raise UnknownBodyError(body)
    return name


class PlanetTracker:
    """The sky above one place.

    It holds no PyEphem object, since their computations change them: each call makes its own
    (0.7 us), and threads may share a tracker.
    """

    __slots__ = ("observer",)

    def __init__(self, observer: Observer) -> None:
        self.observer = observer

    def ephemeris(self, body: str, at: datetime) -> Ephemeris:
        """Return where the body is at an aware instant; raise UnknownBodyError or InstantError."""
        return _ephemeris(canonical_name(body), self.here(at))

    def sky(self, at: datetime) -> tuple[Ephemeris, ...]:
        """Return all of BODIES, in that order, at an aware instant; raise InstantError."""
        here = self.here(at)
        return tuple(_ephemeris(name, here) for name in BODIES)

    def here(self, at: datetime) -> ephem.Observer:
        """Return PyEphem's observer at an aware instant, a new one; raise InstantError."""
        if at.utcoffset() is None:
            raise InstantError("an instant needs a time zone: datetime(..., tzinfo=UTC)")
        if not FIRST_INSTANT <= at < END_INSTANT:
            years = f"{FIRST_INSTANT:%Y} to {END_INSTANT:%Y}"
            raise InstantError(f"{at.isoformat()} is not from {years}")
        return site(self.observer, moment(at))


def _ephemeris(name: str, here: ephem.Observer) -> Ephemeris:
    body = MODELS[name]()
    body.compute(here)
    altitude_deg = degrees(body.alt)
    up = altitude_deg + body.size / 7200 > HORIZON_DEG
    is_sun = name == "sun"
    return Ephemeris(
        name=name,
        # A 32-bit float, which rounding may carry past the circle: to 360.00001 at most.
        azimuth_deg=degrees(body.az) % 360,
        altitude_deg=altitude_deg,
        apparent_altitude_deg=apparent_altitude_deg(altitude_deg) if up else None,
        right_ascension_deg=degrees(body.ra),
        declination_deg=degrees(body.dec),
        distance_au=body.earth_distance,
        magnitude=apparent_magnitude(name, body, here.date),
        elongation_deg=None if is_sun else degrees(body.elong),
        illuminated_fraction=None if is_sun else body.phase / 100,
        phase_name=_phase_name(body) if name == "moon" else None,
        diameter_arcsec=body.size,
        constellation=ephem.constellation(body)[0],
        up=up,
    )


def _phase_name(body: ephem.Moon) -> str:
    return moon.phase_name(moon.excess_longitude_deg(body))
