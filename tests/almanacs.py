"""Almanacs as the server writes them, of events that a test chooses."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

Json = dict[str, Any]
DAY = "2026-11-30"
BERLIN = "Europe/Berlin"


def event(clock: str, zone: str = BERLIN, day: str = DAY, **where: float) -> Json:
    """Return the event at a local time of day, with its azimuth or altitude."""
    local = datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone))
    return {"time": utc(local), "local": local.isoformat(), **where}


def utc(local: datetime) -> str:
    return local.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def body(
    name: str,
    rises: Sequence[Json] = (),
    transits: Sequence[Json] = (),
    sets: Sequence[Json] = (),
    **members: Any,
) -> Json:
    """Return a body of an almanac; without rises and sets give its status."""
    usual = {"status": "normal", "best": None, "why_not": "in_daylight"}
    events = {"rises": list(rises), "transits": list(transits), "sets": list(sets)}
    return {"name": name, **usual, **events, **members}


SUN = body(
    "sun",
    [event("07:40", az=122.0)],
    [event("12:00", alt=20.2)],
    [event("16:20", az=238.0)],
    why_not="the_sun",
)
VENUS = body(
    "venus",
    [event("04:10", az=103.0)],
    [event("09:35", alt=31.0)],
    [event("15:00", az=256.9)],
    best=event("22:40", az=180.4, alt=34.2),
    why_not=None,
)


def twilight(dawn: str, dusk: str) -> Json:
    return {
        "status": "normal",
        "dawns": [event(dawn, az=115.0)],
        "dusks": [event(dusk, az=245.0)],
    }


def almanac(
    *bodies: Json, day: str = DAY, zone: str = BERLIN, shown_zone: str = "", **members: Any
) -> Json:
    """Return the almanac of a date; without bodies of the Sun and Venus."""
    midnight = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone))
    begin, end = (utc(midnight + timedelta(days)) for days in (0, 1))
    return {
        "date": day,
        "zone": {"name": shown_zone or zone, "source": "place"},
        "observer": {"lon": 13.4, "lat": 52.5, "elevation": 0.0, "source": "given"},
        "begin": begin,
        "end": end,
        "twilights": {
            "civil": twilight("07:00", "17:00"),
            "nautical": twilight("06:20", "17:40"),
            "astronomical": twilight("05:45", "18:15"),
        },
        "bodies": list(bodies or (SUN, VENUS)),
        "moon": {
            "phase_name": "waning_gibbous",
            "illuminated": 0.6243,
            "phases": [{"name": "last_quarter", **event("07:08", day="2026-12-01")}],
        },
        **members,
    }
