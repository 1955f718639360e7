"""The page without a network, as an installed app, and on paper."""

import json
import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browser as browsers
from tests.deployment import Deployment, another_service
from tests.pages import OpenPage, Server, one_app, settle, wait_until

pytestmark = browsers.needed

CLIENT = Path(__file__).parents[1] / "client"
MUNICH = "/?lat=48.1&lon=11.6&elevation=520"
FRESH = "Updated every 2 seconds."
NO_ANSWER = re.compile("^No answer from the server since .*; showing the last one.$")
NEVER_ANSWERED = "No answer from the server yet; asking again every 2 seconds."
KEPT = "caches.open('answers').then((it) => it.keys()).then((all) => all.map(({ url }) => url))"

# The server says which date it is at the place; the next is asked for by its date.
ASKED_AT_FIRST = {"planets", "stars", "almanac", "almanac of a date", "track"}


def kind_of(url: str) -> str:
    parts = urlsplit(url)
    name = parts.path.rpartition("/")[2]
    return f"{name} of a date" if "date=" in parts.query else name


def kinds_kept(page: Page, place: str = "") -> set[str]:
    """Return which kinds of answers are kept, for one place or for any."""
    return {kind_of(url) for url in page.evaluate(KEPT) if place in url}


def visit(open_page: OpenPage, target: str = MUNICH, **options: Any) -> Page:
    """Open the page for the first time, and wait until it and all its answers are kept."""
    page = open_page(target, worker=True, **options)
    expect(page.locator("#freshness")).to_have_text(FRESH)
    expect(page.locator("#details")).to_be_visible()
    wait_until(page, lambda: kinds_kept(page) >= ASKED_AT_FIRST)
    return page


def midnight() -> int:
    """Return a longitude where it is about midnight: by day the page draws no stars."""
    return (180 - 15 * datetime.now(UTC).hour) % 360 - 180


def body_rows(page: Page) -> int:
    return page.locator("#bodies [data-body]").count()


# Without a network


def test_page_opens_without_a_server_after_the_first_visit(
    open_page: OpenPage, server: Server
) -> None:
    lon = midnight()
    page = visit(open_page, f"/?lat=10.5&lon={lon}&elevation=520")
    with server.stopped():
        page.reload()
        expect(page.locator("#freshness")).to_have_text(NO_ANSWER)
        side = "W" if lon < 0 else "E"
        expect(page.locator("#place")).to_contain_text(f"10.5° N, {abs(lon)}° {side}, 520 m")
        assert body_rows(page) == 10
        expect(page.locator("#dome-chart [data-name='mars']").first).to_be_attached()
        expect(page.locator("#dome-chart .star").first).to_be_attached()
        expect(page.locator("#tonight table").first).to_be_visible()
        expect(page.locator("#details")).to_be_visible()
        expect(page.locator("#stack")).not_to_be_empty()
    expect(page.locator("#freshness")).to_have_text(FRESH)


@one_app
def test_page_that_stays_open_shows_nothing_older_than_it_had(
    open_page: OpenPage, server: Server
) -> None:
    page = visit(open_page)
    shown = page.locator("#utc").get_attribute("datetime")
    wait_until(page, lambda: page.locator("#utc").get_attribute("datetime") != shown)
    with server.stopped():
        last = page.locator("#utc").get_attribute("datetime")
        expect(page.locator("#freshness")).to_have_text(NO_ANSWER)
        assert page.locator("#utc").get_attribute("datetime") >= last
    expect(page.locator("#freshness")).to_have_text(FRESH)


@one_app
def test_answer_of_another_day_says_its_date(open_page: OpenPage, server: Server) -> None:
    page = visit(open_page)
    yesterday = "2020-02-29T21:04:05.000Z"
    with server.stopped():
        settle(page)  # the last answer may still be on its way to where it is kept
        page.evaluate(
            """async (since) => {
                const answers = await caches.open("answers");
                for (const request of await answers.keys()) {
                    const answer = await answers.match(request);
                    const headers = new Headers(answer.headers);
                    headers.set("Offline-Since", since);
                    await answers.put(request, new Response(await answer.blob(), { headers }));
                }
            }""",
            yesterday,
        )
        page.reload()
        expect(page.locator("#freshness")).to_have_text(re.compile("29 Feb 2020"))


@one_app
def test_place_that_was_never_asked_for_has_no_sky_without_a_server(
    open_page: OpenPage, server: Server
) -> None:
    page = visit(open_page)
    with server.stopped():
        page.goto(f"{server.url}/?lat=-33.9&lon=18.4")
        expect(page.locator("#freshness")).to_have_text(NEVER_ANSWERED)
        expect(page.locator("#sky")).to_be_hidden()
    expect(page.locator("#freshness")).to_have_text(FRESH)


@one_app
def test_place_of_the_device_need_not_be_the_same_to_the_metre(
    open_page: OpenPage, server: Server
) -> None:
    here = {"latitude": 48.1, "longitude": 11.6}
    page = visit(open_page, "/", permissions=["geolocation"], geolocation=here)
    wait_until(page, lambda: kinds_kept(page, "lat=48.1000") >= ASKED_AT_FIRST)
    page.context.set_geolocation({"latitude": 48.1004, "longitude": 11.5991})
    with server.stopped():
        page.reload()
        expect(page.locator("#place")).to_contain_text("48.1° N, 11.6° E")
        expect(page.locator("#freshness")).to_have_text(NO_ANSWER)
        expect(page.locator("#tonight table").first).to_be_visible()


@one_app
def test_who_plays_with_the_time_keeps_the_sky_of_now(open_page: OpenPage, server: Server) -> None:
    page = visit(open_page)
    page.evaluate(
        """async () => {
            const sky = "/planets?lat=48.1&lon=11.6&elevation=520";
            for (let minute = 10; minute < 30; minute++) {
                await fetch(`${sky}&time=2026-11-30T21:${minute}:00Z`);
            }
        }"""
    )

    def kept_of_other_times() -> list[str]:
        return [url for url in page.evaluate(KEPT) if "/planets?" in url and "time=" in url]

    wait_until(
        page, lambda: len(kept_of_other_times()) == 3 and "21:29" in kept_of_other_times()[-1]
    )
    assert f"{server.url}/planets?lat=48.1&lon=11.6&elevation=520" in page.evaluate(KEPT)
    with server.stopped():
        page.reload()
        expect(page.locator("#freshness")).to_have_text(NO_ANSWER)


@one_app
def test_answers_for_a_place_that_is_removed_are_removed_with_it(open_page: OpenPage) -> None:
    page = visit(open_page)
    tehran, cape_town = "lat=35.69&lon=51.39&elevation=1190", "lat=-33.93"
    for city, place in (("Tehran", tehran), ("Cape Town", cape_town)):
        page.click("#type")
        page.locator("#place-search").fill(city)
        page.get_by_role("option").first.click()
        expect(page.locator("#place")).to_contain_text(city)
        wait_until(page, lambda place=place: kinds_kept(page, place) >= ASKED_AT_FIRST)
    page.click("#type")
    page.get_by_role("button", name="Forget Tehran").click()
    wait_until(page, lambda: not any(tehran in url for url in page.evaluate(KEPT)))
    for place in ("lat=48.1&lon=11.6", cape_town):
        assert any(place in url for url in page.evaluate(KEPT))


@one_app
# Of a page without an icon of its own, as JSON is, a browser asks for one.
@pytest.mark.parametrize("allowed_noise", [["Failed to load resource: the server responded with"]])
def test_worker_leaves_other_pages_alone(
    open_page: OpenPage, server: Server, allowed_noise: list[str]
) -> None:
    # The browser asks for /favicon.ico beside what is no page.
    allowed_noise.append("Failed to load resource: the server responded with a status of 404")
    page = visit(open_page)
    for path in ("/docs", "/openapi.json", "/planets?lat=48.1&lon=11.6", "/healthz"):
        response = page.goto(server.url + path)
        assert response is not None
        assert response.ok
        assert not response.from_service_worker


@one_app
def test_nothing_is_kept_where_the_connection_is_not_secure(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page("/", worker=True, origin=f"http://sky.test:{server.port}")
    expect(page.locator("#freshness")).to_have_text(FRESH)
    settle(page)
    assert page.evaluate("'caches' in window") is False


@one_app
def test_browser_that_refuses_workers_loses_nothing_else(open_page: OpenPage) -> None:
    refusal = "navigator.serviceWorker.register = () => Promise.reject(new DOMException('no'));"
    page = open_page("/", worker=True, before=lambda page: page.add_init_script(refusal))
    expect(page.locator("#freshness")).to_have_text(FRESH)
    settle(page)
    assert page.evaluate("caches.keys()") == []


# The page's files


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


@pytest.fixture
def address(deployment: Deployment) -> Iterator[str]:
    with deployment.running() as url:
        yield url


def files(deployment: Deployment) -> list[str]:
    """Return the files that were asked for since the last time."""
    asked = [path for path in deployment.asked if "." in path or path == "/"]
    deployment.asked.clear()
    return asked


@one_app
def test_second_visit_asks_for_the_list_of_files_alone(
    open_page: OpenPage, deployment: Deployment, address: str
) -> None:
    page = visit(open_page, origin=address)
    first = files(deployment)
    # Who keeps the files takes them from where the page has brought them.
    assert [path for path in set(first) if first.count(path) > 1] in ([], ["/"])
    page.reload()
    expect(page.locator("#freshness")).to_have_text(FRESH)
    settle(page)
    assert set(files(deployment)) <= {"/files.json", "/sw.js"}


@one_app
def test_changed_file_is_shown_at_the_next_visit_and_alone_is_fetched(
    open_page: OpenPage, deployment: Deployment, address: str
) -> None:
    page = visit(open_page, origin=address)
    deployment.change("index.html", "<h1>PlanetTracker</h1>", "<h1>A new version</h1>")
    deployment.change("en.js", FRESH, "Updated often.")
    deployment.deploy()
    files(deployment)
    page.reload()
    expect(page.locator("h1")).to_have_text("A new version")
    expect(page.locator("#freshness")).to_have_text("Updated often.")
    assert set(files(deployment)) <= {"/files.json", "/sw.js", "/", "/en.js"}
    versions = page.evaluate("caches.keys()")
    assert len([name for name in versions if name.startswith("files ")]) == 1


@one_app
def test_files_that_do_not_come_are_no_version(
    open_page: OpenPage, deployment: Deployment, address: str
) -> None:
    page = visit(open_page, origin=address)
    old = deployment.app
    deployment.change("index.html", "<h1>PlanetTracker</h1>", "<h1>A new version</h1>")
    deployment.change("en.js", FRESH, "Updated often.")
    deployment.deploy()
    new = deployment.app
    # The list is the new one, and one of the files is not.
    deployment.app = lambda environ, start: (old if environ["PATH_INFO"] == "/en.js" else new)(
        environ, start
    )
    page.reload()
    expect(page.locator("#freshness")).to_have_text(FRESH)
    expect(page.locator("h1")).to_have_text("PlanetTracker")
    deployment.app = new
    page.reload()
    expect(page.locator("h1")).to_have_text("A new version")
    expect(page.locator("#freshness")).to_have_text("Updated often.")


@one_app
def test_worker_makes_way_for_another_service_at_its_address(
    open_page: OpenPage, deployment: Deployment, address: str
) -> None:
    page = visit(open_page, origin=address)
    deployment.app = another_service
    page.reload()
    expect(page.locator("p")).to_have_text("another service")
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((it) => it.length)") == 0


@one_app
@pytest.mark.parametrize("allowed_noise", [["Failed to load resource: the server responded with"]])
def test_failing_server_leaves_the_page_as_it_was(
    open_page: OpenPage, deployment: Deployment, address: str, allowed_noise: list[str]
) -> None:
    page = visit(open_page, origin=address)

    def failing(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("502 Bad Gateway", [("Content-Type", "text/html")])
        return [b"<p>bad gateway</p>"]

    deployment.app = failing
    page.reload()
    expect(page.locator("#freshness")).to_have_text(NO_ANSWER)
    assert body_rows(page) == 10


@one_app
def test_slow_server_is_waited_for_and_a_slower_one_is_said_to_be_silent(
    open_page: OpenPage, deployment: Deployment, address: str
) -> None:
    page = visit(open_page, origin=address)
    deployment.delay_s = 3
    page.reload()
    expect(page.locator("#freshness")).to_have_text(FRESH)
    deployment.delay_s = 8
    page.reload()
    expect(page.locator("#freshness")).to_have_text(NO_ANSWER)
    assert body_rows(page) == 10
    deployment.delay_s = 0
    expect(page.locator("#freshness")).to_have_text(FRESH)


# As an app

MANIFEST = json.loads((CLIENT / "manifest.webmanifest").read_text())


def png_size(file: Path) -> tuple[int, int]:
    head = file.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


@pytest.mark.parametrize("icon", MANIFEST["icons"], ids=lambda icon: icon["src"])
def test_icon_is_what_the_manifest_says(icon: dict[str, str]) -> None:
    file = CLIENT / icon["src"].removeprefix("/")
    if icon["type"] == "image/png":
        assert "{}x{}".format(*png_size(file)) == icon["sizes"]
    else:
        assert (icon["type"], icon["sizes"]) == ("image/svg+xml", "any")
        assert file.read_text().startswith("<svg ")


@pytest.mark.parametrize("purpose", ["any", "maskable"])
def test_icons_are_there_in_the_sizes_that_phones_want(purpose: str) -> None:
    sizes = {icon["sizes"] for icon in MANIFEST["icons"] if icon["purpose"] == purpose}
    assert {"192x192", "512x512"} <= sizes


@one_app
def test_page_can_be_installed(browser: Browser, server: Server, tmp_path: Path) -> None:
    # Not in one of the browser's other contexts, which are incognito: nothing is installed there.
    with browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=browsers.CHROMIUM, args=browsers.FLAGS
    ) as context:
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator("#freshness")).to_have_text(FRESH)
        devtools = context.new_cdp_session(page)
        manifest = devtools.send("Page.getAppManifest")
        assert manifest["url"].endswith("/manifest.webmanifest")
        assert manifest["errors"] == []
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


# On paper


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


@one_app
@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
def test_page_prints_on_one_sheet(open_page: OpenPage, locale: str, paper: str) -> None:
    page = open_page(MUNICH, locale=locale)
    expect(page.locator("#tonight table").first).to_be_visible()
    expect(page.locator("#details")).to_be_visible()
    assert pages_of(page.pdf(format=paper)) == 1


@one_app
@pytest.mark.parametrize("theme", ["light", "dark", "night"])
def test_paper_is_white_whatever_the_theme(open_page: OpenPage, theme: str) -> None:
    scheme = "dark" if theme == "dark" else "light"
    page = open_page(MUNICH, color_scheme=scheme)
    expect(page.locator("#tonight table").first).to_be_visible()
    if theme == "night":
        page.click("#night")
    page.emulate_media(media="print")
    colours = page.evaluate(
        """["body", "html"].flatMap((name) => {
            const style = getComputedStyle(document.querySelector(name));
            return [style.backgroundColor, style.color];
        })"""
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    for hidden in ("header button", ".choices", "form", "footer", "#moment", "#what"):
        for part in page.locator(hidden).all():
            expect(part).to_be_hidden()
