"""The page in a browser: the server behind it, and what stands between the two."""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests import wire

# What only the page decides is tried against one of the apps.
one_app = pytest.mark.parametrize("server", ["aiohttp"], indirect=True, scope="module")

START = 1_800_000_000

OpenPage = Callable[..., Page]

# Without an icon of its own a browser asks for /favicon.ico, and tells the console of the 404.
EMPTY = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Empty</title>
<link rel="icon" href="/icon.svg"></head></html>"""


class Server:
    """An app's development server, always on the same port."""

    def __init__(self, name: str) -> None:
        self.port = wire.free_port()
        self.name = name
        self.url = f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self) -> Iterator[None]:
        self._start()
        try:
            yield
        finally:
            self._stop()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self._stop()
        try:
            yield
        finally:
            self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "planettracker", self.name, "--port", str(self.port)],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while not self._answers():
            assert self._process.poll() is None, f"{self.name} ended as it started"
            assert time.monotonic() < deadline, f"{self.name} does not answer"
            time.sleep(0.05)

    def _stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        try:
            return self.get("/healthz")[0] == 200
        except OSError:
            return False

    def get(self, target: str) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(self.url + target, timeout=10) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)


class Answers:
    """Stands between the page and /planets: holds each request until the test answers it."""

    def __init__(self, page: Page) -> None:
        self.held: list[Route] = []
        self.asked: list[str] = []
        page.route("**/planets*", self._hold)

    def _hold(self, route: Route) -> None:
        self.asked.append(route.request.url)
        self.held.append(route)

    def give(self, answer: object, status: int = 200) -> None:
        self.held.pop().fulfill(json=answer, status=status)


def held_page(open_page: OpenPage, **options: Any) -> tuple[Page, Answers]:
    """Open the page with its clock standing still and its first request held."""
    answers: list[Answers] = []

    def before(page: Page) -> None:
        page.clock.install(time=START)
        page.clock.pause_at(START + 1)
        answers.append(Answers(page))

    page = open_page(before=before, **options)
    wait_until(page, lambda: answers[0].held)
    return page, answers[0]


def wait_until(page: Page, condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        page.wait_for_timeout(10)


def settle(page: Page) -> None:
    """Let a request that the page should not make show itself."""
    page.wait_for_timeout(100)


def empty_page(open_page: OpenPage) -> Page:
    """Open a page of the server's that asks for nothing, to try modules in."""

    def before(page: Page) -> None:
        page.route("**/empty", lambda route: route.fulfill(body=EMPTY, content_type="text/html"))

    return open_page("/empty", before=before)


def module_value(page: Page, module: str, expression: str) -> Any:
    """Return what an expression of a module's exports, `m`, is in the page's browser."""
    return page.evaluate(f"import('/{module}').then((m) => {expression})")
