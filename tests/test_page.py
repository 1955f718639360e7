"""The page in a real browser, from each app's development server."""

import urllib.parse
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import browser as browsers
from tests.pages import OpenPage, Server, held_page, one_app, settle, wait_until

pytestmark = browsers.needed

GREENWICH = "Showing the sky above Greenwich, because no place was given."
MUNICH = "48.1° N, 11.6° E, 520 m above sea level."
MINUS = "\N{MINUS SIGN}"
FRESH = "Updated every 2 seconds."
GROUPS = ("visible", "above", "below")


def body_names(page: Page, *groups: str) -> list[str]:
    """Return the names in these groups of the table, in all by default, as they stand there."""
    selectors = ", ".join(f"#{group} .body-name" for group in groups or GROUPS)
    return page.locator(selectors).all_inner_texts()


def cells(page: Page, name: str) -> list[str]:
    """Return a row's texts; the compass point comes short for the eye and full for the ear."""
    row = page.locator("#bodies").get_by_role("row", name=name)
    short, full = (
        row.locator(f".compass .{length}").text_content() for length in ("short", "full")
    )
    altitude, azimuth, _, magnitude = row.get_by_role("cell").all_inner_texts()
    return [altitude, azimuth, f"{short} {full}", magnitude]


def type_place(page: Page, lat: str, lon: str, elevation: str = "") -> None:
    if page.locator("#form").is_hidden():
        page.click("#type")
    page.fill("#lat", lat)
    page.fill("#lon", lon)
    page.fill("#elevation", elevation)
    page.click("text=Show this sky")


# The table


def test_page_shows_ten_bodies_above_greenwich_when_no_place_is_given(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page()
    expect(page.locator("#place")).to_have_text(GREENWICH)
    expect(page.locator("#freshness")).to_have_text(FRESH)
    names = body_names(page)
    assert sorted(names) == sorted(
        body["name"].title() for body in server.get("/planets")[1]["bodies"]
    )
    assert len(names) == 10


@one_app
def test_what_is_up_comes_first_and_the_brightest_before_the_others(
    open_page: OpenPage, server: Server
) -> None:
    sky = server.get("/planets?time=2026-11-30T04:00:00Z&lat=48.1&lon=11.6")[1]
    (uranus,) = (body for body in sky["bodies"] if body["name"] == "uranus")
    uranus["visible"] = False
    page, answers = held_page(open_page)
    answers.give(sky)
    expect(page.locator("#sky")).to_be_visible()
    assert body_names(page, "visible") == ["Moon", "Venus", "Jupiter", "Mars"]
    assert body_names(page, "above") == ["Uranus"]
    assert body_names(page, "below") == ["Sun", "Mercury", "Saturn", "Neptune", "Pluto"]
    assert page.locator("tr.group").all_inner_texts() == [
        "To be seen with the naked eye",
        "Up, but not to be seen with the naked eye",
        "Below the horizon",
    ]
    expect(page.locator("#headline")).to_have_text(
        "The brightest planet to be seen now is Venus, 9° high in the east-south-east."
    )


@one_app
def test_a_body_that_sets_moves_below_the_horizon(open_page: OpenPage, server: Server) -> None:
    sky = server.get("/planets?time=2026-11-30T04:00:00Z&lat=48.1&lon=11.6")[1]
    page, answers = held_page(open_page)
    answers.give(sky)
    expect(page.locator("#sky")).to_be_visible()
    for body in sky["bodies"]:
        body |= {"up": False, "visible": False, "alt": -1.0, "alt_apparent": None}
    page.clock.run_for(2000)
    wait_until(page, lambda: answers.held)
    answers.give(sky)
    for group in ("visible", "above"):
        expect(page.locator(f"#{group}")).to_be_hidden()
    assert len(body_names(page, "below")) == 10
    expect(page.locator("#headline")).to_have_text(
        "No planet is up now that the naked eye can see."
    )


@one_app
def test_numbers_are_rounded_to_what_exists(open_page: OpenPage, server: Server) -> None:
    sky = server.get("/planets")[1]
    below = {"up": False, "visible": False, "alt_apparent": None}
    fields = {
        "mars": below | {"alt": -0.04, "az": 359.96, "magnitude": -0.01},
        "moon": below | {"alt": -12.34, "az": 348.74, "magnitude": -10.68},
        "sun": {
            "alt": 5.0,
            "alt_apparent": 5.16,
            "up": True,
            "visible": True,
            "az": 348.76,
            "magnitude": -26.8,
        },
    }
    for body in sky["bodies"]:
        body |= fields.get(body["name"], {})
    page, answers = held_page(open_page)
    answers.give(sky)
    expect(page.locator("#sky")).to_be_visible()
    assert cells(page, "Mars") == ["0.0°", "0.0°", "N north", "0.0"]
    assert cells(page, "Moon") == [
        f"{MINUS}12.3°",
        "348.7°",
        "NNW north-north-west",
        f"{MINUS}10.7",
    ]
    assert cells(page, "Sun") == ["5.2°", "348.8°", "N north", f"{MINUS}26.8"]


@one_app
def test_a_refresh_changes_the_cells_in_place_and_moves_nothing(
    open_page: OpenPage, server: Server
) -> None:
    sky = server.get("/planets")[1]
    page, answers = held_page(open_page)
    answers.give(sky)
    expect(page.locator("#sky")).to_be_visible()
    expect(page.locator("#tonight .events")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate(
        """() => {
            window.cells = [...document.querySelectorAll("td, tbody th")];
            window.shifts = 0;
            new PerformanceObserver((list) => { window.shifts += list.getEntries().length; })
                .observe({ type: "layout-shift" });
        }"""
    )
    headline = page.locator("#headline").inner_text()
    for body in sky["bodies"]:
        if body["name"].title() not in headline:  # another direction may take another line
            body["az"] = 5.0
    page.clock.run_for(2000)
    wait_until(page, lambda: answers.held)
    answers.give(sky)
    expect(page.locator("#bodies").get_by_role("row", name="Moon")).to_contain_text("5.0°")
    settle(page)
    assert page.evaluate("window.shifts") == 0
    assert page.evaluate(
        """() => {
            const cells = document.querySelectorAll("td, tbody th");
            return window.cells.length === cells.length
                && window.cells.every((cell, index) => cell === cells[index]);
        }"""
    )


@one_app
def test_times_are_of_the_data_in_utc_and_in_the_named_zone_of_the_browser(
    open_page: OpenPage, server: Server
) -> None:
    page, answers = held_page(open_page, timezone_id="Asia/Kolkata", locale="de-DE")
    answers.give(server.get("/planets?time=2026-11-30T20:04:10Z")[1])
    lines = page.locator(".times div:visible")
    expect(lines.filter(has_text="UTC")).to_have_text("UTC30 Nov 2026, 20:04:10")
    expect(lines.filter(has_text="browser")).to_have_text(
        "Time of this browser (India Standard Time)1 Dec 2026, 01:34:10"
    )


# Asking the server


@one_app
def test_the_next_question_comes_two_seconds_after_the_last_answer(
    open_page: OpenPage, server: Server
) -> None:
    page, answers = held_page(open_page)
    page.clock.run_for(4000)
    settle(page)
    assert len(answers.asked) == 1, "asked again before there was an answer"
    for count in (1, 2, 3):
        answers.give(server.get("/planets")[1])
        expect(page.locator("#freshness")).to_have_text(FRESH)
        settle(page)
        page.clock.run_for(1999)
        settle(page)
        assert len(answers.asked) == count, "asked again too soon"
        page.clock.run_for(1)
        wait_until(page, lambda count=count: len(answers.asked) == count + 1)


@one_app
def test_requests_never_overlap(open_page: OpenPage) -> None:
    in_flight: list[int] = []
    count = 0

    def change(request: Any, by: int) -> None:
        nonlocal count
        if "/planets" in request.url:
            count += by
            in_flight.append(count)

    def before(page: Page) -> None:
        page.on("request", lambda request: change(request, 1))
        page.on("requestfinished", lambda request: change(request, -1))
        page.on("requestfailed", lambda request: change(request, -1))

    page = open_page(before=before)
    wait_until(page, lambda: len(in_flight) >= 4)
    assert set(in_flight) == {0, 1}


@one_app
def test_an_answer_that_takes_five_seconds_is_given_up(open_page: OpenPage) -> None:
    page, answers = held_page(open_page)
    page.clock.run_for(4999)
    expect(page.locator("#freshness")).to_have_text("Asking the server for this place.")
    page.clock.run_for(1)
    expect(page.locator("#freshness")).to_have_text(
        "No answer from the server yet; asking again every 2 seconds."
    )
    page.clock.run_for(2000)
    wait_until(page, lambda: len(answers.asked) == 2)


@one_app
def test_a_hidden_page_does_not_ask_and_asks_at_once_when_it_is_seen_again(
    open_page: OpenPage, server: Server
) -> None:
    page, answers = held_page(open_page)
    set_hidden = """(hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(set_hidden, True)
    answers.give(server.get("/planets")[1])
    expect(page.locator("#freshness")).to_have_text(FRESH)
    page.clock.run_for(60_000)
    settle(page)
    assert len(answers.asked) == 1
    page.evaluate(set_hidden, False)
    page.evaluate(set_hidden, False)
    wait_until(page, lambda: len(answers.asked) >= 2)
    settle(page)
    assert len(answers.asked) == 2


@one_app
def test_the_last_sky_stays_and_is_marked_while_the_server_is_gone(
    open_page: OpenPage, server: Server, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: net::ERR_")
    page = open_page()
    expect(page.locator("#freshness")).to_have_text(FRESH)
    with server.stopped():
        expect(page.locator("#freshness")).to_contain_text("No answer from the server since ")
        expect(page.locator("#freshness")).to_contain_text("; showing the last one.")
        expect(page.locator("main")).to_have_class("stale")
        assert len(body_names(page)) == 10
    expect(page.locator("#freshness")).to_have_text(FRESH)
    expect(page.locator("main")).not_to_have_class("stale")


# The browser's place


def count_questions(page: Page) -> None:
    page.add_init_script(
        """window.questions = 0;
        const real = Geolocation.prototype.getCurrentPosition;
        Geolocation.prototype.getCurrentPosition = function (...given) {
            window.questions += 1;
            real.apply(this, given);
        };"""
    )


@one_app
def test_a_place_is_not_asked_for_without_a_press(open_page: OpenPage) -> None:
    page = open_page(before=count_questions)
    expect(page.locator("#place")).to_have_text(GREENWICH)
    assert page.evaluate("window.questions") == 0


@one_app
def test_a_refused_place_leaves_the_page_as_it_was_and_says_what_to_do(
    open_page: OpenPage,
) -> None:
    page = open_page(before=count_questions)
    page.click("#locate")
    expect(page.locator("#locate-note")).to_contain_text(
        "The browser did not allow its place to be used. Type a place instead, or allow it in"
    )
    assert page.evaluate("window.questions") == 1
    expect(page.locator("#place")).to_have_text(GREENWICH)
    expect(page.locator("#bodies")).to_be_visible()


def test_a_place_that_is_allowed_is_used_at_once_and_shared_only_on_purpose(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page(
        permissions=["geolocation"], geolocation={"latitude": -33.8688, "longitude": 151.20930001}
    )
    expect(page.locator("#place")).to_have_text(
        "Showing the sky above the place that this browser reports: 33.8688° S, 151.2093° E."
    )
    expect(page.locator("#locate-note")).to_have_text("")
    assert page.url == server.url + "/"
    page.click("text=Link to this place")
    expect(page.locator("#place")).to_have_text(
        "Showing the sky above the place in this link: 33.8688° S, 151.2093° E."
    )


@one_app
def test_the_browsers_place_takes_the_place_of_a_links(open_page: OpenPage, server: Server) -> None:
    page = open_page(
        "/?lat=48.1&lon=11.6",
        permissions=["geolocation"],
        geolocation={"latitude": -33.8688, "longitude": 151.2093},
    )
    expect(page.locator("#place")).to_contain_text("in this link")
    page.click("#locate")
    expect(page.locator("#place")).to_contain_text("33.8688° S")
    assert page.url == server.url + "/"


@one_app
def test_a_place_that_does_not_come_is_not_waited_for(open_page: OpenPage, server: Server) -> None:
    page, answers = held_page(open_page)
    answers.give(server.get("/planets")[1])
    expect(page.locator("#place")).to_have_text(GREENWICH)
    page.evaluate("() => { Geolocation.prototype.getCurrentPosition = () => {}; }")
    page.click("#locate")
    expect(page.locator("#locate-note")).to_have_text(
        "Waiting for the browser to report its place."
    )
    page.clock.run_for(15_000)
    expect(page.locator("#locate-note")).to_have_text(
        "The browser has not reported its place yet. Type a place instead, or go on waiting."
    )
    expect(page.locator("#bodies")).to_be_visible()


@one_app
def test_a_place_that_comes_late_does_not_override_one_that_was_typed(
    open_page: OpenPage, server: Server
) -> None:
    page, answers = held_page(open_page)
    page.evaluate(
        "() => { Geolocation.prototype.getCurrentPosition = (found) => { window.found = found; }; }"
    )
    page.click("#locate")
    type_place(page, "48.1", "11.6", "520")
    wait_until(page, lambda: len(answers.asked) == 2)
    page.evaluate("window.found({ coords: { latitude: 1, longitude: 2 } })")
    settle(page)
    assert [urllib.parse.urlsplit(url).query for url in answers.asked] == [
        "",
        "lat=48.1&lon=11.6&elevation=520",
    ]


@one_app
def test_a_browser_that_knows_no_place_says_so(open_page: OpenPage) -> None:
    def before(page: Page) -> None:
        page.add_init_script(
            "Geolocation.prototype.getCurrentPosition ="
            " (found, failed) => failed({ code: 2, PERMISSION_DENIED: 1 });"
        )

    page = open_page(before=before)
    page.click("#locate")
    expect(page.locator("#locate-note")).to_contain_text("does not know its place at the moment")


@one_app
def test_a_browser_without_geolocation_says_so(open_page: OpenPage) -> None:
    def before(page: Page) -> None:
        page.add_init_script("delete Navigator.prototype.geolocation;")

    page = open_page(before=before)
    page.click("#locate")
    expect(page.locator("#locate-note")).to_have_text(
        "This browser cannot report its place. Type a place instead."
    )
    expect(page.locator("#bodies")).to_be_visible()


@one_app
def test_an_insecure_page_says_why_there_is_no_place(open_page: OpenPage, server: Server) -> None:
    page = open_page(origin=f"http://sky.test:{server.port}")
    expect(page.locator("#place")).to_have_text(GREENWICH)
    page.click("#locate")
    expect(page.locator("#locate-note")).to_have_text(
        "A browser reports its place only to a page opened by https. Type a place instead."
    )


# A typed place, and a link


def test_a_typed_place_is_in_the_address_and_the_link_shows_it_again(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page()
    type_place(page, " 48.1 ", "11.6", "520")
    expect(page.locator("#place")).to_have_text(
        f"Showing the sky above the place you typed: {MUNICH}"
    )
    assert page.url == server.url + "/?lat=48.1&lon=11.6&elevation=520"
    other = open_page(page.url.removeprefix(server.url))
    expect(other.locator("#place")).to_have_text(
        f"Showing the sky above the place in this link: {MUNICH}"
    )
    other.click("#type")
    values = [other.input_value(field) for field in ("#lat", "#lon", "#elevation")]
    assert values == ["48.1", "11.6", "520"]


@one_app
def test_back_returns_to_the_place_before(open_page: OpenPage) -> None:
    page = open_page("/?lat=48.1&lon=11.6&elevation=520")
    expect(page.locator("#place")).to_contain_text(MUNICH)
    type_place(page, "-33.9", "151.2")
    expect(page.locator("#place")).to_contain_text("33.9° S, 151.2° E.")
    page.go_back()
    expect(page.locator("#place")).to_contain_text(MUNICH)


@one_app
def test_an_empty_form_returns_to_greenwich(open_page: OpenPage, server: Server) -> None:
    page = open_page("/?lat=48.1&lon=11.6&elevation=520")
    expect(page.locator("#place")).to_contain_text(MUNICH)
    type_place(page, "", "")
    expect(page.locator("#place")).to_have_text(GREENWICH)
    assert page.url == server.url + "/"


@pytest.mark.parametrize("lat", ["95", "<img src=/planets onerror=alert(1)>"])
def test_a_link_with_a_bad_place_shows_the_servers_sentence_and_stays_usable(
    open_page: OpenPage, server: Server, allowed_noise: list[str], lat: str
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    query = urllib.parse.urlencode({"lat": lat, "lon": "11.6"})
    page = open_page(f"/?{query}")
    status, problem = server.get(f"/planets?{query}")
    assert status == 400
    expect(page.locator("#place-error")).to_have_text(problem["detail"])
    expect(page.locator("#lat")).to_have_value(lat)
    expect(page.locator("#lat")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#lat")).to_have_accessible_error_message(problem["detail"])
    expect(page.locator("#bodies")).to_be_hidden()
    type_place(page, "48.1", "11.6", "520")
    expect(page.locator("#place")).to_contain_text(MUNICH)
    expect(page.locator("#place-error")).to_have_text("")
    expect(page.locator("#bodies")).to_be_visible()
    page.go_back()
    expect(page.locator("#place-error")).to_have_text(problem["detail"])
    expect(page.locator("#bodies")).to_be_hidden()


@one_app
def test_a_link_with_a_parameters_wrong_name_shows_no_other_place(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page = open_page("/?latitude=48.1&longitude=11.6")
    expect(page.locator("#place-error")).to_contain_text("did you mean lat?")
    expect(page.locator("#bodies")).to_be_hidden()


@one_app
def test_a_bad_link_is_asked_for_once(
    open_page: OpenPage, server: Server, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page, answers = held_page(open_page, target="/?lat=95&lon=0")
    answers.give(server.get("/planets?lat=95&lon=0")[1], status=400)
    expect(page.locator("#place-error")).not_to_be_empty()
    page.clock.run_for(10_000)
    settle(page)
    assert len(answers.asked) == 1


@one_app
def test_a_bad_place_that_is_typed_leaves_the_sky_and_the_address_alone(
    open_page: OpenPage, server: Server, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page, answers = held_page(open_page)
    answers.give(server.get("/planets")[1])
    expect(page.locator("#place")).to_have_text(GREENWICH)
    type_place(page, "48.1", "east")
    wait_until(page, lambda: answers.held)
    problem = server.get("/planets?lat=48.1&lon=east")[1]
    answers.give(problem, status=400)
    expect(page.locator("#place-error")).to_have_text(problem["detail"])
    expect(page.locator("#lon")).to_be_focused()
    expect(page.locator("#bodies")).to_be_visible()
    assert page.url == server.url + "/"
    page.clock.run_for(2000)
    wait_until(page, lambda: answers.held)
    assert answers.asked[-1] == server.url + "/planets"
    answers.give(server.get("/planets")[1])
    expect(page.locator("#place")).to_have_text(GREENWICH)
    expect(page.locator("#place-error")).to_have_text(problem["detail"])


@one_app
def test_a_sentence_from_the_server_is_shown_as_text(
    open_page: OpenPage, allowed_noise: list[str]
) -> None:
    allowed_noise.append("Failed to load resource: the server responded with a status of 400")
    page, answers = held_page(open_page, target="/?lat=x&lon=0")
    answers.give({"detail": "<b>lat</b> <script>alert(1)</script>"}, status=400)
    expect(page.locator("#place-error")).to_have_text("<b>lat</b> <script>alert(1)</script>")
    assert page.locator("#place-error *").count() == 0


# For everyone


@one_app
def test_the_page_works_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    expect(page.locator("#place")).to_have_text(GREENWICH)

    def tab_to(expected: str) -> None:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == expected
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", f"the focus on {expected} cannot be seen"

    tab_to("night")
    page.keyboard.press("Space")
    expect(page.locator("#night")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="فارسی")).to_be_focused()
    tab_to("locate")
    tab_to("type")
    page.keyboard.press("Enter")
    tab_to("place-search")
    for field, text in {"lat": "48.1", "lon": "11.6", "elevation": "520"}.items():
        tab_to(field)
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(page.locator("#place")).to_contain_text(MUNICH)
    expect(page.locator("#type")).to_be_focused()


# A browser that doubles the text of a phone of 360 pixels tells the page of 180.
@one_app
@pytest.mark.parametrize("width", [180, 240, 320])
@pytest.mark.parametrize("target", ["/", "/?lat=-48.123456&lon=-111.654321&elevation=8848.86"])
def test_nothing_scrolls_sideways_or_overlaps_on_a_narrow_page(
    open_page: OpenPage, target: str, width: int
) -> None:
    page = open_page(target, viewport={"width": width, "height": 640})
    expect(page.locator("#sky")).to_be_visible()
    page.click("#type")
    page.click("#locate")
    expect(page.locator("#locate-note")).to_contain_text("did not allow")
    page.click("#type")
    # The widest face in common use, and every body above the horizon, where names are bold.
    page.evaluate("""() => {
        document.body.style.fontFamily = "DejaVu Sans";
        for (const name of document.querySelectorAll("#bodies .name")) {
            name.style.fontWeight = 700;
        }
    }""")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    too_wide = """(cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth)
        .map((cell) => cell.textContent)"""
    assert page.locator("#bodies").locator("th, td").evaluate_all(too_wide) == []


@one_app
def test_night_mode_is_red_on_black_and_is_remembered(open_page: OpenPage) -> None:
    page = open_page(color_scheme="light")
    expect(page.locator("#sky")).to_be_visible()
    assert page.evaluate("localStorage.getItem('night')") is None
    page.click("#night")
    page.reload()
    expect(page.locator("#sky")).to_be_visible()
    expect(page.locator("#night")).to_have_attribute("aria-pressed", "true")
    page.click("#type")
    colours = page.evaluate(
        """() => [...document.querySelectorAll("body, body *")].flatMap((element) => {
            const { color, backgroundColor, borderTopColor, caretColor, outlineColor }
                = getComputedStyle(element);
            return [color, backgroundColor, borderTopColor, caretColor, outlineColor];
        })"""
    )
    assert {c for c in colours if not c.endswith((", 0, 0)", ", 0, 0, 0)"))} == set()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)"
    page.click("#night")
    page.reload()
    expect(page.locator("#night")).to_have_attribute("aria-pressed", "false")


@one_app
def test_night_mode_works_where_the_browser_refuses_storage(open_page: OpenPage) -> None:
    def before(page: Page) -> None:
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage',"
            " { get() { throw new DOMException('no', 'SecurityError'); } });"
        )

    page = open_page(before=before)
    page.click("#night")
    expect(page.locator("html")).to_have_class("night")


@one_app
def test_without_javascript_the_page_names_the_api(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    expect(page.locator("noscript p").first).to_be_visible()
    assert page.locator("noscript a").all_inner_texts() == [
        "/planets",
        "/planets?lat=48.1&lon=11.6&elevation=520",
    ]
