"""How much higher a body seems than it is, since air bends its light."""

from math import radians, tan

PRESSURE_MBAR = 1010.0
TEMPERATURE_C = 10.0


def apparent_altitude_deg(altitude_deg: float) -> float:
    """Return the altitude with refraction, for PRESSURE_MBAR and TEMPERATURE_C.

    The formula is that of Saemundsson (Sky and Telescope 72, 1986, page 70), as Meeus gives it
    (Astronomical Algorithms, 1998, 16.4), with his term that makes the zenith its own image. It
    agrees with the horizon rule: what is at -34' seems to be at 0.4'. Made for what is up: below
    some -2 degrees it means nothing, and near -5 it has no value.
    """
    argument_deg = altitude_deg + 10.3 / (altitude_deg + 5.11)
    refraction_arcmin = 1.02 / tan(radians(argument_deg)) + 0.0019279
    return altitude_deg + refraction_arcmin / 60
