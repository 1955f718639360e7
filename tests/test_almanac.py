"""One date at one place: its twilights, its bodies, and when they are best."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import product

import pytest

from planettracker.api.almanac import members
from planettracker.sky import BODIES, Observer, PlanetTracker
from planettracker.sky.almanac import DARKNESS, TWILIGHTS, Almanac, BodyEvents, almanac
from planettracker.sky.events import Event
from planettracker.sky.zone import MissingDateError, zone_at, zone_named

SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
MUNICH = (11.6, 48.1)
TROMSO = (18.9553, 69.6492)
NORTH_POLE = (0.0, 90.0)
SOUTH_POLE = (0.0, -90.0)
NULL_ISLAND = (0.0, 0.0)
PAGO_PAGO = (-170.7, -14.28)
KIRITIMATI = (-157.4, 1.87)
SAO_PAULO = (-46.63, -23.55)
APIA = (-171.77, -13.83)

WINTER, SUMMER = "2026-12-15", "2026-06-21"
EVERYWHERE = [
    *product((MUNICH, TROMSO, NORTH_POLE, SOUTH_POLE, NULL_ISLAND), (WINTER, SUMMER)),
    *product((NORTH_POLE, SOUTH_POLE), ("2026-03-20", "2026-09-23")),
    *product((PAGO_PAGO, KIRITIMATI), ("2026-11-30", "1900-01-01", "2100-12-31")),
    *product((MUNICH,), ("2026-03-29", "2026-10-25")),
    (SAO_PAULO, "2018-11-04"),
    (APIA, "2011-12-31"),
]


@cache
def of(place: tuple[float, float], day: str, tz: str = "") -> Almanac:
    observer = Observer(*place)
    zone = zone_named(tz) if tz else zone_at(observer)
    return almanac(observer, date.fromisoformat(day), zone)


def body(it: Almanac, name: str) -> BodyEvents:
    return next(each for each in it.bodies if each.name == name)


def clocks(it: Almanac, events: tuple[Event, ...]) -> list[str]:
    return [f"{event.at.astimezone(it.zone.rules):%d %H:%M}" for event in events]


def events(it: Almanac) -> Iterator[Event]:
    for each in it.bodies:
        yield from (*each.rises, *each.transits, *each.sets)
    for twilight in it.twilights:
        yield from (*twilight.dawns, *twilight.dusks)


# Everywhere


@pytest.mark.parametrize(("place", "day"), EVERYWHERE)
def test_every_event_is_on_the_date_by_the_clocks_of_the_place(
    place: tuple[float, float], day: str
) -> None:
    it = of(place, day)
    assert {event.at.astimezone(it.zone.rules).date() for event in events(it)} <= {it.date}
    assert [each.name for each in it.bodies] == list(BODIES)


@pytest.mark.parametrize(("place", "day"), EVERYWHERE)
def test_status_is_normal_exactly_for_what_rises_or_sets(
    place: tuple[float, float], day: str
) -> None:
    it = of(place, day)
    planets = PlanetTracker(it.observer)
    middle = it.begin + (it.end - it.begin) / 2
    for each in it.bodies:
        assert (each.status == "normal") is bool(each.rises or each.sets), each
        if each.status != "normal":
            assert planets.ephemeris(each.name, middle).up is (each.status == "always_up")


@pytest.mark.parametrize(("place", "day"), [row for row in EVERYWHERE if row[1][:4] == "2026"])
def test_best_is_up_in_darkness_on_the_night_that_follows(
    place: tuple[float, float], day: str
) -> None:
    it = of(place, day)
    planets = PlanetTracker(it.observer)
    for each in it.bodies:
        assert (each.best is None) is (each.why_not is not None), each
        if each.best:
            limit_deg = TWILIGHTS[DARKNESS[each.name]].altitude_deg
            sun = planets.ephemeris("sun", each.best.at)
            assert planets.ephemeris(each.name, each.best.at).up
            assert sun.altitude_deg < limit_deg + 0.001
            assert it.begin < each.best.at < it.end + DAY


@pytest.mark.parametrize(("place", "day"), [row for row in EVERYWHERE if row[1][:4] == "2026"])
def test_nothing_is_better_than_the_best_in_that_darkness(
    place: tuple[float, float], day: str
) -> None:
    it = of(place, day)
    planets = PlanetTracker(it.observer)
    noon = body(it, "sun").transits[0].at
    for minutes in range(0, 24 * 60, 40):
        suns, *others = planets.sky(noon + minutes * timedelta(minutes=1))
        for seen in others:
            best = body(it, seen.name).best
            limit_deg = TWILIGHTS[DARKNESS[seen.name]].altitude_deg
            if seen.up and suns.altitude_deg < limit_deg:
                assert best is not None, seen
                assert seen.altitude_deg <= best.altitude_deg + 1e-4


# An ordinary date


def test_day_of_munich() -> None:
    it = of(MUNICH, "2026-11-30")
    assert (it.zone.name, it.end - it.begin) == ("Europe/Berlin", DAY)
    sun = body(it, "sun")
    assert clocks(it, sun.rises) == ["30 07:41"]
    assert clocks(it, sun.transits) == ["30 12:02"]
    assert clocks(it, sun.sets) == ["30 16:22"]
    assert (sun.best, sun.why_not) == (None, "the_sun")
    dawns = [clocks(it, each.dawns) for each in it.twilights]
    assert dawns == [["30 07:05"], ["30 06:26"], ["30 05:49"]]


def test_body_that_transits_in_darkness_is_best_there() -> None:
    it = of(MUNICH, "2026-11-30")
    saturn = body(it, "saturn")
    assert saturn.best is not None
    assert abs(saturn.best.at - saturn.transits[0].at) < 10 * SECOND


def test_morning_star_is_best_at_the_next_dawn_and_a_faint_planet_at_dusk() -> None:
    it = of(MUNICH, "2026-11-30")
    tomorrow = of(MUNICH, "2026-12-01")
    venus, pluto = body(it, "venus"), body(it, "pluto")
    assert venus.best is not None
    assert pluto.best is not None
    assert abs(venus.best.at - tomorrow.twilights[0].dawns[0].at) < SECOND
    assert abs(pluto.best.at - it.twilights[2].dusks[0].at) < SECOND


def test_planet_beside_the_sun_is_up_in_daylight_only() -> None:
    assert body(of(MUNICH, "2026-03-29"), "neptune").why_not == "in_daylight"


def test_moon_has_the_phase_that_falls_on_the_date() -> None:
    moon = of(MUNICH, "2026-12-01").moon
    assert (moon.name, moon.following[0].name) == ("last_quarter", "last_quarter")
    assert of(MUNICH, "2026-12-02").moon.name == "waning_crescent"
    assert 0.4 < moon.illuminated_fraction < 0.55


# Two of a kind, or none


@pytest.mark.parametrize(
    ("place", "day", "name", "kind", "expected"),
    [
        (KIRITIMATI, "2026-11-30", "uranus", "transits", ["30 00:02", "30 23:58"]),
        # On the day of 25 hours.
        (MUNICH, "2026-10-25", "mars", "rises", ["25 00:44", "25 23:43"]),
        (PAGO_PAGO, "2026-11-30", "moon", "rises", []),
    ],
)
def test_event_may_come_twice_on_a_date_or_not_at_all(
    place: tuple[float, float], day: str, name: str, kind: str, expected: list[str]
) -> None:
    it = of(place, day)
    assert clocks(it, getattr(body(it, name), kind)) == expected


# The ends of the Earth


def test_polar_night_has_twilight_and_no_sun() -> None:
    it = of(TROMSO, WINTER)
    assert body(it, "sun").status == "always_down"
    assert [each.status for each in it.twilights] == ["normal"] * 3
    assert clocks(it, it.twilights[0].dawns) == ["15 09:24"]
    jupiter = body(it, "jupiter")
    assert jupiter.best is not None


def test_midnight_sun_has_no_darkness() -> None:
    it = of(TROMSO, SUMMER)
    assert body(it, "sun").status == "always_up"
    assert {each.status for each in it.twilights} == {"always_up"}
    assert {each.why_not for each in it.bodies} == {"the_sun", "no_darkness"}


def test_night_of_the_pole_is_dark_for_the_whole_date() -> None:
    it = of(SOUTH_POLE, SUMMER)
    assert it.zone.name == "Antarctica/McMurdo"
    assert {each.status for each in it.twilights} == {"always_down"}
    assert {each.status for each in it.bodies} == {"always_up", "always_down"}
    mars = body(it, "mars")
    assert (mars.status, mars.why_not) == ("always_down", "below_horizon")
    pluto = body(it, "pluto")
    assert pluto.best is not None
    assert pluto.best.altitude_deg == pytest.approx(23.2, abs=0.3)


def test_bodies_cross_the_meridian_of_the_pole_s_longitude_once_or_so() -> None:
    for each in of(NORTH_POLE, "2026-03-20").bodies:
        assert 1 <= len(each.transits) <= 2


# The date line, and clocks that change


def test_neighbours_across_the_date_line_have_other_dates() -> None:
    west, east = of(KIRITIMATI, "2026-11-30"), of(PAGO_PAGO, "2026-11-30")
    assert east.begin - west.begin == timedelta(hours=25)
    for it in (west, east):
        assert len(body(it, "sun").rises) == len(body(it, "sun").sets) == 1


@pytest.mark.parametrize(
    ("place", "day", "hours"),
    [(MUNICH, "2026-03-29", 23), (MUNICH, "2026-10-25", 25), (SAO_PAULO, "2018-11-04", 23)],
)
def test_day_on_which_clocks_change_has_its_hours(
    place: tuple[float, float], day: str, hours: int
) -> None:
    it = of(place, day)
    assert it.end - it.begin == timedelta(hours=hours)
    assert len(body(it, "sun").rises) == 1


def test_date_that_the_zone_left_out_has_no_almanac() -> None:
    with pytest.raises(MissingDateError):
        of(APIA, "2011-12-30")


def test_zone_of_elsewhere_moves_the_date_not_the_sky() -> None:
    here, there = of(SAO_PAULO, "2026-06-21"), of(SAO_PAULO, "2026-06-21", "Asia/Tokyo")
    assert there.zone.source == "given"
    assert here.begin - there.begin == timedelta(hours=12)
    (dusk,), (dusk_there,) = here.twilights[0].dusks, there.twilights[0].dusks
    assert abs(dusk.at - dusk_there.at - DAY) < timedelta(minutes=2)


# On the wire


def test_times_on_the_wire_are_whole_seconds_of_the_same_instants() -> None:
    (rise,) = members(of(MUNICH, "2026-11-30"))["bodies"][0]["rises"]  # type: ignore[index]
    assert rise["time"].isoformat() == "2026-11-30T06:41:13+00:00"
    assert rise["local"].isoformat() == "2026-11-30T07:41:13+01:00"
    assert rise["az"] == 122.431
