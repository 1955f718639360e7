"""What each route answers: one function for each row of ROUTES."""

from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from zlib import adler32, crc32

import orjson

from planettracker.api import parse
from planettracker.api.contract import FIELDS, NOT_FOUND, PLACE_AND_TIME, ProblemError
from planettracker.api.messages import Request, Response
from planettracker.sky.ephemeris import Ephemeris, PlanetTracker, canonical_name

_JSON = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
_FLEETING = {**_JSON, "Cache-Control": "no-store"}
_LASTING = {**_JSON, "Cache-Control": "public, max-age=86400"}
_HEALTHY = Response(200, _FLEETING, orjson.dumps({"status": "ok"}))
_NAMES = tuple(field.name for field in FIELDS)
_ENCODERS = tuple(field.encoder() for field in FIELDS)
_clock = partial(datetime.now, UTC)
_attributes = attrgetter(*(field.attribute for field in FIELDS))


def planet(request: Request) -> Response:
    """Answer one body for one observer and instant."""
    name = canonical_name(request.params["name"])
    place, instant = _asked(request)
    return _reply(place, instant, _encoded(_tracker(place).ephemeris(name, instant.at)))


def sky(request: Request) -> Response:
    """Answer all bodies for one observer and instant."""
    place, instant = _asked(request)
    bodies = [_encoded(body) for body in _tracker(place).sky(instant.at)]
    return _reply(place, instant, {"bodies": bodies})


def healthz(request: Request) -> Response:
    """Answer a fixed body: the server with no work to do."""
    parse.values(request.query, ())
    return _HEALTHY


def nowhere(request: Request) -> Response:
    """Refuse a path that no route has."""
    raise ProblemError("not-found", NOT_FOUND)


def _asked(request: Request) -> tuple[parse.Place, parse.Instant]:
    given = parse.values(request.query, PLACE_AND_TIME)
    return parse.place(given), parse.instant(given, _clock)


def _tracker(place: parse.Place) -> PlanetTracker:
    return PlanetTracker(place.observer)


def _reply(place: parse.Place, instant: parse.Instant, members: dict[str, object]) -> Response:
    """Return the members with the instant and the observer that they are for."""
    body = orjson.dumps(
        {"time": _time(instant.at), "observer": _observer(place), **members},
        option=orjson.OPT_UTC_Z,
    )
    if not instant.explicit:
        return Response(200, _FLEETING, body)
    return Response(200, {**_LASTING, "ETag": etag(body)}, body)


def _encoded(ephemeris: Ephemeris) -> dict[str, object]:
    values = _attributes(ephemeris)
    return {
        name: encode(value) for name, encode, value in zip(_NAMES, _ENCODERS, values, strict=True)
    }


def _observer(place: parse.Place) -> dict[str, object]:
    observer = place.observer
    return {
        "lon": observer.lon_deg,
        "lat": observer.lat_deg,
        "elevation": observer.elevation_m,
        "source": place.source,
    }


def _time(at: datetime) -> datetime | str:
    """Return UTC for orjson, which writes whole seconds as such, and else six digits, not three."""
    return f"{at.isoformat(timespec='milliseconds')[:23]}Z" if at.microsecond else at


def etag(body: bytes) -> str:
    """Return a strong entity tag of the body.

    It tells the versions of one address apart, for which two checksums will do: 1 us, where a
    cryptographic digest takes 3 to 4 between requests, its code being cold.
    """
    return f'"{crc32(body):08x}{adler32(body):08x}"'
