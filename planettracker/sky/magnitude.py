"""How bright bodies are.

The planets are those of Mallama and Hilton, "Computing apparent planetary magnitudes for The
Astronomical Almanac", Astronomy and Computing 25 (2018), arXiv:1808.01973: Mercury to Neptune, for
the phase angles that the Earth can see. What the face that Mars turns to us and its seasons add, up
to 0.06, is left out. The Moon is that of Allen (Astrophysical Quantities, 1973) as Krisciunas and
Schaefer give it (PASP 103, 1991, page 1033), without the surge of some 0.3 within a few degrees of
full, and without eclipses. The Sun and Pluto are PyEphem's.

A formula returns the magnitude of a body that is 1 au from both the Sun and the observer. A phase
angle is that at the body, between the two, in degrees.
"""

from collections.abc import Callable, Mapping
from math import acos, asin, cos, degrees, exp, log10, radians, sin, sqrt

import ephem

# From the constant upwards, in degrees of phase angle.
_MERCURY = (-0.613, 6.3280e-2, -1.6336e-3, 3.3644e-5, -3.4265e-7, 1.6893e-9, -3.0334e-12)
_VENUS = (-4.384, -1.044e-3, 3.687e-4, -2.814e-6, 8.938e-9)
_VENUS_CRESCENT = (236.05828, -2.81914, 8.39034e-3)
_MARS = (-1.601, 2.267e-2, -1.302e-4)
_JUPITER = (-9.395, -3.7e-4, 6.16e-4)
_URANUS_BEYOND = (0.0, 6.587e-3, 1.045e-4)
_NEPTUNE_BEYOND = (0.0, 7.944e-3, 9.617e-5)
# At the Moon's mean distance of 384,400 km it is -12.73 when full.
_MOON = (-12.73 - 5 * log10(384400 / 149597870.7), 0.026, 0.0, 0.0, 4e-9)

_J2000 = 36525.0  # in PyEphem's days
_CENTURY = 36525.0
_YEAR = 365.25
# Archinal and others (2018), the IAU's poles, as a unit vector along J2000's axes: right ascension
# 40.589 and declination 83.537 degrees; 257.311 and -15.175.
_SATURN_POLE = (0.08547883, 0.07323576, 0.99364475)
_URANUS_POLE = (-0.21199958, -0.94155916, -0.26176809)


def apparent_magnitude(name: str, body: ephem.Body, date: float) -> float:
    """Return the magnitude of one of BODIES, computed by PyEphem for the date (in its days)."""
    formula = _FORMULAS.get(name)
    if formula is None:
        return float(body.mag)
    return formula(body, date) + 5 * log10(body.sun_distance * body.earth_distance)


def venus(phase_deg: float) -> float:
    """Return Venus's: from 163.7 degrees on its thin crescent is lit through its air."""
    return _series(_VENUS if phase_deg < 163.7 else _VENUS_CRESCENT, phase_deg)


def saturn(phase_deg: float, sun_latitude_deg: float, earth_latitude_deg: float) -> float:
    """Return Saturn's, with its rings, which are dark where Sun and Earth see other sides of them.

    The latitudes are those of Sun and Earth above the rings' plane, both saturnicentric. Rings
    flash when lit from behind us: by 0.17 at most, within a degree.
    """
    product = sun_latitude_deg * earth_latitude_deg
    opening = sin(radians(sqrt(product))) if product > 0 else 0.0
    flash = 0.378 * opening * exp(-2.25 * phase_deg)
    return -8.914 - 1.825 * opening + 0.026 * phase_deg - flash


def uranus(phase_deg: float, latitude_deg: float) -> float:
    """Return Uranus's, which is the brighter the more of a pole we see.

    The latitude is the mean of those at which it sees Sun and Earth, without its sign.
    """
    beyond = _series(_URANUS_BEYOND, phase_deg) if phase_deg > 3.1 else 0.0
    return -7.110 - 0.00084 * latitude_deg + beyond


def neptune(phase_deg: float, year: float) -> float:
    """Return Neptune's, which grew brighter from 1980 to 2000."""
    beyond = _series(_NEPTUNE_BEYOND, phase_deg) if phase_deg > 1.9 and year >= 2000 else 0.0
    return min(max(-6.89 - 0.0054 * (year - 1980), -7.00), -6.89) + beyond


def _series(coefficients: tuple[float, ...], variable: float) -> float:
    total = 0.0
    for coefficient in reversed(coefficients):
        total = total * variable + coefficient
    return total


def _phase_deg(body: ephem.Body) -> float:
    return degrees(acos(body.phase / 50 - 1))


def _phase_of_saturn_deg(body: ephem.Body) -> float:
    """Return the phase angle from the triangle of Sun, Earth and Saturn, for its rings' flash.

    PyEphem's phase has 32 bits, in which an angle below 0.03 degrees is none; its elongation tells
    such apart. The Earth is taken to be 1 au from the Sun: at most 0.003 in magnitude.
    """
    return degrees(asin(abs(sin(body.elong)) / body.sun_distance))


def _earth_latitude_deg(body: ephem.Body, pole: tuple[float, float, float]) -> float:
    """Return the planet's latitude at which it sees the Earth, of its pole's vector."""
    along = cos(body.a_dec)
    x, y, z = along * cos(body.a_ra), along * sin(body.a_ra), sin(body.a_dec)
    return -degrees(asin(pole[0] * x + pole[1] * y + pole[2] * z))


def _sun_latitude_of_saturn_deg(body: ephem.Body, date: float) -> float:
    """Return the Sun's latitude above the rings, of their plane on the ecliptic of date.

    Meeus, Astronomical Algorithms (1998), chapter 45.
    """
    centuries = (date - _J2000) / _CENTURY
    inclination = radians(28.075216 - 0.012998 * centuries)
    from_node = body.hlong - radians(169.508470 + 1.394681 * centuries)
    latitude = body.hlat
    sine = sin(inclination) * cos(latitude) * sin(from_node) - cos(inclination) * sin(latitude)
    return degrees(asin(sine))


def _saturn(body: ephem.Body, date: float) -> float:
    sun_latitude_deg = _sun_latitude_of_saturn_deg(body, date)
    earth_latitude_deg = _earth_latitude_deg(body, _SATURN_POLE)
    return saturn(_phase_of_saturn_deg(body), sun_latitude_deg, earth_latitude_deg)


def _uranus(body: ephem.Body, _: float) -> float:
    # The Sun stands at most 3.2 degrees of it from the Earth, and half of that is 0.0014.
    return uranus(_phase_deg(body), abs(_earth_latitude_deg(body, _URANUS_POLE)))


_FORMULAS: Mapping[str, Callable[[ephem.Body, float], float]] = {
    "moon": lambda body, _: _series(_MOON, _phase_deg(body)),
    "mercury": lambda body, _: _series(_MERCURY, _phase_deg(body)),
    "venus": lambda body, _: venus(_phase_deg(body)),
    "mars": lambda body, _: _series(_MARS, _phase_deg(body)),
    "jupiter": lambda body, _: _series(_JUPITER, _phase_deg(body)),
    "saturn": _saturn,
    "uranus": _uranus,
    "neptune": lambda body, date: neptune(_phase_deg(body), 2000 + (date - _J2000) / _YEAR),
}
