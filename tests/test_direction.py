"""What is near a direction."""

from datetime import UTC, datetime

import pytest
from truth import separation_arcsec

from planettracker.sky import InstantError, Observer, PlanetTracker
from planettracker.sky.direction import NEAREST, Direction, Near, nearest, separation_deg
from planettracker.sky.stars import stars

MUNICH = PlanetTracker(Observer(11.6, 48.1, 520))
AT = datetime(2026, 11, 30, 21, tzinfo=UTC)


def near(azimuth_deg: float, altitude_deg: float, at: datetime = AT) -> tuple[Near, ...]:
    return nearest(MUNICH, at, Direction(azimuth_deg, altitude_deg))


@pytest.mark.parametrize(
    ("one", "other", "degrees"),
    [
        ((0, 0), (0, 0), 0),
        ((0, 0), (90, 0), 90),
        ((0, 0), (180, 0), 180),
        ((359, 0), (1, 0), 2),
        ((359.5, 0), (0, 0), 0.5),
        ((0, 89), (180, 89), 2),
        ((17, 90), (243, 90), 0),
        ((17, 90), (243, -90), 180),
        ((10, 60), (20, 60), 4.99524),
    ],
)
def test_separation_is_along_the_great_circle(
    one: tuple[float, float], other: tuple[float, float], degrees: float
) -> None:
    found = separation_deg(Direction(*one), Direction(*other))
    assert found == pytest.approx(degrees, abs=1e-5)
    assert found == pytest.approx(separation_arcsec(one, other) / 3600, abs=1e-5)


@pytest.mark.parametrize("body", MUNICH.sky(AT), ids=lambda body: body.name)
def test_body_is_found_where_it_stands(body) -> None:
    altitude_deg = body.apparent_altitude_deg if body.up else body.altitude_deg
    first = near(body.azimuth_deg, altitude_deg)[0]
    assert (first.kind, first.name) == ("body", body.name)
    assert first.separation_deg < 1e-6
    for field in ("azimuth_deg", "altitude_deg", "apparent_altitude_deg", "magnitude", "up"):
        assert getattr(first, field) == getattr(body, field)


@pytest.mark.parametrize("star", stars(MUNICH, AT), ids=lambda star: star.name)
def test_star_is_found_where_it_stands(star) -> None:
    altitude_deg = star.apparent_altitude_deg if star.up else star.altitude_deg
    first = near(star.azimuth_deg, altitude_deg)[0]
    assert (first.kind, first.name) == ("star", star.name)


def test_direction_is_as_the_eye_sees_it() -> None:
    """A star on the horizon is found half a degree above where it would be without air."""
    low = min((s for s in stars(MUNICH, AT) if s.up), key=lambda star: star.altitude_deg)
    assert low.apparent_altitude_deg is not None
    lift_deg = low.apparent_altitude_deg - low.altitude_deg
    by_eye = near(low.azimuth_deg, low.apparent_altitude_deg)[0].separation_deg
    without_air = near(low.azimuth_deg, low.altitude_deg)[0].separation_deg
    assert without_air - by_eye == pytest.approx(lift_deg, abs=1e-6)


@pytest.mark.parametrize("direction", [(0, 0), (123, 45), (359.9, 90), (10, -0.5), (200, -45)])
def test_the_nearest_come_first_and_are_five(direction: tuple[float, float]) -> None:
    found = near(*direction)
    assert len(found) == NEAREST
    separations = [each.separation_deg for each in found]
    assert separations == sorted(separations)


def test_nothing_that_is_down_is_near_a_direction_above_the_horizon() -> None:
    assert all(each.up for azimuth in range(0, 360, 30) for each in near(azimuth, 0))
    assert not any(each.visible for each in near(180, -60))


def test_all_of_the_sky_is_near_a_direction_below_the_horizon() -> None:
    assert not near(180, -60)[0].up


def test_stars_are_visible_at_night_and_not_by_day() -> None:
    at_night = [each for each in near(180, 60) if each.kind == "star"]
    assert at_night
    assert all(star.visible for star in at_night)
    by_day = near(180, 60, AT.replace(hour=11))
    assert not any(each.visible for each in by_day if each.kind == "star")


def test_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(InstantError):
        near(0, 0, datetime(2026, 11, 30))
