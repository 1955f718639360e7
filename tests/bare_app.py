"""aiohttp with nothing of ours but the ephemeris: what the contract's cost is measured against."""

from datetime import UTC, datetime

from aiohttp import web

from loadtest.plan import MARS
from planettracker.api.messages import Request
from planettracker.api.respond import respond, run
from planettracker.api.routes import ROUTES
from planettracker.sky import Observer, PlanetTracker

AT = datetime(2018, 9, 22, 12, tzinfo=UTC)  # as in MARS
MELBOURNE = Observer(lon_deg=145.051, lat_deg=-39.754)


def create_app() -> web.Application:
    """Return an app of two fixed replies, the bytes of the service's own."""
    app = web.Application()
    mars = _body("/planets/{name}", MARS.partition("?")[2], {"name": "mars"})
    health = _body("/healthz", "", {})

    async def planet(request: web.Request) -> web.Response:
        PlanetTracker(MELBOURNE).ephemeris(request.match_info["name"], AT)
        return web.Response(body=mars, content_type="application/json")

    async def healthz(request: web.Request) -> web.Response:
        return web.Response(body=health, content_type="application/json")

    app.router.add_get("/planets/{name}", planet)
    app.router.add_get("/healthz", healthz)
    return app


def _body(path: str, query: str, params: dict[str, str]) -> bytes:
    route = next(route for route in ROUTES if route.path == path)
    return run(respond(route, Request("GET", query, params, {}))).body
