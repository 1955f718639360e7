"""Refraction: nothing is seen lower than it is, and what sets is seen at the horizon."""

from itertools import pairwise
from math import degrees, radians, tan

import ephem
import pytest

from planettracker.sky.ephemeris import HORIZON_DEG
from planettracker.sky.refraction import PRESSURE_MBAR, TEMPERATURE_C, apparent_altitude_deg

# From where the Moon's centre is when its upper limb sets to the zenith.
ALTITUDES_DEG = [thousandths / 1000 for thousandths in range(-860, 90_001)]
# The almanacs' 34' is rounded, and not of this formula.
HORIZON_ARCMIN = 0.5
# Meeus: the two formulas are "consistent to within 4 arcseconds".
BENNETT_ARCMIN = 4.5 / 60
# PyEphem has another formula, and says of itself that it is not good near the horizon.
PYEPHEM_ARCSEC = 18.0


def test_what_is_at_the_horizon_of_the_almanacs_is_seen_at_0() -> None:
    assert abs(60 * apparent_altitude_deg(HORIZON_DEG)) < HORIZON_ARCMIN


@pytest.mark.parametrize("apparent_deg", [0.0, 0.5, 2, 5, 10, 20, 45, 80])
def test_refraction_is_bennetts_turned_round(apparent_deg: float) -> None:
    """Bennett's formula leads from the apparent to the true altitude (Meeus, 16.3)."""
    refraction_arcmin = 1 / tan(radians(apparent_deg + 7.31 / (apparent_deg + 4.4)))
    true_deg = apparent_deg - refraction_arcmin / 60
    assert 60 * abs(apparent_altitude_deg(true_deg) - apparent_deg) < BENNETT_ARCMIN


@pytest.mark.parametrize("altitude_deg", [0.5, 1, 2, 5, 10, 20, 45, 89])
def test_refraction_is_near_that_of_pyephem(altitude_deg: float) -> None:
    apparent = radians(apparent_altitude_deg(altitude_deg))
    true_deg = degrees(ephem.unrefract(PRESSURE_MBAR, TEMPERATURE_C, apparent))
    assert 3600 * abs(true_deg - altitude_deg) < PYEPHEM_ARCSEC


def test_apparent_altitude_rises_with_the_altitude_up_to_the_zenith() -> None:
    apparent = [apparent_altitude_deg(altitude_deg) for altitude_deg in ALTITUDES_DEG]
    assert all(lower < higher for lower, higher in pairwise(apparent))
    assert all(a > t - 1e-6 for a, t in zip(apparent, ALTITUDES_DEG, strict=True))
    assert apparent[-1] == pytest.approx(90.0, abs=1e-6)
