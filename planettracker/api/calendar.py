"""A calendar that a phone accepts, of what happens on a day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icalendar import Event


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a calendar: an aware instant, what happens then, and an id that stays."""

    uid: str
    at: datetime
    summary: str
    description: str = ""


def body(name: str, day: date, entries: Iterable[Entry]) -> bytes:
    """Return an iCalendar (RFC 5545) of instants in UTC, which a phone shows in its own zone.

    Its stamps are the start of the day that it is for, not the clock's: one address, one body.
    """
    from icalendar import Calendar  # here, since it takes 70 ms and only calendars need it

    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//PlanetTracker//almanac//EN")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)  # what phones read in place of NAME
    stamp = datetime.combine(day, time(), UTC)
    for entry in entries:
        calendar.add_component(_event(entry, stamp))
    written: bytes = calendar.to_ical()
    return written


def _event(entry: Entry, stamp: datetime) -> "Event":
    from icalendar import Event

    event = Event()
    event.add("uid", entry.uid)
    event.add("dtstamp", stamp)
    event.add("dtstart", entry.at.astimezone(UTC).replace(microsecond=0))
    event.add("summary", entry.summary)
    if entry.description:
        event.add("description", entry.description)
    event.add("transp", "TRANSPARENT")  # the sky keeps nobody busy
    return event
