"""What the question `python` measures, and what its report says."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtest import commands, pythons, report, results
from loadtest.__main__ import main
from loadtest.content import Content
from loadtest.lanes import all_lanes
from loadtest.plan import Cell, Plan
from loadtest.questions import QUESTIONS
from tests.runs import ENVIRONMENT, a_run_of

OLD, NEW = "python3.11", "python3.13"
QUESTION = QUESTIONS["python"]
LANES = [all_lanes()[name] for name in ("aiohttp-gunicorn", "flask-gunicorn", "tornado-dev")]
# How many times as much each lane answers on the newer Python.
GAIN = {"aiohttp-gunicorn": 1.2, "flask-gunicorn": 1.0, "tornado-dev": 0.8}
ABOUT = {
    name: {
        "python": python,
        "optimised": name == NEW,
        "packages": {"flask": "3.1.3", "aiohttp": aiohttp},
    }
    for name, python, aiohttp in (
        (OLD, "CPython 3.11.7", "3.14.5"),
        (NEW, "CPython 3.13.0", "3.14.4"),
    )
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout in which both Pythons are there: this one, under two names."""
    monkeypatch.setattr(commands, "ROOT", tmp_path)
    for name in (OLD, NEW):
        program = Path(commands.interpreter(name))
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        program.chmod(0o755)
    return tmp_path


@pytest.fixture
def content(root: Path) -> Content:
    plan = Plan(QUESTION.cells(LANES, {"pythons": [OLD, NEW]}), blocks=8, question="python")

    def rate_rps(cell: Cell) -> float:
        gain = GAIN[replace(cell.lane, python="").name] if cell.lane.python == NEW else 1.0
        return 1000 * gain

    environment = {**ENVIRONMENT, "pythons": ABOUT}
    return report.content(a_run_of(plan, root / "run", rate_rps, environment=environment))


def test_each_lane_is_served_by_each_python(root: Path) -> None:
    cells = QUESTION.cells(LANES[:1], {"pythons": [OLD, NEW, OLD]})
    assert [cell.lane.name for cell in cells] == [
        "aiohttp-gunicorn@python3.11",
        "aiohttp-gunicorn@python3.13",
    ]
    command = cells[1].lane.command("another", "127.0.0.1", 8000)
    assert command[0] == str(root / ".venv-python3.13/bin/python")


def test_answer_says_on_which_lanes_which_python_answers_more(content: Content) -> None:
    answer = " ".join(content.paragraphs[0]).replace("\N{NO-BREAK SPACE}", " ")
    assert answer.startswith(
        "python3.13 (CPython 3.13.0) answers more requests per second than python3.11 "
        "(CPython 3.11.7) on aiohttp-gunicorn (1.2"
    )
    assert "and fewer on tornado-dev (0.8" in answer
    assert "no difference was shown on flask-gunicorn (" in answer
    assert "A request costs it more CPU time on tornado-dev (1.2" in answer
    assert "and less on aiohttp-gunicorn (0.8" in answer


def test_packages_that_differ_are_warned_of(content: Content) -> None:
    assert (
        "Beware: aiohttp is 3.14.5 on python3.11, 3.14.4 on python3.13." in content.paragraphs[-1]
    )
    assert content.paragraphs[-1][0].startswith("Beware: python3.11 was built without")
    assert not any("flask" in sentence for sentence in content.paragraphs[-1])


def test_tables_and_plot_have_each_lane(content: Content) -> None:
    tables = {table.title: table for table in content.tables}
    beside = tables["Beside python3.11"]
    assert [row[:2] for row in beside.rows] == [(lane.name, NEW) for lane in LANES]
    assert [row[0] for row in tables["Requests per second"].rows] == [lane.name for lane in LANES]
    assert ("python3.13", "CPython 3.13.0") in [row[:2] for row in tables["The Pythons"].rows]
    (plot,) = content.plots
    assert "aiohttp-gunicorn: python3.13 / python3.11" in plot.svg
    assert "2 of 3 comparisons show a difference" in plot.caption


def test_versions_are_those_of_the_interpreter(root: Path) -> None:
    found = pythons.described(NEW)
    assert found["python"] == "CPython {}.{}.{}".format(*sys.version_info)
    assert {"flask", "aiohttp", "gunicorn"} <= found["packages"].keys()
    assert sorted(pythons.installed()) == [OLD, NEW]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("python3.11", "--python needs two commands or more"),
        ("python3.11,/usr/bin/python3", "'/usr/bin/python3' is the name of no command"),
        ("python3.11,python9", "make pythons PYTHONS=python3.11,python9 gives each"),
    ],
)
def test_what_a_person_can_mend_is_a_sentence(root: Path, given: str, sentence: str) -> None:
    done = CliRunner().invoke(main, ["python", "--python", given])
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())


def test_run_serves_by_both_and_can_be_repeated(root: Path) -> None:
    out = root / "run"
    options = f"--python {OLD},{NEW} --lanes flask-gunicorn --blocks 1 --seconds 0.1 --noisy"
    done = CliRunner().invoke(main, ["python", *options.split(), "--out", str(out)])
    assert done.exit_code == 0, done.output
    run = results.load(out)
    assert {trial.lane: trial.invalid for trial in run.trials} == {
        "flask-gunicorn@python3.11": None,
        "flask-gunicorn@python3.13": None,
    }
    assert run.description["environment"]["pythons"].keys() == {OLD, NEW}
    assert "make setup .venv-python3.11/done .venv-python3.13/done" in done.output
    assert "loadtest python --lanes flask-gunicorn " in done.output
    assert f"--python {OLD},{NEW}" in done.output
