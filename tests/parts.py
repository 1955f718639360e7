"""One part of the page by itself: an empty page with the module, and what it says to others."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

from tests.pages import OpenPage

# As the server says for the page itself: what a part adds must not need more.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A part of the page</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/layout.css">
<link rel="stylesheet" href="/table.css">
<link rel="stylesheet" href="/{part}.css">
</head>
<body>
<main><h1>A part of the page</h1><section id="part"></section></main>
</body>
</html>
"""
MAKE = """async ([file, name]) => {
    const module = await import(file);
    window.told = [];
    const tell = (event) => (value) => { window.told.push([event, value]); };
    const listeners = new Proxy({}, { get: (_, event) => tell(event) });
    window.part = new module[name](document.getElementById("part"), listeners);
}"""


def part_page(
    open_page: OpenPage,
    part: str,
    class_name: str,
    *,
    before: Callable[[Page], object] = lambda page: None,
    **context: Any,
) -> Page:
    """Open a page with nothing but the class of `part`.js in it, as `window.part`."""

    def serve(route: Route) -> None:
        headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
        route.fulfill(body=HTML.replace("{part}", part), headers=headers)

    def prepare(page: Page) -> None:
        page.route("**/part", serve)
        before(page)

    page = open_page("/part", before=prepare, **context)
    page.evaluate(MAKE, [f"/{part}.js", class_name])
    return page


def told(page: Page) -> list[Any]:
    """Return what the part has told its listeners, as pairs of the event and its value."""
    found: list[Any] = page.evaluate("window.told")
    return found


def show(page: Page, **shown: Any) -> None:
    """Show the values; text under `now` and `moment` is the instant in ISO 8601."""
    page.evaluate(
        """(shown) => {
            for (const name of ["now", "moment"]) {
                if (shown[name]) {
                    shown[name] = new Date(shown[name]);
                }
            }
            window.part.show(shown);
        }""",
        shown,
    )
