"""The form that a place is chosen with, in the page that it stands in."""

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests import browser as browsers
from tests.pages import OpenPage, Server, one_app, settle

pytestmark = [browsers.needed, one_app]

TEHRAN = "Showing the sky above Tehran: 35.69° N, 51.39° E, 1190 m above sea level."
TYPED = "Showing the sky above the place you typed: "
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def open_form(open_page: OpenPage, target: str = "/", **options: Any) -> Page:
    page = open_page(target, **options)
    expect(page.locator("#sky")).to_be_visible()
    page.click("#type")
    return page


def options(page: Page) -> Locator:
    return page.get_by_role("option")


def search(page: Page, text: str) -> None:
    page.locator("#place-search").fill(text)


def submit(page: Page) -> None:
    page.click("#form [type=submit]")


def remembered(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("JSON.parse(localStorage.getItem('recent places'))")
    return found


# A city


def test_a_city_is_chosen_from_the_list_and_named(open_page: OpenPage, server: Server) -> None:
    page = open_form(open_page)
    search(page, "teh")
    expect(options(page)).to_have_text(["Tehran Iran"])
    expect(page.locator("#place-note")).to_have_text("1 place found.")
    options(page).click()
    expect(page.locator("#place")).to_have_text(TEHRAN)
    expect(page.locator("#form")).to_be_hidden()
    assert page.url.split("?")[1].startswith("lat=35.69&lon=51.39&elevation=1190")


def test_the_list_of_cities_comes_on_first_use_and_once(open_page: OpenPage) -> None:
    asked: list[str] = []
    page = open_page(before=lambda page: page.on("request", lambda r: asked.append(r.url)))
    expect(page.locator("#sky")).to_be_visible()
    page.click("#type")
    settle(page)
    assert not any(url.endswith("/cities.json") for url in asked)
    search(page, "oslo")
    expect(options(page)).to_have_count(1)
    search(page, "rome")
    expect(options(page)).to_have_text(["Rome Italy"])
    assert sum(url.endswith("/cities.json") for url in asked) == 1


def test_the_list_is_used_by_keyboard(open_page: OpenPage) -> None:
    page = open_form(open_page)
    field = page.locator("#place-search")
    field.press_sequentially("san")
    expect(page.get_by_role("listbox")).to_be_visible()
    count = options(page).count()
    assert count > 2
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(field).not_to_have_attribute("aria-activedescendant", re.compile("."))
    page.keyboard.press("ArrowDown")
    expect(options(page).nth(0)).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "place-found-0")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[aria-selected=true]")).to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect(options(page).nth(count - 1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(options(page)).to_have_count(0)
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(field).to_have_value("san")
    page.keyboard.press("Alt+ArrowDown")
    expect(options(page)).to_have_count(count)
    expect(page.locator("[aria-selected=true]")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    name = options(page).nth(1).locator(".label").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("#place")).to_contain_text(f"above {name}:")
    expect(page.locator("#type")).to_be_focused()


@pytest.mark.parametrize("press", ["Enter", "button"])
def test_the_first_that_is_found_is_taken_where_none_is_chosen(
    open_page: OpenPage, press: str
) -> None:
    page = open_form(open_page)
    search(page, "Tehran")
    if press == "Enter":
        page.locator("#place-search").press("Enter")
    else:
        submit(page)
    expect(page.locator("#place")).to_have_text(TEHRAN)


def test_a_name_that_is_not_in_the_list_asks_the_server_nothing(open_page: OpenPage) -> None:
    page = open_form(open_page)
    search(page, "<b onclick=alert(1)>Atlantis</b>")
    page.locator("#place-search").press("Enter")
    field = page.locator("#place-search")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_error_message(re.compile("^No city of the list has that name"))
    expect(page.locator("#place")).to_contain_text("Greenwich")
    assert page.locator("#form b").count() == 0
    search(page, "Oslo")
    expect(field).to_have_attribute("aria-invalid", "false")


def test_without_the_list_coordinates_still_work(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: net::ERR_FAILED")
    page = open_form(
        open_page, before=lambda page: page.route("**/cities.json", lambda route: route.abort())
    )
    search(page, "Oslo")
    expect(page.locator("#place-note")).to_contain_text("The list of cities did not come.")
    search(page, "48.1, 11.6")
    expect(options(page)).to_have_text(["48.1° N, 11.6° E these coordinates"])
    page.locator("#place-search").press("Enter")
    expect(page.locator("#place")).to_have_text(f"{TYPED}48.1° N, 11.6° E.")
    page.unroute("**/cities.json")
    page.click("#type")
    search(page, "Oslo")
    expect(options(page)).to_have_count(1)


def test_a_city_keeps_its_name_in_the_other_language(open_page: OpenPage) -> None:
    page = open_form(open_page)
    search(page, "Tehran")
    page.locator("#place-search").press("Enter")
    expect(page.locator("#place")).to_have_text(TEHRAN)
    page.click("#languages button:not([hidden])")
    expect(page.locator("#place")).to_contain_text("تهران")
    page.click("#type")
    expect(page.locator("#form .recent li button:first-child")).to_have_text("تهران")
    search(page, "برلین")
    expect(options(page)).to_have_text(["برلین آلمان"])


# Coordinates


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("48.1, 11.6", "48.1° N, 11.6° E."),
        ("48,1 11,6", "48.1° N, 11.6° E."),
        ("۴۸٫۱، ۱۱٫۶", "48.1° N, 11.6° E."),
        ("51°28′N 0°7′W", "51.46667° N, 0.11667° W."),
        ("48.1, 11.6, 520 m", "48.1° N, 11.6° E, 520 m above sea level."),
        ("0, 0", "0° N, 0° E."),
    ],
)
def test_coordinates_in_one_field_are_shown_before_they_are_taken(
    open_page: OpenPage, typed: str, shown: str
) -> None:
    page = open_form(open_page)
    search(page, typed)
    expect(options(page).nth(0).locator(".label")).to_have_text(shown.removesuffix("."))
    submit(page)
    expect(page.locator("#place")).to_have_text(TYPED + shown)


def test_a_conversion_is_said_beside_its_field(open_page: OpenPage) -> None:
    page = open_form(open_page)
    page.fill("#lat", "51°28′N")
    expect(page.locator("#lat-read")).to_have_text("read as 51.46667")
    page.fill("#lon", "−۰٫۱۲۷۶")
    expect(page.locator("#lon-read")).to_have_text("read as −0.1276")
    page.fill("#elevation", "11")
    expect(page.locator("#elevation-read")).to_have_text("")
    expect(page.locator("#lat")).to_have_accessible_description(re.compile("read as 51.46667$"))
    submit(page)
    expect(page.locator("#place")).to_contain_text("51.46667° N, 0.1276° W, 11 m")
    page.click("#type")
    assert [page.input_value(f"#{name}") for name in ("lat", "lon", "elevation")] == [
        "51.46667",
        "-0.1276",
        "11",
    ]
    expect(page.locator("#lat-read")).to_have_text("")


def test_a_pair_that_is_pasted_into_one_field_goes_to_both(open_page: OpenPage) -> None:
    page = open_form(open_page)
    page.focus("#lat")
    page.evaluate(
        """() => {
            const field = document.getElementById("lat");
            field.value = "48.1, 11.6";
            field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
        }"""
    )
    assert [page.input_value(f"#{name}") for name in ("lat", "lon")] == ["48.1", "11.6"]


@pytest.mark.parametrize(
    ("lat", "lon", "hint"),
    [
        ("139.69", "35.68", "A latitude is between −90 and 90 degrees."),
        ("139.69 E", "35.68 N", "East or west: this is a longitude, and not a latitude."),
        ("51.39", "35.69", "The other way round, this is near Tehran"),
    ],
)
def test_swapped_coordinates_are_met_with_a_hint_and_a_button(
    open_page: OpenPage, lat: str, lon: str, hint: str
) -> None:
    page = open_form(open_page)
    page.fill("#lat", lat)
    page.fill("#lon", lon)
    expect(page.locator("#place-hint")).to_contain_text(hint)
    page.get_by_role("button", name="Swap latitude and longitude").click()
    assert (page.input_value("#lat"), page.input_value("#lon")) == (lon, lat)
    expect(page.locator("#place-hint")).to_have_text("")
    expect(page.get_by_role("button", name="Swap latitude and longitude")).to_have_count(0)
    expect(page.locator("#lat")).to_be_focused()


def test_swapped_coordinates_in_one_field_are_offered_and_not_taken_by_themselves(
    open_page: OpenPage,
) -> None:
    page = open_form(open_page)
    search(page, "139.69, 35.68")
    expect(options(page)).to_have_text(["35.68° N, 139.69° E the other way round"])
    expect(page.locator("#place-note")).to_contain_text("A latitude is between")
    page.locator("#place-search").press("Enter")
    expect(page.locator("#place-search")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#place")).to_contain_text("Greenwich")
    search(page, "51.39, 35.69")
    expect(options(page)).to_have_text(
        [
            "51.39° N, 35.69° E these coordinates",
            "35.69° N, 51.39° E the other way round, near Tehran",
        ]
    )
    options(page).nth(1).click()
    expect(page.locator("#place")).to_contain_text("35.69° N, 51.39° E")


def test_an_impossible_place_is_refused_by_the_server_with_the_hint_beside_it(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page = open_form(open_page)
    page.fill("#lat", "139.69")
    page.fill("#lon", "35.68")
    submit(page)
    expect(page.get_by_role("alert").first).to_contain_text("lat")
    expect(page.locator("#lat")).to_be_focused()
    expect(page.locator("#lat")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#place-hint")).to_contain_text("A latitude is between")
    assert remembered(page) == []
    page.get_by_role("button", name="Swap latitude and longitude").click()
    submit(page)
    expect(page.locator("#place")).to_contain_text("35.68° N, 139.69° E")
    assert [place["query"] for place in remembered(page)] == ["lat=35.68&lon=139.69"]


def test_a_link_with_swapped_coordinates_is_met_with_the_hint(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page = open_page("/?lat=139.69&lon=35.68")
    expect(page.locator("#place-hint")).to_contain_text("A latitude is between")
    page.get_by_role("button", name="Swap latitude and longitude").click()
    submit(page)
    expect(page.locator("#place")).to_contain_text("35.68° N, 139.69° E")


def test_what_was_edited_last_counts(open_page: OpenPage) -> None:
    page = open_form(open_page, "/?lat=48.1&lon=11.6&elevation=520")
    search(page, "Tehran")
    page.fill("#lat", "49.5")
    expect(page.locator("#place-search")).to_have_value("")
    submit(page)
    expect(page.locator("#place")).to_contain_text("49.5° N, 11.6° E, 520 m")
    page.click("#type")
    page.fill("#lat", "48.5")
    search(page, "Tehran")
    submit(page)
    expect(page.locator("#place")).to_have_text(TEHRAN)
    page.click("#type")
    expect(page.locator("#place-search")).to_have_value("Tehran")
    submit(page)
    expect(page.locator("#form")).to_be_hidden()
    expect(page.locator("#place")).to_have_text(TEHRAN)


# Recent places


def test_recent_places_are_remembered_chosen_again_and_forgotten(open_page: OpenPage) -> None:
    page = open_form(open_page)
    expect(page.locator(".recent")).to_be_hidden()
    search(page, "Tehran")
    submit(page)
    expect(page.locator("#place")).to_have_text(TEHRAN)
    page.click("#type")
    search(page, "48.1, 11.6")
    submit(page)
    expect(page.locator("#place")).to_contain_text("48.1° N, 11.6° E")
    page.goto(page.url.split("?")[0])
    expect(page.locator("#sky")).to_be_visible()
    page.click("#type")
    choices = page.locator(".recent li button:first-child")
    expect(choices).to_have_text(["48.1° N, 11.6° E", "Tehran"])
    choices.nth(1).click()
    expect(page.locator("#place")).to_have_text(TEHRAN)
    page.click("#type")
    expect(choices).to_have_text(["Tehran", "48.1° N, 11.6° E"])
    page.get_by_role("button", name="Forget Tehran").press("Enter")
    expect(choices).to_have_text(["48.1° N, 11.6° E"])
    expect(page.get_by_role("button", name="Forget 48.1° N, 11.6° E")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".recent")).to_be_hidden()
    expect(page.locator("#place-search")).to_be_focused()
    assert remembered(page) == []


def test_eight_places_are_remembered_each_once(open_page: OpenPage) -> None:
    page = open_form(open_page)
    kept = page.evaluate(
        """() => import('/recent.js').then((m) => {
            for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 2]) {
                m.rememberPlace({ query: `lat=${n}&lon=0` });
            }
            return m.recentPlaces().map(({ query }) => query[4]).join("");
        })"""
    )
    assert kept == "29876543"


@pytest.mark.parametrize(
    "kept", ["{", "null", "3", '{"query": "lat=1&lon=2"}', '[1, {"query": 2}]']
)
def test_what_is_not_ours_in_the_storage_is_passed_over(open_page: OpenPage, kept: str) -> None:
    store = f"localStorage.setItem('recent places', {json.dumps(kept)})"
    page = open_form(open_page, before=lambda page: page.add_init_script(store))
    expect(page.locator(".recent")).to_be_hidden()
    search(page, "Tehran")
    submit(page)
    expect(page.locator("#place")).to_have_text(TEHRAN)


def test_recent_places_last_as_long_as_the_page_where_storage_is_refused(
    open_page: OpenPage,
) -> None:
    refuse = (
        "Object.defineProperty(window, 'localStorage',"
        " { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    page = open_form(open_page, before=lambda page: page.add_init_script(refuse))
    search(page, "Tehran")
    submit(page)
    expect(page.locator("#place")).to_have_text(TEHRAN)
    page.click("#type")
    expect(page.locator(".recent li button:first-child")).to_have_text(["Tehran"])


# For everyone


@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
@pytest.mark.parametrize("night", [False, True])
def test_axe_finds_nothing_in_the_open_form(open_page: OpenPage, locale: str, night: bool) -> None:
    def before(page: Page) -> None:
        page.add_init_script(f"localStorage.setItem('night', '{'on' if night else 'off'}')")

    page = open_form(open_page, locale=locale, before=before)
    search(page, "Tehran")
    submit(page)
    expect(page.locator("#form")).to_be_hidden()
    page.click("#type")
    page.fill("#lat", "139")
    page.locator("#place-search").press_sequentially("san")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[aria-selected=true]")).to_have_count(1)
    found = Axe().run(page, context="#form", options={"runOnly": {"type": "tag", "values": WCAG}})
    assert found.response["violations"] == []


@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
@pytest.mark.parametrize("width", [180, 320, 1920])
def test_the_open_form_keeps_its_width(open_page: OpenPage, locale: str, width: int) -> None:
    page = open_form(open_page, locale=locale, viewport={"width": width, "height": 640})
    search(page, "-33.123456, 151.654321, 1234.5")
    submit(page)
    expect(page.locator("#form")).to_be_hidden()
    page.click("#type")
    page.fill("#lat", "139,123456")
    page.locator("#place-search").press_sequentially("san")
    expect(page.get_by_role("listbox")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for target in page.locator("#form button:visible").all():
        box = target.bounding_box()
        assert box and min(box["width"], box["height"]) >= 24
