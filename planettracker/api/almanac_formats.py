"""The almanac as a table of events, for CSV, and as a calendar."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from planettracker.api import calendar
from planettracker.api.almanac_tables import ALMANAC_EVENT
from planettracker.api.formats import csv_body

# Members as on the wire, of any depth.
Members = Mapping[str, Any]

# Of a body, and of a twilight: the member that lists the events, and what one of them is called.
_OF_BODIES = {"rises": "rise", "transits": "transit", "sets": "set"}
_OF_TWILIGHTS = {"dawns": "dawn", "dusks": "dusk"}
_SUMMARIES = {
    "rise": "{name} rises (az {az:.0f} deg)",
    "transit": "{name} transits (alt {alt:.0f} deg)",
    "set": "{name} sets (az {az:.0f} deg)",
    "best": "{name} at its best (alt {alt:.0f} deg, az {az:.0f} deg)",
    "dawn": "{name} dawn",
    "dusk": "{name} dusk",
    "phase": "{name}",
}


def csv(almanac: Members) -> bytes:
    """Return the almanac's events as CSV."""
    names = [field.name for field in ALMANAC_EVENT]
    rows = ([event.get(name) for name in names] for event in events(almanac))
    return csv_body(ALMANAC_EVENT, rows)


def ics(almanac: Members) -> bytes:
    """Return the almanac's events as a calendar, but transits that nobody sees."""
    day: date = almanac["date"]
    place = almanac["observer"]
    name = f"Sky of {day} at {place['lat']:g}, {place['lon']:g}"
    return calendar.body(name, day, _entries(almanac))


def events(almanac: Members) -> Iterator[Members]:
    """Yield a row of ALMANAC_EVENT for each event, and one for what has none and why."""
    for name, twilight in almanac["twilights"].items():
        yield from _listed(twilight, name, _OF_TWILIGHTS)
    for body in almanac["bodies"]:
        yield from _listed(body, body["name"], _OF_BODIES)
        about = {"kind": "best", "name": body["name"], "status": body["status"]}
        yield {**about, "why_not": body["why_not"], **(body["best"] or {})}
    for phase in almanac["moon"]["phases"]:
        yield {"kind": "phase", **phase}


def _listed(it: Members, name: str, kinds: Mapping[str, str]) -> Iterator[Members]:
    about = {"name": name, "status": it["status"]}
    found = [(kind, event) for members, kind in kinds.items() for event in it[members]]
    yield from ({"kind": kind, **about, **event} for kind, event in found)
    if not found:
        yield about


def _entries(almanac: Members) -> Iterator[calendar.Entry]:
    zone = almanac["zone"]["name"]
    counted: Counter[str] = Counter()
    for event in events(almanac):
        if "time" in event and not (event["kind"] == "transit" and event["alt"] < 0):
            uid = _uid(event, almanac)
            counted[uid] += 1
            note = f"{event['local']:%F %H:%M} {zone}"
            yield calendar.Entry(f"{counted[uid]}-{uid}", event["time"], _summary(event), note)


def _summary(event: Members) -> str:
    name = event["name"].replace("_", " ").capitalize()
    return _SUMMARIES[event["kind"]].format_map({**event, "name": name})


def _uid(event: Members, almanac: Members) -> str:
    """Return what tells the event from others, on each visit the same; a second one is counted.

    A phase is the same event from whatever place and on whatever date it is announced.
    """
    if event["kind"] == "phase":
        return f"{event['name']}-{event['time']:%Y%m%d}@planettracker"
    place = almanac["observer"]
    where = "_".join(str(place[name]) for name in ("lat", "lon", "elevation"))
    zone = almanac["zone"]["name"].replace("/", "_")
    return f"{event['kind']}-{event['name']}-{almanac['date']}-{zone}-{where}@planettracker"
