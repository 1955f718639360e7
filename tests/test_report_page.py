"""report.html in a real browser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from loadtest import report
from loadtest.lanes import EVERY, behind, chosen
from tests import browser as browsers
from tests.runs import a_run
from tests.test_attribution import a_run as an_attribution

pytestmark = browsers.needed

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
LEAST_PX = 11  # of text that can be read on a phone

OpenReport = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsers.running() as browser:
        yield browser


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of a run that has all that a report can show."""
    folder = tmp_path_factory.mktemp("report") / "run"
    resumed = [{"at": "2026-11-30T11:00:00+00:00", "after_trials": 30}]
    run = a_run(folder, of_plan={"all_pairs": True}, resumed=resumed)
    an_attribution(folder / "attribution")
    return report.write(run)[1]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of a run of every stack, some of them behind nginx too."""
    rows = chosen([EVERY], 4)
    rows += [behind(lane, "nginx") for lane in rows if lane.server == "gunicorn"]
    folder = tmp_path_factory.mktemp("many") / "run"
    return report.write(a_run(folder, blocks=3, lanes=rows))[1]


@pytest.fixture
def open_report(browser: Browser, file: Path, many: Path) -> Iterator[OpenReport]:
    """Open the report; what it says to the console, or asks of anybody, fails the test."""
    noise: list[str] = []
    asked: list[str] = []

    def open_report(opened: Path = file, **context: Any) -> Page:
        page = stack.enter_context(closing(browser.new_context(**context))).new_page()
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(opened.as_uri())
        return page

    with ExitStack() as stack:
        yield open_report
    assert noise == []
    assert set(asked) <= {file.as_uri(), many.as_uri()}


def test_report_is_one_small_file(open_report: OpenReport, file: Path) -> None:
    page = open_report(viewport=DESKTOP)
    assert page.locator("svg[role=img]").count() == 5
    assert file.stat().st_size < 2_000_000


def test_verdict_is_on_a_phones_first_screen(open_report: OpenReport) -> None:
    page = open_report(viewport=PHONE)
    first = page.locator("h1 + p")
    box = first.bounding_box()
    assert first.inner_text().startswith("Under gunicorn, aiohttp answers 2.8")
    assert box is not None and box["y"] < PHONE["height"] / 3


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_scrolls_sideways_but_tables(
    open_report: OpenReport, viewport: dict[str, int]
) -> None:
    page = open_report(viewport=viewport)
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]


@pytest.mark.parametrize("report_of", ["file", "many"])
def test_text_of_plots_can_be_read_on_a_phone(
    open_report: OpenReport, report_of: str, request: pytest.FixtureRequest
) -> None:
    page = open_report(request.getfixturevalue(report_of), viewport=PHONE)
    texts = page.evaluate(
        """() => [...document.querySelectorAll("svg text")].map(text => {
            const box = text.getBoundingClientRect();
            const size = parseFloat(getComputedStyle(text).fontSize);
            return [text.textContent, size * text.getScreenCTM().a, box.left, box.right];
        })"""
    )
    assert len(texts) > 80
    for text, size_px, left, right in texts:
        assert size_px >= LEAST_PX, text
        assert left >= 0 and right <= PHONE["width"], text


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_report: OpenReport, scheme: str, viewport: dict[str, int]) -> None:
    page = open_report(viewport=viewport, color_scheme=scheme)
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


def test_report_of_many_lanes_is_small_and_clear(open_report: OpenReport, many: Path) -> None:
    page = open_report(many, viewport=PHONE, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert many.stat().st_size < 2_000_000
    assert [each["id"] for each in Axe().run(page).response["violations"]] == []


def test_paper_is_white_whatever_the_screen(open_report: OpenReport) -> None:
    page = open_report(viewport=DESKTOP, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"


def test_table_wider_than_the_phone_can_be_reached_by_keyboard(open_report: OpenReport) -> None:
    page = open_report(viewport=PHONE)
    table = page.get_by_role("region", name="What a lane costs")
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("table => table.scrollLeft > 0", arg=table.element_handle())
