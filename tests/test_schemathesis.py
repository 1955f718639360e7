"""Schemathesis asks every app what /openapi.json allows, and what it does not."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fleet import LANES, running
from wire import HOST

# An app each, on one server of each kind.
# The further two, whose api is the same, without the long phase of guesses.
ALL, SOME = "examples,coverage,fuzzing", "examples,coverage"
APPS = {
    "aiohttp-dev": ALL,
    "flask-gunicorn": ALL,
    "tornado-dev": SOME,
    "starlette-uvicorn": SOME,
}
OPTIONS = (
    *("--seed", "1", "--max-examples", "8"),
    *("--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off"),
    # OpenAPI cannot say that lat and lon are sent both or not at all, nor that a number is no 1e-5.
    *("--exclude-checks", "positive_data_acceptance"),
    # Of the page's files one stands for all.
    *("--exclude-path-regex", r"\.(js|css|svg)$"),
)
# A query of which nothing is right may also be too long.
CONFIG = """\
[checks]
negative_data_rejection.expected-statuses = [400, 404, 405, 406, 414]
"""
PATIENCE_S = 240


Outcomes = dict[str, "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Ask all apps at once, each by a process of its own."""
    lanes = tuple(lane for lane in LANES if lane.name in APPS)
    with running(tmp_path_factory, lanes) as fleet, ThreadPoolExecutor(len(APPS)) as pool:
        folders = [tmp_path_factory.mktemp("asking") for _ in fleet.ports]
        phases = [APPS[name] for name in fleet.ports]
        done = pool.map(ask, fleet.ports.values(), phases, folders)
        return dict(zip(fleet.ports, done, strict=True))


def ask(port: int, phases: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    url = f"http://{HOST}:{port}/openapi.json"
    command = [sys.executable, "-m", "schemathesis.cli", "run", url, "--phases", phases, *OPTIONS]
    # In a folder of its own, since it leaves notes where it runs.
    (folder / "schemathesis.toml").write_text(CONFIG)
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.mark.parametrize("server", APPS)
def test_schemathesis_finds_nothing(outcomes: Outcomes, server: str) -> None:
    done = outcomes[server]
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout
