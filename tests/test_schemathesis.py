"""Schemathesis asks every app what /openapi.json allows, and what it does not."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet import Fleet, running
from wire import HOST

# An app each, on one server of each kind.
APPS = ("aiohttp-dev", "flask-gunicorn", "tornado-dev", "starlette-uvicorn")
OPTIONS = (
    *("--seed", "1", "--max-examples", "8", "--phases", "examples,coverage,fuzzing"),
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
PATIENCE_S = 120


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with running(tmp_path_factory) as servers:
        yield servers


@pytest.mark.parametrize("server", APPS)
def test_schemathesis_finds_nothing(fleet: Fleet, server: str, tmp_path: Path) -> None:
    url = f"http://{HOST}:{fleet.ports[server]}/openapi.json"
    command = [sys.executable, "-m", "schemathesis.cli", "run", url, *OPTIONS]
    # In a folder of its own, since it leaves notes where it runs.
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout
