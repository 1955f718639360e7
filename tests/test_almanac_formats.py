"""The almanac as CSV and as a calendar holds what the JSON holds."""

import csv
import io
import re
from functools import cache

import icalendar
import orjson
import pytest
from test_openapi import ask

PLACES = {
    "Munich": "lat=48.1&lon=11.6&elevation=520&date=2026-11-30",
    "Tromso in December": "lat=69.65&lon=18.96&date=2026-12-20",
    "Tromso in June": "lat=69.65&lon=18.96&date=2026-06-20",
    "the pole": "lat=90&lon=0&date=2026-12-20",
    "Greenwich, where Jupiter rises twice": "date=2024-08-03&tz=UTC",
}
places = pytest.mark.parametrize("query", PLACES.values(), ids=PLACES)


@cache
def json(query: str) -> dict:
    return orjson.loads(ask(f"/almanac?{query}")[1].body)


@cache
def table(query: str) -> list[dict[str, str]]:
    text = ask(f"/almanac?{query}&format=csv")[1].body.decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


@cache
def entries(query: str) -> list[icalendar.Event]:
    body = ask(f"/almanac?{query}&format=ics")[1].body
    return icalendar.Calendar.from_ical(body).walk("VEVENT")


def told(query: str) -> set[tuple[str, str, str]]:
    """Return the kind, the name and the time of each event of the JSON."""
    almanac = json(query)
    lists = [(name, it) for name, it in almanac["twilights"].items()]
    lists += [(it["name"], it) for it in almanac["bodies"]]
    kinds = ("dawn", "dusk", "rise", "transit", "set")
    found = {
        (kind, name, event["time"])
        for name, it in lists
        for kind in kinds
        for event in it.get(f"{kind}s", [])
    }
    found |= {("best", it["name"], it["best"]["time"]) for it in almanac["bodies"] if it["best"]}
    return found | {("phase", it["name"], it["time"]) for it in almanac["moon"]["phases"]}


@places
def test_csv_has_a_row_for_each_event_of_the_json(query: str) -> None:
    rows = [(row["kind"], row["name"], row["time"]) for row in table(query) if row["time"]]
    assert len(rows) == len(set(rows))
    assert set(rows) == told(query)


@places
def test_csv_says_of_each_body_and_twilight_what_it_does(query: str) -> None:
    statuses = {row["name"]: row["status"] for row in table(query) if row["status"]}
    almanac = json(query)
    for name, twilight in almanac["twilights"].items():
        assert statuses[name] == twilight["status"]
    for body in almanac["bodies"]:
        assert statuses[body["name"]] == body["status"]
    reasons = {row["name"]: row["why_not"] or None for row in table(query) if row["kind"] == "best"}
    assert reasons == {body["name"]: body["why_not"] for body in almanac["bodies"]}


@places
def test_csv_holds_no_text_that_a_spreadsheet_would_run(query: str) -> None:
    for row in table(query):
        for cell in row.values():
            assert re.fullmatch(r"-?[0-9.]+|[A-Za-z0-9].*|", cell), cell


@places
def test_calendar_has_each_event_but_transits_below_the_horizon(query: str) -> None:
    unseen = sum(row["kind"] == "transit" and row["alt"].startswith("-") for row in table(query))
    times = sorted(f"{event['DTSTART'].dt:%FT%TZ}" for event in entries(query))
    assert len(times) == len(told(query)) - unseen
    assert set(times) <= {time for _, _, time in told(query)}


@places
def test_entries_of_a_calendar_have_ids_of_their_own(query: str) -> None:
    uids = [str(event["UID"]) for event in entries(query)]
    assert len(uids) == len(set(uids))


def test_calendar_is_the_same_on_each_visit() -> None:
    target = f"/almanac?{PLACES['Munich']}&format=ics"
    assert ask(target)[1].body == ask(target)[1].body


def test_phase_has_one_id_whatever_the_date_and_the_place() -> None:
    def uid(query: str) -> str:
        (event,) = (each for each in entries(query) if each["SUMMARY"] == "Full moon")
        return str(event["UID"])

    assert uid("lat=0&lon=0&date=2026-12-20") == uid("lat=48.1&lon=11.6&date=2026-12-21")


def test_event_of_another_date_or_place_has_another_id() -> None:
    def uids(query: str) -> set[str]:
        return {str(event["UID"]) for event in entries(query) if "moon" not in event["SUMMARY"]}

    munich = uids(PLACES["Munich"])
    shared = munich & uids("lat=48.1&lon=11.6&elevation=520&date=2026-12-01")
    assert {uid.split("-")[1] for uid in shared} <= {"first_quarter", "last_quarter"}
    assert not munich & uids(PLACES["Tromso in June"])


@pytest.mark.parametrize(
    "summary",
    [
        r"Civil dawn",
        r"Astronomical dusk",
        r"Mars rises \(az \d+ deg\)",
        r"Sun sets \(az \d+ deg\)",
        r"Jupiter transits \(alt \d+ deg\)",
        r"Saturn at its best \(alt \d+ deg, az \d+ deg\)",
        r"Full moon",
    ],
)
def test_summary_says_what_and_where(summary: str) -> None:
    found = [str(event["SUMMARY"]) for event in entries(PLACES["Munich"])]
    assert any(re.fullmatch(summary, each) for each in found), found


def test_description_says_the_time_by_the_clocks_of_the_place() -> None:
    (dawn,) = (each for each in entries(PLACES["Munich"]) if each["SUMMARY"] == "Civil dawn")
    assert f"{dawn['DTSTART'].dt:%H:%M}" == "06:05"
    assert dawn["DESCRIPTION"] == "2026-11-30 07:05 Europe/Berlin"


@pytest.mark.parametrize(("form", "kind"), [("csv", "text/csv"), ("ics", "text/calendar")])
def test_file_has_a_name_and_a_tag_where_a_date_is_given(form: str, kind: str) -> None:
    _, reply = ask(f"/almanac?{PLACES['Munich']}", headers=(f"Accept: {kind}",))
    assert reply.headers["Content-Type"].startswith(f"{kind}; charset=utf-8")
    assert f'"almanac-2026-11-30.{form}"' in reply.headers["Content-Disposition"]
    assert "ETag" in reply.headers
    assert "ETag" not in ask("/almanac", headers=(f"Accept: {kind}",))[1].headers
