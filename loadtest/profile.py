"""A profile of a lane under its load, by py-spy: which lines of Python the CPU time goes to.

py-spy stops the server to look at it, a hundred times a second, so that no figure is taken from
such a trial.
"""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from loadtest.interruption import Interruption
from loadtest.load import LoadError
from loadtest.plan import Cell
from loadtest.rules import Size
from loadtest.server import ServerError
from loadtest.supervised import Supervised
from loadtest.trial import order, warmup
from loadtest.world import World

START_TIMEOUT_S = 10.0
END_TIMEOUT_S = 30.0
STARTED = "Sampling process"


class ProfileError(Exception):
    """A lane that gave no profile, and why."""


@dataclass(frozen=True, slots=True)
class Spy:
    """py-spy, which reads another process's memory: that takes root or CAP_SYS_PTRACE."""

    program: str
    interruption: Interruption

    @contextmanager
    def watching(self, pid: int, out: Path) -> Iterator[None]:
        """Sample the process and its children meanwhile; then write the speedscope file `out`."""
        log = out.with_suffix(".log")
        command = [self.program, "record", "--subprocesses", "--format", "speedscope"]
        command += ["--output", str(out), "--pid", str(pid)]
        with (
            log.open("wb") as output,
            Supervised(command, stdout=output, stderr=output) as process,
        ):
            self._wait_for_start(process, log)
            yield
            os.kill(process.pid, signal.SIGINT)  # on which it writes its file
            self.interruption.wait(process.group, END_TIMEOUT_S)
        if not out.exists():
            raise ProfileError(f"py-spy wrote no profile: {_end(log)}")
        log.unlink()

    def _wait_for_start(self, process: Supervised, log: Path) -> None:
        for _ in range(round(START_TIMEOUT_S / 0.05)):
            if STARTED in log.read_text(errors="replace"):
                return
            if process.poll() is not None:
                raise ProfileError(f"py-spy did not start: {_end(log)}")
            self.interruption.sleep(0.05)
        raise ProfileError(f"py-spy did not start within {START_TIMEOUT_S:g} s")


def _end(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def find() -> str:
    """Return where py-spy is: beside this Python, or on the PATH. Or raise ProfileError."""
    beside = Path(sys.executable).with_name("py-spy")
    found = str(beside) if beside.exists() else shutil.which("py-spy")
    if found is None:
        raise ProfileError("py-spy is not installed; `make bench` installs it")
    return found


def profile(cell: Cell, size: Size, world: World, spy: Spy, folder: Path) -> Path:
    """Return the speedscope file of one load on the cell's lane, or raise ProfileError."""
    scratch = folder / cell.lane.name
    scratch.mkdir(parents=True)
    out = folder / f"{cell.lane.name}.speedscope.json"
    try:
        with world.start(cell.lane, scratch) as server:
            load = cell.workload.load
            world.apply(load, warmup(cell, server, size, scratch / "warmup"), size.seconds)
            asked = order(cell, server, size.requests, scratch / "load")
            with spy.watching(server.pid, out):
                world.apply(load, asked, size.seconds)
    except (LoadError, ServerError) as error:
        raise ProfileError(str(error)) from None
    shutil.rmtree(scratch)
    return out
