"""The shape of a run's files: our own check against a library's, and against edits by hand."""

import copy
import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from loadtest import experiment, results, schema, shape
from loadtest.__main__ import main
from loadtest.lanes import Lane, lanes
from loadtest.plan import Cell, Plan, TwoStages, Workload
from loadtest.results import RunFolderError, Trial
from tests.fakes import FakeWorld, Watcher
from tests.test_results import DESCRIPTION, a_trial

LATENCY_MS = {"mean": 1.0, "p50": 1.0, "p90": 2.0, "p99": 3.0, "max": 4.5}
WHOLE = a_trial(
    seconds=1.0,
    latency_ms=LATENCY_MS,
    worker_cpu_share=(0.5, 0.5),
    load_cores=0.3,
    outside_cores=0.1,
    serial_ms=1.0,
    memory_mib=64.0,
    startup_s=0.5,
    kept_alive=0,
    document_bytes=300,
    log="a",
)
WRONG = (None, True, 5, -1, 0.5, "text", [], {}, [None])


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of two stages that went on once, some of it invalid."""
    folder = tmp_path_factory.mktemp("ran") / "run"
    cells = tuple(Cell(lane, Workload()) for lane in lanes().values())
    plan = Plan(cells, blocks=3, two_stages=TwoStages(0.5, pilot=3))
    world = FakeWorld(not_starting={"flask-dev"}, raises_at=90, raises=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        experiment.run(plan, folder, {}, world.world(), Watcher())
    experiment.resume(folder, {}, FakeWorld().world(), Watcher())
    return folder


def documents(folder: Path) -> list[tuple[Any, shape.Schema]]:
    lines = (folder / results.TRIALS_FILE).read_text().splitlines()
    described = json.loads((folder / results.RUN_FILE).read_text())
    return [
        (described, schema.RUN),
        *((json.loads(line), results.TRIAL_SCHEMA) for line in lines),
    ]


def test_what_a_run_writes_is_as_the_schemas_say(ran: Path) -> None:
    found = documents(ran)
    assert {"calibrations", "resumed", "second_stage", "finished"} <= found[0][0].keys()
    assert any(document["invalid"] for document, _ in found[1:])
    for document, described in found:
        jsonschema.validate(document, described, jsonschema.Draft202012Validator)
        assert shape.fault(document, described) is None


def test_schemas_are_schemas_and_go_with_the_run(ran: Path) -> None:
    for name, described in (
        ("run.schema.json", schema.RUN),
        ("trial.schema.json", results.TRIAL_SCHEMA),
    ):
        jsonschema.Draft202012Validator.check_schema(described)
        assert json.loads((ran / name).read_text()) == described


def test_every_member_of_a_trial_is_explained() -> None:
    explained = results.TRIAL_SCHEMA["properties"]
    assert list(explained) == [field.name for field in fields(Trial)]
    assert all(member["description"] for member in explained.values())


def parts(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each part of a document."""
    if path:
        yield path
    steps = document.keys() if isinstance(document, dict) else range(len(document))
    for step in steps:
        if isinstance(document[step], dict | list):
            yield from parts(document[step], (*path, step))
        else:
            yield (*path, step)


def edits(document: Any) -> Iterator[Any]:
    """Yield the document with each of its parts in turn missing, or another thing."""
    for *path, last in parts(document):
        for wrong in (..., *WRONG):
            edited = copy.deepcopy(document)
            inner = edited
            for step in path:
                inner = inner[step]
            if wrong is ...:
                del inner[last]
            else:
                inner[last] = wrong
            yield edited


def test_our_own_check_agrees_with_a_library_on_every_edit() -> None:
    trial = json.loads(json.dumps(asdict(WHOLE)))
    run = json.loads(json.dumps({"version": schema.VERSION, **DESCRIPTION}))
    run["environment"] = {"cpu": "a"}
    found = 0
    for document, described in ((trial, results.TRIAL_SCHEMA), (run, schema.RUN)):
        validator = jsonschema.Draft202012Validator(described)
        for edited in edits(document):
            if edited.get("version") != document.get("version"):
                continue  # another sentence says it
            valid = shape.fault(edited, described) is None
            assert valid == validator.is_valid(edited), edited
            found += not valid
    assert found > 200


def test_every_edit_by_hand_is_reported_or_refused_in_a_sentence(tmp_path: Path) -> None:
    """No edit of a run's description or of a trial gives a traceback, in any command."""
    lane = Lane("flask", "gunicorn")
    folder, other = tmp_path / "run", tmp_path / "other"
    description = DESCRIPTION | {"plan": DESCRIPTION["plan"] | {"lanes": [], "cells": []}}  # type: ignore[operator]
    description["plan"] |= {  # type: ignore[operator]
        "lanes": [{"name": lane.name, **asdict(lane)}],
        "cells": [{"lane": lane.name, "workload": asdict(WHOLE.workload)}],
    }
    for place in (folder, other):
        results.create(place, description)
        for block in (1, 2):
            results.append(place, a_trial(**asdict(WHOLE) | {"lane": lane.name, "block": block}))
    statuses = {0: 0, 1: 0, 2: 0}
    for name in (results.RUN_FILE, results.TRIALS_FILE):
        file = folder / name
        whole = file.read_text()
        first, rest = (whole, "") if name == results.RUN_FILE else whole.split("\n", 1)
        for edited in edits(json.loads(first)):
            file.write_text(json.dumps(edited) + "\n" + rest)
            for command in (["report"], ["sizing"], ["compare", str(other)]):
                done = CliRunner().invoke(main, [*command, str(folder)])
                assert isinstance(done.exception, SystemExit | None), (edited, command)
                statuses[done.exit_code] += 1
        file.write_text(whole)
    assert statuses[0] and statuses[2]


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        ({"state": 5}, "state must be string, and is 5"),
        ({"plan": []}, "plan must be object, and is an array"),
        ({"plan": {}}, "plan.lanes is missing"),
        ({"environment": None}, "environment must be object, and is null"),
    ],
)
def test_description_that_was_edited_is_told_where(
    tmp_path: Path, edit: dict[str, object], sentence: str
) -> None:
    results.create(tmp_path / "run", DESCRIPTION | edit)
    with pytest.raises(RunFolderError, match=f"run.json is not as a run writes it: {sentence}"):
        results.load(tmp_path / "run")


def test_cell_of_no_lane_is_told(tmp_path: Path) -> None:
    plan = DESCRIPTION["plan"] | {"lanes": []}  # type: ignore[operator]
    results.create(tmp_path / "run", DESCRIPTION | {"plan": plan})
    with pytest.raises(RunFolderError, match=r"plan\.cells has the lane 'flask-dev', which plan"):
        results.load(tmp_path / "run")


def test_calibrations_are_as_many_as_cells(tmp_path: Path) -> None:
    results.create(tmp_path / "run", DESCRIPTION | {"calibrations": []})
    with pytest.raises(RunFolderError, match=r"as many members as plan\.cells"):
        results.load(tmp_path / "run")


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        ({"throughput_rps": None}, "throughput_rps must be number, and is null"),
        ({"throughput_rps": 0}, "throughput_rps must be more than 0, and is 0"),
        ({"throughput_rps": float("nan")}, "throughput_rps must be more than 0, and is nan"),
        ({"cpu_us_per_request": float("inf")}, "cpu_us_per_request must be at most 1e.12"),
        ({"block": 2.0}, "block must be integer, and is 2.0"),
        ({"latency_ms": {"mean": 1}}, "latency_ms.p50 is missing"),
        ({"worker_cpu_share": [1, "a"]}, r"worker_cpu_share\[1\] must be number, and is 'a'"),
    ],
)
def test_trial_that_was_edited_is_told_where(
    tmp_path: Path, edit: dict[str, object], sentence: str
) -> None:
    results.create(tmp_path / "run", DESCRIPTION)
    line = json.dumps(asdict(WHOLE) | edit)
    (tmp_path / "run" / results.TRIALS_FILE).write_text(line + "\n")
    with pytest.raises(RunFolderError, match=f"line 1, is not a trial: {sentence}"):
        results.load(tmp_path / "run")


def test_invalid_trial_need_not_have_figures(tmp_path: Path) -> None:
    results.create(tmp_path / "run", DESCRIPTION)
    trial = a_trial(throughput_rps=None, cpu_us_per_request=None, invalid="did not start")
    results.append(tmp_path / "run", trial)
    assert results.load(tmp_path / "run").trials == (trial,)
