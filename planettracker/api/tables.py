"""Further tables of the contract: what tracks, stars and directions take and answer."""

from planettracker.api.contract import (
    AT,
    CSV,
    ELEVATION,
    FIELDS,
    FORMAT,
    JSON,
    LAT,
    LON,
    OBSERVER,
    PLACE_AND_TIME,
    TIME,
    VISIBLE,
    Parameter,
    Parameters,
)
from planettracker.api.fields import Field, Group, Members
from planettracker.sky.ephemeris import BODIES
from planettracker.sky.track import MAX_POINTS

# A track

START = Parameter(
    "start",
    TIME.expected,
    other_names=("begin", "from", "since", "time"),
    example="2026-11-30T12:00:00Z",
    problems=("not-an-instant", "out-of-range", "missing-parameter"),
    kind="instant",
)
END = Parameter(
    "end",
    TIME.expected,
    other_names=("stop", "till", "to", "until"),
    example="2026-12-01T12:00:00Z",
    problems=("not-an-instant", "out-of-range", "end-before-start"),
    kind="instant",
)
STEP = Parameter(
    "step",
    "minutes from 0.1 to 1440, as a plain decimal such as 10",
    (0.1, 1440.0),
    ("every", "interval", "minutes"),
    "10",
    ("not-a-number", "out-of-range", "too-many-points"),
    "number",
)
COLUMNS = Parameter(
    "fields",
    "names of a body's fields divided by commas, such as az,alt,magnitude",
    other_names=("columns", "field", "select"),
    example="az,alt,magnitude",
    problems=("unknown-field",),
)
TRACK: Parameters = {
    parameter.name: parameter
    for parameter in (LON, LAT, ELEVATION, START, END, STEP, COLUMNS, FORMAT)
}
# What a track may have as columns, and has when it is not asked for any.
TRACK_FIELDS = {field.name: field for field in FIELDS if field.name != "name"}
TRACK_DEFAULT = ("az", "alt")
TRACK_TIME = Field(
    "time", "at", None, None, "the instants, in UTC, the end included", kind="instant"
)
TRACK_FORMATS = (JSON, CSV)
TRACK_REPLY: Members = (
    Field("name", "name", None, None, "the body", choices=BODIES),
    OBSERVER,
    Field("start", "start", None, None, "the first instant; now by default", kind="instant"),
    Field("end", "end", None, None, "a day after the start by default", kind="instant"),
    Field("step", "step", "minutes", None, "10 by default", kind="number"),
    Field("points", "points", None, None, f"how many, at most {MAX_POINTS:,}", kind="count"),
    Group(
        "columns",
        (TRACK_TIME, *TRACK_FIELDS.values()),
        "one value a point: the time, and the fields asked for, az and alt by default",
        columns=True,
    ),
)


# Stars and directions


def _of_a_body(*names: str) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS if field.name in names)


STAR_FIELDS = (
    Field("name", "name", None, None, "the star, as the IAU calls it"),
    *_of_a_body("az", "alt", "alt_apparent", "ra", "dec", "magnitude", "constellation", "up"),
)
STARS_REPLY: Members = (
    AT,
    OBSERVER,
    Group("stars", STAR_FIELDS, "the stars brighter than 2.5, the brightest first", many=True),
)

AZ = Parameter(
    "az",
    "degrees from 0 to 360, from north through east, as a plain decimal such as 137.5",
    (0.0, 360.0),
    ("azi", "azimuth", "bearing"),
    "137.5",
    ("missing-parameter", "not-a-number", "out-of-range"),
    "number",
    required=True,
)
ALT = Parameter(
    "alt",
    "degrees from -90 to 90, above the horizon as seen, as a plain decimal such as 30",
    (-90.0, 90.0),
    ("altitude",),
    "30",
    ("missing-parameter", "not-a-number", "out-of-range"),
    "number",
    required=True,
)
# The direction last: elsewhere `alt` and `altitude` are other names of the elevation.
IDENTIFY: Parameters = {**PLACE_AND_TIME, AZ.name: AZ, ALT.name: ALT}
DIRECTION = (
    Field("az", "azimuth_deg", "degrees", 5, "from north through east", circle=True),
    Field("alt", "altitude_deg", "degrees", 5, "as seen, with refraction"),
)
NEAR_FIELDS = (
    Field("kind", "kind", None, None, "what it is", choices=("body", "star")),
    Field("name", "name", None, None, "the body or the star"),
    Field("separation", "separation_deg", "degrees", 5, "from the direction, as seen"),
    *_of_a_body("az", "alt", "alt_apparent", "magnitude", "up"),
    VISIBLE,
)
IDENTIFY_REPLY: Members = (
    AT,
    OBSERVER,
    Group("direction", DIRECTION, "what was asked for"),
    Group(
        "nearest",
        NEAR_FIELDS,
        "the five nearest that are up; for a direction below the horizon, of all",
        many=True,
    ),
)
