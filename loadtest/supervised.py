"""A command that runs under a supervisor: what it starts ends with it, and all of it with us."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import nan
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from loadtest import processes

SUPERVISOR = Path(__file__).with_name("supervisor.py")

END_TIMEOUT_S = 3.0


class Supervised:
    """A command, started. Its process group is led by the supervisor, which outlives it.

    The first process's end is the end of all that it started. Leaving the `with` block, or the
    end of this process by whatever signal, kills what is left: what ignores SIGTERM and what has
    left for another session too. `pid` is the command's. Known after the end, or nan if the
    supervisor was killed: `cpu_s`, the CPU time of the command and all that it started, and
    `supervisor_cpu_s`, some 16 ms for its start and none while the command runs.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdout: BinaryIO,
        stderr: BinaryIO,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        cores: Iterable[int] = (),
    ) -> None:
        """Start it, on all cores or on some. Raises OSError where it cannot be started."""
        self.cpu_s = self.supervisor_cpu_s = nan
        alive, self._alive = os.pipe()  # neither end of either outlives an exec
        report, theirs = os.pipe()
        self._report = os.fdopen(report, "rb")
        fixed = str(alive), str(theirs), ",".join(map(str, cores))
        try:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), *fixed, *command],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                cwd=cwd,
                env=env,
                pass_fds=(alive, theirs),
                start_new_session=True,
            )
        except OSError:
            os.close(self._alive)
            self._report.close()
            raise
        finally:
            os.close(alive)
            os.close(theirs)
        self.group = self._supervisor.pid
        self.pid = self._started(command[0])

    def _started(self, name: str) -> int:
        """Return the command's pid when it runs: after some 15 ms, the supervisor's own start."""
        pid = int(self._report.readline() or 0)
        if pid > 0:
            return pid
        self.end()
        if pid == 0:
            raise OSError(f"the supervisor of {name} did not start")
        raise OSError(-pid, os.strerror(-pid), name)

    def __enter__(self) -> "Supervised":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def poll(self) -> int | None:
        """Return None while it runs, then its exit status, or its signal negated."""
        return self._supervisor.poll()

    def members(self) -> list[int]:
        """Return the pids of the group, without the supervisor and zombies."""
        return [pid for pid in processes.group_members(self.group) if pid != self.group]

    def stop(self, timeout_s: float) -> None:
        """Ask it to end, by SIGTERM to the group; kill what is left then, or after the time."""
        if self.poll() is None:
            os.killpg(self.group, signal.SIGTERM)
        self._wait(timeout_s)
        self.end()

    def end(self) -> int:
        """Kill what is left; when it is gone, return how the command ended, as `poll` does."""
        if not self._report.closed:
            self._end()
        return self._supervisor.wait()

    def _end(self) -> None:
        os.close(self._alive)
        self._wait(END_TIMEOUT_S)
        with self._report:
            told = b"" if self.poll() is None else self._report.readline()
        if told:
            self.cpu_s, self.supervisor_cpu_s = map(float, told.split())
        elif self.poll() in (None, -signal.SIGKILL):  # somebody has stopped or killed it
            with suppress(ProcessLookupError):
                os.killpg(self.group, signal.SIGKILL)

    def _wait(self, timeout_s: float) -> None:
        deadline = time.perf_counter() + timeout_s
        while self.poll() is None and time.perf_counter() < deadline:
            time.sleep(0.002)
