"""Locust as a load: its summary read strictly, and a real master with two workers."""

import importlib.util
import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from loadtest import experiment, loads, locust_load, plan, rules
from loadtest.lanes import Lane
from loadtest.load import LoadError, LoadMissingError, Measurement, Order
from loadtest.locust_load import LOCUSTFILE, SUMMARY, Locust
from loadtest.plan import Cell, Plan, Workload
from tests.fakes import RATE_RPS, FakeWorld, Watcher

BODY = b'{"name": "mars"}\n'
KEPT = Lane("aiohttp", "dev", keeps_alive=True)
# What a master has written, of 5 requests by two workers, one of them with a reply that broke off.
RECORDED: dict[str, Any] = {
    "users": 2,
    "parts": [
        {
            "requests": 3,
            "complete": 3,
            "not_2xx": 0,
            "failures": {},
            "kept_alive": 3,
            "bytes": 17,
            "digest": "5a",
            "total_bytes": 51,
            "seconds": 0.02,
            "user_s": 0.004,
            "system_s": 0.001,
            "took_ms": [4.0, 2.0, 3.0],
        },
        {
            "requests": 2,
            "complete": 1,
            "not_2xx": 0,
            "failures": {"BadStatusLine": 1},
            "kept_alive": 1,
            "bytes": 17,
            "digest": "5a",
            "total_bytes": 17,
            "seconds": 0.01,
            "user_s": 0.008,
            "system_s": 0.001,
            "took_ms": [5.0],
        },
    ],
}


def read(folder: Path, told: object, requests: int = 5, users: int = 2) -> Measurement:
    (folder / SUMMARY).write_text(json.dumps(told))
    order = Order("http://h/", requests, users, True, folder)
    return Locust().parse(order, 0, "", "")


def changed(**members: object) -> dict[str, Any]:
    """Return the summary with other members in its second part."""
    first, second = RECORDED["parts"]
    return {**RECORDED, "parts": [first, {**second, **members}]}


def test_parts_are_summed_up(tmp_path: Path) -> None:
    measured = read(tmp_path, RECORDED)
    assert (measured.requests, measured.complete, measured.failed) == (5, 4, 1)
    assert (measured.kept_alive, measured.document_bytes, measured.total_bytes) == (4, 17, 68)
    assert measured.failures == {"BadStatusLine": 1}
    assert (measured.seconds, measured.throughput_rps) == (0.02, 200.0)
    assert measured.latency_ms is not None
    assert (measured.latency_ms.mean, measured.latency_ms.max) == (3.5, 5.0)
    assert measured.user_s == pytest.approx(0.012)


def test_the_busiest_process_is_told(tmp_path: Path) -> None:
    assert read(tmp_path, RECORDED).process_cores == pytest.approx(0.9)


def test_workers_with_unlike_replies_have_no_length(tmp_path: Path) -> None:
    assert read(tmp_path, changed(digest="5b")).document_bytes is None


UNTRUE = [
    (changed(requests=3), "another number of requests than asked for"),
    ({**RECORDED, "users": 3}, "another number of users than asked for"),
    (changed(took_ms=[]), "an unreadable summary"),
    (changed(complete=-1), "an unreadable summary"),
    (changed(seconds=0.0), "an unreadable summary"),
    (changed(failures={"E": 0}), "an unreadable summary"),
    (changed(user_s="1"), "an unreadable summary"),
    ({"users": 2}, "an unreadable summary"),
    ([], "an unreadable summary"),
    ({"users": 2, "parts": []}, "another number of requests than asked for"),
]


@pytest.mark.parametrize(("told", "reason"), UNTRUE)
def test_a_summary_that_cannot_be_true_is_refused(
    told: object, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(LoadError, match=f"^locust: {reason}$"):
        read(tmp_path, told)


def test_without_a_summary_it_was_not_done(tmp_path: Path) -> None:
    order = Order("http://h/", 5, 2, True, tmp_path)
    with pytest.raises(LoadError, match="no summary; it ended before all parts were done"):
        Locust().parse(order, 0, "", "")


@pytest.mark.parametrize(("exit_status", "why"), [(1, "no workers came"), (-9, "ended by SIGKILL")])
def test_an_exit_status_is_named(exit_status: int, why: str, tmp_path: Path) -> None:
    order = Order("http://h/", 5, 2, True, tmp_path)
    with pytest.raises(LoadError, match=rf"^locust: {why} \(exit {exit_status}\)$"):
        Locust().parse(order, exit_status, "", "waiting\nno workers came\n")


def test_no_more_processes_than_clients_are_asked_for(tmp_path: Path) -> None:
    for concurrency, processes in ((1, "1"), (20, "2")):
        command = Locust().command(Order("http://h:1/a?b=1", 9, concurrency, True, tmp_path))
        assert command[command.index("--processes") + 1] == processes
        assert command[command.index("--target") + 1] == "/a?b=1"
        assert command[command.index("--host") + 1] == "http://h:1"
        assert "--close" not in command
    assert "--close" in Locust().command(Order("http://h/", 9, 1, False, tmp_path))


def test_a_missing_locust_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locust_load, "find_spec", lambda name: None)
    with pytest.raises(LoadMissingError, match=r"locust is not installed; .*make stacks"):
        loads.chosen(["locust"])


def test_locust_is_a_load_of_servers_that_is_never_there_unasked() -> None:
    assert "locust" in loads.OF_SERVERS
    assert not loads.LOADS["locust"].default


def test_a_process_that_is_busy_makes_a_trial_count_for_nothing() -> None:
    assert "90 % of a core" in (rules.overloaded(0.9, Cell(KEPT, Workload(load="locust"))) or "")


@pytest.mark.parametrize(("process_cores", "fault"), [(0.7, None), (0.9, "locust used 90 %")])
def test_a_load_of_several_processes_is_judged_by_the_busiest(
    tmp_path: Path, process_cores: float, fault: str | None
) -> None:
    world, watcher = FakeWorld(load_cpu_s=9.0), Watcher()
    world.changed = lambda order: {
        "user_s": order.requests / RATE_RPS,
        "system_s": 0.3 * order.requests / RATE_RPS,
        "process_cores": process_cores,
        "kept_alive": order.requests,
    }
    made = Plan((Cell(KEPT, Workload(load="locust")),), blocks=1)
    experiment.run(made, tmp_path / "run", {}, world.world(), watcher)
    (trial,) = watcher.trials
    assert trial.load_cores == pytest.approx(1.3)  # of both, without what they took to start
    assert (trial.invalid or "").startswith(fault or "") and bool(trial.invalid) == bool(fault)


def test_target_is_the_experiments_own() -> None:
    assert f'MARS = "{plan.MARS}"' in LOCUSTFILE.read_text()


# The real Locust

needs_locust = pytest.mark.skipif(
    importlib.util.find_spec("locust") is None, reason="locust is not installed (make stacks)"
)


class Planet(BaseHTTPRequestHandler):
    """Answers BODY; some requests, by their number, get what is planned for them."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    lock: ClassVar[threading.Lock] = threading.Lock()
    seen: ClassVar[int] = 0
    special: ClassVar[dict[int, Callable[["Planet"], None]]] = {}

    def do_GET(self) -> None:
        with Planet.lock:
            Planet.seen += 1
            special = Planet.special.get(Planet.seen)
        if special is None:
            self.answer(200, BODY)
        else:
            special(self)

    def answer(self, status: int, body: bytes, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Planet.seen, Planet.special = 0, {}
    with ThreadingHTTPServer(("127.0.0.1", 0), Planet) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}/planets/mars?lat=1"
        http.shutdown()
        thread.join()


def load(order: Order) -> Measurement:
    done = subprocess.run(Locust().command(order), capture_output=True, text=True, timeout=120)
    return Locust().parse(order, done.returncode, done.stdout, done.stderr)


@needs_locust
def test_a_master_and_two_workers_make_every_request(server: str, tmp_path: Path) -> None:
    measured = load(Order(server, 201, 5, True, tmp_path))
    assert Planet.seen == 201
    parts = json.loads((tmp_path / SUMMARY).read_text())["parts"]
    assert sorted(part["requests"] for part in parts) == [100, 101]
    assert (measured.complete, measured.failed, measured.non_2xx) == (201, 0, 0)
    assert (measured.kept_alive, measured.document_bytes) == (201, len(BODY))
    assert measured.process_cores is not None


@needs_locust
def test_each_wrong_reply_is_counted_by_its_kind(server: str, tmp_path: Path) -> None:
    Planet.special = {
        7: lambda planet: planet.answer(503, BODY),
        8: lambda planet: planet.answer(200, BODY.upper()),
        9: lambda planet: planet.answer(200, BODY[:5], len(BODY)),
    }
    measured = load(Order(server, 31, 2, False, tmp_path))
    assert Planet.seen == 31
    assert (measured.complete, measured.non_2xx, measured.kept_alive) == (30, 1, 0)
    assert measured.failures == {"other bytes": 1, "broken off": 1}
    assert measured.failed == 2
