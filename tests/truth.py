"""What others published of the sky, from `data/sky`, and the angles between it and an answer."""

import csv
from collections.abc import Callable
from datetime import datetime
from math import asin, atan2, cos, degrees, dist, radians, sin
from pathlib import Path

from planettracker.sky import Ephemeris, Observer, PlanetTracker

DATA = Path(__file__).parent / "data" / "sky"

GREENWICH = Observer(-0.0005, 51.4769)

Row = dict[str, str]
Direction = tuple[float, float]  # degrees: along the circle, then above it


def _table(file: str) -> list[Row]:
    with (DATA / file).open(newline="") as lines:
        return list(csv.DictReader(lines))


def _usno(file: str) -> list[Row]:
    columns = ("body", "lon_east_deg", "lat_deg", "time_utc", "event")
    with (DATA / file).open() as lines:
        return [{**dict(zip(columns, line.split(), strict=True)), "elev_m": "0"} for line in lines]


_N29_W081 = {"lat_deg": "29", "lon_east_deg": "-81", "elev_m": "10"}
HORIZONS = [{**_N29_W081, **row} for row in _table("horizons_topocentric_N29_W081.csv")]
HORIZONS += _table("horizons_moon_3sites_2018-12-02.csv")
AIRLESS = [row for row in HORIZONS if row["refraction"] == "airless"]
REFRACTED = [row for row in HORIZONS if row["refraction"] == "horizons"]
MAGNITUDES = _table("horizons_magnitude_geocentric.csv")
DE421 = _table("skyfield_de421_topocentric.csv")
DE421_EVENTS = _table("skyfield_de421_riseset.csv")
# Transits, and rises and sets that a day is without: their time is empty.
DE421_TRANSITS = _table("skyfield_de421_transits.csv")
USNO_EVENTS = _usno("usno_riseset_sun_moon.txt")
USNO_POLAR_EVENTS = _usno("usno_riseset_polar.txt")
USNO_TWILIGHTS = [line.split() for line in (DATA / "usno_twilight.txt").read_text().splitlines()]


def of(body: str, rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["body"] == body]


def bodies(rows: list[Row]) -> list[str]:
    return sorted({row["body"] for row in rows})


def instant(row: Row) -> datetime:
    return datetime.fromisoformat(row["time_utc"])


def tracker(row: Row) -> PlanetTracker:
    place = Observer(float(row["lon_east_deg"]), float(row["lat_deg"]), float(row["elev_m"]))
    return PlanetTracker(place)


def answer(row: Row) -> Ephemeris:
    """Return what PlanetTracker answers for the row's body, place and instant."""
    return tracker(row).ephemeris(row["body"], instant(row))


def from_greenwich(row: Row) -> Ephemeris:
    """Return what PlanetTracker answers for the row's body and instant at Greenwich."""
    return PlanetTracker(GREENWICH).ephemeris(row["body"], instant(row))


def largest(difference: Callable[[Row], float], rows: list[Row]) -> tuple[float, Row]:
    """Return the largest difference, and its row; no rows at all are an error."""
    return max(((abs(difference(row)), row) for row in rows), key=lambda pair: pair[0])


def on_circle(difference_deg: float) -> float:
    """Return the difference of two angles the short way round, from -180 to 180."""
    return (difference_deg + 180) % 360 - 180


def separation_arcsec(one: Direction, other: Direction) -> float:
    return degrees(2 * asin(dist(_unit(one), _unit(other)) / 2)) * 3600


def ecliptic_longitude(equatorial: Direction) -> float:
    x, y, z = _unit(equatorial)
    obliquity = radians(23.4393)
    return degrees(atan2(y * cos(obliquity) + z * sin(obliquity), x))


def _unit(direction: Direction) -> tuple[float, float, float]:
    along, above = map(radians, direction)
    return cos(above) * cos(along), cos(above) * sin(along), sin(above)
