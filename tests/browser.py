"""A real browser for the tests: Debian's chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
# The same engine without the browser's own windows, whose making is half of what a page costs:
# one of ours takes 0.66 s of CPU time instead of 1.35.
ENGINE = shutil.which("chromium-headless-shell") or CHROMIUM
needed = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ, reason="there is no chromium on the PATH"
)

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is not local makes an insecure context, where browsers report no place.
    "--host-resolver-rules=MAP sky.test 127.0.0.1",
)


@contextmanager
def running(program: str | None = ENGINE) -> Iterator[Browser]:
    """Run the browser while the block lasts."""
    assert program, "there is no chromium on the PATH"
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()
