"""aiohttp with nothing of ours but the ephemeris: what the contract's cost is measured against."""

from datetime import UTC, datetime

from aiohttp import web

from loadtest.plan import MARS
from planettracker.api.messages import Request, Response
from planettracker.api.respond import respond, run
from planettracker.api.routes import ROUTES
from planettracker.sky import Observer, PlanetTracker

AT = datetime(2018, 9, 22, 12, tzinfo=UTC)  # as in MARS


def create_app() -> web.Application:
    """Return an app of two fixed replies, the bytes of the service's own."""
    app = web.Application()
    mars = _reply("/planets/{name}", MARS.partition("?")[2], {"name": "mars"})
    health = _reply("/healthz", "", {})

    async def planet(request: web.Request) -> web.Response:
        tracker = PlanetTracker(Observer(lon_deg=145.051, lat_deg=-39.754, elevation_m=0))
        tracker.ephemeris(request.match_info["name"], AT)
        return web.Response(headers=mars.headers, body=mars.body)

    async def healthz(request: web.Request) -> web.Response:
        return web.Response(headers=health.headers, body=health.body)

    app.router.add_get("/planets/{name}", planet)
    app.router.add_get("/healthz", healthz)
    return app


def _reply(path: str, query: str, params: dict[str, str]) -> Response:
    route = next(route for route in ROUTES if route.path == path)
    return run(respond(route, Request("GET", query, params, {})))
