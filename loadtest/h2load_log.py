"""The file that `h2load --log-file` writes, a line for each reply, read into latencies."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from loadtest.h2load_report import Report
from loadtest.load import LoadError

# When the request began, in microseconds since 1970; its status; microseconds to the reply's end.
LINE = re.compile(r"([0-9]{1,18})\t([1-9][0-9]{2})\t([0-9]{1,12})\n")

SAMPLED = 1_000_000  # requests, beyond which the report's times are of a sample
ROUNDING_US = 2.0  # the log cuts each time to whole microseconds, the report their mean
LATE_US = 20_000  # h2load takes the time of its start after it has let the thread run


@dataclass(frozen=True, slots=True)
class Log:
    """How many replies had a status of each class (2 for 2xx), and how long each took, sorted.

    `sent` is when each request began, and how long it took, in the order of the lines.
    """

    classes: Mapping[int, int]
    times_us: tuple[int, ...]
    sent: tuple[tuple[int, int], ...]


def parse_log(text: str) -> Log:
    """Return what the log says, or raise LoadError."""
    matches = [LINE.fullmatch(line) for line in text.splitlines(keepends=True)]
    read = [(int(match[1]), int(match[2]), int(match[3])) for match in matches if match]
    if len(read) < len(matches):
        raise LoadError("h2load: unreadable log file")
    classes = Counter(status // 100 for _, status, _ in read)
    sent = tuple((start_us, time_us) for start_us, _, time_us in read)
    return Log(classes, tuple(sorted(time_us for _, time_us in sent)), sent)


def check_log(log: Log, report: Report) -> None:
    """Raise LoadError unless the log and the report are of the same requests."""
    if len(log.times_us) != report.done:
        raise LoadError("h2load: another number of requests in the log than in the report")
    for status, count in enumerate(report.statuses, 2):
        # A reply that broke off has a status in the report, and no line.
        if not 0 <= count - log.classes[status] <= report.started - report.done:
            raise LoadError("h2load: other statuses in the log than in the report")
    if log.classes[2] + log.classes[3] != report.succeeded:
        raise LoadError("h2load: other statuses in the log than in the report")
    if sum(log.times_us) > report.clients * (report.duration_us.value * 1.01 + LATE_US):
        raise LoadError("h2load: longer times in the log than the load took")
    if report.done <= SAMPLED and not _same_times(log.times_us, report):
        raise LoadError("h2load: other times in the log than in the report")


def _same_times(times_us: tuple[int, ...], report: Report) -> bool:
    mean = sum(times_us) / len(times_us)
    squares = sum((time_us - mean) ** 2 for time_us in times_us)
    deviation = math.sqrt(squares / max(len(times_us) - 1, 1))
    pairs = (
        (report.min_us, times_us[0]),
        (report.max_us, times_us[-1]),
        (report.mean_us, mean),
        (report.deviation_us, deviation),
    )
    return all(printed.agrees(time_us, ROUNDING_US) for printed, time_us in pairs)
