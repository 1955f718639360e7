"""How far an answer is from a row of what others say, for each quantity."""

from collections.abc import Callable
from math import asin, copysign, cos, degrees, radians

from planettracker.sky import Ephemeris
from tests.truth import (
    DE421,
    Direction,
    Row,
    answer,
    ecliptic_longitude,
    from_greenwich,
    of,
    on_circle,
    separation_arcsec,
)

# Where bodies are


def azimuth_and_altitude(ephemeris: Ephemeris) -> Direction:
    return ephemeris.azimuth_deg, ephemeris.altitude_deg


def horizontal_arcsec(altitude: str) -> Callable[[Row], float]:
    return lambda row: separation_arcsec(
        azimuth_and_altitude(answer(row)), (float(row["az_deg"]), float(row[altitude]))
    )


def equatorial_arcsec(ra: str, dec: str) -> Callable[[Row], float]:
    def difference(row: Row) -> float:
        ephemeris = answer(row)
        position = ephemeris.right_ascension_deg, ephemeris.declination_deg
        return separation_arcsec(position, (float(row[ra]), float(row[dec])))

    return difference


def azimuth_arcsec(row: Row) -> float:
    difference_deg = on_circle(answer(row).azimuth_deg - float(row["az_deg"]))
    return 3600 * difference_deg * cos(radians(float(row["el_deg"])))


def apparent_altitude_arcsec(row: Row) -> float:
    apparent_deg = answer(row).apparent_altitude_deg
    assert apparent_deg is not None
    return 3600 * (apparent_deg - float(row["el_deg"]))


def distance_au(row: Row) -> float:
    return answer(row).distance_au - float(row["distance_au"])


# How bodies look

AU_KM = 149597870.7
# The IAU's radii at the equator.
RADIUS_KM = {
    "sun": 695700.0,
    "moon": 1737.4,
    "mercury": 2440.5,
    "venus": 6051.8,
    "mars": 3396.2,
    "jupiter": 71492.0,
    "saturn": 60268.0,
    "uranus": 25559.0,
    "neptune": 24764.0,
}
SUNS = {(row["site"], row["time_utc"]): row for row in of("sun", DE421)}


def magnitude(row: Row) -> float:
    return from_greenwich(row).magnitude - float(row["apmag"])


def illuminated_fraction(row: Row) -> float:
    illuminated = from_greenwich(row).illuminated_fraction
    assert illuminated is not None
    return illuminated - (1 + cos(radians(float(row["phase_angle_deg"])))) / 2


def diameter_percent(row: Row) -> float:
    sine = RADIUS_KM[row["body"]] / AU_KM / float(row["distance_au"])
    return 100 * (answer(row).diameter_arcsec / (2 * 3600 * degrees(asin(sine))) - 1)


def elongation_arcsec(row: Row) -> float:
    body_at, sun_at = _geocentric(row), _geocentric(SUNS[row["site"], row["time_utc"]])
    east_deg = on_circle(ecliptic_longitude(body_at) - ecliptic_longitude(sun_at))
    elongation_deg = answer(row).elongation_deg
    assert elongation_deg is not None
    return 3600 * elongation_deg - copysign(separation_arcsec(body_at, sun_at), east_deg)


def _geocentric(row: Row) -> Direction:
    frame = "icrf_geocentric_astrometric_deg"
    return float(row[f"ra_{frame}"]), float(row[f"dec_{frame}"])
