"""One trial: start, verify, warm up, measure, verify, stop; and why it may count for nothing."""

import time
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from math import isnan
from pathlib import Path
from statistics import median

from loadtest import changes
from loadtest.beside import CpuSeconds
from loadtest.interruption import Interruption
from loadtest.listening import Listening
from loadtest.load import Load, LoadError, Order
from loadtest.outside import between
from loadtest.plan import Cell, Turn, modest, wait_ms
from loadtest.results import Trial
from loadtest.rules import BEFORE, InvalidTrialError, Size, fault, overloaded, verify
from loadtest.server import ServerError
from loadtest.slices import Slice, merged, shares
from loadtest.supervised import Supervised
from loadtest.world import Applied as Applied
from loadtest.world import Serving
from loadtest.world import World as World

SHORT = 0.8  # of the time planned; below it a trial is marked
SERIAL_REQUESTS = 5
# Linux delays an acknowledgement by 40 ms at least; a server that waits for it meanwhile is idle.
DELAYED_ACK_MS = 38.0
IDLE_CORES = 0.2
TRIES_AFTER = 3  # to get a reply from a server that more clients have asked than it could answer
TIMEOUT_FACTOR = 10
TIMEOUT_S = 30.0
# Whoever has no answer by then has none, beside slow clients: one that is idle holds a sync worker
# for gunicorn's 30 s.
SLOW_TIMEOUT_S = 3
FAILING_TIMEOUT_S = 40.0  # of a load that may fail, which has time-outs of its own


Steps = Generator[None, None, Trial]


class AbortedError(LoadError):
    """A load that gave up where failures are counted: what it completed is the trial's answer."""


def steps(turn: Turn, size: Size, world: World, folder: Path, slices: int = 1) -> Steps:
    """Return the turn's trial, valid or not, by steps: each slice of its load waits to be asked.

    So those of several trials can go on by turns. Raw output goes to the folder, which must be
    empty.
    """
    outline = _outline(turn, size)
    if size.not_run:
        return replace(outline, invalid=f"not run: {size.not_run}", log=size.log)
    try:
        with world.start(turn.cell.lane, folder) as server:
            workers, heard = server.workers(), server.listening()
            try:
                load = _Load(turn.cell, size, server, world, folder, slices)
                trial = yield from _measured(outline, load)
                trial = replace(trial, invalid=changes.changed(server, workers) or trial.invalid)
                return _heard(trial, heard, server.listening())
            except (InvalidTrialError, LoadError, ServerError) as error:
                reason = changes.changed(server, workers) or changes.changed_soon(server, workers)
                trial = replace(
                    outline,
                    complete=error.complete if isinstance(error, LoadError) else None,
                    aborted=isinstance(error, AbortedError) and not reason,
                    invalid=f"{reason} ({error})" if reason else str(error),
                    log=server.log_end(),
                )
                return _heard(trial, heard, server.listening())
    except ServerError as error:
        return replace(outline, invalid=error.reason, log=error.log)


def _outline(turn: Turn, size: Size) -> Trial:
    return Trial(
        lane=turn.cell.lane.name,
        block=turn.block,
        position=turn.position,
        **asdict(turn.cell.workload),
        rate_rps=size.rate_rps,
        requests=size.requests,
        warmup_requests=size.warmup_requests,
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


def _heard(trial: Trial, before: Listening, after: Listening) -> Trial:
    """Return the trial with its listen queue's length, and how often that was full meanwhile."""
    return replace(trial, listen_queue=before.queue, listen_overflows=after.since(before))


@dataclass(frozen=True, slots=True)
class _Load:
    """What a trial puts on its server, where, and in how many slices."""

    cell: Cell
    size: Size
    server: Serving
    world: World
    folder: Path
    slices: int

    def warm_up(self) -> None:
        asked = warmup(self.cell, self.server, self.size, self.folder / "warmup")
        self.world.apply(self.cell.workload.load, asked, self.size.seconds)

    def put_on(self) -> Generator[None, None, list[Slice]]:
        """Return the slices; wait before each to be asked. Slow clients stand all the time."""
        with self._beside() as held:
            return (yield from self._slices(held))

    def _beside(self) -> AbstractContextManager[CpuSeconds]:
        slow = self.cell.workload.slow
        if not slow:
            return nullcontext(lambda: 0.0)
        scratch = self.folder / "slow"
        scratch.mkdir()
        return self.world.hold(slow, self.server.url(self.cell.workload.target), scratch)

    def _slices(self, held: CpuSeconds) -> Generator[None, None, list[Slice]]:
        done = []
        for number, requests in enumerate(shares(self.size.requests, self.slices), 1):
            if self.slices > 1:
                yield
            name = f"load-{number}" if self.slices > 1 else "load"
            done.append(self._slice(requests, self.folder / name, held))
        return done

    def _slice(self, requests: int, scratch: Path, held: CpuSeconds) -> Slice:
        server, world = self.server, self.world
        asked = order(self.cell, server, requests, scratch, self.size.rate_rps)
        before, own_s, seen = server.usage(), time.process_time() + held(), world.look()
        applied = self._apply(asked)
        after, own_s, now = server.usage(), time.process_time() + held() - own_s, world.look()
        used = {pid: after.cpu_s[pid] - before.cpu_s.get(pid, 0.0) for pid in after.cpu_s}
        outside = None
        if seen and now:
            own_s += applied.supervisor_cpu_s
            outside = between(seen, now, sum(used.values()) + applied.cpu_s + own_s)
        return Slice(applied.measurement, used, applied.cpu_s, outside)

    def _apply(self, asked: Order) -> Applied:
        try:
            return self.world.apply(self.cell.workload.load, asked, self.size.seconds)
        except LoadError as error:
            if asked.failing and error.gave_up:
                raise AbortedError(error.reason, error.complete) from None
            raise

    def verify_after(self, body: bytes, complete: int) -> None:
        """Verify that the reply is the same again; a server may need time to recover."""
        target, failing = self.cell.workload.target, self.cell.workload.failing
        for left in reversed(range(TRIES_AFTER if failing else 1)):
            try:
                return verify(self.server.reply(target), body, BEFORE)
            except ServerError as error:
                if failing and not left:
                    raise AbortedError(f"after the load: {error.reason}", complete) from None
                if not failing:
                    raise


def _measured(outline: Trial, load: _Load) -> Steps:
    cell, server = load.cell, load.server
    first = server.reply(cell.workload.target)
    verify(first, load.size.body, load.size.whose)
    size = replace(load.size, body=first.body)  # where calibration failed, no other is known
    load.warm_up()
    serial_ms = _serial_ms(cell, server)
    slices = yield from load.put_on()
    memory_mib = server.usage().memory_mib
    whole = merged(slices)
    load.verify_after(first.body, whole.measurement.complete)
    measurement = whole.measurement
    return replace(
        outline,
        complete=measurement.complete,
        failed=measurement.failed,
        failures=dict(measurement.failures),
        offered_rps=measurement.offered_rps,
        late_ms=measurement.late_ms,
        load_user_s=measurement.user_s,
        load_system_s=measurement.system_s,
        seconds=measurement.seconds,
        throughput_rps=measurement.throughput_rps,
        latency_ms=asdict(measurement.latency_ms) if measurement.latency_ms else None,
        cpu_us_per_request=whole.cpu_us_per_request,
        worker_cpu_share=whole.parts(sorted(server.workers())),
        load_cores=whole.load_cores,
        outside_cores=whole.outside.cores if whole.outside else None,
        serial_ms=serial_ms,
        memory_mib=memory_mib,
        startup_s=server.startup_s,
        kept_alive=measurement.kept_alive,
        document_bytes=measurement.document_bytes,
        short=measurement.seconds < SHORT * size.seconds,
        invalid=_fault(slices, cell, size)
        or overloaded(measurement.process_cores or whole.load_cores, cell)
        or (whole.outside.fault() if whole.outside else None),
    )


def _fault(slices: list[Slice], cell: Cell, size: Size) -> str | None:
    """Return the first rule that a slice breaks, in words, or None."""
    parts = zip(slices, shares(size.requests, len(slices)), strict=True)
    reasons = (fault(part.measurement, cell, replace(size, requests=n)) for part, n in parts)
    return next(filter(None, reasons), None)


def _serial_ms(cell: Cell, server: Serving) -> float | None:
    """Return the middle latency of single requests on one kept-alive connection, if it is kept.

    Raises InvalidTrialError where each waits for a delayed acknowledgement: a server that writes
    a reply in two pieces on a socket without TCP_NODELAY answers 25 such requests a second.
    """
    if cell.lane.keeps_alive is False or not cell.workload.keep_alive:
        return None
    before = server.usage()
    took_s = server.serial_s(cell.workload.target, SERIAL_REQUESTS)
    after = server.usage()
    used_s = sum(after.cpu_s.values()) - sum(before.cpu_s.values())
    serial_ms = 1000 * median(took_s)
    waited_ms = serial_ms - wait_ms(cell.workload.target)
    if waited_ms >= DELAYED_ACK_MS and used_s < IDLE_CORES * sum(took_s):
        raise InvalidTrialError(
            f"single requests took {serial_ms:.0f} ms each while the server's CPU was idle: "
            "the sign of delayed acknowledgements (a socket without TCP_NODELAY)"
        )
    return serial_ms


def order(
    cell: Cell, server: Serving, requests: int, scratch: Path, rate_rps: float | None = None
) -> Order:
    """Return the cell's load of so many requests, at a rate if one is given.

    Its folder is made anew.
    """
    scratch.mkdir(exist_ok=True)
    workload = cell.workload
    return Order(
        url=server.url(workload.target),
        requests=requests,
        concurrency=min(workload.concurrency, requests),
        keep_alive=workload.keep_alive,
        scratch=scratch,
        rate_rps=rate_rps,
        failing=workload.failing,
        timeout_s=SLOW_TIMEOUT_S if workload.slow else None,
    )


def warmup(cell: Cell, server: Serving, size: Size, scratch: Path) -> Order:
    """Return the load that reaches every worker: several get a connection for each request.

    Of 20 kept alive, in 51 of 55 warm-ups some of four workers got none, and in 40 one of these
    worked in the trial. The first 500 requests of a worker cost some 11 % more CPU than later ones.
    """
    few = replace(cell, workload=modest(cell.workload))
    asked = order(few, server, size.warmup_requests, scratch)
    return replace(asked, keep_alive=asked.keep_alive and not cell.lane.spread)


def apply(
    load: Load,
    interruption: Interruption,
    order: Order,
    seconds: float,
    cores: Iterable[int] = (),
) -> Applied:
    """Run the load, on some cores or all, and return what it measured, or raise LoadError.

    Its output stays in the order's folder. An interruption ends it, too, as does a load that
    takes far longer than the `seconds` that were planned. Raises OSError if it cannot be started.
    """
    timeout_s = FAILING_TIMEOUT_S if order.failing else TIMEOUT_FACTOR * seconds + TIMEOUT_S
    streams = order.scratch / "stdout.txt", order.scratch / "stderr.txt"
    with (
        streams[0].open("wb") as stdout,
        streams[1].open("wb") as stderr,
        Supervised(load.command(order), stdout=stdout, stderr=stderr, cores=cores) as process,
    ):
        if not interruption.wait(process.group, timeout_s):
            raise LoadError(f"{load.name}: not done after {timeout_s:g} s", gave_up=True)
    texts = (stream.read_text(errors="replace") for stream in streams)
    measurement = load.parse(order, process.end(), *texts)
    if isnan(process.cpu_s):
        raise LoadError(f"{load.name}: its supervisor was killed")
    return Applied(measurement, process.cpu_s, process.supervisor_cpu_s)
