"""Loads that may fail: every request is counted once, and what is answered must still be right."""

import re
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from loadtest import experiment, results, trial
from loadtest.ab import ApacheBench
from loadtest.interruption import Interruption
from loadtest.lanes import Lane
from loadtest.listening import listening
from loadtest.load import LoadError, Measurement, Order
from loadtest.plan import Cell, Plan, Workload, trial_requests
from loadtest.results import Run
from tests import test_ab, test_h2load
from tests.fakes import BODY, FakeWorld, Watcher

LANE = Lane("aiohttp", "gunicorn", keeps_alive=True)
THOUSANDS = Workload(concurrency=5000, failing=True)


def read(name: str) -> Measurement:
    order, exit_status = test_ab.ordered(name)
    texts = test_ab.recorded(name), test_ab.recorded(name, "stderr")
    return test_ab.parse_output(replace(order, failing=True), exit_status, *texts, None)


def test_request_that_ended_without_a_whole_reply_is_failed_and_not_complete() -> None:
    measured = read("24-empty-replies-r")
    assert (measured.complete, measured.failed) == (40, 10)
    assert measured.throughput_rps == pytest.approx(7940.29 * 40 / 50)
    assert measured.document_bytes == 29


def test_requests_beyond_those_asked_for_are_not_counted() -> None:
    """On kept connections ab sends some, and 147 of its 2,090 failures are of these."""
    measured = read("54-real-closed-unanswered-r")
    assert (measured.complete, measured.failed) == (8057, 1943)
    assert measured.document_bytes == 361


def test_reply_of_another_length_is_no_failure_to_be_counted_but_a_fault() -> None:
    assert read("03-length-failures").document_bytes is None


@pytest.mark.parametrize(
    ("name", "complete"),
    [
        ("10-reset-no-r", 2),
        ("44-real-aiohttp-worker-max-requests-reset", 15796),
        ("07-refused", None),
    ],
)
def test_load_that_gives_up_says_what_was_complete(name: str, complete: int | None) -> None:
    with pytest.raises(LoadError) as refused:
        read(name)
    assert refused.value.complete == complete


@pytest.mark.parametrize(
    ("name", "gave_up"),
    [
        *(("07-refused", True), ("08-timeout", True), ("10-reset-no-r", True)),
        *(("45-emfile", False), ("37-eaddrnotavail", False), ("35-sigterm", False)),
        ("33-bad-option", False),
    ],
)
def test_load_gives_up_for_what_the_server_did_and_not_for_what_it_lacks(
    name: str, gave_up: bool
) -> None:
    with pytest.raises(LoadError) as refused:
        read(name)
    assert refused.value.gave_up is gave_up


def test_load_that_had_completed_nothing_when_time_was_up_gave_up() -> None:
    order, _ = test_ab.ordered("01-ok-close")
    text = re.sub(r"(Complete requests: +)[0-9]+", r"\g<1>0", test_ab.recorded("01-ok-close"))
    with pytest.raises(LoadError, match="no request was answered") as refused:
        test_ab.parse_output(replace(order, failing=True), 0, text, "", None)
    assert (refused.value.gave_up, refused.value.complete) == (True, 0)


def test_progress_says_what_was_complete_where_nothing_else_does() -> None:
    order = Order("http://127.0.0.1/", 1000, 1, False, Path())
    with pytest.raises(LoadError) as refused:
        test_ab.parse_output(
            order, 119, "", "Completed 100 requests\nCompleted 200 requests\n", None
        )
    assert refused.value.complete == 200


@pytest.mark.parametrize("name", ["26-silent-after-10", "27-reset-after-10"])
def test_h2load_counts_what_was_asked_and_not_what_was_never_sent(name: str) -> None:
    order, exit_status = test_h2load.ordered(name)
    texts = test_h2load.recorded(name), test_h2load.recorded(name, "stderr")
    log = test_h2load.RECORDED / f"{name}.tsv"
    measured = test_h2load.parse_output(replace(order, failing=True), exit_status, *texts, log)
    asked = measured.complete + measured.failed
    assert asked + measured.failures["never sent"] == order.requests
    assert measured.failed == measured.failures["timeout"] + measured.failures["connection"]


def test_command_goes_on_after_a_reset_and_stops_in_time(tmp_path: Path) -> None:
    order = Order("http://127.0.0.1/", 100, 10, False, tmp_path, failing=True)
    command = ApacheBench().command(order)
    assert "-r" in command
    assert command.index("-t") < command.index("-n")  # which it would overwrite


# The engine


def ran(folder: Path, fake: FakeWorld, workload: Workload = THOUSANDS) -> Run:
    plan = Plan((Cell(LANE, workload),), blocks=1, rounds=2)
    experiment.run(plan, folder / "run", {}, fake.world(), Watcher())
    return results.load(folder / "run")


def kept(order: Order) -> dict[str, object]:
    return {"kept_alive": order.requests}


def test_failed_requests_are_counted_and_no_fault(tmp_path: Path) -> None:
    fake = FakeWorld()
    failures = {"complete": 4000, "failed": 900, "failures": {"length": 900}, "kept_alive": 3000}
    fake.changed = lambda order: failures if order.failing else kept(order)
    (found,) = ran(tmp_path, fake).trials
    assert found.invalid is None
    assert (found.complete, found.failed, found.failures) == (4000, 900, {"length": 900})


@pytest.mark.parametrize("changes", [{"non_2xx": 1}, {"document_bytes": 14}])
def test_wrong_reply_is_a_fault_all_the_same(tmp_path: Path, changes: dict[str, object]) -> None:
    fake = FakeWorld()
    fake.changed = lambda order: changes if order.failing else kept(order)
    (found,) = ran(tmp_path, fake).trials
    assert found.invalid
    assert not found.aborted


def test_few_clients_calibrate_and_warm_up(tmp_path: Path) -> None:
    fake = FakeWorld()
    fake.changed = kept
    ran(tmp_path, fake)
    *before, load = fake.orders
    assert {(order.concurrency, order.failing) for order in before} == {(20, False)}
    assert (load.concurrency, load.failing) == (5000, True)


def test_load_that_gives_up_is_a_point_with_its_reason(tmp_path: Path) -> None:
    fake = FakeWorld()
    fake.changed = kept
    fake.fails = lambda order: order.failing
    fake.load_error, fake.completed, fake.overflows = "ab: connection reset (exit 104)", 7, 12
    (found,) = ran(tmp_path, fake).trials
    assert (found.aborted, found.complete) == (True, 7)
    assert found.invalid == "ab: connection reset (exit 104)"
    assert found.throughput_rps is None
    assert found.listen_queue == 128


def test_load_that_lacks_something_itself_is_no_answer(tmp_path: Path) -> None:
    fake = FakeWorld(load_error="ab: too many open files (exit 24)")
    fake.changed = kept
    fake.fails = lambda order: order.failing
    (found,) = ran(tmp_path, fake).trials
    assert (found.aborted, found.invalid) == (False, "ab: too many open files (exit 24)")


def test_load_that_gives_up_where_nothing_may_fail_is_none(tmp_path: Path) -> None:
    fake = FakeWorld(load_error="ab: connection reset (exit 104)")
    (found,) = ran(tmp_path, fake, Workload()).trials
    assert not found.aborted


@pytest.mark.parametrize(
    ("rate_rps", "clients", "requests"),
    [(5000, 10, 6250), (5000, 10_000, 20_000), (600, 10_000, 10_000), (90_000, 20_000, 50_000)],
)
def test_trial_of_many_clients_has_an_end(rate_rps: float, clients: int, requests: int) -> None:
    workload = Workload(concurrency=clients, failing=True)
    plan = Plan((Cell(LANE, workload),), rounds=3)
    assert trial_requests(plan, workload, rate_rps) == requests


# Real ones


@pytest.fixture
def port() -> Iterator[int]:
    """Serve on a listen queue of 1; every tenth connection is reset."""
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        Thread(target=_serve, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def _serve(listener: socket.socket) -> None:
    accepted = 0
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        accepted += 1
        with closing(connection):
            connection.recv(4096)
            if accepted % 10 == 0:
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            else:
                head = f"HTTP/1.0 200 OK\r\nContent-Length: {len(BODY)}\r\n\r\n"
                connection.sendall(head.encode() + BODY)


@pytest.mark.parametrize("clients", [1, 50])
def test_a_real_server_that_resets_is_counted(port: int, clients: int, tmp_path: Path) -> None:
    assert listening(port).queue == 1
    order = Order(f"http://127.0.0.1:{port}/", 200, clients, False, tmp_path, failing=True)
    with Interruption() as interruption:
        measured = trial.apply(ApacheBench(), interruption, order, 1).measurement
    assert (measured.complete, measured.failed) == (180, 20)
    assert sum(measured.failures.values()) == 60  # ab counts each three times
    assert measured.document_bytes == len(BODY)
