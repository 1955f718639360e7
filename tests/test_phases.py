"""The Moon's principal phases against published ones, and the name of a span's."""

from datetime import UTC, datetime, timedelta

import pytest

from planettracker.sky import Observer, PlanetTracker
from planettracker.sky.moon import PHASE_NAMES
from planettracker.sky.phases import (
    PRINCIPAL_PHASES,
    illuminated_fraction,
    next_phases,
    phase_of_span,
)

DAY = timedelta(days=1)
# Published in whole minutes.
MINUTE = timedelta(minutes=1)
# US Naval Observatory, Phases of the Moon.
PUBLISHED = [
    ("new_moon", "2024-01-11T11:57Z"),
    ("first_quarter", "2024-01-18T03:53Z"),
    ("full_moon", "2024-01-25T17:54Z"),
    ("last_quarter", "2024-02-02T23:18Z"),
    ("new_moon", "2024-02-09T22:59Z"),
    ("new_moon", "2000-01-06T18:14Z"),
    ("full_moon", "2000-01-21T04:40Z"),
]


@pytest.mark.parametrize(("name", "at"), PUBLISHED)
def test_phase_is_at_its_published_minute(name: str, at: str) -> None:
    instant = datetime.fromisoformat(at)
    first = next_phases(instant - DAY)[0]
    assert first.name == name
    assert abs(first.at - instant) < MINUTE


@pytest.mark.parametrize("month", range(1, 13))
def test_next_four_are_one_of_each_in_order(month: int) -> None:
    at = datetime(2026, month, 1, tzinfo=UTC)
    phases = next_phases(at)
    first = PRINCIPAL_PHASES.index(phases[0].name)
    names = (*PRINCIPAL_PHASES[first:], *PRINCIPAL_PHASES[:first])
    assert tuple(phase.name for phase in phases) == names
    instants = [phase.at for phase in phases]
    assert at < instants[0]
    assert instants == sorted(instants)
    assert instants[-1] - at < 31 * DAY


@pytest.mark.parametrize("year", [1900, 1971, 2016, 2100])
def test_phases_follow_at_the_ends_of_what_is_covered_too(year: int) -> None:
    at = datetime(year, 12, 31, 12, tzinfo=UTC)
    assert len(next_phases(at)) == len(PRINCIPAL_PHASES)


def test_span_has_the_phase_that_falls_into_it_or_that_between_two() -> None:
    begin = datetime(2024, 1, 1, tzinfo=UTC)
    names = [
        phase_of_span(next_phases(begin + number * DAY), begin + (number + 1) * DAY)
        for number in range(40)
    ]
    assert names[10] == "new_moon"
    assert names[24] == "full_moon"
    assert names[8] == "waning_crescent"
    in_order = list(dict.fromkeys(names[10:39]))
    assert tuple(in_order) == PHASE_NAMES
    assert [names.count(name) for name in PRINCIPAL_PHASES] == [
        2,
        1,
        1,
        2,
    ]  # from the last quarter of the 4th on


def test_illuminated_fraction_is_that_of_the_moon_s_ephemeris() -> None:
    observer, at = Observer(11.6, 48.1), datetime(2026, 11, 30, tzinfo=UTC)
    moon = PlanetTracker(observer).ephemeris("moon", at)
    assert illuminated_fraction(observer, at) == moon.illuminated_fraction
