"""The page as a whole in a real browser: every part together, in each language, width and theme."""

import re
import urllib.parse
from base64 import b64encode
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from planettracker.api.client import CLIENT
from tests import browser as browsers
from tests.pages import OpenPage, Server, held_page, one_app, settle, wait_until

pytestmark = browsers.needed

MUNICH = "lat=48.137&lon=11.575&elevation=520"
EVENING = "time=2026-12-05T17:30:00Z"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
THEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "night": {"color_scheme": "light", "night": True},
}
LANGUAGES = {"en": "en-GB", "fa": "fa-IR"}


def complete(page: Page) -> Page:
    """Wait until all that the page asks for has come."""
    expect(page.locator("#sky")).to_be_visible()
    expect(page.locator("#tonight table.events")).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


def at_night(page: Page) -> None:
    page.add_init_script("localStorage.setItem('night', 'on')")


def headings(page: Page) -> list[str]:
    return page.locator("h2:visible").all_inner_texts()


# Place, moment and body


def test_a_link_shows_its_place_its_moment_and_its_body(
    open_page: OpenPage, server: Server
) -> None:
    target = f"/?{MUNICH}&{EVENING}&body=saturn"
    page = complete(open_page(target, timezone_id="America/New_York"))
    expect(page.locator("#place")).to_contain_text("48.137° N, 11.575° E, 520 m above sea level.")
    expect(page.locator("#utc")).to_have_text("5 Dec 2026, 17:30:00")
    expect(page.locator("#there")).to_have_text("5 Dec 2026, 18:30:00")
    expect(page.locator("#there-zone")).to_have_text("(Central European Standard Time)")
    expect(page.locator("#local")).to_have_text("5 Dec 2026, 12:30:00")
    expect(page.locator("#details-title")).to_have_text("Saturn")
    expect(page.locator("#freshness")).to_contain_text("A fixed moment")
    settle(page)
    assert page.url == server.url + target


def test_the_foot_says_which_stack_answered_and_where_its_contract_is(
    open_page: OpenPage, server: Server
) -> None:
    page = complete(open_page())
    name = {"aiohttp": "aiohttp", "flask": "Werkzeug"}[server.name]
    expect(page.locator("#stack")).to_have_text(re.compile(f"^Answered by .*{name}"))
    expect(page.locator("#docs")).to_have_attribute("href", "/docs")


@one_app
def test_a_fixed_moment_is_asked_for_once_and_now_goes_on(
    open_page: OpenPage, server: Server
) -> None:
    asked: list[str] = []

    def before(page: Page) -> None:
        page.clock.install()
        page.on("request", lambda request: asked.append(request.url))

    page = complete(open_page(f"/?{MUNICH}&{EVENING}", before=before))
    page.clock.run_for(10_000)
    settle(page)
    assert len([url for url in asked if urllib.parse.urlsplit(url).path == "/planets"]) == 1
    page.locator("#moment button.now").click()
    expect(page.locator("#freshness")).to_have_text("Updated every 2 seconds.")
    wait_until(page, lambda: page.url == f"{server.url}/?{MUNICH}")


@one_app
def test_the_slider_travels_and_the_address_follows(open_page: OpenPage, server: Server) -> None:
    page = complete(open_page(f"/?{MUNICH}&{EVENING}"))
    page.locator("#moment-slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#there")).to_have_text("5 Dec 2026, 00:00:00")
    wait_until(page, lambda: page.url.endswith("&time=2026-12-04T23:00:00Z"))
    page.fill("#moment-date", "2026-06-21")
    expect(page.locator("#there")).to_have_text("21 Jun 2026, 00:00:00")
    expect(page.locator("#tonight .when")).to_contain_text("21 June 2026")


@one_app
def test_playing_moves_the_sky_ten_minutes_a_second(open_page: OpenPage) -> None:
    page = complete(open_page(f"/?{MUNICH}&{EVENING}"))
    page.locator("#moment button.play").click()
    expect(page.locator("#there")).to_have_text(re.compile("5 Dec 2026, 18:5"))
    page.locator("#moment button.play").click()
    page.wait_for_load_state("networkidle")
    stopped_at = page.locator("#there").inner_text()
    page.wait_for_timeout(500)
    assert page.locator("#there").inner_text() == stopped_at


@one_app
def test_selecting_a_body_anywhere_shows_it_everywhere(open_page: OpenPage, server: Server) -> None:
    page = complete(open_page(f"/?{MUNICH}&{EVENING}"))
    page.locator("#bodies").get_by_role("button", name="Jupiter").click()
    expect(page.locator("#details-title")).to_have_text("Jupiter")
    pressed = page.locator("#tonight .events [aria-pressed=true]")
    expect(pressed).to_have_text("Jupiter")
    wait_until(page, lambda: page.url == f"{server.url}/?{MUNICH}&{EVENING}&body=jupiter")
    page.reload()
    expect(page.locator("#details-title")).to_have_text("Jupiter")


@one_app
def test_a_link_to_no_body_shows_another(open_page: OpenPage) -> None:
    page = complete(open_page(f"/?{MUNICH}&{EVENING}&body=<b>nibiru</b>"))
    expect(page.locator("#details-title")).to_be_visible()


@one_app
@pytest.mark.parametrize("time", ["yesterday", "2300-01-01T00:00:00Z", "2026-12-05T17:30:00"])
def test_a_link_to_no_moment_shows_no_other(
    open_page: OpenPage, server: Server, allowed_noise: list[str], time: str
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    query = urllib.parse.urlencode({"time": time})
    page = open_page(f"/?{query}")
    problem = server.get(f"/planets?{query}")[1]
    expect(page.get_by_role("alert").filter(has_text="time")).to_have_text(problem["detail"])
    expect(page.locator("#sky")).to_be_hidden()
    page.fill("#lat", "48.1")
    page.fill("#lon", "11.6")
    page.click("#form [type=submit]")
    expect(page.locator("#sky")).to_be_visible()
    expect(page.locator("#freshness")).to_have_text("Updated every 2 seconds.")


# Unusual places


@one_app
@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            "lat=69.65&lon=18.96&time=2026-06-21T10:00:00Z&body=sun",
            "Sun is always up on this date.",
        ),
        ("lat=69.65&lon=18.96&time=2026-12-21T10:00:00Z&body=sun", "Sun is never up on this date."),
        ("lat=-90&lon=0&time=2026-12-21T10:00:00Z&body=sun", "Sun is always up on this date."),
        ("lat=90&lon=0&time=2026-12-21T10:00:00Z&body=sun", "Sun is never up on this date."),
    ],
)
def test_what_is_always_up_or_never_is_said_in_words(
    open_page: OpenPage, query: str, words: str
) -> None:
    page = complete(open_page(f"/?{query}"))
    expect(page.locator("#tonight")).to_contain_text(words)


@one_app
def test_two_rises_on_one_date_are_both_there(open_page: OpenPage) -> None:
    page = complete(open_page("/?lat=51.4769&lon=0&time=2024-08-20T12:00:00Z&body=jupiter"))
    row = page.locator("#tonight .events tr.selected")
    expect(row.locator("td").first).to_contain_text("00:02, 23:59")


@one_app
def test_latitude_0_and_longitude_0_are_a_place(open_page: OpenPage, server: Server) -> None:
    page = complete(open_page("/?lat=0&lon=0"))
    expect(page.locator("#place")).to_contain_text("in this link: 0° N, 0° E.")


@one_app
def test_a_place_is_shown_in_its_own_zone_whatever_the_browsers(open_page: OpenPage) -> None:
    target = "/?lat=35.69&lon=51.39&time=2026-12-05T21:00:00Z"
    page = complete(open_page(target, timezone_id="Pacific/Honolulu"))
    expect(page.locator("#there")).to_have_text("6 Dec 2026, 00:30:00")
    expect(page.locator("#there-zone")).to_have_text("(Iran Standard Time)")
    expect(page.locator("#local")).to_have_text("5 Dec 2026, 11:00:00")
    expect(page.locator("#tonight .when")).to_contain_text("6 December 2026")


# Both languages


def test_the_page_speaks_persian_to_a_persian_browser(open_page: OpenPage) -> None:
    page = complete(open_page(f"/?{MUNICH}&{EVENING}", locale="fa-IR"))
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("html")).to_have_attribute("lang", "fa")
    expect(page.locator("#night")).to_have_text("حالت شب")
    expect(page.locator("#place")).to_contain_text("۴۸٫۱۳۷°\u2069 شمالی")
    text = page.locator("main").inner_text()
    shown = re.sub(r"https?://\S+|[A-Z][A-Za-z]*/[A-Za-z_/]+", "", text)
    latin = set(re.findall(r"[A-Za-z]{2,}", shown)) - ALLOWED_LATIN
    assert latin == set()


ALLOWED_LATIN = {"UTC", "JSON", "PlanetTracker", "Cet"}  # the IAU's abbreviation of Cetus


@one_app
def test_the_language_can_be_switched_and_is_remembered(open_page: OpenPage) -> None:
    page = complete(open_page(f"/?{MUNICH}&{EVENING}", locale="de-DE"))
    before = headings(page)
    page.get_by_role("button", name="فارسی").click()
    expect(page.get_by_role("button", name="English")).to_be_focused()
    assert len(headings(page)) == len(before)
    assert not set(headings(page)) & set(before)
    page.reload()
    complete(page)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.get_by_role("button", name="English").click()
    assert headings(page) == before


@one_app
def test_the_servers_problem_is_said_in_persian(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page = open_page("/?lat=95&lon=0", locale="fa-IR")
    expect(page.locator("#place-error")).to_contain_text("عرض جغرافیایی بیرون از محدوده است.")


@one_app
def test_every_text_of_one_language_is_there_in_the_other(open_page: OpenPage) -> None:
    keys = """(code) => import(`/${code}.js`).then(({ default: texts }) =>
        Object.entries(texts).flatMap(([section, names]) =>
            Object.entries(names).map(([name, text]) => [
                `${section}.${name}`,
                typeof text,
            ])))"""
    page = open_page()
    english, persian = (dict(page.evaluate(keys, code)) for code in ("en", "fa"))
    only_persian = ("problems.", "parameters.", "expected.", "compassShort.", "stars.")
    assert english.keys() - persian.keys() - {"constellations"} == set()
    assert {
        key for key in persian.keys() - english.keys() if not key.startswith(only_persian)
    } == set()


# For everyone


@one_app
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_nobody_is_shut_out(open_page: OpenPage, theme: str, language: str) -> None:
    options = dict(THEMES[theme])
    before = at_night if options.pop("night", False) else lambda page: None
    page = open_page(
        f"/?{MUNICH}&{EVENING}&body=saturn", before=before, locale=LANGUAGES[language], **options
    )
    complete(page)
    page.click("#type")
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": WCAG}})
    assert results.violations_count == 0, results.generate_report()


@one_app
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
def test_nothing_is_cut_off_or_scrolls_sideways(
    open_page: OpenPage, width: int, language: str
) -> None:
    page = complete(
        open_page(
            f"/?{MUNICH}&{EVENING}&body=saturn",
            viewport={"width": width, "height": 800},
            locale=LANGUAGES[language],
        )
    )
    page.click("#type")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    outside = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((element) => {
            const { left, right, width } = element.getBoundingClientRect();
            const isSmall = width <= 1 || element.closest("svg, .heard, .timeline");
            return !isSmall && (left < -0.5 || right > innerWidth + 0.5);
        }).map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert outside == []


@one_app
def test_targets_are_big_enough_for_a_finger(open_page: OpenPage) -> None:
    page = complete(
        open_page(f"/?{MUNICH}&{EVENING}&body=saturn", viewport={"width": 360, "height": 740})
    )
    page.click("#type")
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, input, footer a")].filter((element) => {
            const { width, height } = element.getBoundingClientRect();
            return width > 0 && (width < 24 || height < 24);
        }).map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert small == []


@one_app
def test_night_is_red_on_black_in_every_part(open_page: OpenPage) -> None:
    page = complete(open_page(f"/?{MUNICH}&time=2026-12-05T10:30:00Z&body=moon", before=at_night))
    page.click("#type")
    png = page.screenshot(full_page=True)
    greenest = page.evaluate(
        """async (base64) => {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, image.width, image.height);
            let most = 0;
            for (let index = 0; index < data.length; index += 4) {
                most = Math.max(most, data[index + 1], data[index + 2]);
            }
            return most;
        }""",
        b64encode(png).decode(),
    )
    assert greenest == 0


# When things go wrong


@one_app
def test_a_server_that_takes_three_seconds_is_waited_for(open_page: OpenPage) -> None:
    page, answers = held_page(open_page)
    page.clock.run_for(3000)
    expect(page.locator("#headline")).to_have_text("Asking the server for the sky.")
    answers.held.pop().continue_()
    complete(page)
    expect(page.locator("#freshness")).to_have_text("Updated every 2 seconds.")


HTML = '<img src="/x" onerror="alert(1)"><b>bold</b>'


@one_app
def test_what_looks_like_html_is_shown_as_text_wherever_it_is_typed(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page = complete(open_page(f"/?{MUNICH}&{EVENING}"))
    page.click("#type")
    for field in page.locator("input:visible:not([type=date]):not([type=range])").all():
        field.fill(HTML)
        field.press("Enter")
        settle(page)
    assert page.locator("main b, main img").count() == 0


# What it takes


def test_every_module_that_the_page_imports_is_preloaded_and_no_other() -> None:
    index = (CLIENT / "index.html").read_text("utf-8")
    preloaded = re.findall(r'<link rel="modulepreload" href="/([\w-]+\.js)">', index)
    imported: set[str] = set()
    to_read = ["main.js"]
    while to_read:
        source = (CLIENT / to_read.pop()).read_text("utf-8")
        found = set(re.findall(r'^(?:import|export|\}) .*?"\./([\w-]+\.js)"', source, re.MULTILINE))
        to_read += found - imported
        imported |= found
    assert sorted(preloaded) == sorted(imported)


@one_app
def test_a_first_visit_takes_less_than_150_kilobytes(open_page: OpenPage) -> None:
    page = complete(open_page())
    taken = page.evaluate(
        """performance.getEntriesByType("resource")
            .concat(performance.getEntriesByType("navigation"))
            .reduce((sum, { transferSize }) => sum + transferSize, 0)"""
    )
    assert 20_000 < taken < 150_000
