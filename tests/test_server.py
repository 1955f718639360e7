"""Servers as processes: started, seen from outside, ended with all that they started."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from loadtest import processes, readiness, server
from loadtest.interruption import SIGNALS, Interrupted, Interruption
from loadtest.lanes import AIOHTTP_WORKER, Lane, all_lanes, lanes
from loadtest.server import ServerError, running


def test_every_worker_has_answered_when_the_server_is_handed_over(tmp_path: Path) -> None:
    lane = Lane("aiohttp", "gunicorn", AIOHTTP_WORKER, workers=3, keeps_alive=True)
    with running(lane, tmp_path, Interruption()) as served:
        assert len(served.workers()) == 3
        assert served.process.pid not in served.workers()
        assert served.reply("/healthz").body == b'{"status":"ok"}'
        assert served.startup_s > 0


SEVERAL = ("starlette-uvicorn-2", "starlette-granian-2", "starlette-gunicorn-2")


@pytest.mark.parametrize("name", SEVERAL)
def test_workers_are_those_that_answer(tmp_path: Path, name: str) -> None:
    """Not what starts them, nor what Python's multiprocessing starts beside them."""
    with running(all_lanes(2)[name], tmp_path, Interruption()) as served:
        assert len(served.workers()) == 2
        assert served.process.pid not in served.workers()


def test_uvicorn_with_one_worker_answers_itself(tmp_path: Path) -> None:
    with running(all_lanes()["starlette-uvicorn"], tmp_path, Interruption()) as served:
        assert served.workers() == {served.process.pid}


@pytest.mark.parametrize("name", all_lanes(2))
def test_server_logs_no_request_and_leaves_no_process_and_a_free_port(
    tmp_path: Path, name: str
) -> None:
    with running(all_lanes(2)[name], tmp_path, Interruption()) as served:
        group, port = served.process.group, served.port
        assert served.process.pid in processes.group_members(group)
        before = served.log.read_bytes()
        for target in ("/planets/mars", "/nowhere"):
            served.reply(target)
        assert served.log.read_bytes() == before
    assert processes.group_members(group) == []
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((server.HOST, port))


def test_workers_whose_master_was_killed_are_ended_too(tmp_path: Path) -> None:
    with running(lanes(2)["flask-gunicorn-2"], tmp_path, Interruption()) as served:
        assert len(served.workers()) == 2
        os.kill(served.process.pid, signal.SIGKILL)
        while served.ended() is None:
            time.sleep(0.002)
        assert served.ended() == "the server was killed by SIGKILL"
        assert processes.group_members(served.process.group) == []


def test_usage_is_that_of_the_server_without_its_supervisor(tmp_path: Path) -> None:
    with running(lanes(2)["flask-gunicorn-2"], tmp_path, Interruption()) as served:
        assert served.usage().cpu_s.keys() == {served.process.pid, *served.workers()}


def test_server_is_ended_when_the_experiment_fails(tmp_path: Path) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        running(lanes()["flask-dev"], tmp_path, Interruption()) as served,
    ):
        raise ZeroDivisionError
    assert processes.group_members(served.process.group) == []


def test_server_that_cannot_start_shows_the_end_of_its_log(tmp_path: Path) -> None:
    lane = Lane("absent", "gunicorn", app="tests.no_such_module:app")
    with pytest.raises(ServerError) as caught, running(lane, tmp_path, Interruption()):
        pass
    assert "did not start" in caught.value.reason
    assert "tests.no_such_module" in caught.value.log


def test_server_that_hangs_at_its_start_and_is_killed_is_not_said_to_hold_its_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "START_TIMEOUT_S", 1.5)
    monkeypatch.setattr(server, "STOP_TIMEOUT_S", 0.5)
    lane = Lane("hanging", "gunicorn", workers=2, app="tests.broken_apps:hanging()")
    for attempt in range(3):  # what is left of a killed process is gone at once now and then
        folder = tmp_path / str(attempt)
        folder.mkdir()
        with (
            pytest.raises(ServerError, match="0 of 2 workers answered"),
            running(lane, folder, Interruption()),
        ):
            pass


def test_what_stands_in_the_environment_does_not_change_a_lane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = {
        "FLASK_DEBUG": "1",
        "GUNICORN_CMD_ARGS": "--workers 3 --bind 127.0.0.1:1",
        "PORT": "1",
        "SCRIPT_NAME": "/elsewhere",  # gunicorn answers 500 to all that is not below it
        "WEB_CONCURRENCY": "3",
        "YARL_NO_EXTENSIONS": "1",
    }
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "gunicorn.conf.py").write_text("workers = 3\n")
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    with running(lanes()["flask-gunicorn"], folder, Interruption()) as served:
        assert len(served.workers()) == 1
    assert foreign.keys() <= set(server.foreign_variables())


def test_owner_is_known_when_a_connection_is_accepted() -> None:
    with (
        closing(socket.create_server((server.HOST, 0))) as listener,
        closing(socket.create_connection(listener.getsockname())) as client,
    ):
        ends = client.getpeername(), client.getsockname()
        assert processes.owner(*ends, [os.getpid()]) is None
        with closing(listener.accept()[0]):
            assert processes.owner(*ends, [os.getpid()]) == os.getpid()
            assert processes.owner(*ends, []) is None


def test_both_ways_to_a_sockets_inode_agree() -> None:
    with (
        closing(socket.create_server((server.HOST, 0))) as listener,
        closing(socket.create_connection(listener.getsockname())) as client,
        closing(listener.accept()[0]),
    ):
        ends = client.getpeername(), client.getsockname()
        inode = processes._inode_by_listing(*ends)
        assert inode > 0
        assert processes._inode_by_netlink(*ends) == inode


BURN = """
import threading, time
def burn():
    while time.thread_time() < 0.2: pass
thread = threading.Thread(target=burn)
thread.start()
thread.join()
print("done", flush=True)
input()
"""


def test_cpu_time_of_a_process_includes_its_ended_threads() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as burning:
        assert burning.stdout is not None
        burning.stdout.readline()
        used = processes.cpu_seconds([burning.pid])[burning.pid]
        burning.communicate(b"\n")
    assert used >= 0.2


def test_processes_that_are_gone_have_used_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    assert processes.cpu_seconds([gone.pid]) == {}
    assert processes.memory_mib([gone.pid]) == 0


@pytest.mark.parametrize("signum", SIGNALS)
def test_signal_ends_a_wait_and_every_later_one(signum: signal.Signals) -> None:
    before = signal.signal(signum, signal.SIG_DFL)  # these tests may run under nohup
    try:
        with Interruption() as interruption:
            os.kill(os.getpid(), signum)
            for _ in range(2):
                with pytest.raises(Interrupted, match=signum.name):
                    interruption.sleep(60)
    finally:
        signal.signal(signum, before)


def test_closed_terminal_ends_nothing_under_nohup() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interruption() as interruption:
            os.kill(os.getpid(), signal.SIGHUP)
            interruption.check()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_do_what_they_did_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Interruption():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
