"""Locust as a Load: a master and worker processes, and the summary that the master writes.

Python makes each request, so that a process of it is busy at a few thousand requests a second:
`process_cores` is for the rule that says so. The harness's servers listen on this machine alone;
for load from others see the head of locustfile.py.
"""

import json
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from loadtest import ports
from loadtest.load import (
    LoadError,
    LoadMissingError,
    Measurement,
    Order,
    check_url,
    latency_ms,
    why,
)
from loadtest.ports import HOST

LOCUSTFILE = Path(__file__).with_name("locustfile.py")
SUMMARY = "locust.json"
COUNTS = ("requests", "complete", "not_2xx", "kept_alive", "bytes", "total_bytes")
TIMES = ("seconds", "user_s", "system_s")


@dataclass(frozen=True, slots=True)
class Locust:
    """Locust with so many worker processes, at most one for each client."""

    processes: int = 2
    run_time_s: int = 120  # after which it ends, done or not
    name: ClassVar[str] = "locust"

    def command(self, order: Order) -> list[str]:
        """Return the command line, or raise ValueError for a URL with white space."""
        check_url(order.url)
        url = urlsplit(order.url)
        target = order.url.removeprefix(f"{url.scheme}://{url.netloc}")
        users, port = str(order.concurrency), str(_free_port())
        return [
            *(sys.executable, "-E", "-P", "-m", "locust", "-f", str(LOCUSTFILE)),
            *("--headless", "--only-summary", "--loglevel", "WARNING"),
            *("--processes", str(min(self.processes, order.concurrency))),
            *("--master-bind-host", HOST, "--master-bind-port", port),
            *("--master-host", HOST, "--master-port", port),
            *("--expect-workers-max-wait", "20", "--exit-code-on-error", "0"),
            *("--run-time", f"{self.run_time_s}s", "--stop-timeout", "0"),
            *("--users", users, "--spawn-rate", users, "--host", f"{url.scheme}://{url.netloc}"),
            *("--requests", str(order.requests), "--target", target),
            *(() if order.keep_alive else ("--close",)),
            *("--summary", str(order.scratch / SUMMARY)),
        ]

    def parse(self, order: Order, exit_status: int, stdout: str, stderr: str) -> Measurement:
        """Return what Locust measured, or raise LoadError."""
        if exit_status:
            raise LoadError(f"locust: {why(exit_status, stderr)} (exit {exit_status})")
        return read(order.scratch / SUMMARY, order.requests, order.concurrency)

    def version(self) -> str:
        """Return the version of Locust."""
        return version("locust")


def find() -> Locust:
    """Return the load, or raise LoadMissingError, which says what to install."""
    if find_spec("locust") is None:
        raise LoadMissingError("locust", "make stacks")
    return Locust()


def _free_port() -> int:
    try:
        return ports.free(ports.LOADS)
    except OSError as error:
        raise LoadError(f"locust: {error}") from None


def read(summary: Path, requests: int, users: int) -> Measurement:
    """Return what a summary says of so many requests by so many users, or raise LoadError."""
    try:
        told = json.loads(summary.read_text(encoding="utf-8"))
        parts = [_checked(part) for part in told["parts"]]
    except FileNotFoundError:
        raise LoadError("locust: no summary; it ended before all parts were done") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise LoadError("locust: an unreadable summary") from None
    if sum(part["requests"] for part in parts) != requests:
        raise LoadError("locust: another number of requests than asked for")
    if told["users"] != users:
        raise LoadError("locust: another number of users than asked for")
    return _measurement(users, parts)


def _checked(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a summary; raise ValueError where its members cannot be true."""
    counts, times = [part[name] for name in COUNTS], [part[name] for name in TIMES]
    true = all(type(count) is int and count >= 0 for count in counts)
    true &= all(type(number) is float and number >= 0 for number in (*times, *part["took_ms"]))
    true &= all(type(count) is int and count > 0 for count in part["failures"].values())
    if not true or not part["seconds"] or len(part["took_ms"]) != part["complete"]:
        raise ValueError("a part that cannot be true")
    return part


def _measurement(users: int, parts: list[dict[str, Any]]) -> Measurement:
    def total(name: str) -> Any:
        return sum(part[name] for part in parts)

    took_ms = [took for part in parts for took in part["took_ms"]]
    if not took_ms:
        raise LoadError("locust: no reply", complete=0)
    seconds = max(part["seconds"] for part in parts)  # they begin at one moment
    failures = _failures(parts)
    replies = {(part["digest"], part["bytes"]) for part in parts}
    return Measurement(
        requests=total("requests"),
        complete=total("complete"),
        failed=sum(failures.values()),
        non_2xx=total("not_2xx"),
        kept_alive=total("kept_alive"),
        document_bytes=replies.pop()[1] if len(replies) == 1 else None,
        concurrency=users,
        seconds=seconds,
        throughput_rps=total("complete") / seconds,
        total_bytes=total("total_bytes"),  # of the bodies: Locust does not tell of headers
        failures=failures,
        latency_ms=latency_ms(took_ms),
        user_s=total("user_s"),
        system_s=total("system_s"),
        process_cores=max((p["user_s"] + p["system_s"]) / p["seconds"] for p in parts),
    )


def _failures(parts: list[dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts:
        for kind, count in part["failures"].items():
            found[kind] = found.get(kind, 0) + count
    return found
