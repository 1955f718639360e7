"""The civil time of a place: its zone, and where in UTC a date there begins and ends."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Literal
from zoneinfo import ZoneInfo

from planettracker.sky.site import Observer

FIRST_DATE = date(1900, 1, 1)
LAST_DATE = date(2100, 12, 31)

# The zones of the oceans, whose signs are those of POSIX: Etc/GMT+2 is two hours behind UTC.
_OCEAN = re.compile(r"Etc/GMT([+-])([0-9]+)")
_SHOWN = re.compile(r"UTC([+-])([0-9]+)")
_OTHER_SIGN = {"+": "-", "-": "+"}
_ZERO = ("Etc/GMT", "Etc/GMT+0", "Etc/GMT-0", "Etc/UTC", "UTC")  # each shown as the last
_MINUTE = timedelta(minutes=1)
_SECOND = timedelta(seconds=1)


class UnknownZoneError(LookupError):
    """A name that no time zone has; `near` are the names most like it, the nearest first."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        super().__init__(f"no time zone is called {name!r}")
        self.name = name
        self.near = near


class DateError(ValueError):
    """A date outside FIRST_DATE to LAST_DATE."""


class MissingDateError(ValueError):
    """A date that a zone left out, moving over the date line."""

    def __init__(self, day: date, zone: "Zone") -> None:
        super().__init__(f"there was no {day.isoformat()} in {zone.name}")
        self.day = day
        self.zone = zone


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone, by the name to show, and whether it is the place's own or was given."""

    name: str
    source: Literal["place", "given"]
    rules: tzinfo


def zone_at(observer: Observer) -> Zone:
    """Return the zone in which the place lies; on the high seas that of its longitude.

    At the poles, too: all of Antarctica without stations of its own keeps McMurdo's time here.
    """
    # On first use, for its map of the world: 60 MB, 0.15 s.
    import tzfpy

    return _zone(tzfpy.get_tz(observer.lon_deg, observer.lat_deg), "place")


def zone_named(name: str) -> Zone:
    """Return the zone of an IANA name, or of one that is shown here (UTC-2).

    Raises UnknownZoneError; letter case counts.
    """
    key = _SHOWN.sub(_as_ocean, name)
    if key not in _names():
        raise UnknownZoneError(name, _near(name))
    return _zone(key, "given")


def _zone(key: str, source: Literal["place", "given"]) -> Zone:
    shown = "UTC" if key in _ZERO else _OCEAN.sub(_as_shown, key)
    return Zone(shown, source, ZoneInfo(key))


def _as_shown(ocean: re.Match[str]) -> str:
    sign, hours = ocean.groups()
    return f"UTC{_OTHER_SIGN[sign]}{hours}"


def _as_ocean(shown: re.Match[str]) -> str:
    sign, hours = shown.groups()
    return f"Etc/GMT{_OTHER_SIGN[sign]}{hours}"


@cache
def _names() -> frozenset[str]:
    """Return the names in `tzdata`: a machine's own files would add `localtime`, and its secrets.

    Names outside them never become a path.
    """
    return frozenset((files("tzdata") / "zones").read_text("ascii").split()) - {"Factory"}


def _near(name: str) -> tuple[str, ...]:
    """Return up to three names like it, whole or in their last part, in whatever letter case."""
    whole = {each.lower(): each for each in sorted(_names())}
    last = {each.rpartition("/")[2]: known for each, known in whole.items()}
    text = name.strip().lower().replace(" ", "_")
    found = [
        spellings[near]
        for spellings in (whole, last)
        for near in get_close_matches(text, spellings, n=3, cutoff=0.75)
    ]
    return tuple(dict.fromkeys(found))[:3]


def today(zone: Zone, now: datetime) -> date:
    """Return the zone's date at an aware instant."""
    return now.astimezone(zone.rules).date()


def limits(day: date, zone: Zone) -> tuple[datetime, datetime]:
    """Return the UTC instants at which the date begins in the zone, and at which the next does.

    They are 24 hours apart, or 23 or 25 or whatever the zone's clocks made of it. Where midnight is
    left out the date begins at the moment of the change; where clocks are set back over it, after
    the last moment of the day before.
    Raises DateError outside the years that are covered, and MissingDateError.
    """
    if not FIRST_DATE <= day <= LAST_DATE:
        raise DateError(f"{day} is not from {FIRST_DATE} to {LAST_DATE}")
    begin, end = _beginning(day, zone.rules), _beginning(day + timedelta(days=1), zone.rules)
    if begin == end:
        raise MissingDateError(day, zone)
    return begin, end


def _beginning(day: date, rules: tzinfo) -> datetime:
    """Return the instant after the last one of the day before."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=rules)
    # The same but where midnight comes twice, or is left out: there by the clocks' rules after the
    # change and before it, and so in the wrong order.
    first, second = (midnight.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if second < first:
        return _change(day, second, first, rules)
    # Clocks set back from 01:00 repeat midnight within the date, those from 00:01 the day before.
    again = (second - _SECOND).astimezone(rules).date() < day
    return second if again else first


def _change(day: date, before: datetime, after: datetime, rules: tzinfo) -> datetime:
    """Return the whole second between the two at which the zone comes to the date."""
    while after - before > _SECOND:
        middle = (before + (after - before) / 2).replace(microsecond=0)
        if middle.astimezone(rules).date() < day:
            before = middle
        else:
            after = middle
    return after


def local(at: datetime, zone: Zone) -> datetime:
    """Return the aware instant by the zone's clocks, with an offset of whole minutes.

    RFC 3339 has no other, and before time zones places had some: 9 min 21 s in Paris till 1911,
    44 min 30 s in Monrovia till 1972. The instant stays the same; the clock then differs by up to
    30 s.
    """
    offset = at.astimezone(zone.rules).utcoffset() or timedelta()
    return at.astimezone(timezone(round(offset / _MINUTE) * _MINUTE))
