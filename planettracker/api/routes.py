"""Every path that the service answers."""

from planettracker.api import client, handlers
from planettracker.api.contract import PLACE_AND_TIME, Route

ROUTES = (
    # In this order: aiohttp's router tries both where the first part of the path is theirs.
    Route("/planets/{name}", handlers.planet, PLACE_AND_TIME, "one body"),
    Route("/planets", handlers.sky, PLACE_AND_TIME, "all bodies for one observer and instant"),
    Route("/healthz", handlers.healthz, {}, "a fixed small reply: the server with no work to do"),
)
NOWHERE = Route("/{path}", handlers.nowhere, None, "every other path", every_method=True)


def routes() -> tuple[Route, ...]:
    """Return the rows of ROUTES and one for each of the client's files, read now."""
    return (*ROUTES, *client.routes())
