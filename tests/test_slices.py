"""Slices of a load: what they measured together, and whose turn it is."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from loadtest import results
from loadtest.experiment import resume, run
from loadtest.interruption import Interrupted
from loadtest.lanes import Lane
from loadtest.load import Latency, Measurement
from loadtest.outside import Outside
from loadtest.plan import Cell, Plan, Workload
from loadtest.slices import Slice, in_turn, merged, shares
from tests.fakes import FakeWorld, Watcher

MEASURED = Measurement(
    requests=100,
    complete=100,
    failed=0,
    non_2xx=0,
    kept_alive=100,
    document_bytes=15,
    concurrency=20,
    seconds=0.1,
    throughput_rps=1000.0,
    total_bytes=20_000,
    latency_ms=Latency(20, 18, 25, 40, 50),
)
SLOWER = replace(
    MEASURED,
    requests=300,
    complete=300,
    seconds=0.6,
    throughput_rps=500.0,
    kept_alive=299,
    total_bytes=60_000,
    latency_ms=Latency(40, 38, 45, 60, 99),
)
A = Cell(Lane("a", "gunicorn"), Workload())
B = Cell(Lane("b", "gunicorn"), Workload())


def a_slice(measurement: Measurement) -> Slice:
    return Slice(measurement, {7: 0.25}, 0.05, Outside(0.5, 0.1, 0.0))


@pytest.mark.parametrize(
    ("requests", "slices", "expected"),
    [(10, 1, [10]), (10, 2, [5, 5]), (11, 3, [4, 4, 3]), (2, 2, [1, 1])],
)
def test_shares_are_alike_and_none_is_lost(requests: int, slices: int, expected: list[int]) -> None:
    assert shares(requests, slices) == expected


def test_one_slice_is_itself() -> None:
    assert merged([a_slice(MEASURED)]) == a_slice(MEASURED)


def test_throughput_is_that_of_all_requests_over_all_the_time() -> None:
    whole = merged([a_slice(MEASURED), a_slice(SLOWER)]).measurement
    assert (whole.requests, whole.complete, whole.total_bytes) == (400, 400, 80_000)
    assert whole.seconds == pytest.approx(0.7)
    assert whole.throughput_rps == pytest.approx(400 / 0.7)
    assert whole.kept_alive == 399


def test_latency_has_the_mean_and_maximum_of_all_and_the_middle_percentiles() -> None:
    whole = merged([a_slice(MEASURED), a_slice(SLOWER), a_slice(SLOWER)]).measurement
    assert whole.latency_ms == Latency(pytest.approx(260 / 7), 38, 45, 60, 99)


def test_cpu_times_add_up_and_loads_from_outside_are_one() -> None:
    whole = merged([a_slice(MEASURED), replace(a_slice(SLOWER), server_cpu_s={7: 0.5, 8: 1.0})])
    assert whole.server_cpu_s == {7: 0.75, 8: 1.0}
    assert whole.load_cpu_s == pytest.approx(0.1)
    assert whole.outside == Outside(1.0, pytest.approx(0.1), 0.0, parts=2)


@pytest.mark.parametrize(
    ("changes", "member", "expected"),
    [
        ({"failed": 2, "failures": {"length": 2}}, "failures", {"length": 2}),
        ({"document_bytes": 16}, "document_bytes", None),
        ({"kept_alive": None}, "kept_alive", None),
        ({"latency_ms": None}, "latency_ms", None),
    ],
)
def test_what_one_slice_does_not_know_the_whole_does_not(
    changes: dict[str, object], member: str, expected: object
) -> None:
    odd = replace(MEASURED, **changes)  # type: ignore[arg-type]
    assert getattr(merged([a_slice(MEASURED), a_slice(odd)]).measurement, member) == expected


def test_load_of_one_slice_that_cannot_be_seen_is_not_judged() -> None:
    assert merged([a_slice(MEASURED), replace(a_slice(MEASURED), outside=None)]).outside is None


def test_more_parts_may_show_more_load_by_chance() -> None:
    assert Outside(1.0, 0.2, 0.0, parts=4).quiet
    assert not Outside(1.0, 0.2, 0.0).quiet


def steps(name: str, number: int, said: list[str]) -> Generator[None, None, str]:
    try:
        for step in range(number):
            said.append(f"{name}{step}")
            yield
        return name
    finally:
        said.append(f"end {name}")


def test_turns_reverse_every_round() -> None:
    said: list[str] = []
    trials = {"a": steps("a", 2, said), "b": steps("b", 3, said)}
    assert list(in_turn(trials)) == [("a", "a"), ("b", "b")]
    assert said == ["a0", "b0", "b1", "a1", "end a", "b2", "end b"]


def test_all_are_closed_when_one_raises() -> None:
    said: list[str] = []

    def failing() -> Generator[None, None, str]:
        yield
        raise KeyError("x")

    with pytest.raises(KeyError):
        list(in_turn({"a": steps("a", 9, said), "bad": failing()}))
    assert said[-1] == "end a"


def ran(folder: Path, fake: FakeWorld, **plan: object) -> results.Run:
    planned = Plan((A, B), **({"blocks": 1, "slices": 3} | plan))  # type: ignore[arg-type]
    run(planned, folder, {"cpu": "fake"}, fake.world(), Watcher())
    return results.load(folder)


def test_servers_of_a_block_run_at_once_and_their_loads_take_turns(tmp_path: Path) -> None:
    fake = FakeWorld()
    found = ran(tmp_path / "run", fake)
    began = fake.events.index("start b-gunicorn") + 5  # the second calibrated, in any order
    events = fake.events[fake.events.index("stop", began - 2) + 1 :]
    assert [event.partition(" ")[0] for event in events] == [
        *("start", "verify", "load", "start", "verify", "load"),
        *("load", "load", "load", "load", "load", "verify", "stop", "load", "verify", "stop"),
    ]
    assert [trial.requests for trial in found.trials] == [1250, 1250]
    assert [trial.invalid for trial in found.trials] == [None, None]
    slices = [order.requests for order in fake.orders if order.scratch.name == "load-1"]
    assert slices == [417, 417]


def test_slice_that_breaks_a_rule_makes_its_trial_invalid(tmp_path: Path) -> None:
    fake = FakeWorld()
    fake.changed = lambda order: {"failed": 1} if order.scratch.name == "load-2" else {}
    found = ran(tmp_path / "run", fake)
    assert ["requests failed" in str(trial.invalid) for trial in found.trials] == [True, True]


def test_interrupted_block_ends_all_its_servers_and_is_gone_on_with(tmp_path: Path) -> None:
    fake = FakeWorld()
    fake.raises, fake.raises_at = Interrupted(2), 22
    with pytest.raises(Interrupted):
        ran(tmp_path / "run", fake)
    assert fake.events.count("stop") == sum(event.startswith("start") for event in fake.events)
    fake.raises = None
    resume(tmp_path / "run", {"cpu": "fake"}, fake.world(), Watcher())
    assert [trial.invalid for trial in results.load(tmp_path / "run").trials] == [None, None]
