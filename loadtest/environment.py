"""What a run ran on: everything that a figure depends on and a reader cannot see."""

import os
import platform
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from loadtest import server

PACKAGES = (
    "aiohttp",
    "ephem",
    "flask",
    "gevent",
    "granian",
    "greenlet",
    "gunicorn",
    "h11",
    "httptools",
    "httpx",
    "locust",
    "multidict",
    "orjson",
    "packaging",
    "requests",
    "starlette",
    "tornado",
    "uvicorn",
    "uvloop",
    "werkzeug",
    "yarl",
)


def environment(loads: Mapping[str, str]) -> dict[str, Any]:
    """Return the machine, its state, and the versions of all that takes part."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "governor": _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "memory_mib": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        "kernel": platform.release(),
        "system": _system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": _packages(),
        "loads": dict(loads),
        "commit": _commit(),
        "cleared_variables": server.foreign_variables(),
    }


def _cpu_model() -> str | None:
    for line in (_read("/proc/cpuinfo") or "").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None


def _system() -> str | None:
    with suppress(OSError):
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    return None


def _packages() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def _commit() -> str | None:
    """Return the checkout's commit, with a + where files differ from it; None without git."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD")
        return f"{head}+" if _git("status", "--porcelain", "--untracked-files=no") else head
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(server.ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
