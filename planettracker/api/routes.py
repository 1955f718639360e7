"""Every path that the service answers."""

from planettracker.api import almanac, client, docs, handlers, openapi, stars, track, waiting
from planettracker.api.almanac_tables import ALMANAC, ALMANAC_EVENT, ALMANAC_FORMATS, ALMANAC_REPLY
from planettracker.api.contract import BODY_REPLY, HEALTH_REPLY, PLACE_AND_TIME, SKY_REPLY, Route
from planettracker.api.tables import (
    IDENTIFY,
    IDENTIFY_REPLY,
    STARS_REPLY,
    TRACK,
    TRACK_FIELDS,
    TRACK_FORMATS,
    TRACK_REPLY,
    TRACK_TIME,
)

ROUTES = (
    # In this order: aiohttp's router tries both where the first part of the path is theirs.
    Route("/planets/{name}", handlers.planet, PLACE_AND_TIME, "one body", reply=BODY_REPLY),
    Route(
        "/planets",
        handlers.sky,
        PLACE_AND_TIME,
        "all bodies for one observer and instant",
        reply=SKY_REPLY,
    ),
    Route(
        "/planets/{name}/track",
        track.planet_track,
        TRACK,
        "one body's path as columns",
        formats=TRACK_FORMATS,
        reply=TRACK_REPLY,
        columns=(TRACK_TIME, *TRACK_FIELDS.values()),
    ),
    Route(
        "/stars",
        stars.bright_stars,
        PLACE_AND_TIME,
        "the bright stars for one observer and instant",
        reply=STARS_REPLY,
    ),
    Route(
        "/identify",
        stars.identify,
        IDENTIFY,
        "the bodies and stars nearest to a direction",
        reply=IDENTIFY_REPLY,
    ),
    Route(
        "/almanac",
        almanac.almanac_of_date,
        ALMANAC,
        "rises, transits and sets, twilights and the Moon's phase of one date at a place",
        formats=ALMANAC_FORMATS,
        reply=ALMANAC_REPLY,
        columns=ALMANAC_EVENT,
    ),
    Route(
        "/healthz",
        handlers.healthz,
        {},
        "a fixed small reply: the server with no work to do",
        reply=HEALTH_REPLY,
    ),
)
NOWHERE = Route("/{path}", handlers.nowhere, None, "every other path", every_method=True)


def routes() -> tuple[Route, ...]:
    """Return the rows of ROUTES, what describes them, and one for each of the client's files.

    And where the experiment asks for it the one that waits, which nothing describes.
    """
    page = (docs.route(ROUTES), *client.routes())
    return (*ROUTES, openapi.route((*ROUTES, *page)), *page, *waiting.routes())
