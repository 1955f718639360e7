"""The tables of the contract against what they speak of, and what a value is on the wire."""

import inspect
import re
from collections import Counter
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from math import inf, nan
from types import SimpleNamespace
from urllib.parse import quote

import orjson
import pytest

from planettracker.api import contract, handlers
from planettracker.api.contract import (
    FIELDS,
    PLACE_AND_TIME,
    PROBLEMS,
    TIME,
    TITLES,
    Parameter,
    ProblemError,
)
from planettracker.api.fields import Field, encoder
from planettracker.api.messages import Request, Response
from planettracker.api.tables import IDENTIFY, TRACK
from planettracker.sky import Ephemeris, Observer, PlanetTracker
from planettracker.sky.ephemeris import END_INSTANT, FIRST_INSTANT

NUMBERS = [field for field in FIELDS if field.decimals is not None]
PARAMETERS = {**PLACE_AND_TIME, **TRACK, **IDENTIFY}
WITH_LIMITS = [parameter for parameter in PARAMETERS.values() if parameter.limits is not None]


def named(row: Field | Parameter) -> str:
    return row.name


# Fields


def on_the_wire(field: Field, value: object) -> object:
    return encoder((field,))(SimpleNamespace(**{field.attribute: value}))[field.name]


def test_fields_and_attributes_of_an_ephemeris_are_the_same() -> None:
    assert Counter(field.attribute for field in FIELDS) == Counter(
        attribute.name for attribute in fields(Ephemeris)
    )


def test_names_on_the_wire_are_those_of_the_contract_in_order() -> None:
    assert [field.name for field in FIELDS] == [
        *("name", "az", "alt", "alt_apparent", "ra", "dec", "distance_au", "magnitude"),
        *("elongation", "illuminated", "phase_name", "diameter_arcsec", "constellation", "up"),
    ]


@pytest.mark.parametrize("field", FIELDS, ids=named)
def test_field_without_decimals_is_no_number(field: Field) -> None:
    mars = PlanetTracker(Observer(0, 0)).ephemeris("mars", datetime(2026, 6, 1, 12, tzinfo=UTC))
    value = getattr(mars, field.attribute)
    assert isinstance(value, float) is (field.decimals is not None)


@pytest.mark.parametrize("field", FIELDS, ids=named)
def test_none_stays_none_where_it_may_be(field: Field) -> None:
    if field.nullable or field.decimals is None:
        assert on_the_wire(field, None) is None


@pytest.mark.parametrize("value", [nan, inf, -inf])
@pytest.mark.parametrize("field", NUMBERS, ids=named)
def test_value_that_is_no_number_is_refused(field: Field, value: float) -> None:
    with pytest.raises((ValueError, OverflowError)):
        on_the_wire(field, value)


@pytest.mark.parametrize("value", [True, False, "mars", "Psc"])
def test_value_without_decimals_is_written_as_it_is(value: object) -> None:
    assert on_the_wire(Field("name", "name", None, None, ""), value) is value


# As JSON, in which -0.0 and 0.0 differ.
@pytest.mark.parametrize(
    ("value", "decimals", "circle", "written"),
    [
        (-0.000001, 5, False, "0.0"),
        (-0.000001, 5, True, "0.0"),
        (-0.0, 5, False, "0.0"),
        (-0.0, 5, True, "0.0"),
        (-0.004, 2, False, "0.0"),
        (-0.006, 2, False, "-0.01"),
        (359.999999, 5, True, "0.0"),
        (359.999994, 5, True, "359.99999"),
        (360.0, 5, True, "0.0"),
        (360.00001, 5, True, "0.00001"),
        (359.999999, 5, False, "360.0"),
        (0.000001, 5, True, "0.0"),
        (180.0, 5, True, "180.0"),
        (123.456789, 5, True, "123.45679"),
        (123.456789, 5, False, "123.45679"),
        (-12.3456789, 5, False, "-12.34568"),
        (0.00245678949, 7, False, "0.0024568"),
        (-3.79, 2, False, "-3.79"),
        (0.99994, 4, False, "0.9999"),
        (0.99996, 4, False, "1.0"),
        (12.0, 2, False, "12.0"),
    ],
)
def test_number_is_rounded_then_rid_of_minus_zero_and_360(
    value: float, decimals: int, circle: bool, written: str
) -> None:
    field = Field("x", "x", None, decimals, "", circle=circle)
    assert orjson.dumps(on_the_wire(field, value)).decode() == written


@pytest.mark.parametrize("field", NUMBERS, ids=named)
def test_every_answer_is_true_to_the_decimals_stated_and_has_no_more(field: Field) -> None:
    assert field.decimals is not None
    last_decimal = Decimal(1).scaleb(-field.decimals)
    for body in month_of_sky():
        value = getattr(body, field.attribute)
        if value is None:
            continue
        written = Decimal(orjson.dumps(on_the_wire(field, value)).decode())
        assert written == written.quantize(last_decimal)
        assert abs(written - Decimal(value)) <= last_decimal * Decimal("0.500001"), value


@cache
def month_of_sky() -> list[Ephemeris]:
    tracker = PlanetTracker(Observer(151.2, -33.9, 58))
    instants = [datetime(2026, 6, 1, tzinfo=UTC) + timedelta(hours=7 * n) for n in range(100)]
    return [body for at in instants for body in tracker.sky(at)]


def test_only_angles_around_a_circle_turn_360_into_0() -> None:
    assert {field.name for field in FIELDS if field.circle} == {"az", "ra"}


def test_angles_have_five_decimals() -> None:
    assert {field.decimals for field in FIELDS if field.unit == "degrees"} == {5}


# Parameters


@pytest.mark.parametrize("parameter", WITH_LIMITS, ids=named)
def test_limits_of_a_parameter_stand_in_its_sentence(parameter: Parameter) -> None:
    assert parameter.limits is not None
    low, high = parameter.limits
    assert f" from {low:g} to {high:g}" in parameter.expected


def test_years_of_time_stand_in_its_sentence() -> None:
    last = END_INSTANT - timedelta(microseconds=1)
    assert f" from {FIRST_INSTANT.year} to {last.year} " in TIME.expected
    assert "offset" in TIME.expected


def test_names_of_parameters_differ() -> None:
    names = [parameter.name for parameter in PLACE_AND_TIME.values()]
    assert names == ["lon", "lat", "elevation", "time"]


# Problems


def test_each_code_is_one_row() -> None:
    # From the source: a dictionary would keep the last of two rows.
    codes = re.findall(r'\bProblem\("([^"]+)"', inspect.getsource(contract))
    assert codes == list(PROBLEMS)


@pytest.mark.parametrize("code", PROBLEMS)
def test_problem_has_a_code_in_kebab_case_a_title_and_an_occasion(code: str) -> None:
    problem = PROBLEMS[code]
    assert problem.code == code
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
    assert problem.status in TITLES
    assert problem.when


def test_every_title_is_used() -> None:
    assert set(TITLES) == {problem.status for problem in PROBLEMS.values()}


def test_error_carries_its_row_its_sentence_and_its_members() -> None:
    error = ProblemError("out-of-range", "Send less.", parameter="lat")
    assert error.problem is PROBLEMS["out-of-range"]
    assert (error.detail, str(error)) == ("Send less.", "Send less.")
    assert error.members == {"parameter": "lat"}


def test_error_of_no_row_cannot_be_raised() -> None:
    with pytest.raises(KeyError):
        ProblemError("teapot", "Send coffee.")


# The instant and the observer of a reply


def ask(query: str) -> dict[str, object]:
    request = Request("GET", query, {"name": "mars"}, {})
    reply = handlers.planet(request)
    assert isinstance(reply, Response)
    answer: dict[str, object] = orjson.loads(reply.body)
    return answer


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("2026-11-30T21:00:00Z", "2026-11-30T21:00:00Z"),
        ("2026-11-30T21:00Z", "2026-11-30T21:00:00Z"),
        ("2026-11-30T22:30:15+01:00", "2026-11-30T21:30:15Z"),
        ("2026-11-30T21:00:00.5Z", "2026-11-30T21:00:00.500Z"),
        ("2026-11-30T21:00:00.001Z", "2026-11-30T21:00:00.001Z"),
        ("2026-11-30T21:00:00.1234567Z", "2026-11-30T21:00:00.123Z"),
        ("2026-11-30T21:00:00.000Z", "2026-11-30T21:00:00Z"),
        ("2026-11-30T21:00:00.0009Z", "2026-11-30T21:00:00Z"),
        ("1900-01-01T00:00Z", "1900-01-01T00:00:00Z"),
    ],
)
def test_time_is_echoed_in_utc_with_milliseconds_only_where_there_are_some(
    text: str, echo: str
) -> None:
    assert ask(f"time={quote(text)}")["time"] == echo


@pytest.mark.parametrize("text", ["2026-11-30T21:00:00.5Z", "2026-11-30T21:00:00+05:45"])
def test_echoed_time_asks_for_the_same_answer_again(text: str) -> None:
    answer = ask(f"time={quote(text)}")
    assert ask(f"time={answer['time']}") == answer


@pytest.mark.parametrize(
    ("query", "observer"),
    [
        ("", {"lon": -0.0005, "lat": 51.4769, "elevation": 0.0, "source": "default"}),
        (
            "lat=48.1&lon=271.6&elevation=520",
            {"lon": -88.4, "lat": 48.1, "elevation": 520.0, "source": "given"},
        ),
    ],
)
def test_observer_is_echoed_with_its_source(query: str, observer: dict[str, object]) -> None:
    assert ask(query)["observer"] == observer


def test_reply_has_its_instant_its_observer_and_every_field_in_order() -> None:
    assert list(ask("")) == ["time", "observer", *(field.name for field in FIELDS)]
