"""The experiment for real: real servers, the real ab, the command line."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtest import ab, experiment, loads, readiness, results, server, session, trial
from loadtest.__main__ import main
from loadtest.interruption import Interruption
from loadtest.lanes import Lane, lanes
from loadtest.load import LoadError, Order
from loadtest.plan import Cell, Plan, Workload
from loadtest.results import Trial
from loadtest.trial import Applied, World
from tests.fakes import Watcher
from tests.remains import left_behind, left_soon

MOMENTS = int(os.environ.get("INTERRUPTIONS", "4"))
ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(
    shutil.which("ab") is None and "CI" not in os.environ, reason="ab is not installed"
)


def real_world(interruption: Interruption) -> World:
    return session.world(loads.chosen(["ab"]), interruption, noisy=True)


def ran(folder: Path, *planned: Lane, world: World | None = None, blocks: int = 1) -> list[Trial]:
    plan = Plan(tuple(Cell(lane, Workload()) for lane in planned), blocks=blocks, seconds=0.3)
    with Interruption() as interruption:
        experiment.run(plan, folder, {}, world or real_world(interruption), Watcher())
    return list(results.load(folder).trials)


def invalid(trials: list[Trial], lane: str) -> str:
    (reason,) = {t.invalid for t in trials if t.lane == lane}
    assert reason is not None
    return reason


def test_all_default_lanes_are_valid(tmp_path: Path) -> None:
    trials = ran(tmp_path / "run", *lanes(workers=2).values())
    assert {valid.lane: valid.invalid for valid in trials} == dict.fromkeys(lanes(workers=2))
    for valid in trials:
        assert valid.throughput_rps and valid.throughput_rps > 0
        assert valid.cpu_us_per_request and valid.cpu_us_per_request > 0
        assert valid.memory_mib and valid.memory_mib > 5
        assert valid.kept_alive == (valid.requests if "aiohttp" in valid.lane else 0)
        assert valid.latency_ms and valid.latency_ms["p50"] <= valid.latency_ms["p99"]
        assert sum(valid.worker_cpu_share or ()) == pytest.approx(1, abs=0.01)


@contextmanager
def impatient(world: World, framework: str) -> Iterator[World]:
    """Yield a world that soon gives up the lane of a framework, and waits for others as ever."""

    @contextmanager
    def start(lane: Lane, folder: Path) -> Iterator[trial.Serving]:
        with pytest.MonkeyPatch.context() as patch:
            if lane.framework == framework:
                patch.setattr(readiness, "START_TIMEOUT_S", 4.0)
            with world.start(lane, folder) as serving:
                yield serving

    yield replace(world, start=start)


def test_broken_lanes_are_invalid_for_the_true_reason(tmp_path: Path) -> None:
    planned = (
        Lane("flask", "dev"),
        Lane("flask", "gunicorn"),
        Lane("failing", "gunicorn", app="tests.broken_apps:failing()"),
        Lane("moving", "gunicorn", app="tests.broken_apps:moving()"),
        Lane("crashing", "gunicorn", app="tests.broken_apps:crashing()"),
        # As the article started it: without aiohttp's own worker class, all replies are 500.
        Lane("workerless", "gunicorn", app="planettracker.apps.aiohttp:create_app()"),
    )
    with Interruption() as interruption, impatient(real_world(interruption), "workerless") as world:
        trials = ran(tmp_path / "run", *planned, world=world)
    assert {t.lane for t in trials if t.invalid is None} == {"flask-dev", "flask-gunicorn"}
    assert invalid(trials, "failing-gunicorn") == "the target answered status 500, not 200"
    assert "other bytes than most lanes" in invalid(trials, "moving-gunicorn")
    assert "did not start" in invalid(trials, "crashing-gunicorn")
    assert "0 of 1 workers answered" in invalid(trials, "workerless-gunicorn")
    described = json.loads((tmp_path / "run" / "run.json").read_text())["calibrations"]
    logs = {cell["lane"]: cell["log"] for cell in described}
    assert "this app cannot be made" in logs["crashing-gunicorn"]


@contextmanager
def killing(world: World, victim: str) -> Iterator[World]:
    """Yield a world in which a process is killed in the middle of each trial's own load."""
    running: list[server.Server] = []

    @contextmanager
    def start(lane: Lane, folder: Path) -> Iterator[trial.Serving]:
        with world.start(lane, folder) as serving:
            assert isinstance(serving, server.Server)
            running.append(serving)
            yield serving

    def kill() -> None:
        serving = running[-1]
        pid = serving.process.pid if victim == "master" else min(serving.workers())
        os.kill(pid, signal.SIGKILL)

    def apply(load: str, order: Order, seconds: float) -> Applied:
        timer = threading.Timer(0.1, kill)
        if order.scratch.name == "load":
            timer.start()
        try:
            return world.apply(load, order, seconds)
        finally:
            timer.cancel()

    yield World(start, apply, look=lambda: None, hold=world.hold)


@pytest.mark.parametrize(
    ("lane", "victim", "reason"),
    [
        ("flask-dev", "master", "the server was killed by SIGKILL"),
        ("aiohttp-gunicorn", "master", "the server was killed by SIGKILL"),
        ("aiohttp-gunicorn", "worker", "the workers changed during the trial"),
        ("flask-gunicorn-2", "worker", "the workers changed during the trial"),
    ],
)
def test_server_killed_in_mid_trial_is_invalid_for_that_reason(
    tmp_path: Path, lane: str, victim: str, reason: str
) -> None:
    with Interruption() as interruption, killing(real_world(interruption), victim) as world:
        plan = Plan((Cell(lanes(2)[lane], Workload()),), blocks=1, seconds=0.4)
        experiment.run(plan, tmp_path / "run", {}, world, Watcher())
    (killed,) = results.load(tmp_path / "run").trials
    assert killed.invalid is not None
    assert reason in killed.invalid
    assert killed.throughput_rps is None or reason in killed.invalid


def loadtest(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "loadtest", *" ".join(arguments).split()],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=120,
    )


def test_run_measures_and_report_reports_it_again(tmp_path: Path) -> None:
    out = tmp_path / "run[/1]"
    options = (
        "--lanes aiohttp-dev,flask-dev --noisy --loads ab --no-aa --blocks 2 --seconds 0.2 --seed 3"
    )
    first = loadtest("run", options, "--out", str(out), FORCE_COLOR="1")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "4/4 block 2" in first.stdout
    assert "2 of 2" in first.stdout
    assert f"{out}/REPORT.md" in first.stdout
    assert "\x1b" not in first.stdout  # a pipe gets plain lines
    report = (out / "REPORT.md").read_text()
    (out / "REPORT.md").unlink()
    again = loadtest("report", str(out))
    assert again.returncode == 0
    assert (out / "REPORT.md").read_text() == report
    assert "2,023.08 / 721.92 (+180.24\N{NO-BREAK SPACE}%)" in report


def test_two_runs_are_compared(tmp_path: Path) -> None:
    options = "--lanes aiohttp-dev --noisy --loads ab --no-aa --blocks 2 --seconds 0.1 --seed"
    for name in "ab":
        done = loadtest("run", options, "1", "--out", str(tmp_path / name))
        assert done.returncode == 0, done.stdout + done.stderr
    compared = loadtest("compare", str(tmp_path / "a"), str(tmp_path / "b"), "--slower 50%")
    assert compared.returncode in (0, 1), compared.stdout + compared.stderr
    assert "aiohttp-dev" in compared.stdout
    assert "The noise of B is not known" in compared.stdout
    refused = loadtest("compare", str(tmp_path / "a"), str(tmp_path / "c"))
    assert refused.returncode == 2
    assert "is not a run" in refused.stderr


def test_command_of_each_lane_can_be_pasted() -> None:
    shown = loadtest("lanes").stdout
    assert "'planettracker.apps.flask:create_app()'" in shown
    assert "--forwarded-allow-ips ''" in shown


def test_options_reach_the_load(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = (
        "--lanes aiohttp-gunicorn-3 --workers 3 --blocks 1 --requests 300 --concurrency 7 "
        "--no-keep-alive --noisy --no-aa --loads ab --target /healthz --seed 9"
    )
    done = loadtest("run", options, "--out", str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    (only,) = results.load(out).trials
    assert (only.requests, only.concurrency, only.kept_alive) == (300, 7, 0)
    assert (only.lane, only.target) == ("aiohttp-gunicorn-3", "/healthz")
    assert only.worker_cpu_share is not None and len(only.worker_cpu_share) == 3


LOOK = r"""#!/bin/sh
allowed() { awk '/^Cpus_allowed_list/ { print "'$1'", $2 }' /proc/$2/status >> %s; }
port=$(echo "$*" | sed -n 's/.*127.0.0.1:\([0-9]*\).*/\1/p')
serving() { grep -ls "127.0.0.1:$port" /proc/[0-9]*/cmdline | xargs grep -ls gunicorn; }
[ -z "$port" ] || { allowed load $$; allowed server $(serving | cut -d / -f 3 | head -n 1); }
exec %s "$@"
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core for both")
def test_server_and_load_are_kept_to_their_cores(tmp_path: Path) -> None:
    mine, yours = sorted(os.sched_getaffinity(0))[:2]
    looking, seen, out = tmp_path / "ab", tmp_path / "seen.txt", tmp_path / "run"
    looking.write_text(LOOK % (seen, ab.find()))
    looking.chmod(0o755)
    options = "--lanes flask-gunicorn --loads ab --blocks 1 --seconds 0.1 --noisy --no-aa"
    kept = f"--pin {mine}:{yours} --out {out}"
    done = loadtest("run", options, kept, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(seen.read_text().splitlines()) == {f"server {mine}", f"load {yours}"}
    assert results.load(out).description["plan"]["pin"] == {"server": [mine], "load": [yours]}
    assert f"server {mine}; load {yours}" in (out / "REPORT.md").read_text()


def test_lane_that_never_becomes_valid_ends_with_status_1(tmp_path: Path) -> None:
    options = "--lanes flask-dev --noisy --no-aa --blocks 1 --seconds 0.1 --target /nowhere"
    done = loadtest("run", options, "--out", str(tmp_path / "run"))
    assert done.returncode == 1
    assert "the target answered status 404, not 200" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--lanes", "tornado"], "no lane is called 'tornado'; there are all, aiohttp-dev"),
        (["run", "--loads", "wrk"], "no load is called 'wrk'; there are ab, h2load"),
        (["run", "--blocks", "0"], "0 is not in the range"),
        (["run", "--precision", "3"], "give a percentage from 0.1% to 50%, such as 3%"),
        (["run", "--precision", "0%"], "give a percentage from 0.1% to 50%, such as 3%"),
        (["run", "--patience", "10"], "give a time such as 90s, 10m or 2h"),
        (["run", "--resume", "{absent}"], "is not a run: it has no readable run.json"),
        (["run", "--resume", "{absent}", "--blocks", "3"], "leave out other options"),
        (["run", "--seconds", "nan"], "--seconds must be a number"),
        (["io", "--seconds", "nan"], "--seconds must be a number"),
        (["attribute", "--seconds", "nan"], "--seconds must be a number"),
        (["doctor", "--seconds", "nan"], "--seconds must be a number"),
        (["run", "--requests", "19"], "--requests must be at least --concurrency, which is 20"),
        (["run", "--pin", "0"], "--pin must be SERVER:LOAD"),
        (["run", "--pin", "9999:0"], "--pin names core 9999, which this process may not use"),
        (["run", "--target", "http://example/"], "--target must be an ASCII path"),
        (["run", "--target", "/planets/mars؟lon=1"], "--target must be an ASCII path"),
        (["sweep", "--target", "/plänets"], "--target must be an ASCII path"),
        (["rate", "--target", "/a b"], "--target must be an ASCII path"),
        (["run", "--out", "{taken}"], "is not empty; name a new folder"),
        (["run", "--out", "/proc/none/run"], "name another folder with --out"),
        (["run", "--out", "/tmp/" + 300 * "a"], "name another folder with --out"),
        (["report", "{taken}"], "is not a run: it has no readable run.json"),
        (["report", "{absent}"], "is not a run: it has no readable run.json"),
    ],
)
def test_what_a_person_can_mend_is_a_sentence_and_status_2(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    places = {"taken": str(tmp_path), "absent": str(tmp_path / "absent")}
    done = CliRunner().invoke(main, [argument.format(**places) for argument in arguments])
    assert done.exit_code == 2, done.exception  # 1 where an exception has no sentence
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_missing_ab_says_what_to_install(tmp_path: Path) -> None:
    done = loadtest("run", PATH=str(tmp_path))
    assert done.returncode == 2
    assert "apt-get install apache2-utils" in done.stderr
    assert "Traceback" not in done.stderr


def test_full_disk_is_a_sentence_and_keeps_what_was_measured(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        options = "--lanes flask-dev --noisy --no-aa --loads ab --blocks 60 --requests 200"
        done = loadtest("run", options, "--out", str(disk / "run"))
        assert done.returncode == 2, done.stdout + done.stderr
        assert "make room or name another folder" in done.stderr
        assert "Traceback" not in done.stderr
        trials = results.load(disk / "run").trials
        assert len(trials) > 3
        assert trials[0].invalid is None
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_load_that_hangs_is_ended_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = f"mark-{uuid.uuid4()}"
    monkeypatch.setenv("PLANETTRACKER_TEST", mark)
    monkeypatch.setattr(trial, "TIMEOUT_S", 0.5)
    script = tmp_path / "ab"
    script.write_text("#!/bin/sh\nsleep 60\nexit 1\n")
    script.chmod(0o755)
    order = Order("http://127.0.0.1:1/", 1, 1, keep_alive=True, scratch=tmp_path)
    with (
        Interruption() as interruption,
        pytest.raises(LoadError, match="not done after"),
    ):
        trial.apply(ab.ApacheBench(str(script)), interruption, order, seconds=0)
    assert left_behind(mark) == []


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_signal_at_any_moment_leaves_no_process_and_reports(tmp_path: Path, moment: int) -> None:
    signals = signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGINT
    signum = signals[moment % len(signals)]
    mark = f"mark-{uuid.uuid4()}"
    out = tmp_path / "run"
    two = "--lanes aiohttp-gunicorn-2,flask-dev --workers 2"
    options = f"run {two} --noisy --blocks 50 --seconds 0.2 --seed {moment} --out".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "loadtest", *options, str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PLANETTRACKER_TEST": mark},
    )
    while not (out / results.RUN_FILE).exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(random.Random(moment).uniform(0, 7))  # some 5 s of calibration, then trials
    process.send_signal(signum)
    output, _ = process.communicate(timeout=30)
    if signum == signal.SIGKILL:
        assert process.returncode == -signum, output
        assert left_soon(mark) == []
    else:
        assert process.returncode == 128 + signum, output
        assert f"Interrupted by {signum.name}" in output
        assert left_behind(mark) == []
    assert "Traceback" not in output
    assert loadtest("report", str(out)).returncode in (0, 1)


def test_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = "--lanes aiohttp-dev --noisy --loads ab --blocks 4 --seconds 0.2 --out"
    process = subprocess.Popen(
        [sys.executable, "-m", "loadtest", "run", *options.split(), str(out)],
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
    )
    while not (out / results.TRIALS_FILE).exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 128 + signal.SIGTERM
    before = results.load(out)
    assert before.description["state"] == "interrupted by SIGTERM"
    resumed = loadtest("run", "--resume", str(out))
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    after = results.load(out)
    assert after.trials[: len(before.trials)] == before.trials
    assert len(after.trials) == 8
    again = loadtest("run", "--resume", str(out))
    assert again.returncode == 2
    assert "is finished" in again.stderr


def test_pilot_decides_how_many_blocks_there_are(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = "--lanes aiohttp-dev --noisy --loads ab --precision 50% --seconds 0.1 --out"
    done = loadtest("run", options, str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "By a pilot of 8 blocks a half-width of 50 % needs" in done.stdout
    assert results.load(out).description["second_stage"]["pilot"] == 8
