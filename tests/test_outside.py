"""Load from outside: counted from a made-up /proc, and on this machine."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from loadtest import outside
from loadtest.interruption import Interrupted, Interruption
from loadtest.outside import Outside, Snapshot, between, look, snapshot, wait_for_quiet


def write_stat(proc: Path, busy: int, steal: int = 0) -> None:
    """Write a /proc/stat whose cores were busy for so many ticks of 10 ms."""
    proc.mkdir(exist_ok=True)
    fields = [busy - 4, 1, 1, 5000, 7, 1, 1, steal, 3, 0]  # guest time is in user already
    (proc / "stat").write_text(f"cpu  {' '.join(map(str, fields))}\ncpu0 1 2 3\n")


def write_process(proc: Path, pid: int, name: str, ticks: int, parent: int = 1) -> None:
    (proc / str(pid)).mkdir(exist_ok=True)
    stat = f"{pid} ({name}) R {parent} 1 1 0 -1 0 0 0 0 0 {ticks - 1} 1 0 0 20 0"
    (proc / str(pid) / "stat").write_text(stat)


def passing(*seconds: Callable[[], None]) -> Callable[[float], None]:
    """Return a sleep in which these things happen, one in each."""
    left = list(seconds)
    return lambda _seconds: left.pop(0)()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a second pass between any two readings of the clock, and use no CPU in it."""
    ticks = iter(range(1000))
    fake = SimpleNamespace(perf_counter=lambda: float(next(ticks)), process_time=lambda: 0.0)
    monkeypatch.setattr(outside, "time", fake)


def test_what_is_ours_and_what_is_stolen_are_told_from_the_rest() -> None:
    before, after = Snapshot(10.0, 100.0, 5.0), Snapshot(12.0, 103.0, 5.5)
    assert between(before, after, ours_s=2.0) == Outside(2.0, 0.5, 0.25)


@pytest.mark.parametrize(
    ("seconds", "outside_cores", "steal_cores", "quiet"),
    [
        (1.0, 0.18, 0.0, True),
        (1.0, 0.19, 0.0, False),
        (1.0, 0.0, 0.19, False),
        (1.0, -0.08, 0.2, True),
        (0.1, 0.4, 0.0, True),  # three or four ticks
        (60.0, 0.16, 0.0, False),
    ],
)
def test_trial_beside_other_load_is_at_fault(
    seconds: float, outside_cores: float, steal_cores: float, quiet: bool
) -> None:
    load = Outside(seconds, outside_cores, steal_cores)
    assert load.quiet is quiet
    assert (load.fault() is None) is quiet


def test_fault_says_how_much_was_there_and_how_much_may_be() -> None:
    assert Outside(1.0, 1.004, 0.1).fault() == (
        "load from outside: 1.00 cores busy and 0.10 stolen, at most 0.18 may be"
    )


def test_snapshot_counts_guests_once_and_steal_apart(tmp_path: Path) -> None:
    write_stat(tmp_path, busy=250, steal=40)
    seen = snapshot(tmp_path)
    assert seen and (seen.busy_s, seen.steal_s) == (2.5, 0.4)


@pytest.mark.parametrize(
    "text", [None, "", "cpu  1 2 3\n", "cpu a b c d e f g h\n", "cpu" + 10 * " 0"]
)
def test_unreadable_stat_is_no_snapshot(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "stat").write_text(text)
    assert snapshot(tmp_path) is None
    assert look(lambda _: None, tmp_path) is None


@pytest.mark.usefixtures("clock")
def test_busiest_are_named_with_their_pids_the_busiest_first(tmp_path: Path) -> None:
    def hogs() -> None:
        write_stat(tmp_path, 1150)
        write_process(tmp_path, 41, "idle", 500)
        write_process(tmp_path, 42, "hog) 1 (", 550)
        write_process(tmp_path, 43, "new", 100)  # started since
        write_process(tmp_path, os.getpid(), "ours", 100)
        write_process(tmp_path, 44, "kworker/0:1", 530, parent=2)

    write_stat(tmp_path, 1000)
    for pid in (41, 42, 44, 45):
        write_process(tmp_path, pid, "hog", 500)
    seen = look(passing(hogs), tmp_path)
    assert str(seen) == (
        "1.50 cores busy, 0.00 stolen: new (pid 43) 1.00, hog) 1 ( (pid 42) 0.50, "
        "kworker/0:1 (pid 44) 0.30"
    )
    assert seen and [busy.kernel for busy in seen.busiest] == [False, False, True]


@pytest.mark.usefixtures("clock")
def test_stolen_time_is_load_too(tmp_path: Path) -> None:
    write_stat(tmp_path, 1000, steal=0)
    seen = look(passing(lambda: write_stat(tmp_path, 1001, steal=20)), tmp_path)
    assert seen and seen.load.cores == pytest.approx(0.01 + 0.2)
    assert not seen.load.quiet


class Seconds(Interruption):
    """An interruption whose seconds pass at once, each with its load in ticks."""

    def __init__(self, proc: Path, *loads: int) -> None:
        super().__init__()
        self.proc, self.loads, self.busy = proc, list(loads), 1000
        write_stat(proc, self.busy)

    def sleep(self, seconds: float) -> None:
        self.check()
        self.busy += self.loads.pop(0)
        write_stat(self.proc, self.busy)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("loads", "quiet", "said"),
    [
        ((10,), True, []),
        ((100, 100, 10), True, ["waiting up to 9 s for a quiet machine (1.00 cores busy, "]),
        (
            (100, 100, 50, 10),
            False,
            [
                "waiting up to 9 s for a quiet machine (1.00 cores busy, ",
                "this machine did not become quiet within 9 s (0.50 cores busy, ",
            ],
        ),
    ],
)
def test_run_waits_until_others_are_done_or_patience_is(
    tmp_path: Path, loads: tuple[int, ...], quiet: bool, said: list[str]
) -> None:
    heard: list[str] = []
    waited = wait_for_quiet(Seconds(tmp_path, *loads), 9, heard.append, tmp_path)
    assert waited.quiet is quiet
    assert [text.partition("0.00 stolen")[0] for text in heard] == said


def test_run_does_not_wait_for_what_cannot_be_seen(tmp_path: Path) -> None:
    with Interruption() as interruption:
        waited = wait_for_quiet(interruption, 60, pytest.fail, tmp_path)
    assert waited.left is None and waited.quiet is None


def test_wait_can_be_interrupted(tmp_path: Path) -> None:
    seconds = Seconds(tmp_path, 100)
    seconds.signum = 2
    with pytest.raises(Interrupted):
        wait_for_quiet(seconds, 60, pytest.fail, tmp_path)


def test_process_that_spins_on_this_machine_is_seen_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outside, "NAMED", 1000)  # other tests may be busier
    with subprocess.Popen([sys.executable, "-c", "while 1: pass"]) as spinning:
        try:
            with Interruption() as interruption:
                seen = look(interruption.sleep)
        finally:
            spinning.kill()
    assert seen and not seen.load.quiet
    assert spinning.pid in [busy.pid for busy in seen.busiest]
