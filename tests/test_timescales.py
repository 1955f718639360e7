"""The scales of time: true TT and UT1 since 1972, the instant as it is before, and back again."""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from math import degrees

import ephem
import pytest

from planettracker.sky import timescales
from planettracker.sky.timescales import Moment, known_until, moment, utc
from tests import oracle

EPOCH = datetime(1899, 12, 31, 12, tzinfo=UTC)  # of PyEphem's days
# A date in days has 53 bits: 0.6 us at the end of the century.
DATE_S = 2e-6
# Skyfield interpolates a table that was made smaller (1.6 ms seen).
SKYFIELD_S = 0.004
# Published to the millisecond by the IERS's Bulletin A of these days.
BULLETIN_S = 0.001


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def tt_less_utc_s(at: datetime) -> float:
    """Return TT less UTC, as PyEphem will make it of the date that it is told."""
    date = moment(at).date
    return (date - (at - EPOCH) / timedelta(days=1)) * 86400 + float(ephem.delta_t(date))


def ut1_less_utc_s(at: datetime) -> float:
    """Return UT1 less UTC, of the date that PyEphem is told and of the longitude's turn."""
    now = moment(at)
    days = now.date - (at - EPOCH) / timedelta(days=1)
    return days * 86400 + degrees(now.turn_rad) * 86400 / 360.9856122880876


@pytest.mark.parametrize("text", ["1900-01-01", "1950-07-01T12:34:56.789", "1971-12-31T23:59:59.9"])
def test_before_1972_the_instant_is_ut1_and_pyephem_is_left_alone(text: str) -> None:
    at = instant(text)
    assert moment(at) == Moment(float(ephem.Date(at.replace(tzinfo=None))), 0.0)


@pytest.mark.parametrize(
    ("text", "leap_seconds"),
    [
        ("1972-01-01", 10),
        ("1972-06-30T23:59:59.9", 10),
        ("1972-07-01", 11),
        ("1972-12-31T23:59:59.9", 11),
        ("1973-01-01", 12),
        ("2016-12-31T23:59:59.9", 36),
        ("2017-01-01", 37),
        ("2026-06-01", 37),
        ("2100-12-31", 37),
    ],
)
def test_tt_is_utc_and_the_leap_seconds(text: str, leap_seconds: int) -> None:
    assert tt_less_utc_s(instant(text)) == pytest.approx(leap_seconds + 32.184, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "ut1_less_utc"),
    [
        ("1972-01-01", -0.045),
        ("1973-01-02", 0.808),
        ("2016-12-31", -0.408),
        ("2017-01-01", 0.591),
        ("2020-01-01", -0.177),
    ],
)
def test_ut1_is_that_of_the_iers(text: str, ut1_less_utc: float) -> None:
    assert ut1_less_utc_s(instant(text)) == pytest.approx(ut1_less_utc, abs=BULLETIN_S)


def test_ut1_is_that_of_skyfield() -> None:
    for at in oracle.every(12.3, instant("1973-01-02"), instant("2022-01-01")):
        ut1_s = tt_less_utc_s(at) - oracle.delta_t_s(at)
        assert ut1_less_utc_s(at) == pytest.approx(ut1_s, abs=SKYFIELD_S), at


def test_ut1_runs_on_smoothly_through_a_day_that_ends_with_a_leap_second() -> None:
    before, after = instant("2016-12-31T23:59:59"), instant("2017-01-01")
    assert ut1_less_utc_s(after) - ut1_less_utc_s(before) == pytest.approx(1.0, abs=1e-4)


def test_last_values_are_held_beyond_the_end_of_the_table() -> None:
    end = known_until()
    held = [ut1_less_utc_s(end + timedelta(days=days)) for days in (0, 1, 10, 20_000)]
    assert held == pytest.approx([held[0]] * 4, abs=DATE_S)
    assert end > instant("2027-01-01")


@pytest.mark.parametrize("year", [1, 1899, 2102, 9999])
def test_year_that_is_not_covered_is_no_error_here(year: int) -> None:
    assert isinstance(moment(datetime(year, 6, 1, tzinfo=UTC)), Moment)


def test_zone_of_an_instant_does_not_matter() -> None:
    at = instant("2026-06-01T12:00")
    assert moment(at.astimezone(timezone(timedelta(hours=14)))) == moment(at)


@pytest.mark.parametrize(
    "text",
    [
        "1900-01-01",
        "1971-12-31",
        "1972-06-30T23:59:59.5",
        "2016-12-31T23:59:59.5",
        "2026-06-01T12:00",
        "2100-12-31T23:59:59.9",
    ],
)
def test_date_goes_back_to_its_instant(text: str) -> None:
    at = instant(text)
    now = moment(at)
    assert abs(utc(now.date, now) - at) <= timedelta(seconds=DATE_S)


@pytest.mark.parametrize("days", [-2, 2, 30])
@pytest.mark.parametrize(
    "text", ["1950-06-01", "1971-12-31", "2016-12-31", "2026-06-01", "2060-06-01"]
)
def test_event_that_the_turning_earth_brings_is_found_at_its_instant(text: str, days: int) -> None:
    """Greenwich's sidereal time comes back to what it is, as a search finds it."""
    begin, true = moment(instant(text)), instant(text) + timedelta(days=days)
    searched = ephem.Observer()
    searched.lon, searched.date = moment(true).turn_rad, moment(true).date
    wanted = float(searched.sidereal_time())
    searched.lon = begin.turn_rad
    turn_days = (moment(true).turn_rad - begin.turn_rad) / 6.300388098984891
    searched.date = moment(true).date + turn_days
    assert float(searched.sidereal_time()) == pytest.approx(wanted, abs=1e-9)
    assert abs(utc(float(searched.date), begin) - true) < timedelta(milliseconds=0.1)


def test_threads_that_read_the_table_at_once_get_the_same() -> None:
    timescales._scales.cache_clear()
    at = instant("2026-06-01")
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(moment, [at] * 32))) == 1


@pytest.mark.parametrize(
    ("days_left", "level"), [(200, logging.INFO), (-1, logging.WARNING)], ids=["new", "old"]
)
def test_log_tells_the_age_of_the_table_louder_when_its_predictions_are_over(
    days_left: int, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    today = (datetime.now(UTC) - datetime(1858, 11, 17, tzinfo=UTC)).days
    with caplog.at_level(logging.INFO):
        timescales._log_age(measured=today + days_left - 370, predicted=today + days_left)
    (record,) = caplog.records
    assert record.levelno == level
    assert ("update astropy-iers-data" in record.message) is (days_left < 0)
