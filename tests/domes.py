"""The dome alone in a page, shown a sky that the server has made."""

import json
import urllib.request
from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.pages import START, OpenPage

# Venus, Jupiter, Mars and the Moon are up in the dark, Mercury and Saturn are not.
PLACE = "lat=48.1&lon=11.6&elevation=520"
NIGHT = "2026-11-30T04:00:00Z"
ZONE = "Europe/Berlin"

MARKUP = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dome</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/dome.css"></head><body><main><h1>Dome</h1>
<svg id="dome-chart" class="dome"></svg><p id="dome-caption"></p>
<button id="dome-mirror"></button><button id="dome-compass"></button><p id="dome-note"></p>
</main></body></html>"""

SHOW = """async ({ sky, stars, track, zone }) => {
    const [{ Dome }, { DomeTools }] = await Promise.all(
        [import("/dome.js"), import("/dome-tools.js")]);
    const byId = (id) => document.getElementById(id);
    const parts = ["mirror", "compass", "caption", "note"];
    window.calls = [];
    window.picture = { bodies: sky.bodies, stars: stars.stars, state: sky.sky.state,
        selected: "jupiter", track, zone };
    window.dome = new Dome(byId("dome-chart"), {
        onSelect: (name) => {
            window.calls.push(name);
            window.picture = { ...window.picture, selected: name };
            window.dome.show(window.picture);
        },
        onPoint: (az, alt) => window.calls.push([az, alt]),
    });
    window.tools = new DomeTools(
        Object.fromEntries(parts.map((part) => [part, byId(`dome-${part}`)])),
        window.dome,
        (mirrored) => window.tools.show({ mirrored, selected: "jupiter", zone }),
    );
    window.dome.show(window.picture);
    window.tools.show({ mirrored: false, selected: "jupiter", zone });
}"""


def dome_page(
    open_page: OpenPage, *, at: str = NIGHT, clock: bool = False, lang: str = "en", **context: Any
) -> Page:
    """Open a page with a dome that shows the sky above PLACE at an instant."""

    def before(page: Page) -> None:
        if clock:
            page.clock.install(time=START)
        page.add_init_script(f"localStorage.setItem('language', '{lang}')")
        page.route(
            "**/dome-alone", lambda route: route.fulfill(body=MARKUP, content_type="text/html")
        )

    context.setdefault("viewport", {"width": 700, "height": 800})
    page = open_page("/dome-alone", before=before, **context)
    page.evaluate(SHOW, sky(page.url.removesuffix("/dome-alone"), at))
    page.wait_for_selector(".mark")
    return page


@cache
def sky(origin: str, at: str) -> dict[str, Any]:
    """Return what the dome is shown, as the server answers it."""
    when = f"{PLACE}&time={at}"
    span = f"start={at[:10]}T00:00:00%2B01:00&end={at[:10]}T23:59:59%2B01:00"
    return {
        "sky": _get(f"{origin}/planets?{when}"),
        "stars": _get(f"{origin}/stars?{when}"),
        "track": _get(f"{origin}/planets/jupiter/track?{PLACE}&{span}&fields=az,alt,alt_apparent"),
        "zone": ZONE,
    }


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)
