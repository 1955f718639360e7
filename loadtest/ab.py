"""ApacheBench as a Load: its command line, and its output read into a Measurement or a LoadError.

Exit 0 proves little with ab, nor does a report: after SIGINT it prints a whole one, and exits 1.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from loadtest.ab_percentiles import Total, parse_percentiles
from loadtest.ab_report import Report, check_report, parse_report
from loadtest.load import (
    Latency,
    LoadError,
    LoadMissingError,
    Measurement,
    Order,
    check_url,
    signal_that_ended,
)

PERCENTILES = "percentiles.csv"
PROGRESS = ("Completed ", "Finished ")  # on stderr, without -q
DONE = re.compile(r"^(?:.*\.\.\.)?(?:Total of|Completed) (\d+) requests", re.MULTILINE)

# ab exits with the low byte of an APR status; those of the system are Linux's errno.
EXITS = {
    22: "its arguments were refused",
    24: "too many open files",
    50: "unknown host",
    99: "no local ports left",
    104: "connection reset",
    111: "connection refused",
    119: "no activity within the time-out",
}
NOTHING = "ab: no request was answered"
OWN = (1, 22, 24, 50, 99)  # of ab itself, or of who ended it; all else is of the server


@dataclass(frozen=True, slots=True)
class ApacheBench:
    """ab, asked for latencies in microseconds; a reset or a time-out ends it (no -r).

    Where requests may fail it goes on after a reset, and stops when its time is up.
    """

    program: str = "ab"
    timeout_s: int = 10  # without any activity, not for one request
    failing_timeout_s: int = 5
    failing_limit_s: int = 10
    name: ClassVar[str] = "ab"

    def command(self, order: Order) -> list[str]:
        """Return the command line, or raise ValueError for a URL that ab would send broken.

        Raises LoadError for a load at a rate.
        """
        check_url(order.url)
        if order.rate_rps is not None:
            raise LoadError("ab: sends each request after a reply, at no rate; take h2load")
        options = ["-q", *(["-k"] if order.keep_alive else [])]
        # -t sets -n, too, and so comes first.
        options += ["-r", "-t", str(self.failing_limit_s)] if order.failing else []
        options += ["-n", str(order.requests), "-c", str(order.concurrency)]
        timeout_s = self.failing_timeout_s if order.failing else self.timeout_s
        options += ["-s", str(timeout_s), "-e", str(order.scratch / PERCENTILES)]
        return [self.program, *options, order.url]

    def parse(self, order: Order, exit_status: int, stdout: str, stderr: str) -> Measurement:
        """Return what ab measured, or raise LoadError."""
        return parse_output(order, exit_status, stdout, stderr, order.scratch / PERCENTILES)

    def version(self) -> str:
        """Return the version of the program, its revision included, or raise LoadError."""
        return version(self.program)


def find() -> str:
    """Return where ab is, or raise LoadMissingError, which says what to install."""
    program = shutil.which("ab")
    if program is None:
        raise LoadMissingError("ab", "apt-get install apache2-utils")
    return program


def version(program: str | None = None) -> str:
    """Return the version of the installed ab, its revision included, or raise LoadError."""
    command = [program or find(), "-V"]
    try:
        said = subprocess.run(command, capture_output=True, timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LoadError(f"ab: cannot be run ({error})") from None
    text = said.decode(errors="replace")
    found = re.search(r"^This is ApacheBench, Version (.+)$", text, re.MULTILINE)
    if found is None:
        raise LoadError("ab: -V names no version")
    return found[1]


def parse_output(
    order: Order, exit_status: int, stdout: str, stderr: str, percentiles: Path | None
) -> Measurement:
    """Return what ab measured, with latencies when it was given -e, or raise LoadError."""
    if exit_status:
        reason = f"ab: {_why(exit_status, stderr)} (exit {exit_status})"
        if exit_status in OWN or signal_that_ended(exit_status):
            raise LoadError(reason)
        raise LoadError(reason, _done(stdout, stderr), gave_up=True)
    report = parse_report(stdout)
    if order.failing and not report.complete:
        raise LoadError(NOTHING, 0)
    check_report(report, order)
    measured = _measurement(report, order, percentiles)
    return _counted(measured, report) if order.failing else measured


def _measurement(report: Report, order: Order, percentiles: Path | None) -> Measurement:
    return Measurement(
        requests=order.requests,
        complete=report.complete,
        failed=report.failed,
        non_2xx=report.non_2xx or 0,
        kept_alive=report.kept_alive or 0,
        document_bytes=report.document_bytes,
        concurrency=report.concurrency,
        seconds=report.seconds,
        throughput_rps=report.throughput_rps,
        total_bytes=report.total_bytes,
        failures=report.failures,
        latency_ms=_latency(percentiles, report) if percentiles else None,
    )


def _counted(measured: Measurement, report: Report) -> Measurement:
    """Return the measurement with each request counted once, as answered or as failed.

    With -r ab calls a request complete when its connection has ended, whatever came of it, and
    counts a reset as a failure to receive, of length, and as an exception. A request that ended
    without a whole reply is a failure of length in every case; one without a connection is no
    complete one, and tried again, ten times in all. On connections that are kept ab sends more
    requests than it was asked for: what fails of these is counted, what they complete is not.
    """
    answered = max(report.complete - (report.length or 0), report.kept_alive or 0)
    if answered <= 0:
        raise LoadError(NOTHING, 0)
    return replace(
        measured,
        complete=answered,
        failed=report.complete - answered + (report.connect or 0),
        throughput_rps=report.throughput_rps * answered / report.complete,
        document_bytes=None if _other_bytes(report) else report.document_bytes,
    )


def _other_bytes(report: Report) -> bool:
    """Return whether some replies had another length: not one that a reset has cut off.

    In its last moment ab reads replies, and sees connections closed, that it does not count: at
    most one of each client.
    """
    if not report.document_bytes:
        return report.document_bytes is None
    short, kept = report.length or 0, report.kept_alive or 0
    answered = max(report.complete - short, kept)
    whole, rest = divmod(report.html_bytes, report.document_bytes)
    uncounted = whole - answered, short - (report.complete - answered)
    alike = rest == 0 and all(0 <= number <= report.concurrency for number in uncounted)
    return not report.exceptions and not alike


def _done(stdout: str, stderr: str) -> int | None:
    """Return how many requests ab said it had completed, None where it did not say."""
    said = DONE.findall(f"{stderr}\n{stdout}")
    return max(map(int, said)) if said else None


def _latency(percentiles: Path, report: Report) -> Latency:
    try:
        text = percentiles.read_text("ascii", errors="replace")
    except OSError:
        raise LoadError("ab: no percentile file") from None
    total = Total(report.min_ms, report.deviation_ms, report.max_ms)
    return parse_percentiles(text, report.complete, total)


def _why(exit_status: int, stderr: str) -> str:
    """Return what an exit status other than 0 means; where only ab can say, in its words."""
    said = [line for line in map(str.strip, stderr.splitlines()) if line]
    said = [line.removeprefix("ab: ") for line in said if not line.startswith(PROGRESS)]
    if any(line.startswith("Usage:") for line in said):
        return f"{EXITS[22]}: {said[0]}"
    if exit_status in EXITS:
        return EXITS[exit_status]
    if said and exit_status > 0:
        return said[-1]
    if exit_status == 1:
        return "interrupted"  # on SIGINT ab prints a report of what was done by then
    return signal_that_ended(exit_status) or "unknown failure"
