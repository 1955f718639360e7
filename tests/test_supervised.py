"""Commands under a supervisor: they end as they would alone, and leave nothing behind."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from loadtest.supervised import Supervised
from loadtest.supervisor import MOST_FILES
from tests.remains import left_behind, left_soon

ROOT = Path(__file__).parents[1]
MOMENTS = int(os.environ.get("INTERRUPTIONS", "4")) * 4

# Leaves a process in a session of its own, says so with its pid, then does what follows.
LEAVE = "setsid sh -c 'echo left $$; exec sleep 60' & until grep -q left /proc/$$/fd/1; do :; done;"


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield what all that the test starts has in its environment; nothing of it must be left."""
    mark = f"mark-{uuid.uuid4()}"
    with monkeypatch.context() as patched:
        patched.setenv("PLANETTRACKER_TEST", mark)
        yield mark
    assert left_behind(mark) == []


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "output.txt"


def supervised(output: Path, *command: str, cores: tuple[int, ...] = ()) -> Supervised:
    with output.open("wb") as stream:
        return Supervised(command, stdout=stream, stderr=stream, cores=cores)


def said(output: Path, text: str) -> None:
    """Return when the command has printed the text."""
    while text not in output.read_text():
        time.sleep(0.002)


def ended(process: Supervised) -> int:
    """Return how the command ended by itself."""
    while (code := process.poll()) is None:
        time.sleep(0.002)
    return code


@pytest.mark.parametrize("code", [0, 7, 255])
def test_exit_status_is_passed_on(mark: str, output: Path, code: int) -> None:
    with supervised(output, "sh", "-c", f"exit {code}") as process:
        assert ended(process) == code
    assert process.end() == code


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE])
def test_signal_is_passed_on(mark: str, output: Path, signum: signal.Signals) -> None:
    with supervised(output, "sleep", "60") as process:
        os.kill(process.pid, signum)
        assert ended(process) == -signum


def test_command_that_cannot_be_started_raises_its_error(mark: str, output: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-command"):
        supervised(output, "/no-such-command")


def test_command_is_a_member_of_its_group_and_the_supervisor_is_not(
    mark: str, output: Path
) -> None:
    with supervised(output, "sleep", "60") as process:
        assert process.members() == [process.pid]
        assert os.getpgid(process.pid) == process.group != process.pid
    assert process.members() == []


def test_supervisor_waits_for_a_command_that_takes_its_time_to_end(mark: str, output: Path) -> None:
    script = "trap 'sleep 0.2; exit 7' TERM INT HUP; echo ready; while :; do sleep 0.01; done"
    with supervised(output, "sh", "-c", script) as process:
        said(output, "ready")
        for signum in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            os.killpg(process.group, signum)
        assert ended(process) == 7


def test_command_that_ends_at_sigterm_says_so(mark: str, output: Path) -> None:
    process = supervised(output, "sh", "-c", "trap 'exit 7' TERM; echo ready; sleep 60 & wait")
    said(output, "ready")
    process.stop(timeout_s=60)
    assert process.poll() == 7


def test_command_that_ignores_sigterm_is_killed(mark: str, output: Path) -> None:
    process = supervised(output, "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done")
    said(output, "ready")
    process.stop(timeout_s=0.2)
    assert process.poll() == -signal.SIGKILL


@pytest.mark.parametrize("then", ["exit 3", "echo ready; sleep 60"])
def test_process_that_left_for_another_session_ends_with_the_command(
    mark: str, output: Path, then: str
) -> None:
    with supervised(output, "sh", "-c", LEAVE + then) as process:
        if then == "exit 3":
            assert ended(process) == 3
        else:
            said(output, "ready")
            pid = int(output.read_text().split()[1])
            assert os.getsid(pid) == pid
    assert left_behind(mark) == []


def test_stopped_process_is_ended_too(mark: str, output: Path) -> None:
    with supervised(output, "sleep", "60") as process:
        os.kill(process.pid, signal.SIGSTOP)
    assert process.poll() == -signal.SIGKILL


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGSTOP])
def test_group_is_ended_without_its_supervisor(
    mark: str, output: Path, signum: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loadtest.supervised.END_TIMEOUT_S", 0.2)
    with supervised(output, "sleep", "60") as process:
        os.kill(process.group, signum)
    assert process.poll() == -signal.SIGKILL
    assert left_soon(mark) == []


def test_command_starts_with_default_signals_and_no_descriptor_of_ours(
    mark: str, output: Path
) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as make starts what ends with `&`
    try:
        script = "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/$$/fd"
        with supervised(output, "sh", "-c", script) as process:
            assert ended(process) == 0
    finally:
        signal.signal(signal.SIGINT, before)
    *masks, stdin, stdout, stderr = output.read_text().splitlines()
    # Those that glibc keeps for its threads, it ignores in what it starts.
    ours = sum(1 << signum - 1 for signum in signal.valid_signals())
    assert [int(mask.split()[1], 16) & ours for mask in masks] == [0, 0]
    assert (stdin, stdout, stderr) == ("0", "1", "2")


def test_nobody_else_holds_the_pipe_that_says_we_live(mark: str, tmp_path: Path) -> None:
    with (
        supervised(tmp_path / "first.txt", "sleep", "60") as first,
        supervised(tmp_path / "second.txt", "sleep", "60") as second,
    ):
        pipe = Path(f"/proc/self/fd/{first._alive}").readlink()
        pids = os.getpid(), first.group, first.pid, second.group, second.pid
        held = [(pid, end) for pid in pids for end in Path(f"/proc/{pid}/fd").glob("*")]
        holders = [pid for pid, end in held if end.is_symlink() and end.readlink() == pipe]
        assert holders == [os.getpid(), first.group]


BURN = """
import os, time
if os.fork():
    os._exit(0)
os.setsid()
while time.process_time() < 0.2: pass
print("burnt", flush=True)
time.sleep(60)
"""


def test_cpu_time_is_that_of_all_but_the_supervisor(mark: str, output: Path) -> None:
    with supervised(output, "true") as process:
        pass
    assert 0 < process.cpu_s < process.supervisor_cpu_s  # 0.7 ms and 16
    script = f"{sys.executable} -c '{BURN}'; sleep 60"
    with supervised(output, "sh", "-c", script) as process:
        said(output, "burnt")
    assert 0.2 <= process.cpu_s < 2


def test_cores_are_those_of_the_command(mark: str, output: Path) -> None:
    core = max(os.sched_getaffinity(0))
    script = "import os; print(*os.sched_getaffinity(0))"
    with supervised(output, sys.executable, "-c", script, cores=(core,)) as process:
        assert ended(process) == 0
    assert output.read_text() == f"{core}\n"


def test_command_may_open_as_many_files_as_the_hard_limit_allows(mark: str, output: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most - 1, hard))
    try:
        with supervised(output, "sh", "-c", "ulimit -Sn; ulimit -Hn") as process:
            assert ended(process) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert output.read_text().split()[0] == str(most)


HARNESS = f"""
import sys
from loadtest.supervised import Supervised
print("ready", flush=True)
for number in range(1000):
    with open(sys.argv[1], "wb") as file:
        with Supervised(["sh", "-c", "{LEAVE} sleep 60"], stdout=file, stderr=file):
            while number % 2 and "left" not in open(sys.argv[1]).read(): pass
"""


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_sigkill_of_the_harness_at_any_moment_leaves_nothing(
    mark: str, output: Path, moment: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(output)], stdout=subprocess.PIPE, cwd=ROOT
    ) as harness:
        assert harness.stdout is not None
        harness.stdout.readline()
        time.sleep(random.Random(moment).uniform(0, 0.1))
        harness.kill()
    assert left_soon(mark) == []
