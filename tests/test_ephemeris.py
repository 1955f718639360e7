"""The sky against JPL Horizons, DE421, the US Naval Observatory, and PyEphem's own traps."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from itertools import product
from math import copysign, degrees, inf, nan
from threading import Barrier

import ephem
import pytest

from planettracker.sky import (
    BODIES,
    Ephemeris,
    InstantError,
    Observer,
    OutOfRangeError,
    PlanetTracker,
    UnknownBodyError,
)
from planettracker.sky.timescales import moment
from tests.comparisons import COMPARISONS, Comparison
from tests.differences import azimuth_and_altitude
from tests.truth import (
    DE421,
    DE421_EVENTS,
    GREENWICH,
    USNO_EVENTS,
    Row,
    answer,
    bodies,
    instant,
    largest,
    of,
    on_circle,
    separation_arcsec,
    tracker,
)

# Published for the centres of planets, while `up` follows the upper limb, at most 33" above; the
# slower it climbs the later (12.0 s seen, Venus at Tromso).
DE421_EVENT = timedelta(seconds=15)
LIMB_ARCSEC = 30.0
# Published in whole minutes, so that 30 s are rounding (34.3 s seen).
USNO_EVENT = timedelta(seconds=36)
# PyEphem's az and alt are 32-bit floats: above 229 degrees their steps are 2.7e-5 degrees wide.
FLOAT32_DEG = 3e-5

PLACES = {
    "Greenwich": GREENWICH,
    "Quito": Observer(-78.4678, -0.1807, 2850),
    "Dead Sea": Observer(35.5, 31.5, -430),
    "Tromso": Observer(18.9553, 69.6492),
    "South Pole": Observer(0, -90, 2835),
}
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def pyephem(
    body: str, place: Observer, at: datetime, pressure_mbar: float = 0.0
) -> Callable[[str], float]:
    """Return what PyEphem gives at the true time, by attribute; it reads degrees from strings."""
    site, now = ephem.Observer(), moment(at)
    site.lon, site.lat = str(place.lon_deg + degrees(now.turn_rad)), str(place.lat_deg)
    site.elevation = place.elevation_m
    site.pressure, site.temp = pressure_mbar, 10.0
    site.date = now.date
    computed = getattr(ephem, body.title())(site)
    return lambda attribute: degrees(getattr(computed, attribute))


@cache
def day_of_sky(place: str) -> list[tuple[datetime, Ephemeris]]:
    planets = PlanetTracker(PLACES[place])
    instants = [NOON + timedelta(minutes=minutes) for minutes in range(0, 24 * 60, 3)]
    return [(at, ephemeris) for at in instants for ephemeris in planets.sky(at)]


# What others say


@pytest.mark.parametrize(
    ("comparison", "body"),
    [(comparison, body) for comparison in COMPARISONS for body in comparison.bodies],
    ids=str,
)
def test_answer_agrees_with_what_others_say(comparison: Comparison, body: str) -> None:
    difference, row = largest(comparison.difference, of(body, comparison.rows))
    assert difference < comparison.tolerance[body], (comparison.reason, row)


@pytest.mark.parametrize("body", bodies(DE421))
def test_constellation_is_that_of_de421(body: str) -> None:
    rows = of(body, DE421)
    assert [row for row in rows if answer(row).constellation != row["constellation"]] == []


# How bodies look


@pytest.mark.parametrize(
    ("at", "elongation_deg"),
    [
        pytest.param(datetime(2025, 1, 10, 5, tzinfo=UTC), 47.2, id="evening"),
        pytest.param(datetime(2025, 6, 1, 4, tzinfo=UTC), -45.9, id="morning"),
    ],
)
def test_elongation_of_venus_at_its_greatest_is_negative_in_the_morning_sky(
    at: datetime, elongation_deg: float
) -> None:
    venus = PlanetTracker(GREENWICH).ephemeris("venus", at)
    assert venus.elongation_deg == pytest.approx(elongation_deg, abs=0.06)


@pytest.mark.parametrize("body", BODIES)
def test_only_the_sun_has_neither_elongation_nor_illuminated_fraction(body: str) -> None:
    ephemeris = PlanetTracker(GREENWICH).ephemeris(body, NOON)
    assert (ephemeris.elongation_deg is None) is (body == "sun")
    assert (ephemeris.illuminated_fraction is None) is (body == "sun")


# Up and down


def flips(row: Row, within: timedelta, rises: bool) -> bool:
    """Return whether a body is down before a rise and up after it, or the reverse at a set."""
    before = tracker(row).ephemeris(row["body"], instant(row) - within).up
    after = tracker(row).ephemeris(row["body"], instant(row) + within).up
    return (before, after) == (not rises, rises)


@pytest.mark.parametrize("body", bodies(DE421_EVENTS))
def test_body_comes_up_and_goes_down_when_de421_says(body: str) -> None:
    rows = of(body, DE421_EVENTS)
    assert [row for row in rows if not flips(row, DE421_EVENT, row["event"] == "rise")] == []


@pytest.mark.parametrize("body", bodies(USNO_EVENTS))
def test_body_comes_up_and_goes_down_when_the_naval_observatory_says(body: str) -> None:
    rows = of(body, USNO_EVENTS)
    assert [row for row in rows if not flips(row, USNO_EVENT, row["event"] == "r")] == []


@pytest.mark.parametrize("body", bodies(DE421_EVENTS))
def test_upper_limb_is_at_the_horizon_when_de421_says(body: str) -> None:
    def above_arcsec(row: Row) -> float:
        ephemeris = answer(row)
        return 3600 * (ephemeris.altitude_deg + 34 / 60) + ephemeris.diameter_arcsec / 2

    arcsec, row = largest(above_arcsec, of(body, DE421_EVENTS))
    assert arcsec < LIMB_ARCSEC, row


@pytest.mark.parametrize("place", PLACES)
def test_body_is_up_while_its_upper_limb_is_above_minus_34_arcminutes(place: str) -> None:
    for _, body in day_of_sky(place):
        upper_limb_deg = body.altitude_deg + body.diameter_arcsec / 3600 / 2
        assert body.up is (upper_limb_deg > -34 / 60), body


@pytest.mark.parametrize("place", PLACES)
def test_apparent_altitude_is_none_exactly_while_the_body_is_down(place: str) -> None:
    for _, body in day_of_sky(place):
        assert (body.apparent_altitude_deg is None) is not body.up, body


def test_altitude_below_the_horizon_is_true_where_pyephem_refracts_it() -> None:
    at = datetime(2026, 6, 1, 20, 36, tzinfo=UTC)
    sun = PlanetTracker(GREENWICH).ephemeris("sun", at)
    assert sun.altitude_deg == pytest.approx(pyephem("sun", GREENWICH, at)("alt"), abs=FLOAT32_DEG)
    assert pyephem("sun", GREENWICH, at, pressure_mbar=1010.0)("alt") - sun.altitude_deg > 1.0


# PyEphem's traps


@pytest.mark.parametrize("latitude_deg", [52.52, 51.4769, -33.9, 0.5, -0.0005, 90.0])
def test_coordinates_are_degrees_though_a_float_is_radians_to_pyephem(latitude_deg: float) -> None:
    place = Observer(lon_deg=latitude_deg * 2, lat_deg=latitude_deg)
    mars, own = PlanetTracker(place).ephemeris("mars", NOON), pyephem("mars", place, NOON)
    assert mars.altitude_deg == pytest.approx(own("alt"), abs=FLOAT32_DEG)
    assert on_circle(mars.azimuth_deg - own("az")) == pytest.approx(0, abs=FLOAT32_DEG)


@pytest.mark.parametrize("text", ["51.4769", "  51.4769", "51:28:37", "", "0.0"])
def test_text_is_no_coordinate_since_pyephem_reads_some_as_minutes_at_the_equator(
    text: str,
) -> None:
    with pytest.raises(TypeError):
        Observer(lon_deg=0.0, lat_deg=text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("quantity", "value"),
    [
        *product(("lon_deg", "lat_deg", "elevation_m"), (nan, inf, -inf)),
        ("lon_deg", 1e9),
        ("lon_deg", -180.00001),
        ("lon_deg", 360.00001),
        ("lat_deg", 95.0),
        ("lat_deg", 90.00001),
        ("lat_deg", -90.00001),
        ("elevation_m", -500.1),
        ("elevation_m", 9000.1),
    ],
)
def test_impossible_coordinate_raises_an_error_that_names_it(quantity: str, value: float) -> None:
    coordinates = {"lon_deg": 0.0, "lat_deg": 0.0, "elevation_m": 0.0} | {quantity: value}
    with pytest.raises(OutOfRangeError, match=quantity) as caught:
        Observer(**coordinates)
    assert caught.value.quantity == quantity
    assert caught.value.value is value


@pytest.mark.parametrize(
    "coordinates", [(-180, -90, -500), (360, 90, 9000), (180, 0, 0), (-0.0, -0.0, -0.0)]
)
def test_limits_themselves_are_coordinates(coordinates: tuple[float, float, float]) -> None:
    for body in PlanetTracker(Observer(*coordinates)).sky(NOON):
        assert 0 <= body.azimuth_deg < 360
        assert -90 <= body.altitude_deg <= 90


class Nowhere(tzinfo):
    """A time zone that does not know its offset, which leaves a datetime naive."""

    def utcoffset(self, _: datetime | None) -> None:
        return None


LAST = datetime(2100, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
FIRST = datetime(1900, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EAST = timezone(timedelta(hours=14))
WEST = timezone(timedelta(hours=-12))


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(datetime(2026, 6, 1, 12), id="naive"),
        pytest.param(datetime(2026, 6, 1, 12, tzinfo=Nowhere()), id="naive in a zone"),  # type: ignore[abstract]
        pytest.param(FIRST - MICROSECOND, id="too early"),
        pytest.param(LAST + MICROSECOND, id="too late"),
        pytest.param(datetime(1900, 1, 1, tzinfo=EAST), id="too early in the east"),
        pytest.param(datetime(2100, 12, 31, 23, tzinfo=WEST), id="too late in the west"),
        pytest.param(datetime.min.replace(tzinfo=EAST), id="the first of all"),
        pytest.param(datetime.max.replace(tzinfo=WEST), id="the last of all"),
    ],
)
def test_instant_without_a_zone_or_out_of_range_is_refused(at: datetime) -> None:
    planets = PlanetTracker(GREENWICH)
    with pytest.raises(InstantError):
        planets.ephemeris("mars", at)
    with pytest.raises(InstantError):
        planets.sky(at)


@pytest.mark.parametrize("at", [FIRST, LAST])
def test_first_and_last_instants_are_answered(at: datetime) -> None:
    assert len(PlanetTracker(GREENWICH).sky(at)) == len(BODIES)


@pytest.mark.parametrize("zone", [EAST, WEST, timezone(timedelta(hours=5, minutes=45))])
def test_instant_counts_and_not_the_zone_that_it_is_written_in(zone: timezone) -> None:
    planets = PlanetTracker(GREENWICH)
    assert planets.sky(NOON.astimezone(zone)) == planets.sky(NOON)


@pytest.mark.parametrize("milliseconds", [20, 250, 500, 999])
def test_milliseconds_turn_the_sky(milliseconds: int) -> None:
    def azimuth_deg(after: timedelta) -> float:
        return PlanetTracker(GREENWICH).ephemeris("sun", NOON + after).azimuth_deg

    turned_deg = azimuth_deg(timedelta(milliseconds=milliseconds)) - azimuth_deg(timedelta())
    a_minute_deg = azimuth_deg(timedelta(minutes=1)) - azimuth_deg(timedelta())
    assert turned_deg > 0
    assert turned_deg == pytest.approx(a_minute_deg * milliseconds / 60_000, abs=FLOAT32_DEG)


@pytest.mark.parametrize(
    ("body", "latitude_deg", "at"),
    [
        ("sun", -60, datetime(2026, 3, 1, 12, 12, 17, 361200, tzinfo=UTC)),
        ("jupiter", -30, datetime(2026, 3, 1, 20, 27, 38, 942700, tzinfo=UTC)),
        ("mars", 80, datetime(2026, 3, 1, 23, 28, 57, 12000, tzinfo=UTC)),
    ],
)
def test_azimuth_that_pyephem_rounds_up_past_the_circle_is_on_it(
    body: str, latitude_deg: float, at: datetime
) -> None:
    place = Observer(0, latitude_deg)
    assert pyephem(body, place, at)("az") > 360
    assert 0 <= PlanetTracker(place).ephemeris(body, at).azimuth_deg < FLOAT32_DEG


@pytest.mark.parametrize("longitude_deg", [-180.0, -77.0, 0.0, 11.6, 180.0, 300.0])
@pytest.mark.parametrize("latitude_deg", [90.0, -90.0])
def test_altitude_at_a_pole_is_the_declination(latitude_deg: float, longitude_deg: float) -> None:
    for body in PlanetTracker(Observer(longitude_deg, latitude_deg)).sky(NOON):
        declination_deg = copysign(body.declination_deg, latitude_deg * body.declination_deg)
        assert body.altitude_deg == pytest.approx(declination_deg, abs=FLOAT32_DEG), body
        assert 0 <= body.azimuth_deg < 360


@pytest.mark.parametrize(("east_deg", "west_deg"), [(180, -180), (360, 0), (270, -90)])
def test_longitudes_east_and_west_are_alike(east_deg: float, west_deg: float) -> None:
    east = PlanetTracker(Observer(east_deg, 48.1, 520)).sky(NOON)
    west = PlanetTracker(Observer(west_deg, 48.1, 520)).sky(NOON)
    for one, other in zip(east, west, strict=True):
        assert separation_arcsec(azimuth_and_altitude(one), azimuth_and_altitude(other)) < 0.1
        assert one.constellation == other.constellation
        assert one.up is other.up


# A race needs threads that are stopped often: by default Python does so each 5 ms only.
@pytest.fixture
def restless_threads() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("restless_threads")
def test_threads_that_share_trackers_get_the_answers_of_one_thread_alone() -> None:
    trackers = [PlanetTracker(place) for place in PLACES.values()]
    instants = [NOON + timedelta(hours=hours) for hours in range(0, 130, 10)]
    questions = list(product(instants, trackers, BODIES))
    alone = [planets.ephemeris(body, at) for at, planets, body in questions]
    together = Barrier(8, timeout=30)

    def ask(thread: int) -> list[Ephemeris]:
        first = thread * len(questions) // 8
        together.wait()
        answers = [
            planets.ephemeris(body, at)
            for at, planets, body in questions[first:] + questions[:first]
        ]
        return answers[-first:] + answers[:-first] if first else answers

    with ThreadPoolExecutor(8) as pool:
        for answers in pool.map(ask, range(8)):
            assert answers == alone


# Names and values


def test_bodies_are_the_sun_the_moon_and_the_planets_outwards() -> None:
    outwards = ("mercury", "venus", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto")
    assert list(BODIES) == ["sun", "moon", *outwards]


def test_sky_is_every_body_in_order_as_each_is_alone() -> None:
    planets = PlanetTracker(PLACES["Quito"])
    assert planets.sky(NOON) == tuple(planets.ephemeris(body, NOON) for body in BODIES)
    assert tuple(body.name for body in planets.sky(NOON)) == BODIES


@pytest.mark.parametrize("spelling", [str.lower, str.upper, str.title, lambda name: "mArS"])
def test_name_is_known_in_any_letter_case_and_answered_in_small_letters(
    spelling: Callable[[str], str],
) -> None:
    mars = PlanetTracker(GREENWICH).ephemeris(spelling("mars"), NOON)
    assert mars == PlanetTracker(GREENWICH).ephemeris("mars", NOON)
    assert mars.name == "mars"


# PyEphem has Earth's neighbours' moons and stars; the long s is an s in capitals only.
@pytest.mark.parametrize(
    "name", ["", "earth", "Phobos", "Vega", "mars ", " mars", "mars\n", "ma/rs", "\u017fun", "Sun2"]
)
def test_unknown_name_raises_an_error_that_carries_it_as_it_came(name: str) -> None:
    with pytest.raises(UnknownBodyError) as caught:
        PlanetTracker(GREENWICH).ephemeris(name, NOON)
    assert caught.value.name == name
    assert all(body in str(caught.value) for body in BODIES)


@pytest.mark.parametrize(
    "value",
    [GREENWICH, PlanetTracker(GREENWICH).ephemeris("mars", NOON)],
    ids=["Observer", "Ephemeris"],
)
def test_values_are_frozen_and_hashable(value: Observer | Ephemeris) -> None:
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)
    alike = type(value)(**{field.name: getattr(value, field.name) for field in fields(value)})
    assert alike == value
    assert len({alike, value}) == 1
