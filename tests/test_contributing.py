"""CONTRIBUTING's recipe, followed: a framework that joins by what the document prints."""

import importlib
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fleet import REFERENCE, running
from requests_table import INSIDE

from loadtest import server
from loadtest.lanes import FIRST, Lane

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
# Cells of the table of rows: file, table, row.
ROWS = re.findall(r"^\| `([\w./]+)` \| `([\w\[\]]+)` \| `(.*)` \|$", TEXT, re.MULTILINE)
# Of as many as there are, a few.
HEADS = [replace(row, method="HEAD") for row in INSIDE[::10] if row.method == "GET"]
MOST_LINES = 30  # of code, without blank lines, docstrings and comments


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the project to which the recipe was applied; servers start from it."""
    copy = tmp_path / "project"
    for package in ("planettracker", "loadtest"):
        shutil.copytree(
            ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    (copy / "client").symlink_to(ROOT / "client")
    (app,) = CODE
    (copy / "planettracker/apps/bottle.py").write_text(app)
    for file, table, row in ROWS:
        if file.endswith(".py"):
            add(copy / file, table, row)
    monkeypatch.setattr(server, "ROOT", copy)
    return copy


def add(file: Path, table: str, row: str) -> None:
    """Put the row first in the table."""
    text, found = re.subn(
        rf"^{table}\b.* = [({{]$", rf"\g<0>\n    {row}", file.read_text(), flags=re.MULTILINE
    )
    assert found == 1, f"{file.name} has no table {table}"
    file.write_text(text)


def test_framework_that_joins_answers_every_request_as_the_others_do(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    joining = Lane("bottle", "gunicorn")
    (told,) = [row for _, table, row in ROWS if table == "FURTHER"]
    assert eval(told.rstrip(",")) == joining
    with running(tmp_path_factory, (FIRST[0], joining)) as fleet:
        assert list(fleet.ports) == [REFERENCE, "bottle-gunicorn"]
        for row in (*INSIDE, *HEADS):
            fleet.check(row, fleet.ask(row))


def test_framework_that_joins_is_measured(project: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    asked = ("--lanes", "bottle-gunicorn", "--blocks", "1", "--seconds", "0.1", "--noisy")
    command = [sys.executable, "-m", "loadtest", "run", *asked, "--no-aa", "--out", str(run)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    trials = [json.loads(line) for line in (run / "trials.jsonl").read_text().splitlines()]
    assert trials
    assert {trial["lane"] for trial in trials} == {"bottle-gunicorn"}
    assert [trial["invalid"] for trial in trials if trial["invalid"]] == []


def test_recipe_is_as_short_as_it_says() -> None:
    (app,) = CODE
    lines = [
        line
        for line in app.splitlines()
        if line.strip() and not line.strip().startswith(("#", '"'))
    ]
    assert len(lines) <= MOST_LINES


def test_rows_name_files_tables_and_packages_that_there_are() -> None:
    assert [table for _, table, _ in ROWS] == ["FRAMEWORKS", "FURTHER", "NEEDED", "[stacks]"]
    pipfile = (ROOT / "Pipfile").read_text()
    ((package, row),) = [(table, row) for file, table, row in ROWS if file == "Pipfile"]
    assert f"\n{package}" in pipfile
    assert f"\n{row}" in pipfile  # among the tests' packages, until it joins


def test_what_else_the_document_names_is_there() -> None:
    for name in set(re.findall(r"`((?:planettracker|loadtest|tests)/[\w./]+)`", TEXT)):
        assert name == "planettracker/apps/bottle.py" or (ROOT / name).exists(), name
    for module, names in {
        "loadtest.commands": ("MASTERS", "SERVERS"),
        "loadtest.questions.question": ("Question",),
        "planettracker.api.respond": ("run", "arun"),
        "planettracker.api.routes": ("ROUTES",),
    }.items():
        assert all(hasattr(importlib.import_module(module), name) for name in names)
