"""The command line of the development servers."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import wire
from click.testing import CliRunner

from planettracker.__main__ import main
from planettracker.apps import FRAMEWORKS

ROOT = Path(__file__).parents[1]
PATIENCE_S = 20
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@contextmanager
def serving(framework: str, port: int, log: Path, *options: str) -> Iterator[None]:
    command = [sys.executable, "-m", "planettracker", framework, "--port", str(port), *options]
    with (
        log.open("wb") as output,
        subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def asked(port: int, log: Path, message: bytes = GET) -> wire.Reply | None:
    """Return the reply to the message, as soon as there is a server."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return wire.exchange(port, message)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)


@pytest.mark.parametrize(("options", "lines"), [((), 0), (("--access-log",), 1)])
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_request_is_logged_only_where_that_is_asked_for(
    framework: str, options: tuple[str, ...], lines: int, tmp_path: Path
) -> None:
    log, port = tmp_path / "log", wire.free_port()
    with serving(framework, port, log, *options):
        reply = asked(port, log)
    assert reply is not None and reply.status == 200
    assert log.read_text().count('"GET /healthz HTTP/1.1" 200') == lines


@pytest.mark.parametrize("framework", ["aiohttp", "tornado", "starlette"])
def test_a_port_in_use_is_told_in_one_sentence(framework: str) -> None:
    with socket.create_server((wire.HOST, 0)) as other:
        port = other.getsockname()[1]
        refused = CliRunner().invoke(main, [framework, "--port", str(port)])
    assert refused.exit_code == 1
    assert refused.stderr.splitlines()[-1] == (
        f"Error: cannot listen on 127.0.0.1:{port}: Address already in use"
    )


def test_an_unknown_host_is_told_in_one_sentence() -> None:
    refused = CliRunner().invoke(main, ["aiohttp", "--host", "nowhere.invalid"])
    assert refused.exit_code == 1
    assert refused.stderr.splitlines()[-1].startswith(
        "Error: cannot listen on nowhere.invalid:8000: "
    )


def test_a_framework_that_is_not_installed_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(FRAMEWORKS, "tornado", "no_such_framework")
    refused = CliRunner().invoke(main, ["tornado"])
    assert (refused.exit_code, refused.stderr) == (
        2,
        "Error: tornado needs no_such_framework, which is not installed: "
        "`make stacks` installs it\n",
    )


def test_the_address_is_one_to_open_also_for_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planettracker.apps.aiohttp.serve", lambda host, port, access_log: None)
    served = CliRunner().invoke(main, ["aiohttp", "--host", "::1"])
    assert served.stderr == "PlanetTracker on aiohttp: http://[::1]:8000/ (Ctrl-C ends it)\n"
