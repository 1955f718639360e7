"""What a run leaves on disk, and what is read of it."""

import json
from pathlib import Path

import pytest

from loadtest import results
from loadtest.lanes import Lane
from loadtest.plan import Cell, Plan, TwoStages, Workload, described
from loadtest.results import RunFolderError, Trial


def a_trial(position: int = 1, **members: object) -> Trial:
    outline = {
        "lane": "flask-dev",
        "block": 1,
        "position": position,
        "target": "/planets/mars",
        "load": "ab",
        "concurrency": 20,
        "keep_alive": True,
        "requests": 1000,
        "warmup_requests": 500,
        "started": "2026-11-30T10:00:00.000+00:00",
        "throughput_rps": 1000.0,
        "cpu_us_per_request": 100.0,
    }
    return Trial(**(outline | members))  # type: ignore[arg-type]


DESCRIPTION = {
    "state": "finished",
    "started": "2026-11-30T10:00:00+00:00",
    "plan": described(Plan((Cell(Lane("flask", "dev"), Workload()),), two_stages=TwoStages(0.03))),
    "environment": {},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "run"
    results.create(made, DESCRIPTION)
    return made


def test_what_was_appended_is_loaded(folder: Path) -> None:
    latency_ms = {"mean": 1.0, "p50": 1.0, "p90": 2.0, "p99": 3.0, "max": 4.5}
    valid = a_trial(1, throughput_rps=1234.5, latency_ms=latency_ms, short=True)
    wrong = a_trial(2, invalid="3 requests failed", log="a\nb\u2028c\x85d")
    for trial in (valid, wrong):
        results.append(folder, trial)
    assert results.load(folder).trials == (valid, wrong)


def test_run_without_a_trial_is_a_run(folder: Path) -> None:
    assert results.load(folder).trials == ()


def test_last_line_cut_short_is_left_out(folder: Path) -> None:
    results.append(folder, a_trial(1))
    results.append(folder, a_trial(2))
    file = folder / "trials.jsonl"
    whole = file.read_text()
    for cut in range(len(whole) // 2 + 1, len(whole)):
        file.write_text(whole[:cut])
        assert [trial.position for trial in results.load(folder).trials] == [1]


def test_last_line_cut_short_is_mended(folder: Path) -> None:
    results.mend(folder)
    results.append(folder, a_trial(1))
    file = folder / "trials.jsonl"
    file.write_text(file.read_text() + '{"lane": "fla')
    results.mend(folder)
    results.append(folder, a_trial(2))
    assert [trial.position for trial in results.load(folder).trials] == [1, 2]


@pytest.mark.parametrize("line", [b'{"no": "trial"}\n', b"\xff\n", b"\n"])
def test_line_that_is_no_trial_is_named(folder: Path, line: bytes) -> None:
    (folder / "trials.jsonl").write_bytes(line)
    with pytest.raises(RunFolderError, match="line 1, is not a trial"):
        results.load(folder)


def test_members_that_a_later_minor_change_adds_are_read_over(folder: Path) -> None:
    results.append(folder, a_trial())
    file = folder / "trials.jsonl"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"later": 1}) + "\n")
    assert results.load(folder).trials == (a_trial(),)


def test_other_version_is_refused(folder: Path) -> None:
    (folder / "run.json").write_text('{"version": 99}')
    with pytest.raises(RunFolderError, match="format 99"):
        results.load(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "\x00"])
def test_folder_without_a_readable_description_is_no_run(folder: Path, text: str) -> None:
    (folder / "run.json").write_text(text)
    with pytest.raises(RunFolderError, match="is not a run"):
        results.load(folder)


def test_a_run_is_not_written_over(folder: Path) -> None:
    with pytest.raises(RunFolderError, match="name a new folder"):
        results.create(folder, {})


def test_empty_folder_becomes_a_run(tmp_path: Path) -> None:
    results.create(tmp_path, DESCRIPTION)
    assert results.load(tmp_path).description["plan"] == DESCRIPTION["plan"]


def test_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for place in (file, file / "below"):
        with pytest.raises(RunFolderError, match="with --out"):
            results.create(place, {})
    assert file.read_text() == "mine"
