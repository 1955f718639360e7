"""The tables of the contract for the almanac: what it takes and answers."""

from typing import get_args

from planettracker.api.contract import (
    CALENDAR,
    CSV,
    ELEVATION,
    FORMAT,
    JSON,
    LAT,
    LON,
    OBSERVER,
    Parameter,
    Parameters,
)
from planettracker.api.fields import Field, Group, Members
from planettracker.sky.almanac import TWILIGHTS, Status, WhyNot
from planettracker.sky.ephemeris import BODIES
from planettracker.sky.moon import PHASE_NAMES
from planettracker.sky.phases import PRINCIPAL_PHASES

DATE = Parameter(
    "date",
    "a date from 1900-01-01 to 2100-12-31, such as 2026-11-30; today at the place by default",
    other_names=("at", "datetime", "day", "t", "time", "when"),
    example="2026-11-30",
    problems=("not-a-date", "missing-date", "out-of-range"),
    kind="date",
)
TZ = Parameter(
    "tz",
    "a time zone by its IANA name, such as Europe/Berlin; the place's own by default",
    other_names=("time_zone", "timezone", "zone"),
    example="Europe/Berlin",
    problems=("unknown-zone",),
)
ALMANAC: Parameters = {
    parameter.name: parameter for parameter in (LON, LAT, ELEVATION, DATE, TZ, FORMAT)
}
ALMANAC_FORMATS = (JSON, CSV, CALENDAR)

TIMES = (
    Field("time", "at", None, None, "in UTC, cut to whole seconds", kind="instant"),
    Field("local", "local", None, None, "the same by the zone's clocks", kind="instant"),
)
_AZ = Field("az", "azimuth_deg", "degrees", 3, "from north through east", circle=True)
_ALT = Field("alt", "altitude_deg", "degrees", 3, "of the centre, without refraction")
_STATUSES = get_args(Status)

# An event of each kind.
CROSSING = (*TIMES, _AZ)
TRANSIT = (*TIMES, _ALT)
BEST = (*TIMES, _ALT, _AZ)

ZONE = (
    Field("name", "name", None, None, "the IANA's, or UTC-2 on the high seas"),
    Field(
        "source",
        "source",
        None,
        None,
        "whether it is the place's own or was given",
        choices=("place", "given"),
    ),
)
TWILIGHT: Members = (
    Field(
        "status",
        "status",
        None,
        None,
        "whether the Sun stays above or below the limit for the whole date",
        choices=_STATUSES,
    ),
    Group("dawns", CROSSING, "when it begins to be light", many=True),
    Group("dusks", CROSSING, "when it ends", many=True),
)
_BODY_STATUS = Field(
    "status",
    "status",
    None,
    None,
    "whether it stays up or down for the whole date",
    choices=_STATUSES,
)
_WHY_NOT = Field(
    "why_not",
    "why_not",
    None,
    None,
    "why there is no best moment; null if there is one",
    nullable=True,
    choices=get_args(WhyNot),
)
BODY: Members = (
    Field("name", "name", None, None, "the body", choices=BODIES),
    _BODY_STATUS,
    Group("rises", CROSSING, "when its upper limb comes up through -34'", many=True),
    Group("transits", TRANSIT, "when it crosses the meridian above the pole", many=True),
    Group("sets", CROSSING, "when its upper limb goes down through -34'", many=True),
    Group(
        "best",
        BEST,
        "its greatest altitude in darkness, from the Sun's transit on the date to the next: the "
        "Sun 6 degrees down, for Uranus, Neptune and Pluto 18",
        nullable=True,
    ),
    _WHY_NOT,
)
PHASE = (
    Field("name", "name", None, None, "a principal phase", choices=PRINCIPAL_PHASES),
    *TIMES,
)
MOON: Members = (
    Field(
        "phase_name",
        "name",
        None,
        None,
        "the principal phase that falls on the date, or that between two",
        choices=PHASE_NAMES,
    ),
    Field(
        "illuminated",
        "illuminated_fraction",
        None,
        4,
        "illuminated part of the disc, from 0 to 1, at the date's middle",
    ),
    Group("phases", PHASE, "the next four principal phases from the date's beginning", many=True),
)
# A row of the CSV: an event, or that there is none and why.
ALMANAC_EVENT = (
    Field(
        "kind",
        "kind",
        None,
        None,
        "what happens; empty where a twilight has neither a dawn nor a dusk",
        choices=("rise", "transit", "set", "best", "dawn", "dusk", "phase"),
    ),
    Field("name", "name", None, None, "the body, the twilight or the phase"),
    _BODY_STATUS,
    _WHY_NOT,
    *TIMES,
    _AZ,
    _ALT,
)
ALMANAC_REPLY: Members = (
    Field("date", "date", None, None, "the date by the zone's clocks", kind="date"),
    Group("zone", ZONE, "whose clocks these are"),
    OBSERVER,
    Field("begin", "begin", None, None, "when the date begins, in UTC", kind="instant"),
    Field("end", "end", None, None, "when the next date begins, in UTC", kind="instant"),
    Group(
        "twilights",
        tuple(
            Group(name, TWILIGHT, f"the Sun's centre at {height.altitude_deg:g} degrees")
            for name, height in TWILIGHTS.items()
        ),
        "the light of the Sun below the horizon",
    ),
    Group("bodies", BODY, "all bodies", many=True),
    Group("moon", MOON, "the Moon's phase"),
)
