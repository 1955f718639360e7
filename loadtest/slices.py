"""A trial's load in slices: those of a block's trials in turn, and what they measured together.

A machine's speed wanders from second to second: what is compared within a tenth of a second
wanders together. To a half-width of 2 % two lanes needed 99 blocks of trials of 2.5 s one after the
other, and from 8 to 37 blocks, in 20 runs, of trials of 2 s in 20 slices (`make planted`).
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from loadtest.load import Latency, Measurement
from loadtest.outside import Outside, together

Key = TypeVar("Key")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Slice:
    """One part of a trial's load: what it measured, and the CPU seconds meanwhile.

    They are those of each process of the server, and of the load. `outside` is what others used,
    None where that is not to be judged.
    """

    measurement: Measurement
    server_cpu_s: Mapping[int, float]
    load_cpu_s: float
    outside: Outside | None

    @property
    def cpu_us_per_request(self) -> float:
        """Return the CPU time of the server's processes for each request, in microseconds."""
        return sum(self.server_cpu_s.values()) / max(self.measurement.complete, 1) * 1e6

    @property
    def load_cores(self) -> float:
        """Return the CPU that the load used while it lasted, by its own count where it has one.

        What the harness counts holds its start, too: some 10 ms of ab's, a second of Python's
        imports.
        """
        measured = self.measurement
        used_s = self.load_cpu_s
        if measured.user_s is not None and measured.system_s is not None:
            used_s = measured.user_s + measured.system_s
        return used_s / measured.seconds if measured.seconds else 0.0

    def parts(self, workers: Iterable[int]) -> tuple[float, ...]:
        """Return each worker's part of their CPU time, nothing where they used none."""
        used = [self.server_cpu_s.get(pid, 0.0) for pid in workers]
        total = sum(used)
        return tuple(round(part / total, 4) for part in used) if total else ()


def shares(requests: int, slices: int) -> list[int]:
    """Return how many requests each slice has: as many as the others, or one more."""
    each, rest = divmod(requests, slices)
    return [each + (number < rest) for number in range(slices)]


def merged(slices: Sequence[Slice]) -> Slice:
    """Return what the slices measured together, as if they were one."""
    used: dict[int, float] = {}
    for part in slices:
        for pid, cpu_s in part.server_cpu_s.items():
            used[pid] = used.get(pid, 0.0) + cpu_s
    outside = [part.outside for part in slices if part.outside]
    return Slice(
        measurement=_measurement([part.measurement for part in slices]),
        server_cpu_s=used,
        load_cpu_s=sum(part.load_cpu_s for part in slices),
        outside=together(outside) if len(outside) == len(slices) else None,
    )


def _measurement(parts: Sequence[Measurement]) -> Measurement:
    first, *others = parts
    if not others:
        return first
    complete = sum(part.complete for part in parts)
    took_s = sum(part.complete / part.throughput_rps for part in parts if part.throughput_rps)
    kept = [part.kept_alive for part in parts if part.kept_alive is not None]
    lengths = {part.document_bytes for part in parts}
    failures: Counter[str] = Counter()
    for part in parts:
        failures.update(part.failures)
    return Measurement(
        requests=sum(part.requests for part in parts),
        complete=complete,
        failed=sum(part.failed for part in parts),
        non_2xx=sum(part.non_2xx for part in parts),
        kept_alive=sum(kept) if len(kept) == len(parts) else None,
        document_bytes=first.document_bytes if len(lengths) == 1 else None,
        concurrency=first.concurrency,
        seconds=sum(part.seconds for part in parts),
        throughput_rps=complete / took_s if took_s else 0.0,
        total_bytes=sum(part.total_bytes for part in parts),
        failures=failures,
        latency_ms=_latency_ms(parts),
        user_s=_sum(part.user_s for part in parts),
        system_s=_sum(part.system_s for part in parts),
        process_cores=_most(part.process_cores for part in parts),
    )


def _sum(values: Iterable[float | None]) -> float | None:
    known = list(values)
    return None if None in known else sum(value for value in known if value is not None)


def _most(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _latency_ms(parts: Sequence[Measurement]) -> Latency | None:
    """Return the mean and the slowest of all requests, and the middle slice's percentiles."""
    known = [part.latency_ms for part in parts if part.latency_ms]
    if len(known) < len(parts):
        return None
    complete = sum(part.complete for part in parts)
    weighted = sum(latency.mean * part.complete for latency, part in zip(known, parts, strict=True))
    return Latency(
        mean=weighted / complete if complete else 0.0,
        p50=median(latency.p50 for latency in known),
        p90=median(latency.p90 for latency in known),
        p99=median(latency.p99 for latency in known),
        max=max(latency.max for latency in known),
    )


def in_turn(
    trials: Mapping[Key, Generator[None, None, Outcome]],
) -> Iterator[tuple[Key, Outcome]]:
    """Yield what each comes to when it ends. They go on by turns, in reverse every other round.

    So each waits as long as the others, and none is always the first. When one raises, or the
    caller stops, all are closed.
    """
    left = list(trials)
    try:
        while left:
            for key in tuple(left):
                try:
                    next(trials[key])
                except StopIteration as end:
                    left.remove(key)
                    yield key, end.value
            left.reverse()
    finally:
        for trial in trials.values():
            trial.close()
