"""How dark the sky is, what the naked eye sees in it, and the names of the Moon's phases."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import degrees

import ephem
import pytest

from planettracker.sky import BODIES, Ephemeris, Observer, PlanetTracker
from planettracker.sky.moon import PHASE_NAMES, excess_longitude_deg, phase_name
from planettracker.sky.visibility import (
    STATES,
    is_visible,
    limiting_magnitude,
    sky_state,
)

MUNICH = PlanetTracker(Observer(11.6, 48.1, 520))


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def ephemeris(name: str, **changes: object) -> Ephemeris:
    """Return a body high in the south, changed as it is told."""
    body = Ephemeris(
        name=name,
        azimuth_deg=180.0,
        altitude_deg=45.0,
        apparent_altitude_deg=45.0,
        right_ascension_deg=0.0,
        declination_deg=0.0,
        distance_au=1.0,
        magnitude=0.0,
        elongation_deg=None if name == "sun" else 90.0,
        illuminated_fraction=None if name == "sun" else 0.5,
        phase_name=None,
        diameter_arcsec=1.0,
        constellation="Psc",
        up=True,
    )
    return replace(body, **changes)


def sun_at(altitude_deg: float) -> Ephemeris:
    up = altitude_deg > -0.8333
    apparent = altitude_deg if up else None
    return ephemeris("sun", altitude_deg=altitude_deg, apparent_altitude_deg=apparent, up=up)


# The state of the sky


@pytest.mark.parametrize(
    ("sun_altitude_deg", "state"),
    [
        (60, "day"),
        (-0.83, "day"),
        (-0.84, "civil"),
        (-6, "civil"),
        (-6.00001, "nautical"),
        (-12, "nautical"),
        (-12.00001, "astronomical"),
        (-18, "astronomical"),
        (-18.00001, "night"),
        (-90, "night"),
    ],
)
def test_state_goes_by_the_suns_altitude(sun_altitude_deg: float, state: str) -> None:
    told = sky_state(sun_at(sun_altitude_deg))
    assert (told.state, told.sun_altitude_deg) == (state, sun_altitude_deg)


def test_it_is_day_exactly_while_the_sun_is_up() -> None:
    instants = [at(2026, 11, 30) + timedelta(minutes=n) for n in range(1440)]
    suns = [MUNICH.ephemeris("sun", instant) for instant in instants]
    assert {sun.up for sun in suns} == {True, False}
    assert all((sky_state(sun).state == "day") is sun.up for sun in suns)


def test_a_night_runs_through_all_states_and_back() -> None:
    instants = [at(2026, 11, 30, 12) + timedelta(minutes=n) for n in range(1440)]
    states = [sky_state(MUNICH.ephemeris("sun", instant)).state for instant in instants]
    changes = [states[0], *(new for old, new in pairwise(states) if new != old)]
    assert changes == [*STATES, *reversed(STATES[:-1])]


# The limit


def test_zenith_of_a_dark_sky_shows_stars_of_the_sixth_magnitude() -> None:
    assert 6.0 < limiting_magnitude(90, 120, -40) < 6.5


@pytest.mark.parametrize("altitude_deg", [5, 20, 45, 90])
def test_limit_gets_fainter_as_the_sun_goes_down(altitude_deg: float) -> None:
    limits = [limiting_magnitude(altitude_deg, 90, sun) for sun in range(2, -30, -1)]
    assert limits == sorted(limits)
    assert limits[-1] - limits[0] > 8


@pytest.mark.parametrize("sun_altitude_deg", [30, -6, -15, -40])
def test_limit_gets_brighter_towards_the_horizon(sun_altitude_deg: float) -> None:
    limits = [limiting_magnitude(altitude, 60, sun_altitude_deg) for altitude in range(91)]
    assert limits == sorted(limits)


@pytest.mark.parametrize("sun_altitude_deg", [30, 0, -6])
def test_limit_gets_brighter_towards_the_sun(sun_altitude_deg: float) -> None:
    limits = [limiting_magnitude(30, angle, sun_altitude_deg) for angle in range(0, 91, 5)]
    assert limits == sorted(limits)


@pytest.mark.parametrize("altitude_deg", [0, -0.5, 90])
@pytest.mark.parametrize("from_sun_deg", [0, 180])
@pytest.mark.parametrize("sun_altitude_deg", [90, -90])
def test_limit_is_a_number_at_every_extreme(
    altitude_deg: float, from_sun_deg: float, sun_altitude_deg: float
) -> None:
    assert -25 < limiting_magnitude(altitude_deg, from_sun_deg, sun_altitude_deg) < 7


# USNO, Rise, Set, and Twilight Definitions: at the limit of civil twilight the brightest stars can
# be seen, at that of astronomical twilight the faintest.
@pytest.mark.parametrize(
    ("sun_altitude_deg", "faintest", "too_faint"), [(-6, 0.5, 3.5), (-18, 5.5, 6.5)]
)
def test_twilights_end_with_the_stars_that_define_them(
    sun_altitude_deg: float, faintest: float, too_faint: float
) -> None:
    assert faintest < limiting_magnitude(60, 90, sun_altitude_deg) < too_faint


# What is visible


@pytest.mark.parametrize(
    ("body", "magnitude", "sun_altitude_deg", "visible"),
    [
        ("venus", -4.6, 30, True),  # by day, for one who knows where
        ("jupiter", -2.5, 30, False),
        ("jupiter", -2.5, -3, True),
        ("saturn", 0.8, -2, False),
        ("saturn", 0.8, -6, True),
        ("uranus", 5.7, -12, False),
        ("uranus", 5.7, -20, True),
        ("neptune", 7.8, -60, False),
        ("pluto", 14.4, -60, False),
        ("moon", -10.0, 30, True),
    ],
)
def test_body_is_visible_where_it_outshines_the_sky(
    body: str, magnitude: float, sun_altitude_deg: float, visible: bool
) -> None:
    assert is_visible(ephemeris(body, magnitude=magnitude), sun_at(sun_altitude_deg)) is visible


@pytest.mark.parametrize("body", BODIES)
def test_what_is_down_is_not_visible(body: str) -> None:
    down = ephemeris(body, magnitude=-30.0, apparent_altitude_deg=None, up=False)
    assert not is_visible(down, sun_at(-30))


def test_sun_is_visible_while_it_is_up() -> None:
    for altitude_deg, visible in ((60, True), (-0.5, True), (-1, False)):
        sun = sun_at(altitude_deg)
        assert is_visible(sun, sun) is visible


@pytest.mark.parametrize(
    ("elongation_deg", "sun_altitude_deg", "visible"),
    [
        (5, 30, False),
        (-5, 30, False),
        (15, 30, False),
        (25, 30, True),
        (-25, 30, True),
        (5, -6, False),
        (15, -6, True),
        (-15, -6, True),
    ],
)
def test_crescent_needs_its_distance_from_the_sun(
    elongation_deg: float, sun_altitude_deg: float, visible: bool
) -> None:
    moon = ephemeris("moon", magnitude=-8.0, elongation_deg=elongation_deg)
    assert is_visible(moon, sun_at(sun_altitude_deg)) is visible


def test_the_sky_of_an_evening_shows_what_was_in_it() -> None:
    """The great conjunction over Munich on 21 December 2020, 45 minutes after sunset."""
    sky = {body.name: body for body in MUNICH.sky(at(2020, 12, 21, 16, 10))}
    visible = {name for name, body in sky.items() if is_visible(body, sky["sun"])}
    assert visible == {"moon", "mars", "jupiter", "saturn"}


# The names of the Moon's phases


@pytest.mark.parametrize(
    ("excess_longitude_deg", "name"),
    [
        (0, "new_moon"),
        (-6, "new_moon"),
        (6, "new_moon"),
        (7, "waxing_crescent"),
        (83, "waxing_crescent"),
        (90, "first_quarter"),
        (97, "waxing_gibbous"),
        (173, "waxing_gibbous"),
        (180, "full_moon"),
        (-180, "full_moon"),
        (-173, "waning_gibbous"),
        (-90, "last_quarter"),
        (270, "last_quarter"),
        (-83, "waning_crescent"),
        (-7, "waning_crescent"),
        (360, "new_moon"),
    ],
)
def test_phase_has_the_name_of_its_longitude(excess_longitude_deg: float, name: str) -> None:
    assert phase_name(excess_longitude_deg) == name


def test_phases_of_a_month_follow_one_another() -> None:
    instants = [at(2026, 11, 9, 7) + timedelta(hours=n) for n in range(24 * 30)]
    names = [MUNICH.ephemeris("moon", instant).phase_name for instant in instants]
    changes = [names[0], *(new for old, new in pairwise(names) if new != old)]
    assert changes == [*PHASE_NAMES, "new_moon"]


PRINCIPAL = {  # USNO, Phases of the Moon
    "new_moon": at(2026, 11, 9, 7, 2),
    "first_quarter": at(2026, 11, 17, 11, 48),
    "full_moon": at(2026, 11, 24, 14, 53),
    "last_quarter": at(2026, 12, 1, 6, 9),
}


@pytest.mark.parametrize("name", PRINCIPAL)
def test_principal_phase_keeps_its_name_for_about_half_a_day(name: str) -> None:
    def named(hours: float) -> bool:
        instant = PRINCIPAL[name] + timedelta(hours=hours)
        return MUNICH.ephemeris("moon", instant).phase_name == name

    assert named(-9)
    assert named(0)
    assert named(9)
    assert not named(-15)
    assert not named(15)


def test_excess_longitude_is_the_one_that_pyephem_computes_with_the_sun() -> None:
    for day in range(60):
        moon, sun = ephem.Moon(), ephem.Sun()
        date = ephem.Date("2026/11/1") + day
        moon.compute(date)
        sun.compute(date)
        # Of the Sun, PyEphem's heliocentric longitude is the Earth's.
        expected = degrees(moon.hlon - sun.hlon) - 180
        difference = (excess_longitude_deg(moon) - expected + 180) % 360 - 180
        assert abs(difference) < 0.05


def test_only_the_moon_has_a_phase_name() -> None:
    named = {body.name for body in MUNICH.sky(at(2026, 11, 30)) if body.phase_name is not None}
    assert named == {"moon"}
