"""Which format a reply comes in, what says so, and how CSV and calendars are written."""

import csv
import io
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone

import orjson
import pytest
from icalendar import Calendar

from planettracker.api import calendar, formats, parse
from planettracker.api.contract import CALENDAR, CSV, FORMAT, JSON, ProblemError, Route
from planettracker.api.fields import Field
from planettracker.api.messages import Request, Response, Steps
from planettracker.api.respond import etag, respond, run
from planettracker.api.routes import ROUTES

OFFERED = (JSON, CSV, CALENDAR)
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"


def asking(
    accept: str | None = None, query: str = "", method: str = "GET", **headers: str
) -> Request:
    sent: Mapping[str, str] = {} if accept is None else {"Accept": accept}
    return Request(method, query, {}, {**sent, **headers})


def handler(request: Request) -> Response:
    given = parse.values(request.query, {FORMAT.name: FORMAT})
    form = formats.chosen(request, given, OFFERED)
    body = form.name.encode()
    return Response(200, {"Content-Type": form.media_type, "ETag": etag(body)}, body)


NEGOTIATED = Route("/try", handler, {FORMAT.name: FORMAT}, "to try", formats=OFFERED)


def answer(request: Request, route: Route = NEGOTIATED) -> Response:
    return run(respond(route, request))


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        (None, "json"),
        ("", "json"),
        ("*/*", "json"),
        (BROWSER, "json"),
        ("application/json", "json"),
        ("application/*", "json"),
        ("APPLICATION/JSON", "json"),
        ("text/csv", "csv"),
        ("Text/CSV", "csv"),
        ("text/calendar", "ics"),
        # Of two in one range the first offered.
        ("text/*", "csv"),
        ("text/csv, application/json", "json"),
        # Quality goes before the order of either side.
        ("application/json;q=0.5, text/csv;q=0.6", "csv"),
        ("application/json;q=0.5, text/csv", "csv"),
        ("text/csv;q=0.001, text/calendar;q=0.002", "ics"),
        ("text/csv ; q=0.2 ,\ttext/calendar ; Q=0.3", "ics"),
        ("text/csv;q=1.000, application/json;q=0.999", "csv"),
        # Of equal quality what is named goes before what is starred.
        ("text/csv, */*", "csv"),
        ("text/calendar, text/*", "ics"),
        ("application/json, text/plain, */*", "json"),
        # The most specific range says what a type is worth, wherever it stands.
        ("*/*, application/json;q=0.1", "csv"),
        ("application/json;q=0.1, */*", "csv"),
        ("text/*;q=0.9, text/csv;q=0.1, application/json;q=0.5", "ics"),
        ("*/*;q=0.1, application/json;q=0", "csv"),
        ("text/*, text/csv;q=0, text/calendar;q=0.5", "ics"),
        # Parameters of a type: UTF-8 is what there is.
        ("text/csv; charset=utf-8", "csv"),
        ('text/csv; charset="UTF-8"', "csv"),
        ("application/json;charset=utf-8", "json"),
        ("text/csv;charset=utf-16, text/calendar;q=0.1", "ics"),
        ("text/csv;charset=utf-8;q=0.1, text/csv;q=0.9, text/calendar;q=0.5", "ics"),
        ("text/csv;q=0.9;level=1, text/calendar;q=0.8", "csv"),
        # What is no media range, or has no valid quality, is skipped.
        ("csv", "json"),
        ("text/csv/x", "json"),
        ("*/csv, text/calendar", "ics"),
        ("text/csv;q=2, text/calendar;q=0.1", "ics"),
        ("text/csv;q=0.1234, text/calendar;q=0.1", "ics"),
        ("text/csv;q=, text/calendar;q=0.1", "ics"),
        (",,text/csv,,", "csv"),
        ('text/x;a=", text/csv, ";q=1, text/calendar;q=0.1', "ics"),
        ('text/calendar;q=0.5, text/x;a="\\", text/csv', "ics"),
    ],
)
def test_accept_chooses_as_rfc_9110_says(accept: str | None, name: str) -> None:
    assert formats.chosen(asking(accept), {}, OFFERED).name == name


@pytest.mark.parametrize(
    "accept",
    ["text/html", "image/*", "*/*;q=0", "application/json;q=0", "text/csv;charset=latin-1"],
)
def test_accept_that_cannot_be_met_is_told_what_there_is(accept: str) -> None:
    reply = answer(asking(accept))
    problem = orjson.loads(reply.body)
    assert (reply.status, problem["code"]) == (406, "not-acceptable")
    assert problem["formats"] == {
        "json": "application/json",
        "csv": "text/csv",
        "ics": "text/calendar",
    }
    assert "Accept: application/json or text/csv or text/calendar" in problem["detail"]


@pytest.mark.parametrize("accept", [None, "application/json", "text/html", "*/*;q=0"])
@pytest.mark.parametrize(("text", "name"), [("csv", "csv"), ("ICS", "ics"), ("+json", "json")])
def test_format_goes_before_accept(accept: str | None, text: str, name: str) -> None:
    assert answer(asking(accept, f"format={text}")).body == name.encode()


def test_blank_format_counts_as_absent() -> None:
    assert answer(asking("text/csv", "format=")).body == b"csv"


def test_format_that_there_is_not_is_told_what_there_is() -> None:
    reply = answer(asking(query="format=xml"))
    problem = orjson.loads(reply.body)
    assert (reply.status, problem["code"]) == (400, "unknown-format")
    assert (problem["parameter"], list(problem["formats"])) == ("format", ["json", "csv", "ics"])


def test_header_of_quotation_marks_is_read_in_one_pass() -> None:
    # Tens of millions of steps, were each mark to look for its end.
    assert list(formats.accepted('"\\' * 4000)) == []


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (asking(), 200),
        (asking(method="HEAD"), 200),
        (asking(method="OPTIONS"), 204),
        (asking(method="POST"), 405),
        (asking(query="x=1"), 400),
        (asking(query="x" * 2001), 414),
        (asking("text/html"), 406),
        (asking(**{"If-None-Match": "*"}), 304),
    ],
)
def test_every_reply_of_a_negotiated_route_varies_by_accept(request_: Request, status: int) -> None:
    reply = answer(request_)
    assert reply.status == status
    assert reply.headers["Vary"] == ("Accept" if status == 204 else "Accept, Accept-Encoding")


def test_replies_after_a_wait_and_of_a_fault_vary_by_accept() -> None:
    def waits(request: Request) -> Steps:
        yield from ()
        raise OSError("unforeseen")

    reply = answer(asking(), Route("/try", waits, {}, "to try", formats=OFFERED))
    assert (reply.status, reply.headers["Vary"]) == (500, "Accept, Accept-Encoding")


def test_formats_have_tags_of_their_own() -> None:
    tags = {answer(asking(query=f"format={each.name}")).headers["ETag"] for each in OFFERED}
    assert len(tags) == len(OFFERED)
    (csv_tag,) = (answer(asking("text/csv")).headers["ETag"],)
    known = {"If-None-Match": csv_tag}
    assert answer(asking("text/csv", **known)).status == 304
    assert answer(asking("application/json", **known)).status == 200


@pytest.mark.parametrize("route", [each for each in ROUTES if not each.formats], ids=str)
def test_route_of_one_format_does_not_vary(route: Route) -> None:
    reply = answer(asking("text/html", method="OPTIONS"), route)
    assert "Vary" not in reply.headers


# CSV


def column(name: str) -> Field:
    return Field(name, name, None, None, "")


def read(body: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body.decode(), newline="")))


def test_csv_has_the_names_of_the_fields_then_the_rows_in_their_order() -> None:
    rows = [("2026-11-30T21:00:00Z", -1.5), ("x", 0.0)]
    body = formats.csv_body((column("time"), column("alt")), rows)
    assert body == b"time,alt\r\n2026-11-30T21:00:00Z,-1.5\r\nx,0.0\r\n"


def test_csv_writes_values_as_json_does_and_null_as_nothing() -> None:
    at = datetime(2026, 11, 30, 21, tzinfo=UTC)
    text = 'a,"b"\r\n\u0639'
    body = formats.csv_body(map(column, "abcdef"), [(True, False, None, at, 1e-7, text)])
    assert read(body)[1] == ["true", "false", "", "2026-11-30T21:00:00Z", "1e-07", text]


def test_csv_without_rows_is_its_header() -> None:
    assert formats.csv_body((column("a"),), []) == b"a\r\n"


# Calendars

DAY = date(2026, 11, 30)
PARIS = timezone(timedelta(hours=1))
ENTRIES = (
    calendar.Entry("a@x", datetime(2026, 11, 30, 21, 0, 0, 900000, UTC), "Mars rises (az 66 deg)"),
    calendar.Entry("b@x", datetime(2026, 11, 30, 0, 30, tzinfo=PARIS), "Sun; sets, " * 20, "note"),
)


def test_calendar_is_read_back_by_the_library() -> None:
    read = Calendar.from_ical(calendar.body("Sky", DAY, ENTRIES))
    assert (read["VERSION"], read["METHOD"], read["X-WR-CALNAME"]) == ("2.0", "PUBLISH", "Sky")
    assert read["PRODID"]
    events = read.walk("VEVENT")
    assert [event["UID"] for event in events] == ["a@x", "b@x"]
    assert [str(event["SUMMARY"]) for event in events] == [entry.summary for entry in ENTRIES]
    assert [event["DTSTART"].dt for event in events] == [
        datetime(2026, 11, 30, 21, tzinfo=UTC),
        datetime(2026, 11, 29, 23, 30, tzinfo=UTC),
    ]
    assert not any(event.errors for event in events)


def test_calendar_has_the_lines_that_rfc_5545_asks_for() -> None:
    body = calendar.body("Sky", DAY, ENTRIES)
    assert body.startswith(b"BEGIN:VCALENDAR\r\n")
    assert body.endswith(b"END:VCALENDAR\r\n")
    assert body.count(b"\n") == body.count(b"\r\n")
    assert max(map(len, body.split(b"\r\n"))) <= 75
    assert b"DTSTART:20261130T210000Z\r\n" in body
    assert body.count(b"DTSTAMP:20261130T000000Z\r\n") == len(ENTRIES)


def test_calendar_of_one_day_is_the_same_each_time() -> None:
    assert calendar.body("Sky", DAY, ENTRIES) == calendar.body("Sky", DAY, ENTRIES)


@pytest.mark.parametrize(
    ("form", "type_"),
    [
        (CSV, "text/csv; charset=utf-8; header=present"),
        (CALENDAR, "text/calendar; charset=utf-8"),
    ],
)
def test_body_is_described(form: formats.Format, type_: str) -> None:
    headers = formats.described(form, "mars")
    assert headers["Content-Type"] == type_
    assert headers["Content-Disposition"] == f'inline; filename="mars.{form.name}"'


def test_unknown_format_is_an_error_of_the_parameter() -> None:
    with pytest.raises(ProblemError, match="format=json or format=csv"):
        formats.chosen(asking(), {"format": "xml"}, (JSON, CSV))
