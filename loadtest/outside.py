"""Load from outside: what the machine's cores do beyond what the caller answers for."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from loadtest.interruption import Interruption
from loadtest.processes import PROC

LOOK_S = 1.0

# Trials of 1.25 s on two cores, four lanes, with nobody else there showed -0.08 to 0.04 cores from
# outside; 64 beside a process that only spins 0.78 and more. Against the control group's
# nanoseconds the ticks were wrong by -0.09 to 0.02 cores: too few while one process fills a core.
QUIET_CORES = 0.15
# What the ticks may be wrong by, by chance. 240 short trials: at most 0.14 cores in 0.3 s, 0.26 in
# 0.1 s.
CHANCE_S = 0.03
NAMED = 3  # of the busiest processes
NAMED_CORES = 0.02  # two ticks of 10 ms in a look
KTHREADD = 2  # the parent of the kernel's own threads


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What all cores have done since the machine started, in seconds, and when that was read.

    `busy_s` is user, nice, system and interrupts; `steal_s` what the host gave to others.
    """

    at_s: float
    busy_s: float
    steal_s: float


@dataclass(frozen=True, slots=True)
class Outside:
    """Load that was not the caller's, in cores; a little below 0 where the ticks fell short.

    `parts` is how many times, apart from one another, it was looked for in these seconds.
    """

    seconds: float
    outside_cores: float
    steal_cores: float
    parts: int = 1

    @property
    def cores(self) -> float:
        """Return both together: a core that is stolen is as lost as one that is taken."""
        return self.outside_cores + self.steal_cores

    @property
    def quiet(self) -> bool:
        """Return whether a run may begin, or a trial count."""
        return self.cores <= bound_cores(self.seconds, self.parts)

    def fault(self) -> str | None:
        """Return why a trial beside this load counts for nothing, None if it was quiet."""
        if self.quiet:
            return None
        return (
            f"load from outside: {self.outside_cores:.2f} cores busy and {self.steal_cores:.2f} "
            f"stolen, at most {bound_cores(self.seconds, self.parts):.2f} may be"
        )


@dataclass(frozen=True, slots=True)
class Busy:
    """A process that uses the CPU. Its arguments are left out: a run's file may be published."""

    pid: int
    name: str
    cores: float
    kernel: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """The load of others over `LOOK_S`, and who they are, the busiest first."""

    load: Outside
    busiest: tuple[Busy, ...] = ()

    def __str__(self) -> str:
        """Return for instance `1.02 cores busy, 0.00 stolen: python3 (pid 4711) 1.00`."""
        names = ", ".join(f"{busy.name} (pid {busy.pid}) {busy.cores:.2f}" for busy in self.busiest)
        text = f"{self.load.outside_cores:.2f} cores busy, {self.load.steal_cores:.2f} stolen"
        return f"{text}: {names}" if names else text


@dataclass(frozen=True, slots=True)
class Wait:
    """How long a run waited for a quiet machine, and what load was left; None: cannot be seen."""

    waited_s: float
    left: Look | None

    @property
    def quiet(self) -> bool | None:
        """Return whether the machine became quiet, None if that cannot be seen."""
        return None if self.left is None else self.left.load.quiet


def bound_cores(seconds: float, parts: int = 1) -> float:
    """Return the load from outside that so long a time may show, in cores.

    What the ticks are wrong by in several parts adds up as chance does.
    """
    return QUIET_CORES + CHANCE_S * sqrt(parts) / seconds


def together(parts: Sequence[Outside]) -> Outside:
    """Return the load in several times as one."""
    seconds = sum(part.seconds for part in parts)
    return Outside(
        seconds=seconds,
        outside_cores=sum(part.outside_cores * part.seconds for part in parts) / seconds,
        steal_cores=sum(part.steal_cores * part.seconds for part in parts) / seconds,
        parts=sum(part.parts for part in parts),
    )


def snapshot(proc: Path = PROC) -> Snapshot | None:
    """Return what /proc/stat says now, None where it says nothing."""
    try:
        words = (proc / "stat").read_text().partition("\n")[0].split()
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, words[1:9])
    except (OSError, ValueError):
        return None
    busy = user + nice + system + irq + softirq
    if not busy:  # some sandboxes have the file, full of zeros
        return None
    return Snapshot(time.perf_counter(), busy / _ticks(), steal / _ticks())


def _ticks() -> int:
    return os.sysconf("SC_CLK_TCK")


def between(before: Snapshot, after: Snapshot, ours_s: float) -> Outside:
    """Return the load from outside between two snapshots; `ours_s` CPU seconds were the caller's.

    `ours_s` is the server's group, the load and this process; what has ended before it could be
    read counts as from outside.
    """
    elapsed_s = after.at_s - before.at_s
    return Outside(
        seconds=elapsed_s,
        outside_cores=(after.busy_s - before.busy_s - ours_s) / elapsed_s,
        steal_cores=(after.steal_s - before.steal_s) / elapsed_s,
    )


def look(sleep: Callable[[float], None], proc: Path = PROC) -> Look | None:
    """Return the load of others over the next second, None where it cannot be seen."""
    own_s, before, used = time.process_time(), snapshot(proc), _used(proc)
    sleep(LOOK_S)
    now, after = _used(proc), snapshot(proc)
    if before is None or after is None:
        return None
    load = between(before, after, time.process_time() - own_s)
    return Look(load, _busiest(used, now, after.at_s - before.at_s))


def _busiest(
    before: dict[int, tuple[Busy, int]], after: dict[int, tuple[Busy, int]], elapsed_s: float
) -> tuple[Busy, ...]:
    found = []
    for pid, (busy, ticks) in after.items():
        spent = ticks - before[pid][1] if pid in before else ticks
        cores = round(spent / _ticks() / elapsed_s, 2)
        if cores >= NAMED_CORES:
            found.append(Busy(pid, busy.name, cores, busy.kernel))
    return tuple(sorted(found, key=lambda busy: -busy.cores)[:NAMED])


def _used(proc: Path) -> dict[int, tuple[Busy, int]]:
    """Return the processes but this one, each with the ticks it has used, by pid."""
    return {busy.pid: (busy, ticks) for busy, ticks in _listed(proc) if busy.pid != os.getpid()}


def _listed(proc: Path) -> Iterator[tuple[Busy, int]]:
    for file in proc.glob("[0-9]*/stat"):
        try:
            stat = file.read_text(errors="replace")
        except OSError:  # it has ended
            continue
        # The name stands in parentheses and may hold anything, parentheses too.
        pid, name = stat[: stat.rindex(")")].split(" (", 1)
        words = stat[stat.rindex(")") + 2 :].split()
        yield Busy(int(pid), name, 0.0, int(words[1]) == KTHREADD), int(words[11]) + int(words[12])


def wait_for_quiet(
    interruption: Interruption, patience_s: float, say: Callable[[str], None], proc: Path = PROC
) -> Wait:
    """Return when the load of others is within `bound_cores`, or after the patience.

    `say` is told once who is waited for, and once if that was in vain. Raises Interrupted.
    """
    began = time.perf_counter()
    seen = look(interruption.sleep, proc)
    told = False
    while seen is not None and not seen.load.quiet:
        if time.perf_counter() - began >= patience_s:
            say(f"this machine did not become quiet within {patience_s:g} s ({seen})")
            break
        if not told:
            say(f"waiting up to {patience_s:g} s for a quiet machine ({seen})")
            told = True
        seen = look(interruption.sleep, proc)
    return Wait(round(time.perf_counter() - began, 2), seen)
