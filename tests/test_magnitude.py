"""Magnitudes where they do something of their own; comparisons.py holds them to what others say."""

from datetime import UTC, datetime, timedelta

import ephem
import pytest

from planettracker.sky import PlanetTracker
from planettracker.sky.magnitude import neptune, saturn, uranus, venus
from tests.truth import GREENWICH


def brightness(body: str, at: datetime) -> float:
    return PlanetTracker(GREENWICH).ephemeris(body, at).magnitude


def test_open_rings_make_saturn_brighter() -> None:
    assert saturn(3, 26, 26) == pytest.approx(saturn(3, 0, 0) - 0.8, abs=0.01)


@pytest.mark.parametrize(("sun_deg", "earth_deg"), [(2, -1), (-2, 1), (0, 1), (1, 0)])
def test_rings_are_dark_while_sun_and_earth_see_other_sides(
    sun_deg: float, earth_deg: float
) -> None:
    assert saturn(3, sun_deg, earth_deg) == saturn(3, 0, 0)


def test_rings_are_alike_from_the_north_and_the_south() -> None:
    assert saturn(3, -20, -22) == saturn(3, 20, 22)


def test_rings_flash_when_the_sun_is_behind_us() -> None:
    assert saturn(1, 26, 26) - saturn(0, 26, 26) == pytest.approx(0.17, abs=0.01)


def test_saturn_flashes_at_its_opposition_of_2018() -> None:
    opposition = datetime(2018, 6, 27, 13, tzinfo=UTC)
    weeks_after = [brightness("saturn", opposition + timedelta(weeks=n)) for n in range(3)]
    assert weeks_after[1] - weeks_after[0] > 2 * (weeks_after[2] - weeks_after[1])


@pytest.mark.parametrize(
    ("year", "magnitude"), [(1900, -6.89), (1980, -6.89), (1990, -6.944), (2001, -7.0), (2099, -7)]
)
def test_neptune_grew_brighter_from_1980_to_2000(year: float, magnitude: float) -> None:
    assert neptune(1, year) == pytest.approx(magnitude)


def test_uranus_is_brighter_the_more_of_a_pole_we_see() -> None:
    assert uranus(1, 82) == pytest.approx(uranus(1, 0) - 0.069, abs=0.001)


def test_venus_goes_over_to_its_crescent_without_a_leap() -> None:
    assert venus(163.7) == pytest.approx(venus(163.6999), abs=0.01)


def test_full_moon_at_its_mean_distance_has_the_published_magnitude() -> None:
    full = datetime(2026, 3, 3, 11, 38, tzinfo=UTC)
    moon = PlanetTracker(GREENWICH).ephemeris("moon", full)
    assert moon.magnitude == pytest.approx(-12.7, abs=0.1)


@pytest.mark.parametrize("body", ["sun", "pluto"])
def test_sun_and_pluto_are_those_of_pyephem(body: str) -> None:
    at = datetime(2026, 6, 1, 12, tzinfo=UTC)
    own = getattr(ephem, body.title())("2026/6/1 12:00")
    assert brightness(body, at) == pytest.approx(own.mag, abs=0.011)
