"""What each route answers: one function for each row of ROUTES."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import orjson

from planettracker.api import parse
from planettracker.api.contract import FIELDS, NOT_FOUND, PLACE_AND_TIME, ProblemError, encoder
from planettracker.api.messages import Request, Response
from planettracker.api.respond import etag
from planettracker.sky.ephemeris import PlanetTracker, canonical_name
from planettracker.sky.site import Observer

_JSON = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
_FLEETING = {**_JSON, "Cache-Control": "no-store"}
_LASTING = {**_JSON, "Cache-Control": "public, max-age=86400"}
_HEALTHY = Response(200, _FLEETING, orjson.dumps({"status": "ok"}))
_encoded = encoder(FIELDS)
_clock = partial(datetime.now, UTC)


def planet(request: Request) -> Response:
    """Answer one body for one observer and instant."""
    name = canonical_name(request.params["name"])
    given = parse.values(request.query, PLACE_AND_TIME)
    observer, at = parse.observer(given), parse.instant(given, _clock)
    members = _encoded(PlanetTracker(observer).ephemeris(name, at))
    return _reply(observer, at, members, lasting="time" in given)


def sky(request: Request) -> Response:
    """Answer all bodies for one observer and instant."""
    given = parse.values(request.query, PLACE_AND_TIME)
    observer, at = parse.observer(given), parse.instant(given, _clock)
    bodies = [_encoded(body) for body in PlanetTracker(observer).sky(at)]
    return _reply(observer, at, {"bodies": bodies}, lasting="time" in given)


def healthz(request: Request) -> Response:
    """Answer a fixed body: the server with no work to do."""
    parse.values(request.query, {})
    return _HEALTHY


def nowhere(request: Request) -> Response:
    """Refuse a path that no route has."""
    raise ProblemError("not-found", NOT_FOUND)


def _reply(
    observer: Observer, at: datetime, members: Mapping[str, object], lasting: bool
) -> Response:
    """Return the members with the instant and the observer that they are for."""
    answer = {"time": _time(at), "observer": _observer(observer), **members}
    body = orjson.dumps(answer, option=orjson.OPT_UTC_Z)
    if not lasting:
        return Response(200, _FLEETING, body)
    return Response(200, {**_LASTING, "ETag": etag(body)}, body)


def _observer(observer: Observer) -> dict[str, object]:
    return {
        "lon": observer.lon_deg,
        "lat": observer.lat_deg,
        "elevation": observer.elevation_m,
        "source": "default" if observer is parse.GREENWICH else "given",
    }


def _time(at: datetime) -> datetime | str:
    """Return UTC for orjson, which writes whole seconds as such, and else six digits, not three."""
    return f"{at.isoformat(timespec='milliseconds')[:23]}Z" if at.microsecond else at
