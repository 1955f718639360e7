"""The names of the Moon's phases."""

from math import acos, copysign, cos, degrees

import ephem

PHASE_NAMES = (
    "new_moon",
    "waxing_crescent",
    "first_quarter",
    "waxing_gibbous",
    "full_moon",
    "waning_gibbous",
    "last_quarter",
    "waning_crescent",
)
# A principal phase is an instant; its name is kept for half a day before and after, in which the
# Moon gains this much longitude on the Sun (12.19 degrees a day in the mean).
PRINCIPAL_DEG = 6.1


def phase_name(excess_longitude_deg: float) -> str:
    """Return which of PHASE_NAMES fits the Moon's ecliptic longitude less the Sun's, in degrees."""
    quarters, beyond_deg = divmod((excess_longitude_deg + PRINCIPAL_DEG) % 360, 90)
    return PHASE_NAMES[int(2 * quarters) + (beyond_deg > 2 * PRINCIPAL_DEG)]


def excess_longitude_deg(moon: ephem.Moon) -> float:
    """Return the ecliptic longitude of a computed Moon less the Sun's, from -180 to 180 degrees.

    From its elongation and ecliptic latitude, since to compute the Sun besides takes 12 us.
    """
    # Of a Moon, PyEphem's "heliocentric" latitude is the geocentric one.
    cosine = cos(moon.elong) / cos(moon.hlat)
    return copysign(degrees(acos(max(-1.0, min(cosine, 1.0)))), moon.elong)
