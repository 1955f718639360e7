"""The details of the selected body, and the quantities and the phase that they are made of."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import browser as browsers
from tests.pages import OpenPage, module_value, one_app
from tests.parts import part_page, show, told

pytestmark = [browsers.needed, one_app]

MINUS = "\N{MINUS SIGN}"
VENUS: dict[str, Any] = {
    "name": "venus",
    "az": 187.34567,
    "alt": 34.1,
    "alt_apparent": 34.12345,
    "ra": 83.6331,
    "dec": -5.39111,
    "distance_au": 0.7234567,
    "magnitude": -4.23,
    "elongation": -42.1,
    "illuminated": 0.6243,
    "phase_name": None,
    "diameter_arcsec": 23.07,
    "constellation": "Vir",
    "up": True,
    "visible": True,
}
OBSERVER = {"lon": 13.4, "lat": 52.5, "elevation": 0.0, "source": "given"}
SUN = VENUS | {"name": "sun", "elongation": None, "illuminated": None, "diameter_arcsec": 1945.2}


def details(open_page: OpenPage, **context: Any) -> Page:
    return part_page(open_page, "details", "Details", **context)


def show_body(page: Page, body: dict[str, Any] | None = VENUS, **shown: Any) -> None:
    usual = {
        "observer": OBSERVER,
        "time": "2026-11-30T21:40:10Z",
        "zone": "Europe/Berlin",
        "url": "/planets/venus?lat=52.5&lon=13.4",
        "preferences": {"degrees": "decimal", "hour12": False},
    }
    show(page, **usual | {"body": body} | shown)


def rows(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.locator("dl").evaluate(
        """(list) => Object.fromEntries([...list.children].filter((row) => !row.hidden)
            .map((row) => [row.firstChild.textContent, row.lastChild.textContent]))"""
    )
    return found


def test_the_numbers_of_the_selected_body_are_shown(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page)
    expect(page.get_by_role("heading", level=2)).to_have_text("Venus")
    expect(page.locator(".details-when")).to_have_text(
        "On 30 Nov 2026 at 22:40:10 in Europe/Berlin."
    )
    assert rows(page) == {
        "Altitude": "34.1°",
        "Azimuth": "187.3°",
        "Direction": "south",
        "Right ascension": "5.576 h",
        "Declination": f"{MINUS}5.4°",
        "Constellation": "Virgo (Vir)",
        "Magnitude": f"{MINUS}4.2",
        "Distance": "0.723 au, 6.0 light minutes",
        "Apparent diameter": "23.1″",
        "Phase": "62 % lit",
    }


def test_degrees_are_in_minutes_and_hours_twelve_for_who_wants_them(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, preferences={"degrees": "minutes", "hour12": True})
    shown = rows(page)
    assert shown["Altitude"] == "34° 07′"
    assert shown["Azimuth"] == "187° 21′"
    assert shown["Right ascension"] == "5 h 34.5 min"
    assert shown["Declination"] == f"{MINUS}5° 23′"
    expect(page.locator(".details-when")).to_contain_text("at 10:40:10 pm")
    expect(page.get_by_role("button", name="12-hour")).to_have_attribute("aria-pressed", "true")


def test_the_preferences_are_asked_for_by_buttons(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page)
    page.get_by_role("button", name="Degrees and minutes").click()
    page.get_by_role("button", name="12-hour clock").click()
    show_body(page, preferences={"degrees": "minutes", "hour12": True})
    page.get_by_role("button", name="Degrees and minutes").click()
    page.get_by_role("button", name="12-hour clock").click()
    assert [changes for _, changes in told(page)] == [
        {"degrees": "minutes"},
        {"hour12": True},
        {"degrees": "decimal"},
        {"hour12": False},
    ]


def test_below_the_horizon_the_altitude_is_without_air(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, VENUS | {"up": False, "alt": -12.34, "alt_apparent": None})
    assert rows(page)["Altitude"] == f"{MINUS}12.3°"


def test_the_sun_has_no_phase(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, SUN)
    assert "Phase" not in rows(page)
    assert rows(page)["Apparent diameter"] == "32.4′"


def test_the_moons_phase_has_its_name(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, VENUS | {"name": "moon", "phase_name": "waning_gibbous"})
    assert rows(page)["Phase"] == "62 % lit, waning gibbous"


def test_a_constellation_without_a_name_is_its_abbreviation(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, VENUS | {"constellation": "Com"})
    assert rows(page)["Constellation"] == "Com"


def test_without_a_body_there_are_no_details(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, None)
    expect(page.locator("#part")).to_be_hidden()


def test_the_request_is_shown_as_a_link(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page)
    link = page.get_by_role("link")
    origin = page.evaluate("location.origin")
    expect(link).to_have_text(f"{origin}/planets/venus?lat=52.5&lon=13.4")
    expect(link).to_have_attribute("href", f"{origin}/planets/venus?lat=52.5&lon=13.4")


def test_the_numbers_are_copied_as_json(open_page: OpenPage) -> None:
    page = details(open_page, permissions=["clipboard-read", "clipboard-write"])
    show_body(page)
    page.get_by_role("button", name="Copy as JSON").click()
    expect(page.get_by_role("status")).to_have_text("Copied.")
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert copied == {"time": "2026-11-30T21:40:10Z", "observer": OBSERVER, **VENUS}
    show_body(page, SUN)
    expect(page.get_by_role("status")).to_have_text("")


def test_where_copying_is_refused_the_text_is_there_to_copy(open_page: OpenPage) -> None:
    page = details(open_page)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    show_body(page)
    page.get_by_role("button", name="Copy as JSON").click()
    text = page.get_by_role("textbox", name="The numbers as JSON")
    expect(text).to_be_focused()
    assert json.loads(text.input_value())["magnitude"] == -4.23
    assert json.loads(page.evaluate("getSelection().toString()"))["name"] == "venus"


def test_a_refresh_changes_texts_in_place(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page)
    page.evaluate("window.kept = [...document.querySelectorAll('#part *')]")
    show_body(page, VENUS | {"az": 190.0})
    assert rows(page)["Azimuth"] == "190.0°"
    assert page.evaluate(
        "[...document.querySelectorAll('#part *')].every((it, index) => it === kept[index])"
    )


def test_what_the_server_says_is_text(open_page: OpenPage) -> None:
    page = details(open_page)
    show_body(page, VENUS | {"constellation": "<img src=x>", "name": "<b>x</b>"})
    assert page.locator("#part img, #part b").count() == 0
    expect(page.get_by_role("heading", level=2)).to_have_text("<b>x</b>")


def test_persian_has_its_own_digits_and_words(open_page: OpenPage) -> None:
    page = details(open_page, locale="fa-IR")
    show_body(page, VENUS | {"up": False, "alt": -0.5, "alt_apparent": None})
    shown = rows(page)
    assert shown["سمت"] == "۱۸۷٫۳°"
    assert shown["صورت فلکی"] == "سنبله (Vir)"
    assert shown["فاصله"] == "۰٫۷۲۳ واحد نجومی، ۶٫۰ دقیقهٔ نوری"
    show_body(page, preferences={"degrees": "minutes", "hour12": False})
    assert rows(page)["ارتفاع"] == "۳۴° ۰۷′"


@pytest.mark.parametrize("width", [240, 320, 1920])
@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
def test_nothing_scrolls_sideways(open_page: OpenPage, width: int, locale: str) -> None:
    page = details(open_page, locale=locale, viewport={"width": width, "height": 640})
    place = "lat=-48.123456&lon=-111.654321&elevation=8848.86"
    url = f"/planets/venus?{place}&time=2026-11-30T21:40:10Z"
    show_body(page, url=url)
    assert page.evaluate("document.documentElement.scrollWidth") == width


# Quantities


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("degrees(34.123)", "34.1°"),
        ("degrees(-0.04)", "0.0°"),
        ("degrees(34.999, 'minutes')", "35° 00′"),
        ("degrees(-5.5, 'minutes')", f"{MINUS}5° 30′"),
        ("degrees(-0.5, 'minutes')", f"{MINUS}0° 30′"),
        ("degrees(-0.001, 'minutes')", "0° 00′"),
        ("azimuth(359.96)", "0.0°"),
        ("azimuth(359.996, 'minutes')", "0° 00′"),
        ("azimuth(359.94)", "359.9°"),
        ("hours(83.6331)", "5.576 h"),
        ("hours(359.9999)", "0.000 h"),
        ("hours(359.9999, 'minutes')", "0 h 0.0 min"),
        ("hours(0)", "0.000 h"),
        ("hours(14.999, 'minutes')", "1 h 0.0 min"),
        ("lightMinutes(1).toFixed(6)", "8.316746"),
        ("distance(1)", "1.000 au, 8.3 light minutes"),
        ("distance(0.0025696)", "0.00257 au, 0.021 light minutes"),
        ("distance(39.5)", "39.500 au, 328.5 light minutes"),
        ("diameter(44.17)", "44.2″"),
        ("diameter(1890)", "31.5′"),
        ("duration(0)", "less than a minute"),
        ("duration(29_999)", "less than a minute"),
        ("duration(60_000)", "1 min"),
        ("duration(59.6 * 60_000)", "1 h"),
        ("duration(130 * 60_000)", "2 h 10 min"),
    ],
)
def test_quantities_are_written_as_people_do(
    open_page: OpenPage, expression: str, text: str
) -> None:
    page = details(open_page)
    assert module_value(page, "units.js", f"m.{expression}") == text


# The phase

LIT = """async ([illuminated, waxing]) => {
    const { phasePath } = await import("/phase.js");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", phasePath(illuminated, waxing));
    svg.append(path);
    document.body.append(svg);
    const lit = { left: 0, right: 0, all: 0 };
    for (let x = -0.995; x < 1; x += 0.01) {
        for (let y = -0.995; y < 1; y += 0.01) {
            if (x * x + y * y < 1) {
                lit.all += 1;
                const point = svg.createSVGPoint();
                [point.x, point.y] = [x, y];
                lit[x < 0 ? "left" : "right"] += path.isPointInFill(point) ? 1 : 0;
            }
        }
    }
    return [lit.left / lit.all, lit.right / lit.all];
}"""


@pytest.mark.parametrize("waxing", [True, False])
@pytest.mark.parametrize("illuminated", [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
def test_as_much_of_the_disc_is_lit_as_is_said_and_on_its_side(
    open_page: OpenPage, illuminated: float, waxing: bool
) -> None:
    page = details(open_page)
    left, right = page.evaluate(LIT, [illuminated, waxing])
    assert left + right == pytest.approx(illuminated, abs=0.01)
    near, far = (right, left) if waxing else (left, right)
    assert near == pytest.approx(min(illuminated, 0.5), abs=0.01)
    assert far == pytest.approx(max(illuminated - 0.5, 0), abs=0.01)


@pytest.mark.parametrize(
    ("elongation", "lat", "right"),
    [(42, 52, True), (-42, 52, False), (42, -33, False), (-42, -33, True)],
)
def test_the_lit_side_faces_the_sun_in_both_hemispheres(
    open_page: OpenPage, elongation: float, lat: float, right: bool
) -> None:
    page = details(open_page)
    show_body(page, VENUS | {"elongation": elongation}, observer=OBSERVER | {"lat": lat})
    expected = module_value(page, "phase.js", f"m.phasePath(0.6243, {str(right).lower()})")
    expect(page.locator(".phase path")).to_have_attribute("d", expected)
