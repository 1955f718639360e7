"""A client as a Load: its program's command line, and the line that it prints."""

import json
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from loadtest.clients import program
from loadtest.load import (
    LoadError,
    LoadMissingError,
    Measurement,
    Order,
    check_url,
    latency_ms,
    why,
)

PROGRAM = Path(program.__file__)
COUNTS = ("requests", "complete", "not_2xx", "connections", "total_bytes")
TIMES = ("seconds", "user_s", "system_s")


@dataclass(frozen=True, slots=True)
class Client:
    """A row of `program.CLIENTS`."""

    name: str

    @property
    def package(self) -> str:
        """Return the package that it takes."""
        return program.CLIENTS[self.name].package

    def command(self, order: Order) -> list[str]:
        """Return the command line, or raise ValueError for a URL with white space."""
        check_url(order.url)
        keep = "keep" if order.keep_alive else "close"
        # -E and -P: neither PYTHON* nor a file beside the program stands in for a package.
        fixed = [sys.executable, "-E", "-P", str(PROGRAM)]
        return [*fixed, self.name, order.url, str(order.requests), str(order.concurrency), keep]

    def parse(self, order: Order, exit_status: int, stdout: str, stderr: str) -> Measurement:
        """Return what the client measured, or raise LoadError."""
        told = _line(self.name, exit_status, stdout, stderr)
        if told["requests"] != order.requests:
            raise LoadError(f"{self.name}: another number of requests than asked for")
        if len(told["took_ms"]) != told["complete"]:
            raise LoadError(f"{self.name}: another number of times than of replies")
        if not told["complete"]:
            raise LoadError(f"{self.name}: no reply ({_kinds(told)})", complete=0)
        return _measurement(order, told)

    def version(self) -> str:
        """Return the version of the package."""
        return version(self.package)


def find(name: str) -> Client:
    """Return the client, or raise LoadMissingError, which says what to install."""
    client = Client(name)
    if find_spec(client.package) is None:
        raise LoadMissingError(client.package, "make stacks")
    return client


def _line(name: str, exit_status: int, stdout: str, stderr: str) -> dict[str, Any]:
    """Return the line's members, where they are what they should be, or raise LoadError."""
    try:
        told = json.loads(stdout)
        counts = [told[member] for member in COUNTS]
        times = [told[member] for member in TIMES]
        took_ms, failures = told["took_ms"], told["failures"]
        whole = all(type(count) is int and count >= 0 for count in counts)
        whole &= all(type(number) is float and number >= 0 for number in (*times, *took_ms))
        whole &= all(type(count) is int and count > 0 for count in failures.values())
    except (ValueError, TypeError, KeyError, AttributeError):
        raise LoadError(f"{name}: {why(exit_status, stderr)} (exit {exit_status})") from None
    if not whole or not told["seconds"]:
        raise LoadError(f"{name}: an unreadable line")
    faults = told["complete"] != told["requests"] or failures or told["not_2xx"]
    if exit_status != (1 if faults else 0):
        raise LoadError(f"{name}: {why(exit_status, stderr)} (exit {exit_status})")
    return dict(told)


def _kinds(told: dict[str, Any]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in told["failures"].items())


def _measurement(order: Order, told: dict[str, Any]) -> Measurement:
    return Measurement(
        requests=told["requests"],
        complete=told["complete"],
        failed=sum(told["failures"].values()),
        non_2xx=told["not_2xx"],
        kept_alive=_kept_alive(order, told),
        document_bytes=told["bytes"],
        concurrency=order.concurrency,
        seconds=told["seconds"],
        throughput_rps=told["complete"] / told["seconds"],
        total_bytes=told["total_bytes"],  # of the bodies: a client does not tell of headers
        failures=told["failures"],
        latency_ms=latency_ms(told["took_ms"]),
        user_s=told["user_s"],
        system_s=told["system_s"],
    )


def _kept_alive(order: Order, told: dict[str, Any]) -> int | None:
    """Return how many replies left their connection open, None where that cannot be told.

    All did if there are as few connections as requests under way at once. Where each request had
    one of its own because none had to wait, it cannot be told.
    """
    if order.concurrency >= order.requests:
        return None
    if told["connections"] <= order.concurrency:
        return int(told["complete"])
    return max(int(told["complete"]) - int(told["connections"]), 0)
