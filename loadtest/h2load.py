"""h2load as a Load, over HTTP/1.1: its command line, and its output read into a Measurement.

It exits with 0 whatever the server did, a refused connection included. Each client has its own
part of the requests from the start; when its connection breaks, what is left of that is failed.
At a rate its own latencies hide a stall: they are counted from where requests are due, instead.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from loadtest import open_loop
from loadtest.h2load_log import Log, check_log, parse_log
from loadtest.h2load_report import DURATIONS, Report, check_report, parse_report
from loadtest.load import (
    US_PER_MS,
    LoadError,
    LoadMissingError,
    Measurement,
    Order,
    check_url,
    latency_ms,
    why,
)

LOG = "requests.tsv"

# Bytes of a reply that h2load counts neither as headers nor as data: "HTTP/1.1 200 OK", two line
# ends, and four bytes (colon, space, line end) for each header.
FRAME, FRAME_OF_HEADER = 19, 4

# How stderr begins, and what that means.
SAID = {
    "getaddrinfo() failed": "unknown host",
    "client could not connect to host": "no connection could be opened (too many open files?)",
    "[ERROR] HTTP parse error": "unreadable reply",
}


@dataclass(frozen=True, slots=True)
class H2Load:
    """h2load on one thread, without pipelining; where keep-alive is off it asks for a close."""

    program: str = "h2load"
    timeout_s: int = 10  # without any activity on a connection, not for one request
    name: ClassVar[str] = "h2load"

    def command(self, order: Order) -> list[str]:
        """Return the command line, or raise ValueError for a URL with white space."""
        check_url(order.url)
        options = ["--h1", "-t", "1", "-m", "1"]
        options += ["-n", str(order.requests), *_clients(order)]
        timeout_s = order.timeout_s or self.timeout_s
        options += ["-N", f"{timeout_s}s", f"--log-file={order.scratch / LOG}"]
        options += [] if order.keep_alive else ["-H", "Connection: close"]
        return [self.program, *options, order.url]

    def parse(self, order: Order, exit_status: int, stdout: str, stderr: str) -> Measurement:
        """Return what h2load measured, or raise LoadError."""
        return parse_output(order, exit_status, stdout, stderr, order.scratch / LOG)

    def version(self) -> str:
        """Return the version of the program, or raise LoadError."""
        return version(self.program)


def _clients(order: Order) -> list[str]:
    """Return how many clients there are, and at a rate how each begins and goes on."""
    if order.rate_rps is None:
        return ["-c", str(order.concurrency)]
    pace = open_loop.pace(order)
    begin = ["-r", str(pace.at_once), f"--rate-period={pace.every_ms}ms"]
    each = [] if pace.each_rps is None else ["--rps", f"{pace.each_rps:.6f}"]
    return ["-c", str(pace.clients), *begin, *each]


def find() -> str:
    """Return where h2load is, or raise LoadMissingError, which says what to install."""
    program = shutil.which("h2load")
    if program is None:
        raise LoadMissingError("h2load", "apt-get install nghttp2-client")
    return program


def version(program: str | None = None) -> str:
    """Return the version of the installed h2load, such as nghttp2/1.52.0, or raise LoadError."""
    command = [program or find(), "--version"]
    try:
        said = subprocess.run(command, capture_output=True, timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LoadError(f"h2load: cannot be run ({error})") from None
    found = re.match(r"h2load (nghttp2/\S+)", said.decode(errors="replace"))
    if found is None:
        raise LoadError("h2load: --version names no version")
    return found[1]


def parse_output(
    order: Order, exit_status: int, stdout: str, stderr: str, log_file: Path
) -> Measurement:
    """Return what h2load measured, or raise LoadError.

    Throughput and seconds are h2load's own. It prints the seconds with two decimals, and requests
    per second too, which know them better: to the microsecond up to some 0.2 s, to 5 us at 1 s
    and 1,000 requests/s. Latencies come from the log; they do not hold the time to connect, but
    at a rate, where they count from the instants at which requests were due.
    """
    if exit_status:
        raise LoadError(f"h2load: {_why(exit_status, stderr)} (exit {exit_status})")
    report = parse_report(stdout)
    clients = order.concurrency if order.rate_rps is None else open_loop.pace(order).clients
    check_report(report, replace(order, concurrency=clients))
    if not report.done:
        raise LoadError(f"h2load: {_why_nothing(order, report, stderr)}", 0)
    log = parse_log(_read(log_file))
    check_log(log, report)
    return _measurement(order, report, log)


def _read(log_file: Path) -> str:
    try:
        return log_file.read_text("ascii", errors="replace")
    except OSError:
        raise LoadError("h2load: no log file") from None


def _measurement(order: Order, report: Report, log: Log) -> Measurement:
    seen = None if order.rate_rps is None else open_loop.observe(order, log.sent)
    return Measurement(
        requests=order.requests,
        complete=report.done,
        failed=report.started - report.done if order.failing else report.errored,
        non_2xx=report.done - log.classes[2],
        kept_alive=_kept_alive(report),
        document_bytes=_document_bytes(report, order.failing),
        concurrency=report.clients,
        seconds=round(report.done / report.throughput_rps, 6),
        throughput_rps=report.throughput_rps,
        # The last read from a connection that closes is missing in h2load's own total.
        total_bytes=max(report.total_bytes, report.header_bytes + report.data_bytes),
        failures=_failures(report, order.failing),
        latency_ms=seen.latency_ms if seen else latency_ms(log.times_us, US_PER_MS),
        offered_rps=seen.offered_rps if seen else None,
        late_ms=seen.late_ms if seen else None,
    )


def _failures(report: Report, failing: bool) -> Mapping[str, int]:
    if not report.errored:
        return {}
    if not failing:
        return {"timeout": report.timeout, "connection": report.errored - report.timeout}
    lost = report.started - report.done - report.timeout
    never_sent = report.total - report.started  # by clients whose connection had broken
    return {"timeout": report.timeout, "connection": lost, "never sent": never_sent}


def _document_bytes(report: Report, failing: bool) -> int | None:
    """Return the bytes of each body: their mean, where it is a whole number."""
    if (report.errored and not failing) or report.data_bytes % report.done:
        return None
    return report.data_bytes // report.done


def _kept_alive(report: Report) -> int | None:
    """Return how many replies kept their connection, None where that cannot be told.

    h2load does not print it, but its total lacks the last read from each connection that the
    server says it closes. Where the total holds every byte, and the bytes beside headers and data
    are what replies have (`FRAME`), all were kept alive; where it holds none, none was. Of replies
    in chunks it cannot be told. A server that sends headers and body apart, then closes, passes
    as keeping alive only with a body of less than some 60 bytes, and a multiple of 4.
    """
    if not report.total_bytes:
        return 0
    beside = report.total_bytes - report.header_bytes - report.data_bytes
    each, rest = divmod(beside, report.done)
    whole = not report.errored and not rest and each >= FRAME
    return report.done if whole and (each - FRAME) % FRAME_OF_HEADER == 0 else None


def _why(exit_status: int, stderr: str) -> str:
    """Return what an exit status other than 0 means, in h2load's words where only it can say."""
    said = [line for line in map(str.strip, stderr.splitlines()) if line]
    if exit_status == 1 and said:
        refused = f"its arguments were refused: {said[0].removeprefix('h2load: ')}"
        return _meaning(said) or refused
    return why(exit_status, stderr)


def _why_nothing(order: Order, report: Report, stderr: str) -> str:
    """Return why no request got a reply."""
    known = _meaning(stderr.splitlines())
    if known or report.timeout:
        return known or "no activity within the time-out"
    if report.started:
        return "every connection was closed before a whole reply had come"
    if not order.url.startswith("http:"):
        return "no TLS connection"
    # It does not say which. A refusal comes at once, a time-out is a whole number of seconds.
    late = report.duration_us.value >= DURATIONS["s"]
    return "no connection within the time-out" if late else "connection refused"


def _meaning(said: list[str]) -> str | None:
    return next((SAID[start] for start in SAID for line in said if line.startswith(start)), None)
