"""The path of a body: the instants of a span, and the columns of the reply."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import orjson
import pytest

from planettracker.api import track as route
from planettracker.api.contract import FIELDS, ProblemError
from planettracker.api.messages import Request, Response
from planettracker.api.tables import TRACK_FIELDS
from planettracker.sky import InstantError, Observer, PlanetTracker, UnknownBodyError
from planettracker.sky.track import MAX_POINTS, TooManyPointsError, track

MUNICH = PlanetTracker(Observer(11.6, 48.1, 520))
START = datetime(2026, 11, 30, 21, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
NOW = datetime(2026, 11, 30, 21, 0, 5, 123999, tzinfo=UTC)


# The path


def test_track_includes_its_start_and_its_end() -> None:
    path = track(MUNICH, "mars", START, START + DAY, 10 * MINUTE)
    assert len(path.instants) == len(path.ephemerides) == 145
    assert (path.instants[0], path.instants[-1]) == (START, START + DAY)


def test_track_ends_with_the_last_whole_step_before_its_end() -> None:
    path = track(MUNICH, "mars", START, START + 25 * MINUTE, 10 * MINUTE)
    assert path.instants == (START, START + 10 * MINUTE, START + 20 * MINUTE)


def test_track_to_its_start_is_one_point() -> None:
    assert track(MUNICH, "mars", START, START, MINUTE).instants == (START,)


def test_each_point_is_the_bodys_place_at_its_instant() -> None:
    """Across the leap second at the end of 2016."""
    start = datetime(2016, 12, 31, 23, 59, 58, tzinfo=UTC)
    path = track(MUNICH, "Moon", start, start + 5 * MINUTE, timedelta(seconds=1))
    assert path.name == "moon"
    for at, ephemeris in zip(path.instants, path.ephemerides, strict=True):
        assert ephemeris == MUNICH.ephemeris("moon", at)


def test_track_of_most_points_is_answered_and_of_one_more_refused() -> None:
    end = START + (MAX_POINTS - 1) * timedelta(seconds=6)
    assert (
        len(track(MUNICH, "sun", START, end, timedelta(seconds=6)).instants) == MAX_POINTS == 2000
    )
    with pytest.raises(TooManyPointsError, match=r"at most 2,000 points, not 2,001") as caught:
        track(MUNICH, "sun", START, end + timedelta(seconds=6), timedelta(seconds=6))
    assert caught.value.points == 2001


def test_track_of_no_body_and_of_no_instant_is_refused() -> None:
    with pytest.raises(UnknownBodyError):
        track(MUNICH, "earth", START, START + DAY, MINUTE * 60)
    with pytest.raises(InstantError):
        track(MUNICH, "mars", START.replace(year=2101), START.replace(year=2101), MINUTE)


# The reply


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "clock", lambda: NOW)


def asked(name: str = "mars", **query: str) -> Response:
    text = "&".join(f"{parameter}={quote(value)}" for parameter, value in query.items())
    response = route.planet_track(Request("GET", text, {"name": name}, {}))
    assert isinstance(response, Response)
    return response


def ask(name: str = "mars", **query: str) -> dict:
    answer: dict = orjson.loads(asked(name, **query).body)
    return answer


def refusal(**query: str) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        asked(**query)
    return caught.value


GIVEN = {"start": "2026-11-30T21:00:00Z", "end": "2026-11-30T22:00:00Z", "step": "20"}


def test_reply_says_what_it_is_for_and_has_a_column_for_each_field() -> None:
    answer = ask("MARS", **GIVEN, lat="48.1", lon="11.6", elevation="520", fields="magnitude,az,up")
    columns = answer.pop("columns")
    assert answer == {
        "name": "mars",
        "observer": {"lon": 11.6, "lat": 48.1, "elevation": 520.0, "source": "given"},
        "start": "2026-11-30T21:00:00Z",
        "end": "2026-11-30T22:00:00Z",
        "step": 20.0,
        "points": 4,
    }
    assert list(columns) == ["time", "magnitude", "az", "up"]
    assert columns["time"] == [
        f"2026-11-30T{time}:00Z" for time in ("21:00", "21:20", "21:40", "22:00")
    ]
    assert all(len(column) == 4 for column in columns.values())


def test_columns_are_the_members_of_the_body_at_each_time() -> None:
    from planettracker.api.handlers import planet

    fields = [field.name for field in FIELDS if field.name != "name"]
    columns = ask("moon", **GIVEN, fields=",".join(fields))["columns"]
    assert list(columns) == ["time", *fields]
    for number, at in enumerate(columns["time"]):
        reply = planet(Request("GET", f"time={at}", {"name": "moon"}, {}))
        assert isinstance(reply, Response)
        body = orjson.loads(reply.body)
        assert {name: columns[name][number] for name in fields} == {n: body[n] for n in fields}


def test_by_default_a_track_goes_from_now_through_a_day_by_ten_minutes() -> None:
    answer = ask()
    assert answer["start"] == "2026-11-30T21:00:05.123Z"
    assert answer["end"] == "2026-12-01T21:00:05.123Z"
    assert (answer["step"], answer["points"]) == (10.0, 145)
    assert list(answer["columns"]) == ["time", "az", "alt"]
    assert answer["columns"]["time"][-1] == answer["end"]


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ({"start": GIVEN["start"]}, "2026-11-30T21:00:00Z", "2026-12-01T21:00:00Z"),
        ({"start": "2026-11-30T22:00:00+01:00"}, "2026-11-30T21:00:00Z", "2026-12-01T21:00:00Z"),
        ({"start": "2026-11-30T22:00:00 01:00"}, "2026-11-30T21:00:00Z", "2026-12-01T21:00:00Z"),
        ({"start": GIVEN["start"], "end": " "}, "2026-11-30T21:00:00Z", "2026-12-01T21:00:00Z"),
        ({"start": GIVEN["start"], "end": GIVEN["start"]}, GIVEN["start"], GIVEN["start"]),
        (
            {"start": "2026-11-30T21:00:00.1239Z", "end": "2026-11-30T21:00:01.5Z"},
            "2026-11-30T21:00:00.123Z",
            "2026-11-30T21:00:01.500Z",
        ),
    ],
)
def test_start_and_end_are_read_as_time_is(query: Mapping[str, str], start: str, end: str) -> None:
    answer = ask(**query)
    assert (answer["start"], answer["end"]) == (start, end)


@pytest.mark.parametrize(
    ("step", "echo", "points"),
    [("0.1", 0.1, 601), ("1440", 1440.0, 1), ("7.5", 7.5, 9), ("0.12345", 0.12345, 487)],
)
def test_step_is_in_minutes(step: str, echo: float, points: int) -> None:
    answer = ask(**{**GIVEN, "step": step})
    assert (answer["step"], answer["points"]) == (echo, points)


def test_reply_is_kept_exactly_if_its_start_is_given() -> None:
    assert asked(**GIVEN).headers["Cache-Control"] == "public, max-age=86400"
    assert "ETag" in asked(start=GIVEN["start"]).headers
    assert asked().headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "code", "parameter"),
    [
        ({"end": GIVEN["end"]}, "missing-parameter", "start"),
        ({"start": GIVEN["end"], "end": GIVEN["start"]}, "end-before-start", "end"),
        ({"start": "2026-11-30"}, "not-an-instant", "start"),
        ({"start": "2026-11-30T21:00:00"}, "not-an-instant", "start"),
        ({**GIVEN, "end": "2026-11-31T21:00:00Z"}, "not-an-instant", "end"),
        ({"start": "1899-12-31T23:59:59Z"}, "out-of-range", "start"),
        ({"start": "2101-01-01T00:00:00Z"}, "out-of-range", "start"),
        ({**GIVEN, "end": "2101-01-01T00:00:00Z"}, "out-of-range", "end"),
        ({"start": "2100-12-31T12:00:00Z"}, "out-of-range", "end"),
        ({**GIVEN, "step": "0"}, "out-of-range", "step"),
        ({**GIVEN, "step": "0.09999"}, "out-of-range", "step"),
        ({**GIVEN, "step": "1440.1"}, "out-of-range", "step"),
        ({**GIVEN, "step": "-10"}, "out-of-range", "step"),
        ({**GIVEN, "step": "10m"}, "not-a-number", "step"),
        ({**GIVEN, "step": "nan"}, "not-a-number", "step"),
        ({"start": GIVEN["start"], "step": "0.7"}, "too-many-points", "step"),
        ({**GIVEN, "fields": "azimuth"}, "unknown-field", "fields"),
        ({**GIVEN, "fields": "name"}, "unknown-field", "fields"),
        ({**GIVEN, "fields": "time"}, "unknown-field", "fields"),
        ({**GIVEN, "fields": "az,,alt"}, "unknown-field", "fields"),
        ({**GIVEN, "fields": "AZ"}, "unknown-field", "fields"),
        ({**GIVEN, "fields": ","}, "unknown-field", "fields"),
        ({**GIVEN, "time": GIVEN["start"]}, "unknown-parameter", "time"),
    ],
)
def test_what_is_wrong_is_told_with_its_parameter(
    query: Mapping[str, str], code: str, parameter: str
) -> None:
    error = refusal(**query)
    assert (error.problem.code, error.members) == (code, {"parameter": parameter})


def test_too_many_points_are_counted_and_the_limit_is_said() -> None:
    error = refusal(start=GIVEN["start"], step="0.1")
    assert "14,401 points" in error.detail
    assert "at most 2,000" in error.detail


def test_unknown_field_is_told_which_there_are() -> None:
    error = refusal(**GIVEN, fields="magnitud")
    assert error.detail.endswith("Did you mean magnitude?")
    assert all(name in error.detail for name in TRACK_FIELDS)


@pytest.mark.parametrize("fields", ["az, alt", " az,alt ", "az,alt,az"])
def test_field_is_there_once_and_spaces_do_not_matter(fields: str) -> None:
    assert list(ask(**GIVEN, fields=fields)["columns"]) == ["time", "az", "alt"]


def test_unknown_body_comes_before_a_bad_query() -> None:
    with pytest.raises(UnknownBodyError):
        asked("earth", step="x")
