"""Rises, transits, sets and twilights against the Naval Observatory, DE421, and `up` itself."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from planettracker.sky import BODIES, Observer, PlanetTracker
from planettracker.sky.events import Course, Event
from planettracker.sky.way import HORIZON
from tests.comparisons import Comparison
from tests.event_comparisons import EVENT_COMPARISONS, HAPPENING, found
from tests.truth import DE421_EVENTS, DE421_TRANSITS, Row, largest, of, separation_arcsec

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
# Between the places for which PyEphem is asked (0.9 s of arc seen, Venus).
INTERPOLATED_ARCSEC = 1.5
# What happens twice on its day, and of which the table has the first alone. Skyfield finds them.
SECOND_EVENTS = {
    ("greenwich", "2024-08-03", "jupiter", "rise"): "2024-08-03T23:56:50Z",
    ("apia", "2024-08-03", "uranus", "set"): "2024-08-03T23:56:24Z",
}
MUNICH = Observer(11.6, 48.1, 520)
MARS_PARALLEL_DEG = -20.26  # its declination on 28 January 2026


def course(name: str, observer: Observer, begin: datetime, length: timedelta = DAY) -> Course:
    return Course(name, observer, begin, begin + length)


def happening(it: Course, kind: str, begin: datetime, length: timedelta) -> tuple[Event, ...]:
    return HAPPENING[kind](it, (begin, begin + length))


# The Naval Observatory, and DE421


@pytest.mark.parametrize(
    ("comparison", "body"),
    [(comparison, body) for comparison in EVENT_COMPARISONS for body in comparison.bodies],
    ids=str,
)
def test_event_is_when_others_say(comparison: Comparison, body: str) -> None:
    seconds, row = largest(comparison.difference, of(body, comparison.rows))
    assert seconds <= comparison.tolerance[body], row


def published() -> dict[tuple[str, ...], list[Row]]:
    """Return DE421's rows of each place, day, body and kind of event."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in (*DE421_EVENTS, *DE421_TRANSITS):
        key = tuple(row[name] for name in ("site", "utc_date", "body", "event"))
        groups.setdefault(key, []).append(row)
    return groups


@pytest.mark.parametrize("kind", ["rise", "set", "transit"])
def test_day_has_the_events_of_de421_none_missed_and_none_extra(kind: str) -> None:
    groups = {key: rows for key, rows in published().items() if key[3] == kind}
    assert len(groups) > 100
    for key, rows in groups.items():
        begin = datetime.fromisoformat(rows[0]["utc_date"]).replace(tzinfo=UTC)
        times = [row["time_utc"] for row in rows if row["time_utc"]]
        times += [SECOND_EVENTS[key]] if key in SECOND_EVENTS else []
        events = found(rows[0], (begin, begin + DAY))
        assert len(events) == len(times), key
        for event, at in zip(events, sorted(times), strict=True):
            assert abs(event.at - datetime.fromisoformat(at)) < timedelta(seconds=15), key


# `up` itself, at the edges of the world


EDGES = {
    "the pole": (Observer(0, 90), datetime(2026, 3, 10, tzinfo=UTC), 20),
    "beside the pole": (Observer(40, -89.7), datetime(2026, 9, 10, tzinfo=UTC), 20),
    "grazing": (Observer(20, 69.5), datetime(2026, 1, 1, tzinfo=UTC), 30),
    "more grazing": (Observer(-40, 80), datetime(2026, 11, 1, tzinfo=UTC), 30),
    "a polar circle": (Observer(25, 66.5), datetime(2026, 6, 1, tzinfo=UTC), 20),
    # Where its altitude has a high and a low within a few hours.
    "turning in between": (Observer(286, -88.74), datetime(2026, 2, 15, tzinfo=UTC), 8),
    "turning, too": (Observer(247, -88.68), datetime(2026, 1, 5, tzinfo=UTC), 8),
    "the equator": (Observer(0, 0), datetime(2026, 3, 10, tzinfo=UTC), 5),
}


@pytest.mark.parametrize("name", ["sun", "moon", "venus"])
@pytest.mark.parametrize("edge", EDGES)
def test_body_changes_between_up_and_down_at_its_events_and_nowhere_else(
    name: str, edge: str
) -> None:
    observer, begin, days = EDGES[edge]
    step = 20 * timedelta(minutes=1)
    instants = [begin + number * step for number in range(days * 72 + 1)]
    planets = PlanetTracker(observer)
    ups = [planets.ephemeris(name, at).up for at in instants]
    it = course(name, observer, begin, days * DAY)
    crossings = it.crossings(HORIZON, begin, begin + days * DAY)
    seen = [
        pair for pair in zip(pairwise(instants), pairwise(ups), strict=True) if len({*pair[1]}) > 1
    ]
    expected = [(at, now) for at, (_, now) in seen]
    flips = sorted(
        [(event.at, True) for event in crossings.rises]
        + [(event.at, False) for event in crossings.sets]
    )
    # What comes up and goes down again between two looks is checked by the rows of events alone.
    lasting = [flip for flip in flips if not brief(flip[0], flips, instants)]
    assert [up for _, up in lasting] == [up for _, up in expected]
    for (at, _), ((before, after), _) in zip(lasting, expected, strict=True):
        assert before - step / 1000 <= at <= after + step / 1000


def brief(at: datetime, flips: list[tuple[datetime, bool]], instants: list[datetime]) -> bool:
    step = instants[1] - instants[0]
    cell = (at - instants[0]) // step
    return sum((other - instants[0]) // step == cell for other, _ in flips) == 2


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("name", BODIES)
def test_body_stands_at_its_event_where_its_ephemeris_says(name: str, edge: str) -> None:
    observer, begin, _ = EDGES[edge]
    it = course(name, observer, begin)
    crossings = it.crossings(HORIZON, begin, begin + DAY)
    lasting = [it.highest(begin, begin + part * DAY) for part in (1 / 3, 2 / 3, 1)]
    planets = PlanetTracker(observer)
    for event in (*crossings.rises, *crossings.sets, *it.transits(begin, begin + DAY), *lasting):
        ephemeris = planets.ephemeris(name, event.at)
        seen = ephemeris.azimuth_deg, ephemeris.altitude_deg
        found = event.azimuth_deg, event.altitude_deg
        assert separation_arcsec(found, seen) < INTERPOLATED_ARCSEC


# What PyEphem's search gets wrong


def rises_and_sets(name: str, observer: Observer, day: datetime) -> tuple[list[str], list[str]]:
    crossings = course(name, observer, day).crossings(HORIZON, day, day + DAY)
    return (
        [f"{event.at:%H:%M:%S}" for event in crossings.rises],
        [f"{event.at:%H:%M:%S}" for event in crossings.sets],
    )


def test_set_that_pyephem_takes_for_none_is_found() -> None:
    _, sets = rises_and_sets("venus", Observer(0, 80), datetime(2025, 3, 20, tzinfo=UTC))
    assert len(sets) == 1
    assert "23:41:30" < sets[0] < "23:43:30"


def test_sun_neither_rises_nor_sets_on_a_date_of_the_polar_night() -> None:
    barrow = Observer(-156.79, 71.29)
    assert rises_and_sets("sun", barrow, datetime(2022, 11, 19, 9, tzinfo=UTC)) == ([], [])


def test_sun_that_comes_up_for_a_second_is_found() -> None:
    """At the latitude where its noon of the winter solstice just reaches the horizon, by halves."""
    day = datetime(2026, 12, 21, tzinfo=UTC)
    south, north = 66.0, 69.0
    for _ in range(25):
        middle = (south + north) / 2
        sun = course("sun", Observer(0, middle), day)
        rises = sun.crossings(HORIZON, day, day + DAY).rises
        south, north = (middle, north) if rises else (south, middle)
    crossings = course("sun", Observer(0, south), day).crossings(HORIZON, day, day + DAY)
    (rise,), (set_,) = crossings.rises, crossings.sets
    assert timedelta() < set_.at - rise.at < timedelta(seconds=10)
    assert rises_and_sets("sun", Observer(0, north), day) == ([], [])


# The pieces of a course


def test_events_of_two_halves_are_those_of_the_whole() -> None:
    begin = datetime(2026, 11, 30, tzinfo=UTC)
    for name in BODIES:
        it = course(name, MUNICH, begin)
        for kind in ("rise", "transit", "set"):
            halves = [
                event
                for start in (begin, begin + DAY / 2)
                for event in happening(it, kind, start, DAY / 2)
            ]
            assert halves == list(happening(it, kind, begin, DAY)), (name, kind)


def test_body_is_below_from_its_set_to_its_rise() -> None:
    noon = datetime(2026, 11, 30, 11, tzinfo=UTC)
    sun = course("sun", MUNICH, noon)
    crossings = sun.crossings(HORIZON, noon, noon + DAY)
    (rise,), (set_,) = crossings.rises, crossings.sets
    assert sun.below(HORIZON, noon, noon + DAY) == [(set_.at, rise.at)]
    midnight = noon + DAY / 2
    assert sun.below(HORIZON, midnight, noon + DAY) == [(midnight, rise.at)]


# Over Mars' parallel it passes the zenith, where the altitude has a kink.
@pytest.mark.parametrize("observer", [MUNICH, Observer(11.6, MARS_PARALLEL_DEG)])
def test_greatest_altitude_of_a_day_is_beside_the_transit(observer: Observer) -> None:
    begin = datetime(2026, 1, 28, tzinfo=UTC)
    mars = course("mars", observer, begin)
    (transit,) = mars.transits(begin, begin + DAY)
    highest = mars.highest(begin, begin + DAY)
    # By the second, which near the zenith is 15".
    assert highest.altitude_deg >= transit.altitude_deg - 20 / 3600
    # Going north it is highest after its transit (10.3 s seen).
    assert timedelta(seconds=-2) < highest.at - transit.at < timedelta(seconds=12)


def test_mars_passes_the_zenith_of_its_parallel() -> None:
    begin = datetime(2026, 1, 28, tzinfo=UTC)
    mars = course("mars", Observer(11.6, MARS_PARALLEL_DEG), begin)
    assert mars.highest(begin, begin + DAY).altitude_deg > 89.9


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("edge", EDGES)
def test_nowhere_is_a_body_higher_than_at_its_highest(name: str, edge: str) -> None:
    observer, begin, _ = EDGES[edge]
    it = course(name, observer, begin)
    end = begin + 17 * HOUR
    highest = it.highest(begin, end)
    assert begin - HOUR / 3600 <= highest.at <= end + HOUR / 3600
    planets = PlanetTracker(observer)
    looks = [planets.ephemeris(name, begin + number * HOUR / 2) for number in range(35)]
    assert highest.altitude_deg >= max(look.altitude_deg for look in looks) - 1e-5
