"""What the routes of the bodies answer: one function for each row of ROUTES."""

import orjson

from planettracker.api import parse
from planettracker.api.contract import (
    FIELDS,
    NOT_FOUND,
    PLACE_AND_TIME,
    SKY_STATE,
    VISIBLE,
    ProblemError,
)
from planettracker.api.fields import encoder
from planettracker.api.messages import Request, Response
from planettracker.api.replies import FLEETING, clock, reply, seen_at
from planettracker.sky.ephemeris import BODIES, PlanetTracker, canonical_name
from planettracker.sky.visibility import is_visible, sky_state

_HEALTHY = Response(200, FLEETING, orjson.dumps({"status": "ok"}))
_body = encoder(FIELDS)
_state = encoder(SKY_STATE)
_SUN = BODIES.index("sun")


def planet(request: Request) -> Response:
    """Answer one body for one observer and instant."""
    name = canonical_name(request.params["name"])
    given = parse.values(request.query, PLACE_AND_TIME)
    observer, at = parse.observer(given), parse.instant(given, clock)
    members = _body(PlanetTracker(observer).ephemeris(name, at))
    return reply({**seen_at(at, observer), **members}, lasting="time" in given)


def sky(request: Request) -> Response:
    """Answer the sky's state and all bodies for one observer and instant."""
    given = parse.values(request.query, PLACE_AND_TIME)
    observer, at = parse.observer(given), parse.instant(given, clock)
    bodies = PlanetTracker(observer).sky(at)
    sun = bodies[_SUN]
    members = {
        "sky": _state(sky_state(sun)),
        "bodies": [{**_body(body), VISIBLE.name: is_visible(body, sun)} for body in bodies],
    }
    return reply({**seen_at(at, observer), **members}, lasting="time" in given)


def healthz(request: Request) -> Response:
    """Answer a fixed body: the server with no work to do."""
    parse.values(request.query, {})
    return _HEALTHY


def nowhere(request: Request) -> Response:
    """Refuse a path that no route has."""
    raise ProblemError("not-found", NOT_FOUND)
