"""Clients as loads: what each makes of a real server's replies, and of one that is wrong."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from loadtest import loads, plan, rules
from loadtest.clients import client, program
from loadtest.clients.client import Client
from loadtest.clients.program import CLIENTS, Asked, Outcome, report
from loadtest.lanes import Lane
from loadtest.load import LoadError, LoadMissingError, Measurement, Order
from loadtest.plan import Cell, Workload
from loadtest.rules import Size

BODY = b'{"waited_ms":20}\n'
REQUESTS = 23  # which 5 does not divide
KEPT = Lane("aiohttp", "dev", keeps_alive=True)


class Origin(BaseHTTPRequestHandler):
    """Answers BODY; the seventh request gets what is planned for it, if anything is."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    lock: ClassVar[threading.Lock] = threading.Lock()
    seen: ClassVar[int] = 0
    seventh: ClassVar[Callable[["Origin"], None] | None] = None

    def do_GET(self) -> None:
        with Origin.lock:
            Origin.seen += 1
            special = Origin.seventh if Origin.seen == 7 else None
        if special is None:
            self.answer(200, BODY)
        else:
            special(self)

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def break_off(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY[:5])
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def origin() -> Iterator[str]:
    Origin.seen, Origin.seventh = 0, None
    with ThreadingHTTPServer(("127.0.0.1", 0), Origin) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}/wait?ms=20"
        http.shutdown()
        thread.join()


def load(name: str, order: Order) -> Measurement:
    pytest.importorskip(CLIENTS[name].package)
    found = client.find(name)
    done = subprocess.run(found.command(order), capture_output=True, text=True, timeout=60)
    return found.parse(order, done.returncode, done.stdout, done.stderr)


def fault(name: str, measured: Measurement, concurrency: int) -> str | None:
    """Return why the experiment would not count it."""
    cell = Cell(KEPT, Workload(plan.waiting(20), concurrency, load=name))
    return rules.fault(measured, cell, Size(REQUESTS, REQUESTS, 1.0, BODY))


WAYS = [
    *(("requests", 1), ("threads", 5), ("aiohttp", 5), ("aiohttp", REQUESTS)),
    *(("httpx", 5), ("httpx", REQUESTS)),
]


@pytest.mark.parametrize(("name", "concurrency"), WAYS)
def test_each_client_makes_every_request_and_checks_every_reply(
    origin: str, tmp_path: Path, name: str, concurrency: int
) -> None:
    measured = load(name, Order(origin, REQUESTS, concurrency, True, tmp_path))
    assert Origin.seen == REQUESTS
    assert (measured.requests, measured.complete, measured.failed) == (REQUESTS, REQUESTS, 0)
    assert (measured.non_2xx, measured.document_bytes) == (0, len(BODY))
    assert measured.kept_alive == (REQUESTS if concurrency < REQUESTS else None)
    assert measured.user_s is not None and measured.system_s is not None
    assert measured.user_s + measured.system_s > 0
    assert measured.latency_ms is not None
    assert 0 < measured.latency_ms.p50 <= measured.latency_ms.max <= 1000 * measured.seconds
    assert fault(name, measured, concurrency) is None


@pytest.mark.parametrize("name", ["threads", "aiohttp"])
def test_a_client_told_to_close_keeps_no_connection(origin: str, tmp_path: Path, name: str) -> None:
    measured = load(name, Order(origin, REQUESTS, 5, False, tmp_path))
    assert (measured.complete, measured.kept_alive) == (REQUESTS, 0)


WRONG = [
    ("requests", lambda o: o.answer(503, BODY), REQUESTS, "1 replies were not 2xx"),
    ("threads", lambda o: o.answer(200, BODY[:-1]), REQUESTS, "1 requests failed (other bytes 1)"),
    ("aiohttp", lambda o: o.answer(200, BODY.upper()), REQUESTS, "failed (other bytes 1)"),
    *((name, lambda o: o.break_off(), REQUESTS - 1, "22 of 23 requests") for name in CLIENTS),
]


@pytest.mark.parametrize(("name", "seventh", "complete", "said"), WRONG)
def test_one_wrong_reply_is_reported(
    origin: str,
    tmp_path: Path,
    name: str,
    seventh: Callable[[Origin], None],
    complete: int,
    said: str,
) -> None:
    Origin.seventh = seventh
    concurrency = 1 if name == "requests" else 5
    measured = load(name, Order(origin, REQUESTS, concurrency, True, tmp_path))
    assert Origin.seen == REQUESTS
    assert measured.complete == complete
    assert said in (fault(name, measured, concurrency) or "")


def test_no_reply_at_all_is_no_measurement(tmp_path: Path) -> None:
    order = Order("http://127.0.0.1:1/", 3, 1, True, tmp_path)
    with pytest.raises(LoadError, match=r"^aiohttp: no reply \(Client\w+ 3\)$"):
        load("aiohttp", order)


def test_proxies_of_the_machine_are_not_asked(
    origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert load("requests", Order(origin, 3, 1, True, tmp_path)).complete == 3


# What is counted


def test_missing_outcome_is_a_failure() -> None:
    counted = report(Asked("http://h/", 3, 1, True), [Outcome(0.1, 200, b"a")] * 2)
    assert (counted["complete"], counted["failures"]) == (2, {"missing": 1})


@pytest.mark.parametrize(("requests", "threads"), [(100, 3), (100, 7), (5, 5)])
def test_threads_share_all_requests(
    monkeypatch: pytest.MonkeyPatch, requests: int, threads: int
) -> None:
    shares: list[int] = []

    def share(asked: Asked) -> list[Outcome]:
        shares.append(asked.requests)
        return [Outcome(0.0, 200)] * asked.requests

    monkeypatch.setattr(program, "one_after_another", share)
    assert len(program.by_threads(Asked("http://h/", requests, threads, True))) == requests
    assert sum(shares) == requests and max(shares) - min(shares) <= 1 and len(shares) == threads


# Lines

LINE: dict[str, Any] = {
    "client": "threads",
    "seconds": 0.2535,
    "user_s": 0.081,
    "system_s": 0.012,
    "startup_cpu_s": 0.21,
    "connections": 2,
    "requests": 4,
    "complete": 4,
    "not_2xx": 0,
    "failures": {},
    "bytes": 17,
    "total_bytes": 68,
    "took_ms": [21.5, 22.25, 20.75, 24.0],
}


def read(exit_status: int = 0, **changes: object) -> Any:
    stdout = json.dumps(LINE | changes)
    order = Order("http://h/", 4, 2, True, Path("scratch"))
    return Client("threads").parse(order, exit_status, stdout, "")


def test_a_line_is_read() -> None:
    measured = read()
    assert (measured.seconds, measured.user_s, measured.system_s) == (0.2535, 0.081, 0.012)
    assert measured.throughput_rps == pytest.approx(4 / 0.2535)
    assert measured.kept_alive == 4
    assert (measured.latency_ms.mean, measured.latency_ms.max) == (22.125, 24.0)


def test_connections_beyond_the_limit_were_not_kept() -> None:
    assert read(connections=3).kept_alive == 1


UNTRUE = [
    ({"requests": 5, "complete": 5}, 0, "another number of requests than asked for"),
    ({"took_ms": [1.0]}, 0, "another number of times than of replies"),
    ({"complete": 0, "took_ms": [], "failures": {"E": 4}}, 1, r"no reply \(E 4\)"),
    ({"seconds": 0.0}, 0, "an unreadable line"),
    ({"complete": -4}, 1, "an unreadable line"),
    ({"failures": {"E": 1}}, 0, r"unknown failure \(exit 0\)"),
    ({"not_2xx": 1}, 0, r"unknown failure \(exit 0\)"),
    ({}, 1, r"unknown failure \(exit 1\)"),
    ({}, -9, r"ended by SIGKILL \(exit -9\)"),
]


@pytest.mark.parametrize(("changes", "exit_status", "reason"), UNTRUE)
def test_a_line_that_cannot_be_true_is_refused(
    changes: dict[str, object], exit_status: int, reason: str
) -> None:
    with pytest.raises(LoadError, match=f"^threads: {reason}$"):
        read(exit_status, **changes)


@pytest.mark.parametrize("stdout", ["", "{}", "[]", "null", '{"seconds": 1'])
def test_without_a_line_the_last_words_are_told(stdout: str) -> None:
    order = Order("http://h/", 4, 2, True, Path("scratch"))
    with pytest.raises(LoadError, match=r"^aiohttp: OSError: what went wrong \(exit 1\)$"):
        Client("aiohttp").parse(order, 1, stdout, "Traceback\n\nOSError: what went wrong\n")


# Where they stand


def test_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "find_spec", lambda name: None)
    with pytest.raises(LoadMissingError, match=r"httpx is not installed; .*make stacks"):
        loads.chosen(["httpx"])


def test_clients_are_rows_that_no_run_of_servers_has() -> None:
    assert [name for name in CLIENTS if not loads.is_client(name)] == []
    with pytest.raises(loads.UnknownLoadError, match="there are ab, h2load"):
        loads.of_servers(["requests"])


def test_a_url_that_would_break_the_command_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="white space"):
        Client("requests").command(Order("http://h/a b", 1, 1, True, tmp_path))
