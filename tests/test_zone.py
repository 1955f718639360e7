"""The zone of a place, and where in UTC its dates begin and end."""

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from tzfpy import timezonenames

from planettracker.sky import Observer
from planettracker.sky.zone import (
    DateError,
    MissingDateError,
    UnknownZoneError,
    limits,
    local,
    today,
    zone_at,
    zone_named,
)

# Places and the zones in which they lie; longitude first.
ZONES = {
    "Munich": (Observer(11.6, 48.1), "Europe/Berlin"),
    "Tromso": (Observer(18.96, 69.65), "Europe/Oslo"),
    "Null Island": (Observer(0, 0), "UTC"),
    "the Atlantic": (Observer(-25, 30), "UTC-2"),
    "the Pacific, east of the date line": (Observer(-179, 30), "UTC-12"),
    "the Pacific, west of the date line": (Observer(179, 30), "UTC+12"),
    "Pago Pago": (Observer(-170.7, -14.28), "Pacific/Pago_Pago"),
    "Kiritimati": (Observer(-157.4, 1.87), "Pacific/Kiritimati"),
    "Apia": (Observer(-171.77, -13.83), "Pacific/Apia"),
    "Kathmandu": (Observer(85.32, 27.71), "Asia/Kathmandu"),
    "the North Pole": (Observer(0, 90), "UTC"),
    "the South Pole": (Observer(0, -90), "Antarctica/McMurdo"),
}


@pytest.mark.parametrize("place", ZONES)
def test_place_has_its_own_zone(place: str) -> None:
    observer, name = ZONES[place]
    zone = zone_at(observer)
    assert (zone.name, zone.source) == (name, "place")


@pytest.mark.parametrize(("shown", "hours"), [("UTC-2", -2), ("UTC+12", 12), ("UTC", 0)])
def test_zone_of_the_seas_is_shown_with_the_sign_that_its_clocks_have(
    shown: str, hours: int
) -> None:
    zone = zone_named(shown)
    assert zone.name == shown
    assert zone.rules.utcoffset(datetime(2026, 1, 1)) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Etc/GMT+2", "UTC-2"),
        ("Etc/GMT-14", "UTC+14"),
        ("Etc/GMT", "UTC"),
        ("Etc/UTC", "UTC"),
        ("Europe/Berlin", "Europe/Berlin"),
        ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("GB", "GB"),
    ],
)
def test_any_iana_name_may_be_given(given: str, shown: str) -> None:
    zone = zone_named(given)
    assert (zone.name, zone.source) == (shown, "given")


@pytest.mark.parametrize("name", timezonenames())
def test_every_zone_of_the_map_has_rules(name: str) -> None:
    assert zone_named(name).rules.utcoffset(datetime(2026, 1, 1)) is not None


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("europe/berlin", "Europe/Berlin"),
        ("Europe/Berln", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        (" Asia/Kathmandu", "Asia/Kathmandu"),
    ],
)
def test_unknown_zone_is_told_the_nearest_names(name: str, near: str) -> None:
    with pytest.raises(UnknownZoneError) as caught:
        zone_named(name)
    assert caught.value.name == name
    assert caught.value.near[0] == near
    assert len(caught.value.near) <= 3


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "/", "../../etc/passwd", "/etc/localtime", "localtime", "posixrules", "Factory"),
        *("Europe", "Europe/", "Europe/Berlin/", "UTC+15", "UTC-13", "UTC+2.5", "+02:00", "\x00"),
        "x" * 2000,
    ],
)
def test_name_of_no_zone_is_refused(name: str) -> None:
    with pytest.raises(UnknownZoneError):
        zone_named(name)


def test_map_of_zones_is_loaded_on_first_use() -> None:
    code = (
        "import sys; from planettracker.sky.zone import zone_at; "
        "from planettracker.sky.site import Observer; "
        "assert 'tzfpy' not in sys.modules; zone_at(Observer(0, 0)); assert 'tzfpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_zones_are_known_on_a_machine_without_any() -> None:
    code = (
        "import datetime, zoneinfo; zoneinfo.reset_tzpath(()); "
        "from planettracker.sky.zone import zone_named; "
        "print(zone_named('Asia/Kathmandu').rules.utcoffset(datetime.datetime(2026, 1, 1)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "5:45:00\n"


# Days

# The date, its beginning in UTC, and how many hours it has.
DAYS = [
    ("Europe/Berlin", "2026-11-30", "2026-11-29T23:00Z", 24),
    ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00Z", 23),
    ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00Z", 25),
    # Midnight is left out: the date begins at 01:00.
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00Z", 23),
    ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00Z", 23),
    # From 23:30 to 00:30.
    ("America/Toronto", "1919-03-30", "1919-03-30T05:00Z", 23.5),
    ("America/Toronto", "1919-03-31", "1919-03-31T04:30Z", 23.5),
    # Back from midnight to 23:00: the day before has that hour twice.
    ("America/Sao_Paulo", "2019-02-16", "2019-02-16T02:00Z", 25),
    # Back from 01:00 to midnight, which comes twice on the date.
    ("America/Havana", "2018-11-04", "2018-11-04T04:00Z", 25),
    # Back from 00:01 to 23:01: the day before goes on.
    ("America/St_Johns", "2006-10-28", "2006-10-28T02:30Z", 25),
    ("America/St_Johns", "2006-10-29", "2006-10-29T03:30Z", 24),
    ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00Z", 24.5),
    ("Antarctica/Troll", "2026-03-29", "2026-03-29T00:00Z", 22),
    # Over the date line, to either side.
    ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00Z", 24),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00Z", 24),
    ("Pacific/Kwajalein", "1969-09-30", "1969-09-29T13:00Z", 47),
    ("Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00Z", 24),
    ("Pacific/Pago_Pago", "2026-01-01", "2026-01-01T11:00Z", 24),
    ("UTC-2", "2026-01-01", "2026-01-01T02:00Z", 24),
    # The ends of what is covered.
    ("Pacific/Kiritimati", "1900-01-01", "1900-01-01T10:29:20Z", 24),
    ("Pacific/Pago_Pago", "2100-12-31", "2100-12-31T11:00Z", 24),
]


@pytest.mark.parametrize(("name", "day", "begin", "hours"), DAYS)
def test_date_begins_and_ends_with_its_zone(name: str, day: str, begin: str, hours: float) -> None:
    found, end = limits(date.fromisoformat(day), zone_named(name))
    assert found == datetime.fromisoformat(begin)
    assert end - found == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("name", "day"), [("Pacific/Apia", "2011-12-30"), ("Pacific/Kwajalein", "1993-08-21")]
)
def test_date_that_a_zone_left_out_is_an_error_of_its_own(name: str, day: str) -> None:
    missing = date.fromisoformat(day)
    with pytest.raises(MissingDateError, match=day) as caught:
        limits(missing, zone_named(name))
    assert (caught.value.day, caught.value.zone.name) == (missing, name)


@pytest.mark.parametrize("day", [date(1899, 12, 31), date(2101, 1, 1)])
def test_date_outside_the_years_that_are_covered_is_refused(day: date) -> None:
    with pytest.raises(DateError):
        limits(day, zone_named("UTC"))


@pytest.mark.parametrize("name", ["America/Havana", "America/St_Johns", "Asia/Gaza", "Asia/Tehran"])
def test_dates_follow_one_another_without_gap_or_overlap(name: str) -> None:
    zone = zone_named(name)
    days = [date(1986, 1, 1) + number * timedelta(days=1) for number in range(9000)]
    spans = [limits(day, zone) for day in days]
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    for day, (begin, end) in zip(days, spans, strict=True):
        assert begin.astimezone(zone.rules).date() == day
        assert (end - timedelta(seconds=1)).astimezone(zone.rules).date() == day


def test_today_is_the_date_of_the_zone() -> None:
    now = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
    assert today(zone_named("Pacific/Kiritimati"), now) == date(2026, 12, 1)
    assert today(zone_named("Pacific/Pago_Pago"), now) == date(2026, 11, 29)


# Clocks


@pytest.mark.parametrize(
    ("name", "at", "shown"),
    [
        ("Europe/Berlin", "2026-10-25T00:30Z", "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25T01:30Z", "2026-10-25T02:30:00+01:00"),
        ("Asia/Kathmandu", "2026-01-01T00:00Z", "2026-01-01T05:45:00+05:45"),
        # Liberia's clocks were 44 min 30 s behind.
        ("Africa/Monrovia", "1970-01-01T00:00Z", "1969-12-31T23:16:00-00:44"),
    ],
)
def test_local_time_has_an_offset_of_whole_minutes_and_is_the_same_instant(
    name: str, at: str, shown: str
) -> None:
    instant = datetime.fromisoformat(at)
    found = local(instant, zone_named(name))
    assert found == instant
    assert found.isoformat() == shown
