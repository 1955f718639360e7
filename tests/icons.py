"""Draw client/icon-*.png, which phones take in place of icon.svg.

.venv/bin/python -m tests.icons

The browser draws them. A maskable one has no corners of its own, since the phone cuts its own shape
out of it, and its drawing stays inside the circle that no shape cuts into.
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests import browser as browsers

CLIENT = Path(__file__).parents[1] / "client"
SIZES = (192, 512)
# What is sure to be seen is a circle of 80 % of the width; icon.svg's drawing fills one of 81 %.
MASKABLE_SCALE = 0.9
GROUND = "#0e131b"  # icon.svg's own


def page(svg: str, size: int, maskable: bool) -> str:
    """Return an HTML page that is the icon."""
    ground, scale = (GROUND, MASKABLE_SCALE) if maskable else ("transparent", 1.0)
    return (
        f"<style>html {{ background: {ground} }} body {{ margin: 0 }} "
        f"svg {{ display: block; width: {size}px; height: {size}px; scale: {scale} }}</style>{svg}"
    )


def png(browser: Browser, svg: str, size: int, maskable: bool) -> bytes:
    """Return the icon as the browser draws it."""
    with browser.new_context(viewport={"width": size, "height": size}) as context:
        shown = context.new_page()
        shown.set_content(page(svg, size, maskable))
        return shown.screenshot(omit_background=not maskable)


def main() -> int:
    """Write the icons."""
    svg = (CLIENT / "icon.svg").read_text()
    with browsers.running(browsers.CHROMIUM) as browser:
        for size in SIZES:
            for maskable in (False, True):
                stem = "icon-maskable" if maskable else "icon"
                (CLIENT / f"{stem}-{size}.png").write_bytes(png(browser, svg, size, maskable))
    return 0


if __name__ == "__main__":
    sys.exit(main())
