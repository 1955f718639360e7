"""Replies in JSON and other formats, and the members that they share."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import orjson

from planettracker.api import parse
from planettracker.api.contract import Format
from planettracker.api.formats import described
from planettracker.api.messages import Response
from planettracker.api.respond import etag
from planettracker.sky.site import Observer

_JSON = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
FLEETING = {**_JSON, "Cache-Control": "no-store"}
_LASTING = {**_JSON, "Cache-Control": "public, max-age=86400"}
clock = partial(datetime.now, UTC)


def reply(members: Mapping[str, object], lasting: bool) -> Response:
    """Return the members as JSON, with a tag if the same request gets the same reply tomorrow."""
    body = orjson.dumps(members, option=orjson.OPT_UTC_Z)
    if not lasting:
        return Response(200, FLEETING, body)
    return Response(200, {**_LASTING, "ETag": etag(body)}, body)


def document(form: Format, stem: str, body: bytes, lasting: bool) -> Response:
    """Return the body in another format than JSON, with the stem of a name to save it by."""
    tag = {**_LASTING, "ETag": etag(body)} if lasting else FLEETING
    return Response(200, {**tag, **described(form, stem)}, body)


def seen_from(observer: Observer) -> dict[str, object]:
    """Return the member that says which place a reply is for."""
    return {
        "observer": {
            "lon": observer.lon_deg,
            "lat": observer.lat_deg,
            "elevation": observer.elevation_m,
            "source": "default" if observer is parse.GREENWICH else "given",
        }
    }


def seen_at(at: datetime, observer: Observer) -> dict[str, object]:
    """Return the members that say which instant and place a reply is for."""
    return {"time": wire_time(at), **seen_from(observer)}


def wire_time(at: datetime) -> datetime | str:
    """Return UTC for orjson, which writes whole seconds as such, and else six digits, not three."""
    return f"{at.isoformat(timespec='milliseconds')[:23]}Z" if at.microsecond else at
