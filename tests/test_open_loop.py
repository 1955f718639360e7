"""Loads at a fixed rate: each latency counts from the instant at which its request was due."""

import random
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadtest import open_loop
from loadtest.ab import ApacheBench
from loadtest.h2load import LOG, H2Load, parse_output
from loadtest.h2load_log import parse_log
from loadtest.load import LoadError, Measurement, Order
from loadtest.open_loop import Pace, due_us, late_ms, observe, pace, times_us
from loadtest.plan import Cell, Workload
from loadtest.rules import Size, fault
from tests.fakes import BODY, measurement
from tests.test_experiment import FLASK

RECORDED = Path(__file__).parent / "data" / "open_loop"
HERE = Path("here")


def an_order(rate_rps: float, requests: int = 4000, clients: int = 20, **changes: object) -> Order:
    whole = Order("http://127.0.0.1:1/", requests, clients, True, HERE, rate_rps)
    return replace(whole, **changes)  # type: ignore[arg-type]


# How requests come


@given(
    rate_rps=st.floats(1, 50_000),
    requests=st.integers(1, 100_000),
    clients=st.integers(1, 1000),
    keep_alive=st.booleans(),
)
def test_a_pace_keeps_the_rate_with_clients_that_are_not_too_fast(
    rate_rps: float, requests: int, clients: int, keep_alive: bool
) -> None:
    found = pace(an_order(rate_rps, requests, clients, keep_alive=keep_alive))
    assert found.rate_rps == pytest.approx(rate_rps, rel=open_loop.ROUNDING)
    assert 1 <= found.clients <= requests
    if found.each_rps is None:
        assert found.clients == requests
    elif found.clients < requests:
        assert found.each_rps <= open_loop.MOST_RPS or found.clients == requests


@given(rate_rps=st.floats(1, 50_000), clients=st.integers(1, 1000))
def test_every_client_begins_before_the_first_has_its_second_request(
    rate_rps: float, clients: int
) -> None:
    found = pace(an_order(rate_rps, 10**6, clients))
    assert found.each_rps is not None
    begun_ms = found.every_ms * ((found.clients - 1) // found.at_once)
    assert begun_ms < 1000 / found.each_rps


def test_the_command_gives_each_client_its_part_of_the_rate() -> None:
    command = shlex.join(H2Load().command(an_order(750.0, 1500)))
    assert "-n 1500 -c 20 -r 2 --rate-period=2ms --rps 37.500000 -N 10s" in command


def test_connections_that_are_not_kept_come_at_the_rate_themselves() -> None:
    command = shlex.join(H2Load().command(an_order(750.0, 1500, keep_alive=False)))
    assert "-n 1500 -c 1500 -r 3 --rate-period=4ms -N 10s" in command
    assert "--rps" not in command


def test_fast_loads_get_more_clients_than_were_asked_for() -> None:
    assert pace(an_order(9000.0)).clients == 100


def test_ab_is_asked_for_no_rate() -> None:
    with pytest.raises(LoadError, match="at no rate; take h2load"):
        ApacheBench().command(an_order(100.0))


# When they are due, and how long they took


def test_each_client_is_due_at_its_own_pace_from_its_own_beginning() -> None:
    two = Pace(clients=2, each_rps=10.0, at_once=1, every_ms=20)
    assert due_us(two, [0, 20_000, 100_000], 5) == [0, 20_000, 100_000, 120_000, 200_000]


def test_connections_are_due_so_many_at_once() -> None:
    each = Pace(clients=5, each_rps=None, at_once=2, every_ms=4)
    assert due_us(each, [7, 8, 9, 10, 11], 5) == [7, 7, 4007, 4007, 8007]


@st.composite
def loads(draw: st.DrawFn) -> tuple[list[float], list[int], list[int]]:
    """Return instants due, sent at or after them, and ended after that; each in its order."""
    due = sorted(draw(st.lists(st.integers(0, 10**7), min_size=1, max_size=50)))
    waits = st.integers(0, 10**6)
    sent = [at + draw(waits) for at in due]
    ends = [at + draw(waits) for at in sent]
    return [float(at) for at in due], sorted(sent), sorted(ends)


@given(loads())
def test_no_latency_is_below_zero_and_their_sum_is_that_of_the_requests(
    load: tuple[list[float], list[int], list[int]],
) -> None:
    due, starts, ends = load
    times = times_us(starts, ends, due)
    assert min(times) >= 0
    assert sum(times) == pytest.approx(sum(ends) - sum(due))


@given(loads())
def test_a_wait_before_sending_counts(load: tuple[list[float], list[int], list[int]]) -> None:
    due, starts, ends = load
    own = [end - start for start, end in zip(starts, ends, strict=True)]
    assert all(a >= b for a, b in zip(times_us(starts, ends, due), own, strict=True))


def stalled() -> tuple[Order, list[tuple[int, int]]]:
    """Return 4,000 requests at 1,000/s by 20 clients, and a second in which none is answered."""
    order, sent = an_order(1000.0), []
    for client in range(20):
        free_us = 0
        for n in range(200):
            start_us = max(client * 1000 + n * 20_000, free_us)
            inside = 1_000_000 <= start_us < 2_000_000
            free_us = 2_000_000 + 100 if inside else start_us + 100
            sent.append((start_us, free_us - start_us))
    return order, sent


def test_a_stall_of_one_second_in_four_makes_a_quarter_of_the_requests_late() -> None:
    order, sent = stalled()
    assert sum(time > 1000 for _, time in sent) == 20  # by their own times
    starts = sorted(start for start, _ in sent)
    ends = sorted(start + time for start, time in sent)
    late = [
        time for time in times_us(starts, ends, due_us(pace(order), starts, 4000)) if time > 1000
    ]
    assert len(late) == pytest.approx(1000, abs=20)
    seen = observe(order, sent)
    assert seen.latency_ms.p90 == pytest.approx(600, rel=0.01)  # 400 of 4,000 waited for longer
    assert seen.latency_ms.max == pytest.approx(1000, rel=0.01)
    assert seen.offered_rps == pytest.approx(1000)


def test_a_load_that_is_late_itself_is_told_from_a_server_that_is() -> None:
    due = [float(n * 10_000) for n in range(100)]
    at, late = [n * 10_000 for n in range(100)], [n * 10_000 + 7000 for n in range(100)]
    assert late_ms(late, [start + 100 for start in late], due) == pytest.approx(7)
    assert late_ms(at, [start + 100 for start in at], due) == 0
    # Each waits for the one before it: nothing says what the load would have done.
    assert late_ms(at, [start + 15_000 for start in at], due) is None


def test_requests_that_come_too_fast_are_refused() -> None:
    sent = [(n * 100, 50) for n in range(4000)]  # a closed loop, as on connections that close
    with pytest.raises(LoadError, match="came faster than asked for"):
        observe(an_order(1000.0), sent)


def test_latencies_do_not_depend_on_the_order_of_the_log() -> None:
    order, sent = stalled()
    shuffled = random.Random(1).sample(sent, len(sent))
    assert observe(order, shuffled) == observe(order, sent)


# The rules

RATED = Cell(FLASK, Workload(load="h2load", share=0.5))
SIZE = Size(100, 500, 1.0, BODY, rate_rps=500.0)


def judged(**changes: object) -> str | None:
    kept = {"offered_rps": 500.0, "late_ms": 0.5}
    return fault(measurement(an_order(500.0, 100), **(kept | changes)), RATED, SIZE)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"throughput_rps": 250.0}, None),  # it cannot keep up: what the trial is about
        ({"late_ms": None}, None),
        ({"offered_rps": 440.0}, "requests came at 440.0 a second, not 500.0"),
        ({"offered_rps": None}, "the load kept no rate"),
        ({"latency_ms": None}, "the load kept no rate"),
        ({"late_ms": 7.25}, "the load itself sent its requests 7.2 ms after they were due"),
    ],
)
def test_a_rate_must_be_kept_by_the_load_not_by_the_server(
    changes: dict[str, object], reason: str | None
) -> None:
    assert judged(**changes) == reason


# The real h2load, recorded


def recorded(name: str) -> tuple[Order, Measurement]:
    command = shlex.split((RECORDED / f"{name}.cmd").read_text())
    of = dict(pairwise(command))
    order = an_order(500.0, int(of["-n"]), keep_alive="Connection: close" not in command)
    stdout = (RECORDED / f"{name}.stdout").read_text()
    return order, parse_output(order, 0, stdout, "", RECORDED / f"{name}.tsv")


@pytest.mark.parametrize("name", ["01-kept", "02-each-its-own"])
def test_a_recorded_load_was_sent_when_it_was_due(name: str) -> None:
    order, measured = recorded(name)
    assert measured.complete == order.requests == 150
    assert measured.offered_rps == pytest.approx(500)
    assert measured.late_ms is not None
    assert 0 <= measured.late_ms < 2
    assert measured.latency_ms is not None
    assert 0 < measured.latency_ms.p50 < 5


def test_a_recorded_load_at_a_rate_on_connections_that_close_is_refused() -> None:
    with pytest.raises(LoadError, match="came faster than asked for"):
        recorded("03-kept-not")


# And live

needs_h2load = pytest.mark.skipif(
    shutil.which("h2load") is None, reason="h2load is not installed (nghttp2-client)"
)


@contextmanager
def stalling(folder: Path, *options: str) -> Iterator[str]:
    """Serve, in a process of its own, which is ended; yield the URL."""
    port_file = folder / "port"
    command = [sys.executable, str(Path(__file__).with_name("stalling.py")), str(port_file)]
    with subprocess.Popen([*command, *options]) as process:
        try:
            deadline = time.monotonic() + 20
            while not port_file.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{port_file.read_text()}/"
        finally:
            process.terminate()


def load(order: Order) -> Measurement:
    done = subprocess.run(H2Load().command(order), capture_output=True, text=True, timeout=60)
    return H2Load().parse(order, done.returncode, done.stdout, done.stderr)


@needs_h2load
def test_a_real_stall_makes_a_quarter_of_the_requests_late(tmp_path: Path) -> None:
    order = Order("", 4000, 20, True, tmp_path, rate_rps=1000.0)
    with stalling(tmp_path) as url:
        measured = load(replace(order, url=url))
    assert (measured.complete, measured.failed) == (4000, 0)
    sent = parse_log((tmp_path / LOG).read_text()).sent
    starts, ends = sorted(start for start, _ in sent), sorted(map(sum, sent))
    times = times_us(starts, ends, due_us(pace(order), starts, 4000))
    # Of those in a second of silence, all but the last tenth wait for more than a tenth of it.
    assert sum(time_us > 100_000 for time_us in times) >= 850
    assert measured.latency_ms is not None
    assert measured.latency_ms.p90 > 500
    # By h2load's own times only those are late that were under way: one of each client's.
    assert sum(time_us > 500_000 for _, time_us in sent) <= 20


@needs_h2load
def test_a_real_stall_is_counted_on_connections_that_close_too(tmp_path: Path) -> None:
    with stalling(tmp_path, "--close") as url:
        measured = load(Order(url, 2000, 20, False, tmp_path, rate_rps=1000.0))
    assert (measured.complete, measured.failed) == (2000, 0)
    assert measured.latency_ms is not None
    assert measured.latency_ms.p90 > 500
