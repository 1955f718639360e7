"""h2load's output, recorded and real: a Measurement, or a LoadError that says why."""

import re
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from loadtest.h2load import LOG, H2Load, find, parse_output, version
from loadtest.load import LoadError, LoadMissingError, Measurement, Order

RECORDED = Path(__file__).parent / "data" / "h2load"

# recording: complete, failed, non-2xx, kept alive, document bytes, requests/s; or the reason
EXPECTED: dict[str, tuple[int, int, int, int | None, int | None, float] | str] = {
    "01-aiohttp-dev": (400, 0, 0, 400, 342, 3275.33),
    "02-aiohttp-dev-asked-to-close": (200, 0, 0, 0, 342, 620.25),
    "03-flask-dev": (200, 0, 0, None, 342, 1027.59),
    "04-flask-gunicorn": (400, 0, 0, None, 342, 678.75),
    "05-aiohttp-gunicorn-uneven": (43, 0, 0, 43, 342, 4517.76),
    "06-one-healthz": (1, 0, 0, 1, 15, 185.77),
    "10-404": (40, 0, 40, None, 17, 4972.65),
    "11-500-every-other": (40, 0, 20, None, 17, 5807.2),
    "12-302": (40, 0, 40, None, 0, 3694.13),
    "13-status-600": (40, 0, 40, None, 17, 9103.32),
    "14-lengths": (40, 0, 0, 40, None, 1878.73),
    "15-chunked": (40, 0, 0, None, 5, 11554.02),
    "16-interim-100": (40, 0, 0, None, 17, 8594.76),
    "17-closes-every-other": (40, 0, 0, None, 17, 2378.12),
    "18-closes-body-apart": (40, 0, 0, None, 17, 657.04),
    "19-ignores-close": (40, 0, 0, 40, 17, 4259.85),
    "20-closes-unsaid": (4, 36, 0, None, None, 862.63),
    "21-http10-to-the-end": "h2load: every connection was closed before a whole reply had come",
    "22-breaks-off": "h2load: every connection was closed before a whole reply had come",
    "23-empty": "h2load: every connection was closed before a whole reply had come",
    "24-garbage": "h2load: unreadable reply",
    "25-silent": "h2load: no activity within the time-out",
    "26-silent-after-10": (10, 30, 0, None, None, 9.8),
    "27-reset-after-10": (10, 30, 0, None, None, 2907.82),
    "28-killed": (20, 20, 0, None, None, 3469.81),
    "29-stall": (40, 0, 0, 40, 17, 39.86),
    "30-refused": "h2load: connection refused",
    "31-unknown-host": "h2load: unknown host (exit 1)",
    "32-https": "h2load: no TLS connection",
    "33-fewer-requests-than-clients": (
        "h2load: its arguments were refused: -n, -c: the number of requests must be"
        " greater than or equal to the clients. (exit 1)"
    ),
    "34-no-request": (
        "h2load: its arguments were refused: -n: the number of requests must be strictly"
        " greater than 0 if timing-based test is not being run. (exit 1)"
    ),
    "35-unknown-option": (
        "h2load: its arguments were refused: unrecognized option '--nonsense' (exit 1)"
    ),
    "36-invalid-url": "h2load: its arguments were refused: invalid URI: 127.0.0.1/planets (exit 1)",
    "37-no-log-folder": (
        "h2load: its arguments were refused: --log-file: Could not open file none/such (exit 1)"
    ),
    "38-sigint": "h2load: ended by SIGINT (exit -2)",
    "38-sigterm": "h2load: ended by SIGTERM (exit -15)",
    "39-some-files": (35, 5, 0, None, None, 408.23),
    "40-no-files": "h2load: no connection could be opened (too many open files?)",
    "41-never-accepted": "h2load: no connection within the time-out",
}


def recorded(name: str, ending: str = "stdout") -> str:
    return (RECORDED / f"{name}.{ending}").read_text("utf-8")


def ordered(name: str) -> tuple[Order, int]:
    """Return what a recorded command asks of h2load, and its exit status."""
    command, exit_status = recorded(name, "cmd").splitlines()
    requests = int(re.findall(r" -n (\d+)", command)[-1])
    concurrency = int((re.findall(r" -c (\d+)", command) or ["1"])[-1])
    order = Order(
        shlex.split(command)[-1], requests, concurrency, "Connection:" not in command, RECORDED
    )
    return order, int(exit_status.removeprefix("exit "))


def read(name: str, stdout: str | None = None, log: Path | None = None) -> Measurement:
    """Return what a recording is read as; or another report, or log, in its place."""
    order, exit_status = ordered(name)
    stdout = recorded(name) if stdout is None else stdout
    log = log or RECORDED / f"{name}.tsv"
    return parse_output(order, exit_status, stdout, recorded(name, "stderr"), log)


def numbers(
    measured: Measurement,
) -> tuple[int, int, int, int | None, int | None, float]:
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
    assert outcome == EXPECTED[name]


def test_a_measurement_has_all_that_report_and_log_say() -> None:
    measured = read("26-silent-after-10")
    assert replace(measured, latency_ms=None) == Measurement(
        requests=40,
        complete=10,
        failed=30,
        non_2xx=0,
        kept_alive=None,
        document_bytes=None,
        concurrency=4,
        seconds=1.020408,
        throughput_rps=9.8,
        total_bytes=560,
        failures={"timeout": 4, "connection": 26},
    )


def times_ms(name: str) -> list[float]:
    return [int(line.split("\t")[2]) / 1000 for line in recorded(name, "tsv").splitlines()]


@pytest.mark.parametrize("name", ["01-aiohttp-dev", "04-flask-gunicorn", "06-one-healthz"])
def test_latencies_are_those_of_the_log(name: str) -> None:
    latency = read(name).latency_ms
    assert latency is not None
    times = sorted(times_ms(name))
    assert latency.mean == pytest.approx(statistics.mean(times))
    assert latency.max == times[-1]
    for percent, value in ((50, latency.p50), (90, latency.p90), (99, latency.p99)):
        assert sum(time < value for time in times) <= len(times) * percent / 100 + 0.5
        assert sum(time <= value for time in times) >= len(times) * percent / 100 - 0.5


@pytest.mark.parametrize("name", ["01-aiohttp-dev", "04-flask-gunicorn", "29-stall"])
def test_seconds_have_more_decimals_than_are_printed(name: str) -> None:
    measured = read(name)
    printed, unit = re.findall(r"finished in ([\d.]+)(m?s)", recorded(name))[0]
    printed_s = float(printed) * (0.001 if unit == "ms" else 1)
    assert abs(measured.seconds - printed_s) <= (5.1e-6 if unit == "ms" else 5.1e-3)
    assert measured.seconds == round(measured.complete / measured.throughput_rps, 6)


# Kept alive, or not


@pytest.mark.parametrize("name", ["02-aiohttp-dev-asked-to-close", "03-flask-dev"])
def test_bytes_that_h2load_did_not_count_are_counted(name: str) -> None:
    headers, body = re.findall(r"\((\d+)\) (?:headers|data)", recorded(name).replace("\n", " "))[:2]
    assert read(name).total_bytes == int(headers) + int(body)


def small_replies(body_bytes: int, counted: int, headers: int = 7) -> str:
    """Return 06-one-healthz as if its reply had such a body, and so many bytes were counted."""
    header_bytes = 141
    stdout = recorded("06-one-healthz")
    seconds = 1 / 185.77
    for label, value in (("total", counted), ("headers", header_bytes), ("data", body_bytes)):
        stdout = re.sub(rf"\d+B \(\d+\) {label}", f"{value}B ({value}) {label}", stdout)
    rate = int(counted / seconds)
    size = f"{rate / 1024:.2f}K" if rate >= 1024 else str(rate)
    return re.sub(r"req/s, .*/s", f"req/s, {size}B/s", stdout)


@pytest.mark.parametrize(
    ("counted", "kept"),
    [
        (141 + 15 + 19 + 4 * 6, 1),
        (141 + 15 + 19 + 4 * 6 - 15, None),  # the body was the last read
        (141 + 15 + 19 + 4 * 6 - 1, None),
        (141 + 15 + 15, None),
        (141, None),
        (0, 0),
    ],
)
def test_replies_count_as_kept_alive_only_where_every_byte_was_counted(
    counted: int, kept: int | None
) -> None:
    assert read("06-one-healthz", small_replies(15, counted)).kept_alive == kept


def test_a_byte_too_many_shows_no_keep_alive() -> None:
    stdout = recorded("29-stall").replace("(2240) total", "(2241) total")
    assert stdout != recorded("29-stall")
    assert read("29-stall", stdout).kept_alive is None


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


@pytest.mark.parametrize(
    "name",
    ["01-aiohttp-dev", "03-flask-dev", "11-500-every-other", "26-silent-after-10", "28-killed"],
)
def test_a_mutilated_report_is_refused_or_read_as_it_was(name: str) -> None:
    whole = read(name)
    refused = 0
    for lines in mutilations(recorded(name).split("\n")):
        try:
            measured = read(name, "\n".join(lines))
        except LoadError:
            refused += 1
            continue
        # Nothing else says how many of the failed requests were waited for.
        assert sum(measured.failures.values()) == measured.failed
        assert replace(measured, failures=whole.failures) == whole, lines
    assert refused > 300


@pytest.mark.parametrize("name", ["11-500-every-other", "13-status-600", "27-reset-after-10"])
def test_a_mutilated_log_is_refused_or_read_almost_as_it_was(name: str, tmp_path: Path) -> None:
    whole = read(name)
    log = tmp_path / LOG
    refused = 0
    for lines in mutilations(recorded(name, "tsv").split("\n")):
        log.write_text("\n".join(lines), "utf-8")
        try:
            measured = read(name, log=log)
        except LoadError:
            refused += 1
            continue
        assert replace(measured, latency_ms=None) == replace(whole, latency_ms=None)
        assert measured.latency_ms and whole.latency_ms
        # The report has the mean in hundredths of a millisecond, or in microseconds below one.
        assert measured.latency_ms.mean == pytest.approx(whole.latency_ms.mean, abs=0.008)
        assert measured.latency_ms.max == pytest.approx(whole.latency_ms.max, abs=0.008)
    assert refused > 20


ALTERED = {  # of 01-aiohttp-dev: one part of the report, what stands there instead, the reason
    "no report": ("finished in", "ended in", "no report"),
    "no requests": ("\nrequests:", "\nasked:", "no line 'requests:' in the report"),
    "twice": (
        "\nfinished in",
        "\nfinished in 1.00s, 5.00 req/s, 0B/s\nfinished in",
        "a second line 'finished in' in the report",
    ),
    "two threads": (
        "\nspawning",
        "\nspawning thread #1: 10 total client(s). 200 total requests\nspawning",
        "a second line 'spawning thread #' in the report",
    ),
    "unreadable": (
        "400 succeeded",
        "4O0 succeeded",
        "unreadable line 'requests: 400 total, 400 started, 400 done, 4O0 succeeded, 0 failed,"
        " 0 errored, 0 timeout'",
    ),
    "planned": (
        "400 total requests",
        "401 total requests",
        "another number of requests than asked for",
    ),
    "concurrency": ("20 total client", "21 total client", "another concurrency than asked for"),
    "errored": ("0 errored", "1 errored", "requests unlike those done and errored"),
    "failed": ("0 failed", "1 failed", "requests unlike those succeeded and failed"),
    "started": ("400 started", "399 started", "more requests done than started"),
    "timeout": ("0 timeout", "1 timeout", "more time-outs than requests under way"),
    "statuses": ("0 5xx", "1 5xx", "more statuses than requests"),
    "2xx": ("400 2xx", "399 2xx", "more succeeded than 2xx and 3xx"),
    "a status": (
        "400 2xx, 0 3xx",
        "399 2xx, 1 3xx",
        "other statuses in the log than in the report",
    ),
    "throughput": (
        "3275.33 req/s",
        "3276.33 req/s",
        "requests per second unlike requests and duration",
    ),
    "rate": ("1.81MB/s", "1.83MB/s", "bytes per second unlike bytes and requests per second"),
    "total": ("(231600) total", "(241600) total", "bytes per second unlike"),
    "headers": ("(76000) headers", "(76100) headers", "two sums of headers"),
    "data": ("(136800) data", "(136400) data", "two sums of data"),
    "mean": ("5.98ms", "5.99ms", "other times in the log than in the report"),
}


@pytest.mark.parametrize("part, instead, reason", ALTERED.values(), ids=ALTERED)
def test_a_report_that_cannot_be_true_is_refused_with_its_reason(
    part: str, instead: str, reason: str
) -> None:
    stdout = recorded("01-aiohttp-dev")
    assert part in stdout
    with pytest.raises(LoadError) as refusal:
        read("01-aiohttp-dev", stdout.replace(part, instead, 1))
    assert refusal.value.reason.startswith(f"h2load: {reason}")


def test_out_of_order_is_refused() -> None:
    lines = recorded("01-aiohttp-dev").split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith("traffic:"))
    lines[at - 1 : at + 1] = [lines[at], lines[at - 1]]
    with pytest.raises(LoadError, match="out of order"):
        read("01-aiohttp-dev", "\n".join(lines))


def test_a_rate_of_nothing_is_refused() -> None:
    stdout = recorded("06-one-healthz")
    stdout = re.sub("finished in .*", "finished in 0us, 0.00 req/s, 0B/s", stdout)
    with pytest.raises(LoadError):
        read("06-one-healthz", stdout)


@pytest.mark.parametrize("name", ["none.tsv", "folder.tsv"])
def test_the_log_must_be_there(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.tsv").mkdir()
    with pytest.raises(LoadError, match=r"^h2load: no log file$"):
        read("01-aiohttp-dev", log=tmp_path / name)


def test_the_log_of_another_run_is_refused() -> None:
    with pytest.raises(LoadError, match="other times in the log than in the report"):
        read("04-flask-gunicorn", log=RECORDED / "01-aiohttp-dev.tsv")


def test_a_status_that_no_reply_had_is_refused(tmp_path: Path) -> None:
    log = tmp_path / LOG
    log.write_text(recorded("27-reset-after-10", "tsv").replace("\t200\t", "\t600\t", 1))
    with pytest.raises(LoadError, match="other statuses in the log than in the report"):
        read("27-reset-after-10", log=log)


def test_times_longer_than_the_load_are_refused(tmp_path: Path) -> None:
    log = tmp_path / LOG
    log.write_text("1790000000000000\t200\t5048000\n")
    stdout = recorded("06-one-healthz").replace("5.05ms", "5.05s").replace("0us", "0us", 1)
    with pytest.raises(LoadError, match="longer times in the log than the load took"):
        read("06-one-healthz", stdout, log)


# Exit statuses

EXITS = [
    (1, "", "unknown failure"),
    (1, "getaddrinfo() failed: Name or service not known\n", "unknown host"),
    (1, "h2load: unrecognized option '--x'\n", "its arguments were refused: unrecognized option"),
    (2, "Something else\n", "Something else"),
    (137, "", "ended by SIGKILL"),
    (-11, "client could not connect to host\n", "ended by SIGSEGV"),
    (77, "", "unknown failure"),
]


@pytest.mark.parametrize("exit_status, stderr, why", EXITS)
def test_an_exit_status_is_named_even_when_there_is_a_report(
    exit_status: int, stderr: str, why: str
) -> None:
    order, _ = ordered("01-aiohttp-dev")
    log = RECORDED / "01-aiohttp-dev.tsv"
    with pytest.raises(LoadError, match=rf"^h2load: {re.escape(why)}.* \(exit {exit_status}\)$"):
        parse_output(order, exit_status, recorded("01-aiohttp-dev"), stderr, log)


# What is run


def test_the_command_asks_for_http_1_1_and_a_log(tmp_path: Path) -> None:
    url = "http://127.0.0.1:8080/planets/mars?lon=145.051&lat=-39.754"
    command = H2Load().command(Order(url, 1000, 20, True, tmp_path))
    assert shlex.join(command) == (
        f"h2load --h1 -t 1 -m 1 -n 1000 -c 20 -N 10s --log-file={tmp_path}/{LOG} '{url}'"
    )
    closing = H2Load().command(Order(url, 1000, 20, False, tmp_path))
    assert closing == [*command[:-1], "-H", "Connection: close", url]


@pytest.mark.parametrize("url", ["http://h/a b", "http://h/a\nrequests: 0", "http://h/\x00"])
def test_a_url_that_would_break_the_request_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="white space or control character"):
        H2Load().command(Order(url, 1, 1, False, tmp_path))


def test_a_missing_h2load_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        LoadMissingError, match=r"h2load is not installed.*apt-get install nghttp2-client"
    ):
        find()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (b"neither a program nor a script", "cannot be run .*Exec format error"),
        (b"#!/bin/sh\nprintf '\\377\\n'\n", "names no version"),
    ],
)
def test_what_is_called_h2load_and_is_not_is_said(
    tmp_path: Path, script: bytes, reason: str
) -> None:
    program = tmp_path / "h2load"
    program.write_bytes(script)
    program.chmod(0o755)
    with pytest.raises(LoadError, match=reason):
        version(str(program))


# The real h2load

needs_h2load = pytest.mark.skipif(
    shutil.which("h2load") is None, reason="h2load is not installed (nghttp2-client)"
)


class Planet(BaseHTTPRequestHandler):
    """Answers 17 bytes; keeps the connection unless asked to close it, or to say nothing of it."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment, or every reply waits for a delayed ACK
    answered: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/planets/vulcan" else 200)
        self.send_header("Content-Length", "17")
        if self.path == "/unsaid":
            self.close_connection = True
        elif self.close_connection:
            self.send_header("Connection", "close")
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


def load(order: Order, bench: H2Load | None = None) -> Measurement:
    bench = bench or H2Load()
    done = subprocess.run(bench.command(order), capture_output=True, text=True, timeout=60)
    return bench.parse(order, done.returncode, done.stdout, done.stderr)


@needs_h2load
@pytest.mark.parametrize("keep_alive, requests", [(True, 300), (False, 300), (True, 7)])
def test_a_real_run_is_measured(
    server: str, tmp_path: Path, keep_alive: bool, requests: int
) -> None:
    measured = load(Order(f"{server}/planets/mars?lat=1", requests, 4, keep_alive, tmp_path))
    assert (measured.complete, measured.failed, measured.non_2xx) == (requests, 0, 0)
    assert measured.kept_alive == requests if keep_alive else measured.kept_alive != requests
    assert (measured.document_bytes, measured.concurrency) == (17, 4)
    in_order = measured.latency_ms
    assert in_order is not None
    assert 0 < in_order.p50 <= in_order.p90 <= in_order.p99 <= in_order.max
    assert 0 < in_order.mean <= in_order.max


@needs_h2load
def test_a_real_run_of_404s_is_measured_as_such(server: str, tmp_path: Path) -> None:
    measured = load(Order(f"{server}/planets/vulcan", 20, 2, True, tmp_path))
    assert (measured.complete, measured.failed, measured.non_2xx) == (20, 0, 20)


@needs_h2load
def test_a_real_server_that_closes_unsaid_fails_all_but_the_first(
    server: str, tmp_path: Path
) -> None:
    measured = load(Order(f"{server}/unsaid", 20, 2, True, tmp_path))
    assert (measured.complete, measured.failed) == (2, 18)
    assert measured.failures == {"timeout": 0, "connection": 18}


@needs_h2load
def test_a_real_closed_port_is_a_refused_connection(tmp_path: Path) -> None:
    with socket.socket() as bound:  # and not listening
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/"
        with pytest.raises(LoadError, match=r"^h2load: connection refused$"):
            load(Order(url, 20, 2, True, tmp_path))


@needs_h2load
def test_a_real_server_that_never_answers_is_not_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(LoadError, match=r"^h2load: no activity within the time-out$"):
            load(Order(url, 20, 2, True, tmp_path), H2Load(timeout_s=1))


@needs_h2load
def test_a_real_interruption_is_named(server: str, tmp_path: Path) -> None:
    bench = H2Load()
    order = Order(f"{server}/planets/mars", 1_000_000, 2, True, tmp_path)
    pipe = subprocess.PIPE
    with subprocess.Popen(bench.command(order), stdout=pipe, stderr=pipe, text=True) as process:
        assert Planet.answered.wait(30)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=30)
    with pytest.raises(LoadError, match=r"^h2load: ended by SIGTERM \(exit -15\)$"):
        bench.parse(order, process.returncode, stdout, stderr)


@needs_h2load
def test_a_real_folder_that_is_not_there_is_named(server: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"Could not open file .*none"):
        load(Order(f"{server}/planets/mars", 4, 2, True, tmp_path / "none"))


@needs_h2load
def test_the_version_of_the_real_h2load() -> None:
    assert re.match(r"nghttp2/\d+\.\d+", H2Load().version())
