"""ab's output, recorded and real: every one becomes a Measurement or a LoadError that says why."""

import math
import os
import re
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from loadtest.ab import ApacheBench, find, parse_output, version
from loadtest.ab_percentiles import Total, parse_percentiles
from loadtest.load import Latency, LoadError, LoadMissingError, Measurement, Order

RECORDED = Path(__file__).parent / "data" / "ab"

# recording: complete, failed, non-2xx, kept alive, document bytes, requests/s; or the reason
EXPECTED: dict[str, tuple[int, int, int, int, int | None, float] | str] = {
    "01-ok-close": (200, 0, 0, 0, 29, 7573.46),
    "02-ok-keepalive": (1000, 0, 0, 1000, 29, 28535.56),
    "03-length-failures": (300, 200, 0, 300, 21, 39666.80),
    "04-length-failures-dash-l": (300, 0, 0, 300, None, 34960.96),
    "05-non2xx-404": (200, 0, 200, 200, 28, 42265.43),
    "07-refused": "ab: connection refused (exit 111)",
    "08-timeout": "ab: no activity within the time-out (exit 119)",
    "09-timeout-dash-r": "ab: no activity within the time-out (exit 119)",
    "10-reset-no-r": "ab: connection reset (exit 104)",
    "12-timelimit-t-only": (40, 0, 0, 40, 29, 38.05),
    "14-t-then-n": (20, 0, 0, 20, 29, 37.35),
    "15-html-dash-w": "ab: no report",
    "16-csv-gnuplot": (200, 0, 0, 200, 29, 85.29),
    "17-no-percentiles-d-S": (50, 0, 0, 50, 29, 38.42),
    "18-persian-qmark": (20, 0, 0, 20, 70, 20140.99),
    "19-usage-no-slash": "ab: its arguments were refused: invalid URL (exit 22)",
    "20-usage-c-gt-n": (
        "ab: its arguments were refused: Cannot use concurrency level greater than total number"
        " of requests (exit 22)"
    ),
    "21-bad-host": "ab: unknown host (exit 50)",
    "22-localhost-v4-only-server": (10, 0, 0, 0, 29, 5984.44),
    "24-empty-replies-r": (50, 10, 0, 0, 29, 7940.29),
    "26-chunked-keepalive": (6, 0, 0, 6, 15, 11741.68),
    "27-garbage": (6, 0, 6, 0, 0, 6696.43),
    "28-302": (20, 0, 20, 20, 0, 25974.03),
    "29-head-i": (20, 0, 0, 20, 29, 20345.88),
    "30-verbose2": (2, 0, 0, 2, 29, 6349.21),
    "31-https-to-http": "ab: no activity within the time-out (exit 119)",
    "32-noserver-header": (6, 0, 0, 0, 3, 4942.34),
    "33-bad-option": "ab: its arguments were refused: wrong number of arguments (exit 22)",
    "35-sigterm": "ab: ended by SIGTERM (exit 143)",
    "36-ephemeral-41-ports-no-exhaustion": (500, 0, 0, 0, 29, 13827.43),
    "37-eaddrnotavail": "ab: no local ports left (exit 99)",
    "38-eaddrnotavail-r": "ab: no local ports left (exit 99)",
    "40-real-aiohttp-dev-keepalive": (400, 0, 0, 400, 67, 6578.84),
    "41-real-flask-dev-keepalive-ignored": (400, 0, 0, 0, 63, 549.83),
    "42-real-seed-command-all-500": (400, 0, 400, 0, 141, 854.17),
    "43-real-gevent-pywsgi-44ms-delayed-ack": (400, 0, 0, 400, 63, 222.54),
    "44-real-aiohttp-worker-max-requests-reset": "ab: connection reset (exit 104)",
    "45-emfile": "ab: too many open files (exit 24)",
    "47-n1-c1": (1, 0, 0, 0, 29, 2487.56),
    "48-ipv6-literal": "ab: connection refused (exit 111)",
    "49-hostname-and-header": (4, 0, 0, 4, 21, 5934.72),
    "52-post-body": (40, 0, 0, 40, 29, 16863.41),
    "53-https": (20, 0, 0, 20, 29, 4512.64),
    "54-real-closed-unanswered-r": (10000, 2090, 0, 8057, 361, 1167.77),
}


def recorded(name: str, ending: str = "stdout") -> str:
    return (RECORDED / f"{name}.{ending}").read_text("utf-8")


def ordered(name: str) -> tuple[Order, int]:
    """Return what a recorded command asks of ab, and its exit status."""
    text = recorded(name, "cmd")
    exit_status = int(re.findall(r"exit (\d+)", text)[-1])
    if text.startswith("same command"):
        text = recorded("40-real-aiohttp-dev-keepalive", "cmd")
    requests = int(re.findall(r" -n (\d+)", text)[-1]) if " -n " in text else 50_000  # as -t sets
    concurrency = int(re.findall(r" -c (\d+)", text)[-1]) if " -c " in text else 1
    return Order("http://127.0.0.1/", requests, concurrency, " -k " in text, RECORDED), exit_status


def read(name: str, stdout: str | None = None, percentiles: Path | None = None) -> Measurement:
    """Return what a recording is read as; or other output in its place."""
    order, exit_status = ordered(name)
    if stdout is None:
        stdout = recorded(name)
    return parse_output(order, exit_status, stdout, recorded(name, "stderr"), percentiles)


def numbers(measured: Measurement) -> tuple[int, int, int, int, int | None, float]:
    return (
        measured.complete,
        measured.failed,
        measured.non_2xx,
        measured.kept_alive,
        measured.document_bytes,
        measured.throughput_rps,
    )


def test_every_recording_has_its_row() -> None:
    assert {path.stem for path in RECORDED.glob("*.cmd")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recording_becomes_its_numbers_or_its_reason(name: str) -> None:
    try:
        outcome: object = numbers(read(name))
    except LoadError as error:
        outcome = error.reason
        assert str(error) == error.reason
    assert outcome == EXPECTED[name]


def test_a_measurement_has_all_that_the_report_says() -> None:
    assert read("24-empty-replies-r") == Measurement(
        requests=50,
        complete=50,
        failed=10,
        non_2xx=0,
        kept_alive=0,
        document_bytes=29,
        concurrency=2,
        seconds=0.006,
        throughput_rps=7940.29,
        total_bytes=5600,
        failures={"connect": 0, "receive": 0, "length": 10, "exceptions": 0},
        latency_ms=None,
    )


# The report's own lines


def garbled(number: str) -> list[str]:
    unreadable = [
        "",
        "x",
        f"-{number}",
        "1e3",
        "nan",
        "inf",
        "1,234",
        "\u0665",  # a digit five, but not ASCII
        f"{number} 7",
        "9" * 5000,
    ]
    return [*unreadable, f"1{number}", str(int(number[0]) + 1) + number[1:]]


def mutilations(lines: list[str]) -> Iterator[list[str]]:
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        yield before  # truncated
        yield [*before, line[: len(line) // 2]]
        yield [*before, *after]
        yield [*before, line, line, *after]
        yield [*before, line[: len(line) // 2], *after]
        yield [line, *before, *after]
        yield [*before, *after, line]
        for number in re.finditer(r"\d+(\.\d+)?", line):
            for other in garbled(number[0]):
                yield [*before, line[: number.start()] + other + line[number.end() :], *after]


@pytest.mark.parametrize("name", ["01-ok-close", "03-length-failures", "16-csv-gnuplot"])
def test_a_mutilated_report_is_refused_or_read_as_it_was(name: str) -> None:
    percentiles = RECORDED / "16-percentiles.csv" if name.startswith("16") else None
    whole = read(name, percentiles=percentiles)
    refused = 0
    for lines in mutilations(recorded(name).split("\n")):
        try:
            measured = read(name, "\n".join(lines), percentiles)
        except LoadError:
            refused += 1
            continue
        if whole.failed:  # then nothing repeats the first reply's length
            measured = replace(measured, document_bytes=whole.document_bytes)
        assert numbers(measured) == numbers(whole), lines
        assert measured.failures == whole.failures
        assert (measured.seconds, measured.total_bytes) == (whole.seconds, whole.total_bytes)
        if measured.latency_ms and whole.latency_ms:  # no other line repeats the deviation
            assert measured.latency_ms.mean == pytest.approx(whole.latency_ms.mean, rel=0.001)
    assert refused > 200


ALTERED = {  # of 03-length-failures: one part of the report, what stands there instead, the reason
    "no report": ("Server Software:", "Server:", "ab: no report"),
    "no seconds": ("Time taken", "Time", "ab: no line 'Time taken for tests:' in the report"),
    "no total": ("\nTotal: ", "\nSum: ", "ab: no line 'Total:' in the report"),
    "twice": (
        "Failed requests:        200\n",
        "Failed requests:        200\nFailed requests:        0\n",
        "ab: a second line 'Failed requests:' in the report",
    ),
    "an early line": (
        "Document Length:        21 bytes",
        "Keep-Alive requests:    1\nDocument Length:        21 bytes",
        "ab: a second line 'Keep-Alive requests:' in the report",
    ),
    "out of order": (
        "Document Length:        21 bytes",
        "Non-2xx responses:      1\nDocument Length:        21 bytes",
        "ab: the lines of the report are out of order",
    ),
    "unreadable": ("     300\n", "     3O0\n", "ab: unreadable line 'Complete requests:      3O0'"),
    "none complete": ("requests:      300", "requests:      0", "ab: no request complete"),
    "too many": (
        "requests:      300",
        "requests:      301",
        "ab: more requests complete than asked for",
    ),
    "concurrency": ("Level:      5", "Level:      6", "ab: another concurrency than asked for"),
    "no keep-alive": ("Keep-Alive requests:", "Kept alive:", "ab: Keep-Alive unlike -k"),
    "kept alive": (
        "requests:    300",
        "requests:    301",
        "ab: more requests kept alive than complete",
    ),
    "non-2xx": (
        "Keep-Alive requests:",
        "Non-2xx responses:      301\nKeep-Alive requests:",
        "ab: more non-2xx replies than requests",
    ),
    "failures": ("requests:        200", "requests:        912", "ab: more failures than possible"),
    "no kinds": ("   (Connect: 0", "   (Refused: 0", "ab: failures without their kinds"),
    "kinds of none": (
        "requests:        200",
        "requests:        0",
        "ab: failures without their kinds",
    ),
    "sum": ("Length: 200", "Length: 199", "ab: failures unlike the sum of their kinds"),
    "throughput": ("39666.80", "39966.80", "ab: transfer rate unlike bytes and seconds"),
    "seconds": ("0.008 s", "0.009 s", "ab: requests per second unlike requests and seconds"),
    "bytes": ("41100 bytes", "41101 bytes", "ab: transfer rate unlike bytes and seconds"),
}


@pytest.mark.parametrize("part, instead, reason", ALTERED.values(), ids=ALTERED)
def test_a_report_that_cannot_be_true_is_refused_with_its_reason(
    part: str, instead: str, reason: str
) -> None:
    stdout = recorded("03-length-failures")
    assert part in stdout
    with pytest.raises(LoadError) as refusal:
        read("03-length-failures", stdout.replace(part, instead, 1))
    assert refusal.value.reason == reason


def test_bytes_of_html_that_no_number_of_documents_makes_are_refused() -> None:
    stdout = recorded("02-ok-keepalive").replace("29000 bytes", "29029 bytes")
    with pytest.raises(LoadError, match="bytes of HTML unlike requests and document length"):
        read("02-ok-keepalive", stdout)


def test_a_run_ended_by_the_clock_may_have_read_more_than_it_counts() -> None:
    stdout = recorded("12-timelimit-t-only").replace("1160 bytes", "1189 bytes")
    assert read("12-timelimit-t-only", stdout).complete == 40


def test_a_header_too_long_is_a_failure_without_a_kind() -> None:
    stdout = recorded("03-length-failures").replace("requests:        200", "requests:        201")
    stdout = stdout.replace(
        "Keep-Alive requests:", "Non-2xx responses:      1\nKeep-Alive requests:"
    )
    measured = read("03-length-failures", stdout)
    assert (measured.failed, measured.failures["length"], measured.non_2xx) == (201, 200, 1)


@pytest.mark.parametrize("fake", ["01-ok-close", "02-ok-keepalive", "05-non2xx-404"])
def test_a_report_in_a_reply_does_not_count(fake: str) -> None:
    real = recorded("30-verbose2")
    reply = '{"name": "mars", "az": 1.25}\n'
    assert read("30-verbose2", real.replace(reply, recorded(fake))) == read("30-verbose2")


def test_a_report_in_a_reply_does_not_mend_the_real_one() -> None:
    real = recorded("30-verbose2").split("\n")
    for at in range(real.index("Server Software:        fixture/1.0"), len(real)):
        lines = [*recorded("02-ok-keepalive").split("\n"), *real[:at], *real[at + 1 :]]
        try:
            measured = read("30-verbose2", "\n".join(lines))
        except LoadError:
            continue
        assert numbers(measured) == numbers(read("30-verbose2"))


@pytest.mark.parametrize("label", ["Complete requests:      7", "Non-2xx responses:      7"])
@pytest.mark.parametrize("line", ["Server Software:        ", "Document Path:          "])
def test_what_server_and_path_are_called_does_not_count(line: str, label: str) -> None:
    stdout = re.sub(f"{line}.*", line + label, recorded("02-ok-keepalive"))
    assert read("02-ok-keepalive", stdout) == read("02-ok-keepalive")


NEWER = """\
Server Port:            18080
TLS Server Name:        planets.example
Number of workers:      1
Concurrency achieved:   20
Rampup delay:           0 [ms]
Number of requests:     1000 (window)
Write errors:           2
Keep-Alive aborts:      3
"""


@pytest.mark.parametrize("added", NEWER.splitlines())
@pytest.mark.parametrize("before", ["Concurrency Level", "Complete", "Total transf", "Connection"])
def test_lines_of_other_versions_are_read_over(added: str, before: str) -> None:
    stdout = recorded("02-ok-keepalive").replace(f"\n{before}", f"\n{added}\n{before}", 1)
    assert added in stdout
    assert read("02-ok-keepalive", stdout) == read("02-ok-keepalive")


# Exit statuses

EXITS = [
    (1, "", "interrupted"),
    (1, "Completed 100 requests\nFinished 163 requests\n", "interrupted"),
    (1, "Cannot open CSV output file: No such file\n", "Cannot open CSV output file: No such file"),
    (1, "\nTest aborted after 10 failures\n\n", "Test aborted after 10 failures"),
    (22, "ab: invalid URL\nUsage: ab [options]\n", "its arguments were refused: invalid URL"),
    (113, "apr_socket_recv: No route to host (113)\n", "apr_socket_recv: No route to host (113)"),
    (137, "bind: Something is busy (70025)\n", "bind: Something is busy (70025)"),
    (137, "Completed 100 requests\n", "ended by SIGKILL"),
    (-9, "", "ended by SIGKILL"),
    (-11, "SSL read failed (1) - closing connection\n", "ended by SIGSEGV"),
    (-15, "Completed 100 requests\n", "ended by SIGTERM"),
    (77, "", "unknown failure"),
    (255, "", "unknown failure"),
]


@pytest.mark.parametrize("exit_status, stderr, why", EXITS)
def test_an_exit_status_is_named_even_when_there_is_a_report(
    exit_status: int, stderr: str, why: str
) -> None:
    order, _ = ordered("02-ok-keepalive")
    with pytest.raises(LoadError) as refusal:
        parse_output(order, exit_status, recorded("02-ok-keepalive"), stderr, None)
    assert refusal.value.reason == f"ab: {why} (exit {exit_status})"


# Latencies

TOTAL = Total(min_ms=50, deviation_ms=39.8, max_ms=172)  # of 16-csv-gnuplot


def test_latencies_keep_microseconds() -> None:
    latency = read("16-csv-gnuplot", percentiles=RECORDED / "16-percentiles.csv").latency_ms
    assert latency is not None
    assert (latency.p50, latency.p90, latency.p99, latency.max) == (
        111.1,
        170.554,
        171.919,
        172.361,
    )
    # The mean of the times in 16-gnuplot.tsv, which are in whole milliseconds.
    assert latency.mean == pytest.approx(110.88, abs=0.5)


@pytest.mark.parametrize("deviation_ms", [0.0, 398.0])
def test_the_deviation_moves_the_mean_no_further_than_the_percentiles_allow(
    deviation_ms: float,
) -> None:
    text = (RECORDED / "16-percentiles.csv").read_text()
    usual = parse_percentiles(text, 200, TOTAL).mean
    moved = parse_percentiles(text, 200, replace(TOTAL, deviation_ms=deviation_ms)).mean
    assert moved == pytest.approx(usual, abs=0.1)


FILES: dict[str, tuple[Callable[[str], str], str]] = {
    "empty": (lambda text: "", "unreadable percentile file"),
    "short": (lambda text: text.replace("100,172.361\n", ""), "unreadable percentile file"),
    "cut": (lambda text: text[:-2], "unreadable percentile file"),
    "no head": (lambda text: text.partition("\n")[2], "unreadable percentile file"),
    "doubled": (
        lambda text: text.replace("7,51.037\n", "7,51.037\n" * 2),
        "unreadable percentile file",
    ),
    "skipped": (lambda text: text.replace("\n7,51.037", ""), "unreadable percentile file"),
    "negative": (lambda text: text.replace("0,50.224", "0,-50.224"), "unreadable percentile file"),
    "not a number": (lambda text: text.replace("7,51.037", "7,nan"), "unreadable percentile file"),
    "infinite": (lambda text: text.replace("100,172.361", "100,inf"), "unreadable percentile file"),
    "falling": (lambda text: text.replace("7,51.037", "7,50.037"), "percentiles out of order"),
    "another run's shortest": (
        lambda text: text.replace("0,50.224", "0,49.224"),
        "percentiles unlike the shortest and longest request of the report",
    ),
    "another run's longest": (
        lambda text: text.replace("100,172.361", "100,172.500"),
        "percentiles unlike the shortest and longest request of the report",
    ),
}


@pytest.mark.parametrize("altered, reason", FILES.values(), ids=FILES)
def test_a_percentile_file_that_cannot_be_true_is_refused(
    altered: Callable[[str], str], reason: str
) -> None:
    text = (RECORDED / "16-percentiles.csv").read_text()
    parse_percentiles(text, 200, TOTAL)
    assert altered(text) != text
    with pytest.raises(LoadError, match=f"^ab: {reason}$"):
        parse_percentiles(altered(text), 200, TOTAL)


def test_percentiles_need_the_deviation_in_the_report() -> None:
    with pytest.raises(LoadError, match="no standard deviation"):
        read("17-no-percentiles-d-S", percentiles=RECORDED / "16-percentiles.csv")


@pytest.mark.parametrize("name", ["none.csv", "folder.csv"])
def test_percentiles_that_were_asked_for_must_be_there(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(LoadError, match="no percentile file"):
        read("16-csv-gnuplot", percentiles=tmp_path / name)


def written(times_ms: list[float], past_the_end: float = 0.257) -> tuple[str, Total]:
    """Return the percentile file and the line "Total:" that ab makes of such latencies."""
    count = len(times_ms)
    at = sorted(times_ms)
    rows = [*(at + [past_the_end] * count)[: count + 1]]
    ranks = [0, *(int(0.5 + count * percent / 100) for percent in range(1, 100)), count - 1]
    lines = [f"{percent},{rows[rank]:.3f}\n" for percent, rank in enumerate(ranks)]
    deviation_ms = statistics.stdev(at) if count > 1 else 0.0
    ends = math.floor(at[0] + 0.5), math.floor(at[-1] + 0.5)
    text = "Percentage served,Time in ms\n" + "".join(lines)
    return text, Total(ends[0], round(deviation_ms, 1), ends[1])


@pytest.mark.parametrize("count", [1, 2, 3, 10, 49, 50, 51, 99, 100])
def test_few_requests_are_read_exactly_though_ab_reads_past_its_end(count: int) -> None:
    # 0.257 ms is what ab printed for its percentiles from 95 on, after 10 requests.
    times_ms = [round(0.1 + 0.9 * (rank / count) ** 2, 3) for rank in range(count)]
    text, total = written(times_ms)
    latency = parse_percentiles(text, count, total)
    assert latency.mean == pytest.approx(statistics.mean(times_ms))
    assert (latency.p99, latency.max) == (
        times_ms[min(int(0.5 + count * 0.99), count - 1)],
        times_ms[-1],
    )
    assert latency.p50 == times_ms[min(int(0.5 + count / 2), count - 1)]


def test_two_times_for_one_request_are_refused() -> None:
    text, total = written([float(rank) for rank in range(1, 11)])
    with pytest.raises(LoadError, match="percentiles out of order"):
        parse_percentiles(text.replace("\n4,1.000", "\n4,1.001"), 10, total)


def spread(quantile: Callable[[float], float], count: int, *stalls_ms: float) -> list[float]:
    usual = count - len(stalls_ms)
    return [*(quantile((rank + 0.5) / usual) for rank in range(usual)), *stalls_ms]


def exponential(p: float) -> float:
    return 0.1 - 0.3 * math.log(1 - p)


def lognormal(p: float) -> float:
    return 0.4 * math.exp(0.5 * statistics.NormalDist().inv_cdf(p))


SHAPES = {
    "constant": spread(lambda p: 0.4, 5_000),
    "even": spread(lambda p: 10 + 20 * p, 5_000),
    "exponential": spread(exponential, 50_000),
    "lognormal": spread(lognormal, 50_000),
    "lognormal, slow": spread(lambda p: 25 * lognormal(p), 1_000),
    "heavy tail": spread(lambda p: 0.2 / (1 - p) ** 0.45, 50_000),
    "one request of a second": spread(lognormal, 20_000, 1000.0),
    "a stall of 20 ms": spread(lognormal, 30_000, *[20.0] * 20),
    "a stall of 300 ms": spread(lognormal, 30_000, *[300.0] * 20),
    "two stalls": spread(lognormal, 5_000, *[20.0] * 10, *[200.0] * 10),
    "a stall of more than 1 %": spread(lognormal, 1_000, *[100.0] * 14),
    "delayed replies": spread(lambda p: 44.0 if p > 0.978 else 0.4, 5_000),
    "mostly delayed": spread(lambda p: 44.0 if p > 0.055 else 0.4, 5_000),
}


@pytest.mark.parametrize("times_ms", SHAPES.values(), ids=SHAPES)
def test_the_mean_is_within_4_percent_for_every_shape(times_ms: list[float]) -> None:
    text, total = written(times_ms)
    latency = parse_percentiles(text, len(times_ms), total)
    assert latency.mean == pytest.approx(statistics.mean(times_ms), rel=0.04)


# What is run


def test_the_command_asks_for_percentiles_and_stops_at_errors(tmp_path: Path) -> None:
    url = "http://127.0.0.1:8080/planets/mars?lon=145.051&lat=-39.754"
    command = ApacheBench().command(Order(url, 1000, 20, True, tmp_path))
    assert shlex.join(command) == (
        f"ab -q -k -n 1000 -c 20 -s 10 -e {tmp_path}/percentiles.csv '{url}'"
    )
    assert "-k" not in ApacheBench().command(Order(url, 1000, 20, False, tmp_path))


@pytest.mark.parametrize(
    "url", ["http://h/a b", "http://h/a\nFailed requests:        0", "http://h/\x00"]
)
def test_a_url_that_would_break_the_request_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="white space or control character"):
        ApacheBench().command(Order(url, 1, 1, False, tmp_path))


def test_a_missing_ab_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        LoadMissingError, match=r"ab is not installed.*apt-get install apache2-utils"
    ):
        find()


# The real ab

needs_ab = pytest.mark.skipif(
    shutil.which("ab") is None and not os.environ.get("CI"),
    reason="ab is not installed (apt-get install apache2-utils)",
)


class Planet(BaseHTTPRequestHandler):
    """Answers 17 bytes; keeps the connection if asked to."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment, or every reply waits for a delayed ACK
    answered: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/planets/vulcan" else 200)
        self.send_header("Content-Length", "17")
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        self.end_headers()
        self.wfile.write(b'{"name": "mars"}\n')
        self.answered.set()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Planet.answered.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Planet) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()
        thread.join()


def load(order: Order) -> Measurement:
    bench = ApacheBench()
    done = subprocess.run(bench.command(order), capture_output=True, text=True, timeout=60)
    return bench.parse(order, done.returncode, done.stdout, done.stderr)


@needs_ab
@pytest.mark.parametrize("keep_alive, requests", [(True, 300), (False, 300), (True, 7)])
def test_a_real_run_is_measured(
    server: str, tmp_path: Path, keep_alive: bool, requests: int
) -> None:
    measured = load(Order(f"{server}/planets/mars?lat=1", requests, 4, keep_alive, tmp_path))
    assert (measured.complete, measured.failed, measured.non_2xx) == (requests, 0, 0)
    assert (measured.kept_alive, measured.document_bytes) == (requests if keep_alive else 0, 17)
    assert measured.concurrency == 4
    assert measured.latency_ms is not None
    in_order: Latency = measured.latency_ms
    assert 0 < in_order.p50 <= in_order.p90 <= in_order.p99 <= in_order.max
    assert 0 < in_order.mean <= in_order.max


@needs_ab
def test_a_real_run_of_404s_is_measured_as_such(server: str, tmp_path: Path) -> None:
    measured = load(Order(f"{server}/planets/vulcan", 20, 2, True, tmp_path))
    assert (measured.complete, measured.failed, measured.non_2xx) == (20, 0, 20)


@needs_ab
def test_a_real_closed_port_is_a_refused_connection(tmp_path: Path) -> None:
    with socket.socket() as bound:  # and not listening
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/"
        with pytest.raises(LoadError, match=r"^ab: connection refused \(exit 111\)$"):
            load(Order(url, 20, 2, True, tmp_path))


@needs_ab
def test_a_real_interruption_is_named_though_ab_prints_a_report(
    server: str, tmp_path: Path
) -> None:
    bench = ApacheBench()
    order = Order(f"{server}/planets/mars", 1_000_000, 2, True, tmp_path)
    pipe = subprocess.PIPE
    with subprocess.Popen(bench.command(order), stdout=pipe, stderr=pipe, text=True) as process:
        assert Planet.answered.wait(30)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert "Complete requests:" in stdout
    with pytest.raises(LoadError, match=r"^ab: interrupted \(exit 1\)$"):
        bench.parse(order, process.returncode, stdout, stderr)


@needs_ab
def test_a_real_folder_that_is_not_there_is_named(server: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"^ab: Cannot open CSV output file: No such file"):
        load(Order(f"{server}/planets/mars", 4, 2, True, tmp_path / "none"))


@needs_ab
def test_the_version_of_the_real_ab() -> None:
    assert re.match(r"\d+\.\d+", version())


def test_a_program_that_names_no_version_is_not_ab() -> None:
    with pytest.raises(LoadError, match="names no version"):
        version("true")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (b"neither a program nor a script", "cannot be run .*Exec format error"),
        (b"#!/no/such/shell\n", "cannot be run .*No such file"),
        (b"#!/bin/sh\nprintf '\\377\\n'\n", "names no version"),
    ],
)
def test_what_is_called_ab_and_is_not_is_said(tmp_path: Path, script: bytes, reason: str) -> None:
    program = tmp_path / "ab"
    program.write_bytes(script)
    program.chmod(0o755)
    with pytest.raises(LoadError, match=reason):
        version(str(program))
