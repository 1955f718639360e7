"""What Skyfield makes of JPL's DE421, as rows like those of `data/sky`."""

import atexit
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import skyfield_data
from skyfield.api import Loader, load_file, wgs84
from skyfield.magnitudelib import planetary_magnitude
from skyfield.timelib import Time

from tests.truth import Row

# Not by the package's own function, which warns of another of its files, and warnings are errors.
_FILES = Path(skyfield_data.__file__).parent / "data"
_DE421 = load_file(str(_FILES / "de421.bsp"))
atexit.register(_DE421.close)
_SCALES = Loader(str(_FILES)).timescale(builtin=True)
_TARGETS = {
    "sun": "sun",
    "moon": "moon",
    "mercury": "mercury",
    "venus": "venus",
    "mars": "mars",
    "jupiter": "jupiter barycenter",
    "saturn": "saturn barycenter",
    "uranus": "uranus barycenter",
    "neptune": "neptune barycenter",
}
_PLACES = {"Greenwich": (51.4769, -0.0005), "Quito": (-0.1807, -78.4678), "Perth": (-31.95, 115.86)}


def every(days: float, begin: datetime, end: datetime) -> list[datetime]:
    step = timedelta(days=days)
    return [begin + number * step for number in range(int((end - begin) / step))]


def delta_t_s(at: datetime) -> float:
    """Return TT less UT1 at a UTC instant, in seconds."""
    return float(_SCALES.from_datetime(at).delta_t)


def positions(instants: Iterable[datetime], ut1: bool = False) -> list[Row]:
    """Return airless positions of all bodies from several places, the instants being UTC or UT1.

    Left out is what is behind the Sun's disc: there Skyfield bends light by up to 4" more than the
    Sun does, which is not seen.
    """
    instants = list(instants)
    time = _SCALES.ut1(*_calendar(instants)) if ut1 else _SCALES.from_datetimes(instants)
    return [
        row
        for place in _PLACES.values()
        for body in _TARGETS
        for row in _positions(body, place, instants, time)
    ]


def _calendar(instants: list[datetime]) -> tuple[int, int, int, int, int, list[float]]:
    first = datetime(1900, 1, 1, tzinfo=UTC)
    return 1900, 1, 1, 0, 0, [(at - first).total_seconds() for at in instants]


def _positions(
    body: str, place: tuple[float, float], instants: list[datetime], time: Time
) -> list[Row]:
    observer = _DE421["earth"] + wgs84.latlon(*place)
    apparent = observer.at(time).observe(_DE421[_TARGETS[body]]).apparent()
    sun = observer.at(time).observe(_DE421["sun"]).apparent()
    altitude, azimuth, _ = apparent.altaz()
    right_ascension, declination, _ = apparent.radec("date")
    columns = {
        "az_deg": azimuth.degrees,
        "alt_airless_deg": altitude.degrees,
        "ra_date_deg": right_ascension._degrees,
        "dec_date_deg": declination.degrees,
        "from_sun_deg": apparent.separation_from(sun).degrees,
    }
    latitude_deg, longitude_deg = map(str, place)
    fixed = {"body": body, "lat_deg": latitude_deg, "lon_east_deg": longitude_deg, "elev_m": "0"}
    rows = _rows(fixed, instants, columns)
    return [row for row in rows if body in ("sun", "moon") or _beside_the_sun(row)]


def _beside_the_sun(row: Row) -> bool:
    return float(row["from_sun_deg"]) > 0.5


def magnitudes(instants: Iterable[datetime]) -> list[Row]:
    """Return the planets' magnitudes as seen from the Earth's centre."""
    instants = list(instants)
    time = _SCALES.from_datetimes(instants)
    return [
        row
        for body in _TARGETS
        if body not in ("sun", "moon")
        for row in _rows({"body": body}, instants, {"apmag": _magnitude(body, time)})
    ]


def _magnitude(body: str, time: Time) -> Any:
    planet = _DE421["earth"].at(time).observe(_DE421[_TARGETS[body]])
    # Skyfield takes the Sun to be at the solar system's barycentre, for simplicity. It is up to
    # 0.01 au away, which is 0.2 in the magnitude of Mercury beside the Sun.
    planet.center_barycentric = (_DE421["earth"] - _DE421["sun"]).at(time)
    return planetary_magnitude(planet)


def _rows(fixed: Row, instants: list[datetime], columns: dict[str, Any]) -> Iterable[Row]:
    for at, *values in zip(instants, *columns.values(), strict=True):
        figures = dict(zip(columns, map(str, values), strict=True))
        yield {**fixed, "time_utc": at.isoformat(), **figures}
