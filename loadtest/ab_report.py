"""The text report of ab, read strictly: every number that it prints is held against the others.

"Time per request" is read over: it comes twice, in two meanings, and neither is measured.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from loadtest.load import LoadError, Order


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of ab's text report; None where this report did not print one."""

    concurrency: int
    seconds: float
    complete: int
    failed: int
    total_bytes: int
    html_bytes: int
    throughput_rps: float
    rate_kib_s: float
    min_ms: int
    max_ms: int
    deviation_ms: float | None = None
    document_bytes: int | None = None
    connect: int | None = None
    receive: int | None = None
    length: int | None = None
    exceptions: int | None = None
    non_2xx: int | None = None
    kept_alive: int | None = None

    @property
    def failures(self) -> dict[str, int]:
        """Return the failed requests by kind; empty when none failed."""
        kinds = ("connect", "receive", "length", "exceptions")
        return {kind: getattr(self, kind) for kind in kinds if getattr(self, kind) is not None}


def _number(field: str, decimals: int = 0) -> str:
    fraction = rf"\.[0-9]{{{decimals}}}" if decimals else ""
    return f"(?P<{field}>[0-9]{{1,15}}{fraction})"


# In ab's order: how a line begins, and what must follow.
LINES = {
    "Document Length:": f"{_number('document_bytes')} bytes|Variable",
    "Concurrency Level:": _number("concurrency"),
    "Time taken for tests:": f"{_number('seconds', 3)} seconds",
    "Complete requests:": _number("complete"),
    "Failed requests:": _number("failed"),
    "   (Connect:": rf"{_number('connect')}, Receive: {_number('receive')}, "
    rf"Length: {_number('length')}, Exceptions: {_number('exceptions')}\)",
    "Non-2xx responses:": _number("non_2xx"),
    "Keep-Alive requests:": _number("kept_alive"),
    "Total transferred:": f"{_number('total_bytes')} bytes",
    "HTML transferred:": f"{_number('html_bytes')} bytes",
    "Requests per second:": rf"{_number('throughput_rps', 2)} \[#/sec\] \(mean\)",
    "Transfer rate:": rf"{_number('rate_kib_s', 2)} \[Kbytes/sec\] received",
    # min, mean, deviation, median, max; with -S: min, mean, max
    "Total:": f"{_number('min_ms')} +[0-9]+"
    rf"(?: +{_number('deviation_ms', 1)} +[0-9]+)? +{_number('max_ms')}",
}
SOMETIMES = {"   (Connect:", "Non-2xx responses:", "Keep-Alive requests:"}

# What holds in every true report (read from ab.c), and what to say when it does not. Printed
# numbers are off by half their last digit: 0.0005 s, 0.005 requests/s, 0.005 KiB/s.
AGREEMENTS: list[tuple[str, Callable[[Report, Order], bool]]] = [
    ("another concurrency than asked for", lambda r, o: r.concurrency == o.concurrency),
    ("no request complete", lambda r, o: r.complete > 0),
    ("more requests complete than asked for", lambda r, o: r.complete <= o.requests),
    ("Keep-Alive unlike -k", lambda r, o: (r.kept_alive is not None) == o.keep_alive),
    ("more requests kept alive than complete", lambda r, o: (r.kept_alive or 0) <= r.complete),
    ("more non-2xx replies than requests", lambda r, o: (r.non_2xx or 0) <= o.requests),
    # A request may fail in three ways; ab gives up at the twelfth failure to connect.
    ("more failures than possible", lambda r, o: r.failed <= 3 * o.requests + 11),
    ("failures without their kinds", lambda r, o: bool(r.failures) == (r.failed > 0)),
    # A header over 8 KB is counted as failed and non-2xx, and has no kind.
    (
        "failures unlike the sum of their kinds",
        lambda r, o: 0 <= r.failed - sum(r.failures.values()) <= (r.non_2xx or 0),
    ),
    (
        "requests per second unlike requests and seconds",
        lambda r, o: (
            abs(r.throughput_rps * r.seconds - r.complete)
            <= 0.000501 * (r.throughput_rps + 10 * r.seconds)
        ),
    ),
    (
        "transfer rate unlike bytes and seconds",
        lambda r, o: (
            abs(r.rate_kib_s * 1024 * r.complete - r.total_bytes * r.throughput_rps)
            <= 0.00501 * (1024 * r.complete + r.total_bytes)
        ),
    ),
    # A run ended by -t has read replies that it does not count.
    (
        "bytes of HTML unlike requests and document length",
        lambda r, o: (
            r.document_bytes is None
            or (r.failed > 0 or r.complete < o.requests)
            or r.html_bytes == r.document_bytes * r.complete
        ),
    ),
]


def parse_report(stdout: str) -> Report:
    """Return the numbers of the report that ends ab's output, or raise LoadError.

    With -v, replies stand before it and may hold anything, reports too. Unknown lines, which
    other versions of ab print, are read over.
    """
    lines = stdout.split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith("Server Software:")]
    if not starts:
        raise LoadError("ab: no report")
    found = [
        (label, line) for line in lines[starts[-1] :] for label in LINES if line.startswith(label)
    ]
    _check_lines([label for label, _ in found])
    numbers: dict[str, Any] = {}
    for label, line in found:
        numbers |= _read_line(label, line)
    return Report(**numbers)


def _check_lines(labels: list[str]) -> None:
    for label in LINES:
        if labels.count(label) > 1:
            raise LoadError(f"ab: a second line {label.strip()!r} in the report")
        if label not in labels and label not in SOMETIMES:
            raise LoadError(f"ab: no line {label.strip()!r} in the report")
    if labels != [label for label in LINES if label in labels]:
        raise LoadError("ab: the lines of the report are out of order")


def _read_line(label: str, line: str) -> dict[str, float]:
    match = re.fullmatch(f" *(?:{LINES[label]})", line.removeprefix(label))
    if match is None:
        raise LoadError(f"ab: unreadable line {line.strip()!r}")
    texts = {field: text for field, text in match.groupdict().items() if text is not None}
    return {field: float(text) if "." in text else int(text) for field, text in texts.items()}


def check_report(report: Report, order: Order) -> None:
    """Raise LoadError unless the report agrees with itself and with what was asked for."""
    for disagreement, holds in AGREEMENTS:
        if not holds(report, order):
            raise LoadError(f"ab: {disagreement}")
