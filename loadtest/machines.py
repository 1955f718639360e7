"""What a machine says of itself, in files and by calls, whichever kernel or container it is."""

import os
import resource
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from loadtest import ab, server
from loadtest.supervisor import MOST_FILES

COUNTERS = "sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count"


def _which(program: str) -> str | None:
    """Return where a program is, beside this Python too, which need not be in PATH."""
    beside = Path(sys.executable).parent
    return shutil.which(program, path=f"{beside}{os.pathsep}{os.environ.get('PATH', os.defpath)}")


def _tracing() -> list[str]:
    """Return what slows this Python, and the servers that it starts."""
    found = ["a debug build"] if sysconfig.get_config_var("Py_DEBUG") else []
    if sys.gettrace() or "COVERAGE_PROCESS_START" in os.environ:
        found.append("coverage or a debugger")
    return found


def _open_files() -> int:
    """Return how many files a server or a load may open: its supervisor raises the soft limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY in (soft, hard):
        return soft if soft == resource.RLIM_INFINITY else MOST_FILES
    return max(soft, min(hard, MOST_FILES))


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the checks look. A test passes a folder with its own proc and sys, and answers."""

    root: Path = Path("/")
    sleep: Callable[[float], None] = time.sleep
    cores: Callable[[], int] = lambda: len(os.sched_getaffinity(0))
    open_files: Callable[[], int] = _open_files
    which: Callable[[str], str | None] = _which
    ab_version: Callable[[], str] = ab.version
    foreign_variables: Callable[[], list[str]] = server.foreign_variables
    tracing: Callable[[], list[str]] = _tracing
    user: Callable[[], int] = os.geteuid

    def read(self, name: str) -> str:
        """Return a file's text; OSError or LookupError, when it has none, mean `not known`."""
        text = (self.root / name).read_text().strip()
        if not text:
            raise LookupError(name)
        return text


def swapped_pages(machine: Machine) -> int | None:
    """Return the pages that went to swap or came from it since the start, None if unreadable."""
    try:
        rows = dict(line.split() for line in machine.read("proc/vmstat").splitlines())
        return int(rows["pswpin"]) + int(rows["pswpout"])
    except (OSError, ValueError, LookupError):
        return None


def throttled(machine: Machine) -> int | None:
    """Return how often the cores were slowed for their heat, None where that is not counted."""
    try:
        counts = [int(file.read_text()) for file in machine.root.glob(COUNTERS)]
    except (OSError, ValueError):
        return None
    return sum(counts) if counts else None


def quota_cores(machine: Machine) -> float | None:
    """Return the least quota of this process's control groups, in cores, or None.

    In a container the path may be the host's, and the container's own group is mounted as root.
    """
    quotas = []
    for line in machine.read("proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0" or "cpu" in controllers.split(","):
            for group in (path, *map(str, Path(path).parents)):
                quotas += _quotas(machine, controllers, group.lstrip("/"))
    return min(quotas, default=None)


def _quotas(machine: Machine, controllers: str, group: str) -> list[float]:
    mount = Path("sys/fs/cgroup") / controllers / group  # without controllers: version 2
    found = []
    for file in (machine.root / mount).glob("cpu.max"):
        found.append(file.read_text().split())
    for file in (machine.root / mount).glob("cpu.cfs_quota_us"):
        found.append([file.read_text(), file.with_name("cpu.cfs_period_us").read_text()])
    return [
        int(quota) / int(period) for quota, period in found if quota.strip() not in ("max", "-1")
    ]


def meminfo_mib(machine: Machine, name: str) -> int:
    """Return a row of /proc/meminfo in MiB."""
    rows = (line.split() for line in machine.read("proc/meminfo").splitlines())
    return {row[0]: int(row[1]) for row in rows}[f"{name}:"] // 1024


def local_ports(machine: Machine) -> int:
    """Return how many ports there are for clients' ends; OSError or ValueError: not known."""
    low, high = map(int, machine.read("proc/sys/net/ipv4/ip_local_port_range").split())
    return high - low + 1
