"""The engine, with a fake server and a fake load: what happens when, and what counts."""

import signal
from pathlib import Path

import pytest

from loadtest import results
from loadtest.experiment import run
from loadtest.interruption import Interrupted
from loadtest.lanes import Lane
from loadtest.plan import Cell, Plan, Workload
from loadtest.results import Run, RunFolderError, Trial
from loadtest.server import Reply, ServerError
from tests.fakes import BODY, FakeWorld, Watcher

FLASK = Lane("flask", "gunicorn")
OTHER = Lane("other", "gunicorn")
THIRD = Lane("third", "gunicorn")


def ran(folder: Path, fake: FakeWorld, *lanes: Lane, **plan: object) -> Run:
    cells = tuple(Cell(lane, Workload()) for lane in lanes or (FLASK,))
    planned = Plan(cells, **({"blocks": 1} | plan))  # type: ignore[arg-type]
    run(planned, folder / "run", {"cpu": "fake"}, fake.world(), Watcher())
    return results.load(folder / "run")


def only(run: Run) -> Trial:
    (trial,) = run.trials
    return trial


def test_trial_goes_from_a_fresh_server_to_its_end(tmp_path: Path) -> None:
    fake = FakeWorld()
    ran(tmp_path, fake)
    calibration = ["start flask-gunicorn", "verify", "load 200", "load 400", "verify", "stop"]
    trial = ["start flask-gunicorn", "verify", "load 500", "load 1250", "verify", "stop"]
    assert fake.events == calibration + trial


@pytest.mark.parametrize(("workers", "kept"), [(1, [True, True]), (4, [False, True])])
def test_warm_up_of_several_workers_keeps_no_connection(
    tmp_path: Path, workers: int, kept: list[bool]
) -> None:
    fake = FakeWorld()
    ran(tmp_path, fake, Lane("aiohttp", "gunicorn", workers=workers, keeps_alive=True))
    warmup_and_load = fake.orders[2:]  # after the calibration
    assert [order.keep_alive for order in warmup_and_load] == kept


def test_every_lane_is_calibrated_before_the_first_trial(tmp_path: Path) -> None:
    fake = FakeWorld()
    ran(tmp_path, fake, FLASK, OTHER, blocks=3)
    starts = [event for event in fake.events if event.startswith("start")]
    assert starts[:2] == ["start flask-gunicorn", "start other-gunicorn"]
    assert len(starts) == 2 + 3 * 2


def test_requests_can_be_fixed(tmp_path: Path) -> None:
    assert only(ran(tmp_path, FakeWorld(), requests=77)).requests == 77


def test_valid_trial_has_its_figures(tmp_path: Path) -> None:
    trial = only(ran(tmp_path, FakeWorld()))
    assert trial.invalid is None
    assert trial.throughput_rps == 1000
    assert trial.latency_ms == {"mean": 20, "p50": 20, "p90": 20, "p99": 20, "max": 20}
    assert trial.cpu_us_per_request == pytest.approx(1e6 / 1250)  # the fake uses 1 s between looks
    assert trial.peak_memory_mib == 64
    assert trial.startup_s == 0.5
    assert trial.load_cores == pytest.approx(0.1 / 1.25)
    assert trial.warmup_requests == 500
    assert not trial.short


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"complete": 1249}, "1249 of 1250 requests were completed"),
        ({"failed": 3, "failures": {"length": 3}}, "3 requests failed (length 3)"),
        ({"non_2xx": 1250}, "1250 replies were not 2xx"),
        ({"document_bytes": 14}, "replies had 14 bytes, the verified one 15"),
        ({"document_bytes": None}, "replies had None bytes, the verified one 15"),
        ({"kept_alive": 2}, "2 of 1250 replies were kept alive, not 0"),
        ({"throughput_rps": 1200.0}, "throughput times mean latency is 24.0, 20 requests"),
        ({"throughput_rps": 850.0}, "throughput times mean latency is 17.0, 20 requests"),
        ({"throughput_rps": 1130.0}, "throughput times mean latency is 22.6, 20 requests"),
        ({"throughput_rps": 1101.0}, "throughput times mean latency is 22.0, 20 requests"),
        ({"latency_ms": None}, "the load gave no latencies"),
    ],
)
def test_measurement_that_breaks_a_rule_is_invalid(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    trial = only(ran(tmp_path, FakeWorld(changes=changes)))
    assert trial.invalid is not None
    assert reason in trial.invalid


def test_lane_that_keeps_alive_must_do_so(tmp_path: Path) -> None:
    lane = Lane("aiohttp", "dev", keeps_alive=True)
    trial = only(ran(tmp_path, FakeWorld(), lane))
    assert trial.invalid == "0 of 1250 replies were kept alive, not 1250"


def test_load_that_fails_is_an_invalid_trial_with_the_servers_log(tmp_path: Path) -> None:
    trial = only(ran(tmp_path, FakeWorld(load_error="ab: connection reset (exit 104)")))
    assert trial.invalid == "ab: connection reset (exit 104)"
    assert trial.log == "the end of the log"
    assert trial.throughput_rps is None


def test_server_that_died_is_the_reason_rather_than_the_load(tmp_path: Path) -> None:
    fake = FakeWorld(load_error="ab: connection reset", ended="the server was killed by SIGKILL")
    trial = only(ran(tmp_path, fake))
    assert trial.invalid == "the server was killed by SIGKILL (ab: connection reset)"


def test_replaced_worker_makes_a_trial_invalid(tmp_path: Path) -> None:
    trial = only(ran(tmp_path, FakeWorld(workers={101, 102}, replacing={101, 103})))
    assert trial.invalid == "the workers changed during the trial (ended: 102; new: 103)"


def test_lane_that_answers_500_is_invalid_and_not_loaded(tmp_path: Path) -> None:
    fake = FakeWorld(reply=lambda lane: Reply(500, b"no"))
    trial = only(ran(tmp_path, fake))
    assert trial.invalid == "the target answered status 500, not 200"
    assert not any(event.startswith("load") for event in fake.events)


def test_lane_that_answers_other_bytes_than_most_is_invalid(tmp_path: Path) -> None:
    moon = BODY.replace(b"mars", b"moon")
    fake = FakeWorld(reply=lambda lane: Reply(200, moon if lane == "other-gunicorn" else BODY))
    trials = ran(tmp_path, fake, OTHER, FLASK, THIRD).trials
    reasons = {trial.lane: trial.invalid for trial in trials}
    assert reasons["flask-gunicorn"] is None
    assert reasons["third-gunicorn"] is None
    assert reasons["other-gunicorn"] == (
        "the target answered other bytes than most lanes "
        "(15 bytes against 15; the first difference is at byte 10)"
    )


def test_target_without_a_fixed_time_is_invalid_for_that_reason(tmp_path: Path) -> None:
    replies = (Reply(200, b"%d" % number) for number in range(9))
    trial = only(ran(tmp_path, FakeWorld(reply=lambda lane: next(replies))))
    assert trial.invalid is not None
    assert "other bytes than before, as one without a fixed time does" in trial.invalid


def test_lane_that_answers_nothing_once_is_measured_and_verified_all_the_same(
    tmp_path: Path,
) -> None:
    def reply(lane: str) -> Reply:
        if fake.events.count("verify") == 1:
            raise ServerError("no reply")
        return Reply(200, BODY + b"longer")

    fake = FakeWorld(reply=reply)
    assert only(ran(tmp_path, fake)).invalid == "replies had 15 bytes, the verified one 21"


def test_lane_that_does_not_start_leaves_the_others_be(tmp_path: Path) -> None:
    fake = FakeWorld(not_starting={"other-gunicorn"})
    run = ran(tmp_path, fake, OTHER, FLASK, blocks=2)
    reasons = {(trial.lane, trial.block): trial.invalid for trial in run.trials}
    assert reasons["flask-gunicorn", 1] is None
    assert reasons["flask-gunicorn", 2] is None
    assert "did not start (exit status 1)" in str(reasons["other-gunicorn", 2])
    described = next(c for c in run.description["cells"] if c["lane"] == "other-gunicorn")
    assert described["log"] == "ImportError: no such thing"
    assert fake.events.count("start other-gunicorn") == 1


def test_short_trial_is_kept_and_marked(tmp_path: Path) -> None:
    trial = only(ran(tmp_path, FakeWorld(changes={"seconds": 0.9})))
    assert trial.short
    assert trial.invalid is None


def test_interruption_keeps_what_was_measured(tmp_path: Path) -> None:
    # The 14th event is the warm-up of the second trial.
    fake = FakeWorld(raises=Interrupted(signal.SIGTERM), raises_at=14)
    with pytest.raises(Interrupted):
        ran(tmp_path, fake, blocks=5)
    run = results.load(tmp_path / "run")
    assert len(run.trials) == 1
    assert run.description["state"] == "interrupted by SIGTERM"
    assert fake.events[-1] == "stop"


def test_finished_run_says_what_was_planned(tmp_path: Path) -> None:
    described = ran(tmp_path, FakeWorld(), FLASK, OTHER, blocks=2, seed=42).description
    assert described["state"] == "finished"
    assert described["plan"]["seed"] == 42
    assert [lane["name"] for lane in described["plan"]["lanes"]] == [
        "flask-gunicorn",
        "other-gunicorn",
    ]
    assert described["environment"] == {"cpu": "fake"}
    assert [cell["reply"] for cell in described["cells"]] == [BODY.decode()] * 2


def test_folder_with_something_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="not empty; name a new folder"):
        ran(tmp_path, FakeWorld())
    assert [file.name for file in folder.iterdir()] == ["mine.txt"]
