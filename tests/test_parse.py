"""Text into numbers, places and instants, or the problem that names the parameter."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from urllib.parse import quote

import pytest

from planettracker.api import parse
from planettracker.api.contract import (
    ELEVATION,
    LAT,
    LON,
    PLACE_AND_TIME,
    TIME,
    Parameter,
    ProblemError,
)
from planettracker.sky import Observer

PARAMETERS = PLACE_AND_TIME


def clock() -> datetime:
    return datetime(2026, 11, 30, 21, 0, 5, 123999, tzinfo=UTC)


def refusal(call: Callable[..., object], *arguments: object) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        call(*arguments)
    return caught.value


# Numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("51.4769", 51.4769),
        ("+51.4769", 51.4769),
        (" 51.4769", 51.4769),  # a "+" that the query's decoding made a space, no minutes of arc
        ("-33.9", -33.9),
        ("0", 0.0),
        ("5.", 5.0),
        (".5", 0.5),
        ("-.5", -0.5),
        (" .5", 0.5),
        ("007.50", 7.5),
        ("90", 90.0),
        ("-90.000", -90.0),
        ("51." + "4" * 1000, 51.44444444444444),
    ],
)
def test_plain_decimal_is_its_value(text: str, value: float) -> None:
    assert parse.number(LAT, text) == value


@pytest.mark.parametrize("text", ["-0", "-0.0", "-.0", "-0.", "-0.0" + "0" * 400 + "1"])
def test_zero_has_no_sign(text: str) -> None:
    assert str(parse.number(LAT, text)) == "0.0"


NOT_NUMBERS = [
    *("nan", "NaN", "-nan", "inf", "-inf", "Infinity", "None", "null", "true", "lat"),
    *("1e2", "1E2", "5_1", "0x33", "51f", "1/2", "5+1"),
    *("51:28", "51:28:37", "51 28", "51:90:00", "51,4", "1,234.5", "51.4.7", "51\u00b028'", "51N"),
    *(" ", "+", "-", ".", "+.", "-.", "--5", "++5", "+-5", "- 5", "  5", "5 ", "5\n", "\t5"),
    "\u0665\u0661",  # Arabic-Indic 51
    "\u06f5\u06f1",  # Persian 51
    "\uff15\uff11",  # fullwidth 51
    "5\u00b2",  # five squared
    "\u221251",  # a minus sign that is no hyphen
    "\u00a05",  # a space that does not break
    "5\u066b1",  # an Arabic decimal mark
    "5\x00",
    "5\ufffd",
]


@pytest.mark.parametrize("text", NOT_NUMBERS)
@pytest.mark.parametrize("parameter", [LON, LAT, ELEVATION], ids=lambda parameter: parameter.name)
def test_anything_but_a_plain_decimal_is_refused(parameter: Parameter, text: str) -> None:
    error = refusal(parse.number, parameter, text)
    assert error.problem.code == "not-a-number"
    assert error.members == {"parameter": parameter.name}
    assert error.detail == f"Send {parameter.name} as {parameter.expected}."


@pytest.mark.parametrize(
    ("parameter", "text"),
    [
        (LAT, "95"),
        (LAT, "-90.00001"),
        (LAT, "90.00001"),
        (LAT, " 91"),
        (LON, "-180.00001"),
        (LON, "360.00001"),
        (LON, "1000000000"),
        (ELEVATION, "-500.1"),
        (ELEVATION, "9000.1"),
        (ELEVATION, "9" * 400),  # infinite as a float
        (ELEVATION, "-" + "9" * 400),
    ],
    ids=lambda value: getattr(value, "name", value[:12] if isinstance(value, str) else value),
)
def test_number_outside_the_limits_is_refused(parameter: Parameter, text: str) -> None:
    error = refusal(parse.observer, {"lat": "0", "lon": "0", parameter.name: text})
    assert error.problem.code == "out-of-range"
    assert error.members == {"parameter": parameter.name}
    assert error.detail == f"Send {parameter.name} as {parameter.expected}."


@pytest.mark.parametrize("parameter", [LON, LAT, ELEVATION], ids=lambda parameter: parameter.name)
def test_limits_belong_to_the_range(parameter: Parameter) -> None:
    assert parameter.limits is not None
    assert tuple(parse.number(parameter, str(limit)) for limit in parameter.limits) == (
        parameter.limits
    )


# Places


@pytest.mark.parametrize(
    ("given", "observer"),
    [
        ({"lat": "48.1", "lon": "11.6"}, Observer(11.6, 48.1, 0)),
        ({"lat": "48.1", "lon": "11.6", "elevation": "520"}, Observer(11.6, 48.1, 520)),
        ({"lat": " 48.1", "lon": "-11.6", "elevation": "-430"}, Observer(-11.6, 48.1, -430)),
        ({"lat": "0", "lon": "0"}, Observer(0, 0, 0)),
        ({"lat": "90", "lon": "0"}, Observer(0, 90, 0)),
    ],
)
def test_place_is_the_one_given(given: dict[str, str], observer: Observer) -> None:
    assert parse.observer(given) == observer


def test_no_place_at_all_is_greenwich_itself() -> None:
    greenwich = Observer(lon_deg=-0.0005, lat_deg=51.4769, elevation_m=0)
    assert parse.observer({}) == greenwich
    assert parse.observer({}) is parse.GREENWICH


def test_greenwich_that_was_given_is_a_place_like_another() -> None:
    assert parse.observer({"lat": "51.4769", "lon": "-0.0005"}) == parse.GREENWICH
    assert parse.observer({"lat": "51.4769", "lon": "-0.0005"}) is not parse.GREENWICH


@pytest.mark.parametrize(
    ("text", "lon_deg"),
    [
        ("-180", -180.0),
        ("179.99999", 179.99999),
        ("180", -180.0),
        ("180.1", -179.9),
        ("270", -90.0),
        ("359.9", -0.1),
        ("359.99999999999", 0.0),
        ("360", 0.0),
        ("-0", 0.0),
    ],
)
def test_longitude_runs_from_minus_180_to_below_180(text: str, lon_deg: float) -> None:
    observer = parse.observer({"lat": "0", "lon": text})
    assert str(observer.lon_deg) == str(lon_deg)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"lat": "48.1"}, LON),
        ({"lon": "11.6"}, LAT),
        ({"lat": "48.1", "elevation": "520"}, LON),
        ({"lon": "11.6", "elevation": "520"}, LAT),
        ({"elevation": "520"}, LAT),
        ({"elevation": "0"}, LAT),
        ({"lat": "north"}, LON),
    ],
)
def test_part_of_a_place_is_refused(given: dict[str, str], missing: Parameter) -> None:
    error = refusal(parse.observer, given)
    assert error.problem.code == "missing-parameter"
    assert error.members == {"parameter": missing.name}
    assert f"Send {missing.name} as {missing.expected}." in error.detail


# Instants


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-30T21:00:00Z", at(2026, 11, 30, 21)),
        ("2026-11-30T21:00Z", at(2026, 11, 30, 21)),
        ("2026-11-30t21:00:00z", at(2026, 11, 30, 21)),
        ("2026-11-30T21:00:00+01:00", at(2026, 11, 30, 20)),
        ("2026-11-30T21:00:00 01:00", at(2026, 11, 30, 20)),  # a "+" that was decoded
        ("2026-11-30T21:00:00+0100", at(2026, 11, 30, 20)),
        ("2026-11-30T21:00:00 0100", at(2026, 11, 30, 20)),
        ("2026-11-30T21:00+01", at(2026, 11, 30, 20)),
        ("2026-11-30T21:00 01", at(2026, 11, 30, 20)),
        ("2026-11-30T21:00-03:30", at(2026, 12, 1, 0, 30)),
        ("2026-11-30T21:00+05:45", at(2026, 11, 30, 15, 15)),
        ("2026-11-30T21:00-00:00", at(2026, 11, 30, 21)),
        ("2026-11-30T21:00+23:59", at(2026, 11, 29, 21, 1)),
        ("2024-02-29T00:00Z", at(2024, 2, 29)),
        ("2026-11-30T21:00:00.5Z", at(2026, 11, 30, 21, 0, 0, 500_000)),
        ("2026-11-30T21:00:00,25Z", at(2026, 11, 30, 21, 0, 0, 250_000)),
        ("2026-11-30T21:00:00.123456Z", at(2026, 11, 30, 21, 0, 0, 123_000)),
        ("2026-11-30T21:00:00.999999999999Z", at(2026, 11, 30, 21, 0, 0, 999_000)),
        ("2026-11-30T21:00:00.0009Z", at(2026, 11, 30, 21)),
        ("1900-01-01T00:00Z", at(1900, 1, 1)),
        ("1900-01-01T01:00+01:00", at(1900, 1, 1)),
        ("1899-12-31T23:00-01:00", at(1900, 1, 1)),
        ("2100-12-31T23:59:59.999999Z", at(2100, 12, 31, 23, 59, 59, 999_000)),
        ("2101-01-01T00:00+00:01", at(2100, 12, 31, 23, 59)),
    ],
)
def test_iso_instant_with_its_offset_is_utc_in_whole_milliseconds(
    text: str, instant: datetime
) -> None:
    parsed = parse.instant({"time": text}, clock)
    assert parsed == instant
    assert parsed.tzinfo is UTC


UNLIKE_AN_INSTANT = [
    *(
        "2026-11-30",
        "21:00Z",
        "now",
        "today",
        "noon",
        "2460000.5",
        "1764536400",
        "20261130T210000Z",
    ),
    *("12/31/2024", "31.12.2024 21:00", "2026/11/30 21:00:00", "2026-11-30 21:00:00Z"),
    *("2026-11-30 21:00", "2026-11-30 21:00+01:00", "2026-11-30Z", "2026-11-30+01:00"),
    *("2026-W48-1T21:00Z", "2026-334T21:00Z", "26-11-30T21:00Z", "+2026-11-30T21:00Z"),
    *("-2026-11-30T21:00Z", "12026-11-30T21:00Z", "2026-1-3T21:00Z", "2026-11T21:00Z"),
    *("2026-11-30T21Z", "2026-11-30T2100Z", "2026-11-30T9:00Z", "2026-11-30T21:00.5Z"),
    *("2026-11-30T21:00:00.Z", "2026-11-30T21:00:0Z", "2026-11-30T21:00:00:00Z"),
    *("2026-11-30T21:00ZZ", "2026-11-30T21:00Z+01:00", "2026-11-30T21:00 Z", "2026-11-30T21:00UTC"),
    *("2026-11-30T21:00 +01:00", "2026-11-30T21:00  01:00", "2026-11-30T21:00 -01:00"),
    *("2026-11-30T21:00+1", "2026-11-30T21:00+1:00", "2026-11-30T21:00+01:00:30"),
    # The offset's minutes are carried by Python's own parser: 02:15.
    *("2026-11-30T21:00+01:60", "2026-11-30T21:00 0175", "2026-11-30T21:00+23:99"),
    *("2026-11-30T21:00+01:00[Europe/Berlin]", "2026-11-30T21:00 Europe/Berlin"),
    *(" 2026-11-30T21:00Z", "2026-11-30T21:00Z ", "2026-11-30T21:00Z\n", "2026-11-30T21:00 01\n"),
    *("2026-11-30T21:00\u221201:00", "\u0662\u0660\u0662\u0666-11-30T21:00Z"),
]
WITHOUT_OFFSET = [
    *("2026-11-30T21:00", "2026-11-30T21:00:00", "2026-11-30T21:00:00.5", "2024-02-30T00:00"),
]
NEVER = [
    *("2024-02-30T00:00:00Z", "2023-02-29T00:00Z", "2026-13-01T00:00Z", "2026-00-01T00:00Z"),
    *("2026-11-00T00:00Z", "2026-11-31T00:00Z", "2026-11-30T24:00Z", "2026-11-30T25:00Z"),
    *("2026-11-30T21:60Z", "2026-11-30T21:00:60Z", "2016-12-31T23:59:60Z", "0000-01-01T00:00Z"),
    *("2026-11-30T21:00+24:00", "2026-11-30T21:00-99:00"),
]
OUT_OF_RANGE = [
    *("1899-12-31T23:59:59.999999Z", "1900-01-01T00:59:59+01:00", "1600-01-01T00:00Z"),
    *("2101-01-01T00:00Z", "2100-12-31T23:00-01:00", "2500-01-01T00:00Z"),
    *("0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59"),
]
ASK_FOR_TIME = f"Send time as {TIME.expected}."


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        *((text, "not-an-instant", ASK_FOR_TIME) for text in UNLIKE_AN_INSTANT),
        *(
            (text, "not-an-instant", f"The offset from UTC is missing. {ASK_FOR_TIME}")
            for text in WITHOUT_OFFSET
        ),
        *(
            (text, "not-an-instant", f"There is no such date or time of day. {ASK_FOR_TIME}")
            for text in NEVER
        ),
        *((text, "out-of-range", ASK_FOR_TIME) for text in OUT_OF_RANGE),
    ],
)
def test_any_other_text_is_no_instant(text: str, code: str, detail: str) -> None:
    error = refusal(parse.instant, {"time": text}, clock)
    assert (error.problem.code, error.detail) == (code, detail)
    assert error.members == {"parameter": "time"}


def test_no_time_is_now_in_whole_milliseconds() -> None:
    assert parse.instant({}, clock) == at(2026, 11, 30, 21, 0, 5, 123_000)


# Whole queries

GREENWICH = (-0.0005, 51.4769, 0.0)
MUNICH = (11.6, 48.1, 0.0)
THEN = at(2026, 11, 30, 21)
THIS_MOMENT = at(2026, 11, 30, 21, 0, 5, 123_000)


def read(query: str) -> tuple[tuple[float, float, float], datetime]:
    given = parse.values(query, PLACE_AND_TIME)
    observer = parse.observer(given)
    return (
        (observer.lon_deg, observer.lat_deg, observer.elevation_m),
        parse.instant(given, clock),
    )


@pytest.mark.parametrize(
    ("query", "place", "instant"),
    [
        ("", GREENWICH, THIS_MOMENT),
        ("lat=48.1&lon=11.6", MUNICH, THIS_MOMENT),
        ("lon=11.6&lat=48.1", MUNICH, THIS_MOMENT),
        ("lat=+48.1&lon=+11.6", MUNICH, THIS_MOMENT),
        ("lat=%2B48.1&lon=%2B11.6", MUNICH, THIS_MOMENT),
        ("l%61t=48%2E1&lon=11.6", MUNICH, THIS_MOMENT),
        ("&lat=48.1&&lon=11.6&", MUNICH, THIS_MOMENT),
        ("lat=-33.9&lon=151.2&elevation=58", (151.2, -33.9, 58.0), THIS_MOMENT),
        ("lat=0&lon=0&elevation=0", (0.0, 0.0, 0.0), THIS_MOMENT),
        ("lat=48.1&lon=359", (-1.0, 48.1, 0.0), THIS_MOMENT),
        # A form sends what was left blank.
        ("lat=&lon=&elevation=&time=", GREENWICH, THIS_MOMENT),
        ("lat&lon&elevation&time", GREENWICH, THIS_MOMENT),
        ("lat=+&lon=%20&elevation=%09&time=++", GREENWICH, THIS_MOMENT),
        ("lat=48.1&lon=11.6&elevation=&time=", MUNICH, THIS_MOMENT),
        ("time=2026-11-30T21:00:00Z", GREENWICH, THEN),
        ("time=2026-11-30T22:00+01:00&lat=48.1&lon=11.6", MUNICH, THEN),
        ("time=2026-11-30T22:00%2B01:00", GREENWICH, THEN),
        ("time=2026-11-30T22%3A00%3A00%2B01%3A00", GREENWICH, THEN),
        ("time=2026-11-30T19:00-0200", GREENWICH, THEN),
        (f"time={quote('2026-11-30T21:00:00.000Z')}", GREENWICH, THEN),
    ],
)
def test_query_is_a_place_and_an_instant(
    query: str, place: tuple[float, float, float], instant: datetime
) -> None:
    assert read(query) == (place, instant)


@pytest.mark.parametrize(
    ("query", "code", "parameter"),
    [
        ("lat=48.1", "missing-parameter", "lon"),
        ("lon=11.6", "missing-parameter", "lat"),
        ("lat=48.1&lon=", "missing-parameter", "lon"),
        ("lat=+&lon=11.6", "missing-parameter", "lat"),
        ("elevation=520", "missing-parameter", "lat"),
        ("elevation=520&lat=&lon=", "missing-parameter", "lat"),
        ("lat=48.1;lon=11.6", "missing-parameter", "lon"),
        ("lat=48.1&lat=48.1&lon=11.6", "repeated-parameter", "lat"),
        ("lat=48.1&lon=11.6&lat=", "repeated-parameter", "lat"),
        ("lat=&lat=&lon=", "repeated-parameter", "lat"),
        ("time&time", "repeated-parameter", "time"),
        ("lat=48.1&l%61t=48.1", "repeated-parameter", "lat"),
        ("long=11.6&lat=48.1", "unknown-parameter", "long"),
        ("lat=48.1&lon=11.6&tz=", "unknown-parameter", "tz"),
        ("lat=48.1&lon=11.6&LAT=48.1", "unknown-parameter", "LAT"),
        ("lat[]=48.1&lon=11.6", "unknown-parameter", "lat[]"),
        ("+lat=48.1&lon=11.6", "unknown-parameter", " lat"),
        ("=48.1", "unknown-parameter", ""),
        ("48.1,11.6", "unknown-parameter", "48.1,11.6"),
        ("lat=48.1&amp;lon=11.6", "unknown-parameter", "amp;lon"),
        ("?lat=48.1&lon=11.6", "unknown-parameter", "?lat"),
        ("callback=%00", "unknown-parameter", "callback"),
        ("%ff=1", "unknown-parameter", "\ufffd"),
        ("lat=++48.1&lon=11.6", "not-a-number", "lat"),
        ("lat=48,1&lon=11.6", "not-a-number", "lat"),
        ("lat=48.1&lon=11.6+", "not-a-number", "lon"),
        ("lat=%d9%a5%d9%a1&lon=11.6", "not-a-number", "lat"),
        ("lat=%ff&lon=11.6", "not-a-number", "lat"),
        ("lat=48%&lon=11.6", "not-a-number", "lat"),
        ("lat=NaN&lon=11.6", "not-a-number", "lat"),
        ("lat=48.1&lon=11.6&elevation=inf", "not-a-number", "elevation"),
        ("lat==48.1&lon=11.6", "not-a-number", "lat"),
        ("lat=95&lon=11.6", "out-of-range", "lat"),
        ("lat=48.1&lon=1000000000", "out-of-range", "lon"),
        ("lat=48.1&lon=11.6&elevation=10000", "out-of-range", "elevation"),
        ("time=2026-11-30", "not-an-instant", "time"),
        ("time=2026-11-30T21:00", "not-an-instant", "time"),
        ("time=2026-11-30+21:00", "not-an-instant", "time"),
        ("time=2026-11-30T21:00++01:00", "not-an-instant", "time"),
        ("time=2026-11-30T21:00:60Z", "not-an-instant", "time"),
        ("time=1899-12-31T23:59:59Z", "out-of-range", "time"),
        ("time=2101-01-01T00:00Z", "out-of-range", "time"),
    ],
)
def test_faulty_query_is_a_problem_that_names_the_parameter(
    query: str, code: str, parameter: str
) -> None:
    error = refusal(read, query)
    assert (error.problem.code, error.members) == (code, {"parameter": parameter})


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("long", "lon"),
        ("lng", "lon"),
        ("longitude", "lon"),
        ("Lon", "lon"),
        ("LAT", "lat"),
        ("latitude", "lat"),
        ("lat[]", "lat"),
        ("elev", "elevation"),
        ("elevaton", "elevation"),
        ("alt", "elevation"),
        ("altitude", "elevation"),
        ("height", "elevation"),
        ("date", "time"),
        ("times", "time"),
        ("datetime", "time"),
    ],
)
def test_unknown_parameter_is_told_the_nearest_name(name: str, nearest: str) -> None:
    error = refusal(parse.values, f"{quote(name)}=1", PLACE_AND_TIME)
    assert error.detail.endswith(f"did you mean {nearest}?")


@pytest.mark.parametrize(
    ("parameters", "advice"),
    [(PLACE_AND_TIME, "it takes lon, lat, elevation, time."), ({}, "it takes none.")],
)
def test_unknown_parameter_far_from_any_is_told_them_all(
    parameters: tuple[Parameter, ...], advice: str
) -> None:
    assert refusal(parse.values, "q=1", parameters).detail.endswith(advice)


def test_repeated_parameter_is_told_to_come_once() -> None:
    assert "once" in refusal(parse.values, "lat=1&lat=1", PLACE_AND_TIME).detail


# Dates and zones


def place_zone(given: dict[str, str]) -> str:
    return parse.zone(given, parse.observer(given)).name


def test_zone_is_the_place_s_own_unless_one_is_given() -> None:
    munich = {"lat": "48.1", "lon": "11.6"}
    assert place_zone(munich) == "Europe/Berlin"
    assert place_zone({**munich, "tz": "Asia/Tokyo"}) == "Asia/Tokyo"
    assert place_zone({}) == "Europe/London"


@pytest.mark.parametrize("text", ["Etc/GMT+2", "Etc/GMT 2", "UTC-2"])
def test_plus_of_a_zone_may_have_become_a_space(text: str) -> None:
    assert place_zone({"tz": text}) == "UTC-2"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("europe/paris", "Did you mean Europe/Paris"),
        ("Berlin", "Did you mean Europe/Berlin? "),
        ("+02:00", "Send tz as a time zone by its IANA name"),
        ("../etc/passwd", "Send tz as"),
        ("\ufffd", "Send tz as"),
    ],
)
def test_unknown_zone_is_refused_with_the_nearest_names(text: str, hint: str) -> None:
    error = refusal(parse.zone, {"tz": text}, parse.GREENWICH)
    assert error.problem.code == "unknown-zone"
    assert error.detail.startswith(hint)
    assert error.members == {"parameter": "tz"}


def test_date_is_the_one_given_or_else_today_in_the_zone() -> None:
    kiritimati = parse.zone({"tz": "Pacific/Kiritimati"}, parse.GREENWICH)
    assert parse.day({"date": "2024-02-29"}, kiritimati, clock) == date(2024, 2, 29)
    assert parse.day({}, kiritimati, clock) == date(2026, 12, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "not-a-date") for text in ("today", "2026-1-1", "20261130", "30.11.2026")),
        *(
            (text, "not-a-date")
            for text in ("2026-02-29", "2026-13-01", "2026-11-31", "0000-01-01")
        ),
        *((text, "not-a-date") for text in ("2026-W48-1", "2026-334", "2026-11-30T00:00Z", "-")),
        *((text, "not-a-date") for text in ("2026-11-30\n", " 2026-11-30", "\u0662026-11-30")),
        ("1899-12-31", "out-of-range"),
        ("2101-01-01", "out-of-range"),
    ],
)
def test_text_that_is_no_date_is_refused(text: str, code: str) -> None:
    zone = parse.zone({"tz": "UTC"}, parse.GREENWICH)
    error = refusal(parse.day, {"date": text}, zone, clock)
    assert error.problem.code == code
    assert "such as 2026-11-30" in error.detail
    assert error.members == {"parameter": "date"}
