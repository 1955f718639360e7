"""The engine, with a fake server and a fake load: what happens when, and what counts."""

import signal
from dataclasses import replace
from itertools import count
from math import exp
from pathlib import Path

import pytest

from loadtest import results
from loadtest.experiment import resume, run
from loadtest.interruption import Interrupted
from loadtest.lanes import Lane
from loadtest.load import Latency, LoadError, Order
from loadtest.outside import Snapshot
from loadtest.plan import Cell, Plan, TwoStages, Workload
from loadtest.results import Run, RunFolderError, Trial
from loadtest.server import Reply, ServerError
from tests.fakes import BODY, RATE_RPS, FakeWorld, Watcher

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
    calibration = ["start flask-gunicorn", "verify", "load 50", "load 400", "verify", "stop"]
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


def test_lane_starts_once_to_be_calibrated_under_all_its_workloads(tmp_path: Path) -> None:
    fake = FakeWorld()
    workloads = (Workload(), Workload(load="h2load"), Workload(target="/healthz"))
    cells = (*(Cell(FLASK, w) for w in workloads), Cell(replace(FLASK, twin=True), Workload()))
    run(Plan(cells, blocks=0), tmp_path / "run", {}, fake.world(), Watcher())
    assert fake.events.count("start flask-gunicorn") == 1
    assert fake.loads == ["ab", "ab", "h2load", "h2load", "ab", "ab"]
    described = results.load(tmp_path / "run").description["calibrations"]
    assert [row["lane"] for row in described] == ["flask-gunicorn"] * 3 + ["flask-gunicorn-twin"]
    assert [row["workload"]["load"] for row in described] == ["ab", "h2load", "ab", "ab"]


def test_slow_cell_is_calibrated_by_one_load(tmp_path: Path) -> None:
    fake = FakeWorld(changes={"seconds": 0.5, "throughput_rps": 100.0})
    found = ran(tmp_path, fake, blocks=0, seconds=2.0)
    assert fake.events == ["start flask-gunicorn", "verify", "load 50", "verify", "stop"]
    (calibrated,) = found.description["calibrations"]
    assert (calibrated["rate_rps"], calibrated["requests"]) == (100, 200)


@pytest.mark.parametrize(("concurrency", "requests"), [(20, 125), (100, 300)])
def test_each_client_has_its_rounds(tmp_path: Path, concurrency: int, requests: int) -> None:
    fake = FakeWorld(changes={"seconds": 0.5, "throughput_rps": 100.0})
    plan = Plan((Cell(FLASK, Workload(concurrency=concurrency)),), blocks=0, rounds=3)
    run(plan, tmp_path / "run", {}, fake.world(), Watcher())
    (calibrated,) = results.load(tmp_path / "run").description["calibrations"]
    assert calibrated["requests"] == requests


def test_requests_can_be_fixed(tmp_path: Path) -> None:
    assert only(ran(tmp_path, FakeWorld(), requests=77)).requests == 77


def test_valid_trial_has_its_figures(tmp_path: Path) -> None:
    trial = only(ran(tmp_path, FakeWorld()))
    assert trial.invalid is None
    assert trial.throughput_rps == 1000
    assert trial.latency_ms == {"mean": 20, "p50": 20, "p90": 20, "p99": 20, "max": 20}
    assert trial.cpu_us_per_request == pytest.approx(1e6 / 1250)  # the fake uses 1 s between looks
    assert trial.memory_mib == 64
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
        ({"latency_ms": Latency(1, 1, 1, 1, 1250)}, "throughput times mean latency is 1.0, 20"),
        ({"latency_ms": None}, "the load gave no latencies"),
    ],
)
def test_measurement_that_breaks_a_rule_is_invalid(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    trial = only(ran(tmp_path, FakeWorld(changes=changes)))
    assert trial.invalid is not None
    assert reason in trial.invalid


@pytest.mark.parametrize(
    ("load", "workers", "valid"), [("h2load", 4, True), ("h2load", 1, False), ("ab", 4, False)]
)
def test_clients_with_fixed_parts_may_be_done_early_where_workers_are_uneven(
    tmp_path: Path, load: str, workers: int, valid: bool
) -> None:
    fake = FakeWorld(changes={"throughput_rps": 600.0})
    lane = Lane("flask", "gunicorn", workers=workers)
    plan = Plan((Cell(lane, Workload(load=load)),), blocks=1)
    run(plan, tmp_path / "run", {}, fake.world(), Watcher())
    trial = only(results.load(tmp_path / "run"))
    assert (trial.invalid is None) == valid


def test_lane_that_keeps_alive_must_do_so(tmp_path: Path) -> None:
    lane = Lane("aiohttp", "dev", keeps_alive=True)
    trial = only(ran(tmp_path, FakeWorld(), lane))
    assert trial.invalid == "0 of 1250 replies were kept alive, not 1250"


def test_load_that_cannot_tell_what_was_kept_alive_counts_where_the_lane_closes(
    tmp_path: Path,
) -> None:
    untold = FakeWorld(changes={"kept_alive": None})
    closing = only(ran(tmp_path / "closing", untold))
    assert (closing.invalid, closing.kept_alive) == (None, None)
    keeping = only(ran(tmp_path / "keeping", untold, Lane("aiohttp", "dev", keeps_alive=True)))
    assert keeping.invalid == "the load does not show that all 1250 replies were kept alive"


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


def test_load_that_is_busy_itself_makes_a_trial_invalid(tmp_path: Path) -> None:
    trial = only(ran(tmp_path, FakeWorld(load_cpu_s=1.1)))
    assert trial.invalid is not None
    assert trial.invalid.startswith("ab used 88 % of a core: the load, not the server")


@pytest.mark.parametrize(("others_s", "reason"), [(0.1, None), (1.0, "load from outside: 0.")])
def test_load_from_outside_makes_a_trial_invalid(
    tmp_path: Path, others_s: float, reason: str | None
) -> None:
    """The fake server uses 1 s meanwhile, its load 0.1 s; what this process uses is little."""
    looks = (Snapshot(0.0, 50.0, 3.0), Snapshot(1.25, 50.0 + 1.1 + others_s, 3.0))
    trial = only(ran(tmp_path, FakeWorld(looks=iter(looks))))
    assert trial.outside_cores == pytest.approx(others_s / 1.25, abs=0.05)
    assert (trial.invalid or "").startswith(reason or "")
    assert (trial.invalid is None) == (reason is None)


def slow_run(folder: Path, fake: FakeWorld, slow: str = "50 idle") -> Run:
    plan = Plan((Cell(FLASK, Workload(target="/healthz", slow=slow)),), blocks=1)
    run(plan, folder / "run", {}, fake.world(), Watcher())
    return results.load(folder / "run")


def test_slow_clients_stand_while_the_load_does_and_no_longer(tmp_path: Path) -> None:
    fake = FakeWorld()
    trial = only(slow_run(tmp_path, fake))
    *_, warmup, hold, load, let_go, verify, stop = fake.events
    assert (warmup, load, verify, stop) == ("load 500", "load 1250", "verify", "stop")
    assert hold == "hold 50 idle at http://flask-gunicorn/healthz"
    assert let_go == "let go"
    assert fake.events.count(hold) == 1  # none while it is calibrated
    assert (trial.slow, trial.invalid) == ("50 idle", None)


def test_slow_clients_are_let_go_where_the_load_fails(tmp_path: Path) -> None:
    def changed(order: Order) -> dict[str, object]:
        if order.scratch.name == "load":
            raise LoadError("ab: no connection")
        return {}

    fake = FakeWorld()
    fake.changed = changed
    assert only(slow_run(tmp_path, fake)).invalid == "ab: no connection"
    assert fake.events[-3:] == ["load 1250", "let go", "stop"]


def test_load_beside_slow_clients_gives_up_soon(tmp_path: Path) -> None:
    fake = FakeWorld()
    slow_run(tmp_path, fake)
    assert {order.timeout_s for order in fake.orders} == {3}
    ordinary = FakeWorld()
    ran(tmp_path / "ordinary", ordinary)
    assert {order.timeout_s for order in ordinary.orders} == {None}


@pytest.mark.parametrize(("held_s", "outside_cores"), [(0.0, 0.4), (0.5, 0.0)])
def test_cpu_time_of_slow_clients_is_not_load_from_outside(
    tmp_path: Path, held_s: float, outside_cores: float
) -> None:
    """Of 1.6 s the fake server uses 1, its load 0.1, and its slow clients 0.5 if they do."""
    looks = (Snapshot(0.0, 50.0, 3.0), Snapshot(1.25, 51.6, 3.0))
    trial = only(slow_run(tmp_path, FakeWorld(looks=iter(looks), held_step_s=held_s)))
    assert trial.outside_cores == pytest.approx(outside_cores, abs=0.05)
    assert trial.load_cores == pytest.approx(0.1 / 1.25)


AIOHTTP = Lane("aiohttp", "dev", keeps_alive=True)


@pytest.mark.parametrize(
    ("serial_s", "cpu_s", "delayed"),
    [(0.041, 0.001, True), (0.041, 0.2, False), (0.030, 0.001, False)],
)
def test_delayed_acknowledgements_are_seen_before_the_load(
    tmp_path: Path, serial_s: float, cpu_s: float, delayed: bool
) -> None:
    fake = FakeWorld(serial_s=serial_s, cpu_step_s=cpu_s, changes={"kept_alive": 1250})
    trial = only(ran(tmp_path, fake, AIOHTTP))
    if delayed:
        assert trial.invalid is not None
        assert trial.invalid.startswith("single requests took 41 ms each while the server's CPU")
        assert fake.events[-2:] == ["serial 5", "stop"]
    else:
        assert (trial.invalid, trial.serial_ms) == (None, 1000 * serial_s)


def test_lane_that_keeps_no_connection_is_not_asked_on_one(tmp_path: Path) -> None:
    fake = FakeWorld()
    assert only(ran(tmp_path, fake)).serial_ms is None
    assert "serial 5" not in fake.events


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


def test_lane_has_one_vote_however_many_cells_it_has(tmp_path: Path) -> None:
    moon = BODY.replace(b"mars", b"moon")
    fake = FakeWorld(reply=lambda lane: Reply(200, moon if lane.startswith("other") else BODY))
    cells = [Cell(OTHER, Workload(load=load)) for load in ("ab", "h2load")]
    cells += [Cell(replace(OTHER, twin=True), Workload())]
    cells += [Cell(lane, Workload()) for lane in (FLASK, THIRD)]
    run(Plan(tuple(cells), blocks=1), tmp_path / "run", {}, fake.world(), Watcher())
    valid = {t.lane for t in results.load(tmp_path / "run").trials if t.invalid is None}
    assert valid == {"flask-gunicorn", "third-gunicorn"}


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
    assert {t.log for t in run.trials if t.invalid} == {"ImportError: no such thing"}
    described = next(c for c in run.description["calibrations"] if c["lane"] == "other-gunicorn")
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


def interrupted(folder: Path, at_event: int, **plan: object) -> FakeWorld:
    fake = FakeWorld(raises=Interrupted(signal.SIGTERM), raises_at=at_event)
    with pytest.raises(Interrupted):
        ran(folder, fake, FLASK, OTHER, **plan)
    return fake


@pytest.mark.parametrize("at_event", [3, 9, 15, 27, 39])
def test_interrupted_run_goes_on_to_the_same_schedule(tmp_path: Path, at_event: int) -> None:
    whole = ran(tmp_path / "whole", FakeWorld(), FLASK, OTHER, blocks=5, seed=7)
    interrupted(tmp_path, at_event, blocks=5, seed=7)
    before = results.load(tmp_path / "run")
    with (tmp_path / "run" / "trials.jsonl").open("a") as file:
        file.write('{"lane": "cut sho')
    fake = FakeWorld()
    resume(tmp_path / "run", {"cpu": "fake"}, fake.world(), Watcher())
    after = results.load(tmp_path / "run")
    assert after.trials[: len(before.trials)] == before.trials
    assert [(t.position, t.lane) for t in after.trials] == [
        (t.position, t.lane) for t in whole.trials
    ]
    assert after.description["state"] == "finished"
    assert after.description["resumed"][0]["after_trials"] == len(before.trials)
    calibrated = {"calibrations"} <= before.description.keys()
    starts = sum(event.startswith("start") for event in fake.events)
    assert starts == 10 - len(before.trials) + (0 if calibrated else 2)


def test_lane_that_did_not_start_stays_so_when_a_run_goes_on(tmp_path: Path) -> None:
    fake = FakeWorld(not_starting={"other-gunicorn"}, raises=Interrupted(2), raises_at=12)
    with pytest.raises(Interrupted):
        ran(tmp_path, fake, FLASK, OTHER, blocks=5)
    again = FakeWorld()
    resume(tmp_path / "run", {"cpu": "fake"}, again.world(), Watcher())
    assert "start other-gunicorn" not in again.events


def test_finished_run_does_not_go_on(tmp_path: Path) -> None:
    ran(tmp_path, FakeWorld())
    with pytest.raises(RunFolderError, match="is finished; to measure again, start a new run"):
        resume(tmp_path / "run", {"cpu": "fake"}, FakeWorld().world(), Watcher())


def test_run_does_not_go_on_in_another_environment(tmp_path: Path) -> None:
    interrupted(tmp_path, 27, blocks=5)
    with pytest.raises(RunFolderError, match="began with cpu fake, here it is another"):
        resume(tmp_path / "run", {"cpu": "another"}, FakeWorld().world(), Watcher())


@pytest.mark.parametrize(
    ("spread", "patience_s", "blocks"), [(0.0, 1e9, 8), (0.1, 1e9, 74), (0.1, 0.0, 8)]
)
def test_second_stage_has_the_blocks_that_the_first_asks_for(
    tmp_path: Path, spread: float, patience_s: float, blocks: int
) -> None:
    """Alternate blocks are as much faster and slower: of 8, the deviation is 1.069 `spread`.

    t for 95 % and 7 degrees of freedom is 2.365, and (2.365 * 0.1069 / log(1.03))^2 is 73.2.
    """
    fake = FakeWorld()
    turns = count()

    def changes(order: Order) -> dict[str, object]:
        if order.requests < 1000 or fake.lane != "aiohttp-dev":  # a warm-up, or the other lane
            return {"kept_alive": order.requests if fake.lane == "aiohttp-dev" else 0}
        sign = -1 if next(turns) % 2 else 1
        rate = RATE_RPS * exp(sign * spread)
        latency = 20 / exp(sign * spread)
        return {
            "kept_alive": order.requests,
            "throughput_rps": rate,
            "latency_ms": Latency(latency, latency, latency, latency, latency),
        }

    fake.changed = changes
    rule = TwoStages(0.03, patience_s=patience_s)
    watcher = Watcher()
    cells = (Cell(AIOHTTP, Workload()), Cell(Lane("flask", "dev"), Workload()))
    run(Plan(cells, 8, two_stages=rule), tmp_path / "run", {}, fake.world(), watcher)
    made = results.load(tmp_path / "run")
    (decision,) = watcher.decisions
    assert decision.blocks == blocks == made.description["plan"]["blocks"]
    assert len(made.trials) == 2 * blocks
    assert decision.enough == (patience_s > 0 or spread == 0)
    assert made.description["second_stage"]["needed"] == decision.needed


def test_finished_run_says_what_was_planned(tmp_path: Path) -> None:
    described = ran(tmp_path, FakeWorld(), FLASK, OTHER, blocks=2, seed=42).description
    assert described["state"] == "finished"
    assert described["plan"]["seed"] == 42
    assert [lane["name"] for lane in described["plan"]["lanes"]] == [
        "flask-gunicorn",
        "other-gunicorn",
    ]
    assert described["environment"] == {"cpu": "fake"}
    assert [cell["reply"] for cell in described["calibrations"]] == [BODY.decode()] * 2


def test_folder_with_something_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="not empty; name a new folder"):
        ran(tmp_path, FakeWorld())
    assert [file.name for file in folder.iterdir()] == ["mine.txt"]
