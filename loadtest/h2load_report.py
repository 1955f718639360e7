"""The text report of h2load, read strictly: every number that it prints is held against the others.

"time for connect", "time to 1st byte" and "req/s" are read over: they are of clients, each with
its last connection alone, and none of them is measured.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from loadtest.load import LoadError, Order


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as it was printed, and how far the truth may be from it."""

    value: float
    tolerance: float

    def agrees(self, value: float, tolerance: float = 0.0) -> bool:
        """Return whether a number, itself known so well, would have been printed like this."""
        return abs(self.value - value) <= (self.tolerance + tolerance) * 1.001 + 1e-9


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of h2load's report. Durations are in microseconds; rates by the second."""

    clients: int
    planned: int
    duration_us: Printed
    throughput_rps: float
    rate_size: Printed
    total: int
    started: int
    done: int  # replies that came whole, whatever their status
    succeeded: int  # of these 2xx and 3xx
    failed: int
    errored: int  # of these without a whole reply, most of them never sent
    timeout: int  # of these sent, and waited for
    status_2xx: int  # by the replies' first lines, whole or not
    status_3xx: int
    status_4xx: int
    status_5xx: int
    total_size: Printed
    total_bytes: int
    header_size: Printed
    header_bytes: int
    data_size: Printed
    data_bytes: int
    min_us: Printed
    max_us: Printed
    mean_us: Printed
    deviation_us: Printed

    @property
    def statuses(self) -> tuple[int, ...]:
        """Return the counts of 2xx, 3xx, 4xx and 5xx."""
        return (self.status_2xx, self.status_3xx, self.status_4xx, self.status_5xx)


DURATIONS = {"us": 1, "ms": 1000, "s": 1_000_000}
SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _count(field: str) -> str:
    return f"(?P<{field}>[0-9]{{1,15}})"


def _duration(field: str) -> str:
    return rf"(?P<{field}>[0-9]{{1,3}}us|[0-9]{{1,4}}\.[0-9]{{2}}ms|[0-9]{{1,6}}\.[0-9]{{2}}s)"


def _size(field: str) -> str:
    return rf"(?P<{field}>[0-9]{{1,4}}|[0-9]{{1,12}}\.[0-9]{{2}}[KMG])B"


# In h2load's order: how a line begins, and what must follow.
LINES = {
    "spawning thread #": rf"0: {_count('clients')} total client\(s\)\. "
    rf"(?:Up to [0-9]{{1,9}} client\(s\) will be created every [0-9.]{{1,9}}m?s )?"
    rf"{_count('planned')} total requests",
    "finished in ": rf"{_duration('duration_us')}, (?P<throughput_rps>[0-9]{{1,9}}\.[0-9]{{2}}) "
    rf"req/s, {_size('rate_size')}/s",
    "requests: ": f"{_count('total')} total, {_count('started')} started, {_count('done')} done, "
    f"{_count('succeeded')} succeeded, {_count('failed')} failed, {_count('errored')} errored, "
    f"{_count('timeout')} timeout",
    "status codes: ": f"{_count('status_2xx')} 2xx, {_count('status_3xx')} 3xx, "
    f"{_count('status_4xx')} 4xx, {_count('status_5xx')} 5xx",
    "traffic: ": rf"{_size('total_size')} \({_count('total_bytes')}\) total, "
    rf"{_size('header_size')} \({_count('header_bytes')}\) headers \(space savings 0\.00%\), "
    rf"{_size('data_size')} \({_count('data_bytes')}\) data",
    "time for request: ": f" *{_duration('min_us')} +{_duration('max_us')} "
    rf"+{_duration('mean_us')} +{_duration('deviation_us')} +[0-9]{{1,3}}\.[0-9]{{2}}%",
}


def _rate(report: Report) -> bool:
    if not report.done:
        return True  # nothing says more exactly how long that took
    rate = report.total_bytes * report.throughput_rps / report.done
    tolerance = report.total_bytes * 0.005 / report.done + 1  # cut to whole bytes
    return report.rate_size.agrees(rate, tolerance)


# What holds in every true report, and what to say when it does not.
AGREEMENTS: list[tuple[str, Callable[[Report, Order], bool]]] = [
    (
        "another number of requests than asked for",
        lambda r, o: r.planned == r.total == o.requests,
    ),
    ("another concurrency than asked for", lambda r, o: r.clients == o.concurrency),
    ("requests unlike those done and errored", lambda r, o: r.total == r.done + r.errored),
    ("requests unlike those succeeded and failed", lambda r, o: r.total == r.succeeded + r.failed),
    ("more requests done than started", lambda r, o: r.done <= r.started <= r.total),
    ("more succeeded than done", lambda r, o: r.succeeded <= r.done),
    # Each client has one request under way.
    (
        "more time-outs than requests under way",
        lambda r, o: r.timeout <= min(r.started - r.done, r.clients),
    ),
    ("more statuses than requests", lambda r, o: sum(r.statuses) <= r.started),
    (
        "more succeeded than 2xx and 3xx",
        lambda r, o: r.succeeded <= r.status_2xx + r.status_3xx,
    ),
    (
        "requests per second unlike requests and duration",
        lambda r, o: (
            abs(r.throughput_rps * r.duration_us.value / 1e6 - r.done)
            <= (r.throughput_rps + 0.005) * r.duration_us.tolerance * 1.001 / 1e6
            + 0.00501 * r.duration_us.value / 1e6
        ),
    ),
    ("no requests per second", lambda r, o: r.throughput_rps > 0 or not r.done),
    ("bytes per second unlike bytes and requests per second", lambda r, o: _rate(r)),
    ("two totals of traffic", lambda r, o: r.total_size.agrees(r.total_bytes)),
    ("two sums of headers", lambda r, o: r.header_size.agrees(r.header_bytes)),
    ("two sums of data", lambda r, o: r.data_size.agrees(r.data_bytes)),
    (
        "times for request out of order",
        lambda r, o: r.min_us.value <= r.mean_us.value <= r.max_us.value,
    ),
]


def check_report(report: Report, order: Order) -> None:
    """Raise LoadError unless the report agrees with itself and with what was asked."""
    for reason, agrees in AGREEMENTS:
        if not agrees(report, order):
            raise LoadError(f"h2load: {reason}")


def parse_report(stdout: str) -> Report:
    """Return the numbers of h2load's output, or raise LoadError; unknown lines are read over."""
    found = [
        (label, line) for line in stdout.split("\n") for label in LINES if line.startswith(label)
    ]
    _check_lines([label for label, _ in found])
    numbers: dict[str, Any] = {}
    for label, line in found:
        numbers |= _read_line(label, line)
    return Report(**numbers)


def _check_lines(labels: list[str]) -> None:
    if "finished in " not in labels:
        raise LoadError("h2load: no report")
    for label in LINES:
        if labels.count(label) != 1:
            what = "a second" if label in labels else "no"
            raise LoadError(f"h2load: {what} line {label.strip()!r} in the report")
    if labels != list(LINES):
        raise LoadError("h2load: the lines of the report are out of order")


def _read_line(label: str, line: str) -> dict[str, float | Printed]:
    match = re.fullmatch(LINES[label], line.removeprefix(label))
    if match is None:
        raise LoadError(f"h2load: unreadable line {line.strip()!r}")
    return {field: _number(field, text) for field, text in match.groupdict().items()}


def _number(field: str, text: str) -> float | Printed:
    if field.endswith("_us"):
        return _printed(text, DURATIONS)
    if field.endswith("_size"):
        return _printed(text, SIZES)
    return float(text) if "." in text else int(text)


def _printed(text: str, units: Mapping[str, int]) -> Printed:
    """Return a number with its unit: whole, or rounded to two decimals."""
    number = text.rstrip("KMGmus")
    unit = units[text.removeprefix(number)]
    return Printed(float(number) * unit, unit * (0.005 if "." in number else 0.5))
