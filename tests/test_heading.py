"""Which way somebody faces, by the compass of the device."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browser as browsers
from tests.domes import dome_page
from tests.pages import OpenPage, empty_page, module_value, one_app

pytestmark = [browsers.needed, one_app]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The whole browser: the engine alone has nobody to ask for leave to read the sensors."""
    with browsers.running(browsers.CHROMIUM) as browser:
        yield browser


# The angles of a device whose compass reads so, held so by somebody who faces the azimuth.
HELD: dict[str, tuple[dict[str, Any], int]] = {
    "flat, north": ({"alpha": 0, "beta": 0, "gamma": 0}, 0),
    "flat, east": ({"alpha": 270, "beta": 0, "gamma": 0}, 90),
    "tilted, east": ({"alpha": 270, "beta": 45, "gamma": 0}, 90),
    "upright, south": ({"alpha": 180, "beta": 90, "gamma": 0}, 180),
    "flat on its side, east": ({"alpha": 0, "beta": 0, "gamma": 0}, 90),
    "upright on its side, east": ({"alpha": 0, "beta": 0, "gamma": -90}, 90),
    "tilted back to the sky, west": ({"alpha": 90, "beta": 135, "gamma": 0}, 270),
    "overhead, south": ({"alpha": 180, "beta": 180, "gamma": 0}, 180),
}


@pytest.mark.parametrize("held", HELD)
def test_the_azimuth_faced_is_known_however_the_device_is_held(
    open_page: OpenPage, held: str
) -> None:
    angles, azimuth = HELD[held]
    page = empty_page(open_page)
    screen_angle = 90 if "side" in held else 0
    event = json.dumps({**angles, "absolute": True})
    faced = module_value(page, "heading.js", f"m.facing({event}, {screen_angle})")
    assert (faced - azimuth + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)


def test_angles_that_do_not_count_from_north_are_no_compass(open_page: OpenPage) -> None:
    page = empty_page(open_page)
    relative = "{ alpha: 10, beta: 0, gamma: 0, absolute: false }"
    assert module_value(page, "heading.js", f"m.facing({relative}, 0)") is None
    apple = "{ alpha: 10, beta: 30, gamma: 0, absolute: false, webkitCompassHeading: 200 }"
    assert module_value(page, "heading.js", f"m.facing({apple}, 0)") == 200
    overhead = "{ alpha: 10, beta: 170, gamma: 0, absolute: false, webkitCompassHeading: 200 }"
    assert module_value(page, "heading.js", f"m.facing({overhead}, 0)") == 20


def turn_to(page: Page, alpha: float) -> None:
    page.evaluate(
        """(alpha) => window.dispatchEvent(new DeviceOrientationEvent("deviceorientationabsolute",
            { alpha, beta: 0, gamma: 0, absolute: true }))""",
        alpha,
    )


def test_the_compass_turns_the_dome_until_it_is_switched_off(open_page: OpenPage) -> None:
    page = dome_page(open_page, has_touch=True)
    before = page.locator("[data-name=venus]").get_attribute("transform")
    page.click("#dome-compass")
    expect(page.locator("#dome-compass")).to_have_attribute("aria-pressed", "true")
    turn_to(page, 270)
    expect(page.locator("#dome-caption")).to_contain_text("You face east: it is at the bottom.")
    expect(page.locator("[data-name=venus]")).not_to_have_attribute("transform", str(before))
    east = page.locator(".point.main").nth(1).bounding_box()
    assert east and east["y"] > 300
    page.click("#dome-compass")
    expect(page.locator("#dome-caption")).to_contain_text("North is at the top")
    expect(page.locator("[data-name=venus]")).to_have_attribute("transform", str(before))
    turn_to(page, 90)
    expect(page.locator("#dome-compass")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-name=venus]")).to_have_attribute("transform", str(before))


def test_a_device_without_a_compass_says_so(open_page: OpenPage) -> None:
    page = dome_page(open_page, has_touch=True, clock=True)
    page.click("#dome-compass")
    expect(page.locator("#dome-compass")).to_have_attribute("aria-pressed", "true")
    page.clock.run_for(3000)
    expect(page.locator("#dome-note")).to_have_text("This device does not say which way it faces.")
    expect(page.locator("#dome-compass")).to_have_attribute("aria-pressed", "false")


def test_a_compass_that_is_refused_is_said_to_be(open_page: OpenPage) -> None:
    page = dome_page(open_page, has_touch=True)
    page.evaluate("DeviceOrientationEvent.requestPermission = async () => 'denied'")
    page.click("#dome-compass")
    expect(page.locator("#dome-note")).to_have_text(
        "The browser did not allow its compass to be read."
    )


def test_a_desk_is_offered_no_compass(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    expect(page.locator("#dome-compass")).to_be_hidden()
