"""Make the pictures of the page in docs/page again: `make screenshots`."""

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from tests import browser as browsers
from tests.pages import Server

FOLDER = Path(__file__).parents[1] / "docs" / "page"
MUNICH = "lat=48.137&lon=11.575&elevation=520"
TEHRAN = "lat=35.69&lon=51.39&elevation=1200"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: its name, what the page shows, and in which browser."""

    name: str
    target: str
    context: dict[str, Any]
    stored: dict[str, str] = field(default_factory=dict)
    whole: bool = False


PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
DESK = {"viewport": {"width": 1280, "height": 900}}
SHOTS = (
    Shot(
        "phone-night",
        f"/?{MUNICH}&time=2026-12-05T17:30:00Z&body=saturn",
        {**PHONE, "timezone_id": "Europe/Berlin"},
        {"night": "on"},
    ),
    Shot(
        "desk-day",
        f"/?{MUNICH}&time=2026-12-05T10:30:00Z&body=venus",
        {**DESK, "timezone_id": "Europe/Berlin", "color_scheme": "light"},
        whole=True,
    ),
    Shot(
        "persian",
        f"/?{TEHRAN}&time=2026-12-05T17:00:00Z&body=saturn",
        {**DESK, "timezone_id": "Asia/Tehran", "locale": "fa-IR", "color_scheme": "dark"},
        whole=True,
    ),
)


def make(browser: Browser, server: Server, shot: Shot, folder: Path = FOLDER) -> Path:
    """Return the picture's file, written when all that the page shows has come."""
    with closing(browser.new_context(**shot.context, reduced_motion="reduce")) as context:
        for key, value in shot.stored.items():
            context.add_init_script(f"localStorage.setItem({key!r}, {value!r})")
        page = context.new_page()
        page.goto(server.url + shot.target)
        expect(page.locator("#sky")).to_be_visible()
        page.wait_for_load_state("networkidle")
        file = folder / f"{shot.name}.png"
        page.screenshot(path=file, full_page=shot.whole)
        return file


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    server = Server("aiohttp")
    with server.running(), browsers.running(browsers.CHROMIUM) as browser:
        for shot in SHOTS:
            print(make(browser, server, shot))


if __name__ == "__main__":
    main()
