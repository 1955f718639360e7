"""Clients beside a load: started, known to stand, ended with it; what they used is not the load's.

They are named by their number and kind, such as `50 idle`; slow_clients.py says what each does.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from loadtest import processes
from loadtest.interruption import Interruption
from loadtest.load import LoadError
from loadtest.slow_clients import STANDING
from loadtest.supervised import Supervised

PROGRAM = Path(__file__).with_name("slow_clients.py")
START_S = 10.0

CpuSeconds = Callable[[], float]  # that the clients have used so far


@contextmanager
def clients(
    slow: str, url: str, folder: Path, interruption: Interruption, cores: Iterable[int] = ()
) -> Iterator[CpuSeconds]:
    """Hold the named clients' connections to a server; their output goes to an empty folder.

    Raises LoadError where they cannot connect, or end before the `with` block does. Nothing of
    them outlives it.
    """
    count, kind = slow.split()
    at = urlsplit(url)
    command = [sys.executable, "-I", "-S", str(PROGRAM), kind, count, f"{at.hostname}"]
    said, errors = folder / "stdout.txt", folder / "stderr.txt"
    with (
        said.open("wb") as stdout,
        errors.open("wb") as stderr,
        Supervised([*command, f"{at.port}"], stdout=stdout, stderr=stderr, cores=cores) as process,
    ):
        _wait(slow, process, said, errors, interruption)
        yield lambda: sum(processes.cpu_seconds([process.pid]).values())
        _check(slow, process, errors)


def _wait(
    slow: str, process: Supervised, said: Path, errors: Path, interruption: Interruption
) -> None:
    deadline = time.perf_counter() + START_S
    while STANDING not in said.read_text():
        _check(slow, process, errors)
        if time.perf_counter() >= deadline:
            raise LoadError(f"{slow} clients: not all connections stand after {START_S:g} s")
        interruption.sleep(0.005)


def _check(slow: str, process: Supervised, errors: Path) -> None:
    """Raise LoadError where the clients have ended: a load beside none would count."""
    if process.poll() is not None:
        *_, reason = ["they ended", *errors.read_text(errors="replace").splitlines()]
        raise LoadError(f"{slow} clients: {reason}")
