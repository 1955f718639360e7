"""Fixtures of the tests that drive a real browser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests import browser as browsers
from tests.pages import OpenPage, Server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsers.running() as browser:
        yield browser


@pytest.fixture(scope="module", params=["aiohttp", "flask"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    server = Server(request.param)
    with server.running():
        yield server


@pytest.fixture
def allowed_noise() -> list[str]:
    """Beginnings of the console messages that a test brings about on purpose."""
    return []


@pytest.fixture
def open_page(browser: Browser, server: Server, allowed_noise: list[str]) -> Iterator[OpenPage]:
    """Open the page at a target; whatever it then says to the console fails the test.

    Without its service worker by default, which would answer in place of what a test puts between
    the page and the server.
    """
    noise: list[str] = []

    def open_page(
        target: str = "/",
        *,
        before: Callable[[Page], object] = lambda page: None,
        origin: str = server.url,
        worker: bool = False,
        **context: Any,
    ) -> Page:
        page = stack.enter_context(closing(browser.new_context(**context))).new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        if not worker:
            page.add_init_script("delete Navigator.prototype.serviceWorker")
        before(page)
        page.goto(origin + target)
        return page

    with ExitStack() as stack:
        yield open_page
    assert [text for text in noise if not text.startswith(tuple(allowed_noise))] == []
