"""The tables of the contract: what is said of a field, a parameter or a problem is said here."""

from collections.abc import Mapping
from dataclasses import dataclass

from planettracker.api.fields import Field, Group, Members
from planettracker.api.messages import Handler
from planettracker.sky.ephemeris import BODIES
from planettracker.sky.moon import PHASE_NAMES
from planettracker.sky.site import LIMITS
from planettracker.sky.visibility import STATES

FIELDS = (
    Field("name", "name", None, None, "the body", choices=BODIES),
    Field("az", "azimuth_deg", "degrees", 5, "from north through east", circle=True),
    Field("alt", "altitude_deg", "degrees", 5, "without refraction"),
    Field(
        "alt_apparent",
        "apparent_altitude_deg",
        "degrees",
        5,
        "with refraction for 1010 mbar and 10 C (Saemundsson 1986); null when the body is not up",
        nullable=True,
    ),
    Field(
        "ra",
        "right_ascension_deg",
        "degrees",
        5,
        "right ascension, apparent, topocentric, of date",
        circle=True,
    ),
    Field("dec", "declination_deg", "degrees", 5, "declination, apparent, topocentric, of date"),
    Field("distance_au", "distance_au", "au", 7, "from the observer"),
    Field(
        "magnitude",
        "magnitude",
        None,
        2,
        "apparent magnitude: planets after Mallama and Hilton (2018), the Moon after Allen (1973), "
        "the Sun and Pluto by PyEphem",
    ),
    Field(
        "elongation",
        "elongation_deg",
        "degrees",
        5,
        "angle from the Sun, negative in the morning sky; null for the Sun",
        nullable=True,
    ),
    Field(
        "illuminated",
        "illuminated_fraction",
        None,
        4,
        "illuminated part of the disc, from 0 to 1; null for the Sun",
        nullable=True,
    ),
    Field(
        "phase_name",
        "phase_name",
        None,
        None,
        "the Moon's; null for all others",
        nullable=True,
        choices=PHASE_NAMES,
    ),
    Field("diameter_arcsec", "diameter_arcsec", "arcseconds", 2, "apparent diameter"),
    Field("constellation", "constellation", None, None, "the IAU's abbreviation"),
    Field(
        "up",
        "up",
        None,
        None,
        "whether the upper limb is above -34', without refraction",
        kind="flag",
    ),
)
OBSERVER = Group(
    "observer",
    (
        Field("lon", "lon_deg", "degrees", None, "from -180 to 180, east positive", kind="number"),
        Field("lat", "lat_deg", "degrees", None, "from -90 to 90, north positive", kind="number"),
        Field("elevation", "elevation_m", "metres", None, "above sea level", kind="number"),
        Field(
            "source",
            "source",
            None,
            None,
            "whether the place was given; Greenwich by default",
            choices=("default", "given"),
        ),
    ),
    "the place that the reply is for",
)
AT = Field("time", "at", None, None, "the instant that the reply is for, in UTC", kind="instant")
BODY_REPLY: Members = (AT, OBSERVER, *FIELDS)
SKY_STATE = (
    Field("state", "state", None, None, "how dark it is, by the Sun's altitude", choices=STATES),
    Field("sun_alt", "sun_altitude_deg", "degrees", 5, "the Sun's, without refraction"),
)
VISIBLE = Field(
    "visible",
    "visible",
    None,
    None,
    "whether it is up, and bright enough for the naked eye in that sky (Schaefer 1998)",
    kind="flag",
)
SKY_REPLY: Members = (
    AT,
    OBSERVER,
    Group("sky", SKY_STATE, "the state of the sky"),
    Group("bodies", (*FIELDS, VISIBLE), "all bodies", many=True),
)
HEALTH_REPLY: Members = (
    Field("status", "status", None, None, "that all is well", choices=("ok",)),
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a query: what to send, a number's limits (both included), other names.

    The other names are those that people try; a request that uses one is told the right one.
    `problems` are the codes of what may be wrong with its value; `kind` is one of KINDS.
    """

    name: str
    expected: str
    limits: tuple[float, float] | None = None
    other_names: tuple[str, ...] = ()
    example: str = ""
    problems: tuple[str, ...] = ()
    kind: str = "text"
    choices: tuple[str, ...] = ()
    required: bool = False


_OF_PLACE = ("missing-parameter", "not-a-number", "out-of-range")
LON = Parameter(
    "lon",
    "degrees from -180 to 360, east positive, as a plain decimal such as 11.6",
    LIMITS["lon_deg"],
    ("long", "lng", "longitude"),
    "11.6",
    _OF_PLACE,
    "number",
)
LAT = Parameter(
    "lat",
    "degrees from -90 to 90, north positive, as a plain decimal such as 48.1",
    LIMITS["lat_deg"],
    ("latitude",),
    "48.1",
    _OF_PLACE,
    "number",
)
ELEVATION = Parameter(
    "elevation",
    "metres above sea level from -500 to 9000, as a plain decimal such as 520",
    LIMITS["elevation_m"],
    ("alt", "altitude", "elev", "height"),
    "520",
    _OF_PLACE,
    "number",
)
TIME = Parameter(
    "time",
    "an instant from 1900 to 2100 in ISO 8601 with its offset, such as 2026-11-30T21:00:00Z",
    other_names=("at", "date", "datetime", "t", "when"),
    example="2026-11-30T21:00:00Z",
    problems=("not-an-instant", "out-of-range"),
    kind="instant",
)
NAME = Parameter(
    "name",
    "a body's name, in any letter case",
    example="mars",
    problems=("unknown-body",),
    choices=BODIES,
)
Parameters = Mapping[str, Parameter]
PLACE_AND_TIME: Parameters = {
    parameter.name: parameter for parameter in (LON, LAT, ELEVATION, TIME)
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of error: its stable code, the status that it is answered with, and when."""

    code: str
    status: int
    when: str


PROBLEMS = {
    problem.code: problem
    for problem in (
        Problem("unknown-parameter", 400, "the route has no such parameter"),
        Problem("repeated-parameter", 400, "a parameter stands in the query more than once"),
        Problem("missing-parameter", 400, "a place or a span is given in part, or no direction"),
        Problem("not-a-number", 400, "the value is not a plain decimal"),
        Problem("out-of-range", 400, "the value is outside the parameter's limits"),
        Problem("not-an-instant", 400, "the value is not an ISO 8601 instant with its offset"),
        Problem("not-a-date", 400, "the value is not a date in ISO 8601"),
        Problem("missing-date", 400, "the zone's clocks left the date out"),
        Problem("unknown-zone", 400, "the IANA has no time zone of this name"),
        Problem("end-before-start", 400, "the end is before the start"),
        Problem("too-many-points", 400, "the track would have more than 2,000 points"),
        Problem("unknown-field", 400, "a body has no such field"),
        Problem("unknown-format", 400, "the route has no such format; `formats` lists its own"),
        Problem("unknown-body", 404, "no body has this name; `bodies` lists them"),
        Problem("not-found", 404, "nothing is at this path"),
        Problem("method-not-allowed", 405, "the route answers GET, HEAD and OPTIONS"),
        Problem("not-acceptable", 406, "`Accept` takes none of the route's `formats`"),
        Problem("query-too-long", 414, "the query has more than 2,000 characters as sent"),
        Problem("internal-error", 500, "the fault is the server's"),
    )
}
# RFC 9110's phrases; Python's own differ from version to version.
TITLES = {
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    414: "URI Too Long",
    500: "Internal Server Error",
}
MAX_QUERY_CHARACTERS = 2000
NOT_FOUND = "Nothing is at this path; try /planets or /planets/mars."


class ProblemError(Exception):
    """A request that gets one of PROBLEMS, with a sentence that says what to send instead."""

    def __init__(self, code: str, detail: str, **members: object) -> None:
        super().__init__(detail)
        self.problem = PROBLEMS[code]
        self.detail = detail
        self.members = members


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a reply: its name in `format=`, and its media type. All are in UTF-8."""

    name: str
    media_type: str


JSON = Format("json", "application/json")
CSV = Format("csv", "text/csv")
CALENDAR = Format("ics", "text/calendar")
FORMAT = Parameter(
    "format",
    "a format of this address by its name, such as json, in place of the header Accept",
    other_names=("as", "fmt", "output", "type"),
    problems=("unknown-format",),
)


@dataclass(frozen=True, slots=True)
class Route:
    """One path, `{braces}` around its variables, its handler, and the parameters that it takes.

    `parameters` is None where the query is nobody's business: the page reads its own. The api
    answers OPTIONS and refuses other methods than GET and HEAD, unless the handler takes
    `every_method`. `formats` are those between which a request may choose, the first where it does
    not say; a route that names none writes JSON whatever `Accept` says, which RFC 9110 allows.
    `reply` are the members of the JSON, `columns` those of the CSV, `media_type` what a route
    without formats answers, `problems` the codes that are neither every route's nor a parameter's.
    """

    path: str
    handler: Handler
    parameters: Parameters | None
    summary: str
    every_method: bool = False
    formats: tuple[Format, ...] = ()
    reply: Members = ()
    columns: tuple[Field, ...] = ()
    media_type: str = JSON.media_type
    problems: tuple[str, ...] = ()
