"""What on this machine would spoil a run, and the remedy of each: a table of checks."""

import resource
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loadtest import machines, outside
from loadtest.load import LoadError, LoadMissingError
from loadtest.machines import Machine

OK, NOTE, SPOILS, NOT_KNOWN = "ok", "note", "spoils", "not known"

EXTRA_FILES = 64  # of a server and of ab, beside one for each connection
PROCESS_MIB = 100  # a worker took 30 to 40 here
FEW_CLIENTS = 128  # whom every system lets connect at once
TIME_WAIT_S = 60  # Linux's own, which no setting changes
REUSED_AFTER_S = 1  # with tcp_tw_reuse
WITH_WARM_UP = 1.25
SLOW_CLOCKS = ("acpi_pm", "hpet", "jiffies", "pit", "refined-jiffies", "xen")  # a system call each
TURBO = {  # where it is switched, and what means that it is on
    "sys/devices/system/cpu/intel_pstate/no_turbo": "0",
    "sys/devices/system/cpu/cpufreq/boost": "1",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run will ask of the machine.

    `closing_rps` is how many requests a second come with a connection each: aiohttp's development
    server answered up to 4,920 to /healthz on two cores.
    """

    concurrency: int = 20
    workers: int = 4
    seconds: float = 1.25
    closing_rps: float = 5000.0


@dataclass(frozen=True, slots=True)
class Scene:
    """What the checks judge: the machine, what is asked of it, and one second of watching it."""

    machine: Machine
    asked: Asked
    look: outside.Look | None
    swapped_pages: int | None
    throttled: int | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a check saw; `fill` is for its remedy's braces."""

    level: str
    text: str
    fill: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """One row: its name, how to look, and what to do when that is not ok."""

    name: str
    look: Callable[[Scene], Seen]
    remedy: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; `remedy` is None where nothing is to be done."""

    check: str
    level: str
    found: str
    remedy: str | None = None


def examine(asked: Asked, machine: Machine | None = None) -> list[Finding]:
    """Return what each check found, after watching the machine for a second."""
    scene = _watch(machine or Machine(), asked)
    return [_finding(check, scene) for check in CHECKS]


def spoils(findings: list[Finding]) -> bool:
    """Return whether any of it would spoil a run."""
    return any(finding.level == SPOILS for finding in findings)


def _watch(machine: Machine, asked: Asked) -> Scene:
    swapped, throttled = machines.swapped_pages(machine), machines.throttled(machine)
    look = outside.look(machine.sleep, machine.root / "proc")
    return Scene(
        machine,
        asked,
        look,
        _difference(swapped, machines.swapped_pages(machine)),
        _difference(throttled, machines.throttled(machine)),
    )


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _finding(check: Check, scene: Scene) -> Finding:
    try:
        seen = check.look(scene)
    except (OSError, ValueError, LookupError):  # a file that is absent, or says something else
        return Finding(check.name, NOT_KNOWN, "cannot be read here")
    remedy = check.remedy.format_map(seen.fill) if seen.level in (NOTE, SPOILS) else None
    return Finding(check.name, seen.level, seen.text, remedy)


def _known(number: int | None) -> int:
    if number is None:
        raise LookupError
    return number


def _other_load(scene: Scene) -> Seen:
    if scene.look is None:
        raise LookupError
    pids = [str(busy.pid) for busy in scene.look.busiest if not busy.kernel]
    end = f"`kill {' '.join(pids)}`" if pids else "`top` shows it; stolen time is the host's"
    return Seen(OK if scene.look.load.quiet else SPOILS, str(scene.look), {"end": end})


def _cores(scene: Scene) -> Seen:
    cores, needed = scene.machine.cores(), scene.asked.workers + 1
    text = f"{cores}, for {scene.asked.workers} workers and the load"
    level = SPOILS if cores == 1 else NOTE if cores < needed else OK
    return Seen(level, text, {"workers": max(cores - 1, 2)})


def _quota(scene: Scene) -> Seen:
    quota, cores = machines.quota_cores(scene.machine), scene.machine.cores()
    if quota is None or quota >= cores:
        return Seen(OK, "none" if quota is None else f"{quota:g} cores of {cores}")
    return Seen(SPOILS, f"{quota:g} cores of {cores}: then all processes are stopped for a while")


def _governor(scene: Scene) -> Seen:
    governor = scene.machine.read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return Seen(OK if governor == "performance" else SPOILS, governor)


def _turbo(scene: Scene) -> Seen:
    for name, on in TURBO.items():
        if (scene.machine.root / name).exists():
            switched_on = scene.machine.read(name) == on
            fill = {"off": "1" if on == "0" else "0", "file": f"/{name}"}
            return Seen(NOTE if switched_on else OK, "on" if switched_on else "off", fill)
    raise LookupError


def _heat(scene: Scene) -> Seen:
    slowed, ever = _known(scene.throttled), _known(machines.throttled(scene.machine))
    text = f"slowed {slowed} times in a second, {ever} since the start"
    return Seen(SPOILS if slowed else NOTE if ever else OK, text)


def _clock(scene: Scene) -> Seen:
    name = scene.machine.read("sys/devices/system/clocksource/clocksource0/current_clocksource")
    return Seen(SPOILS if name in SLOW_CLOCKS else OK, name)


def _memory(scene: Scene) -> Seen:
    needed = PROCESS_MIB * (scene.asked.workers + 2)
    free = machines.meminfo_mib(scene.machine, "MemAvailable")
    return Seen(OK if free >= needed else SPOILS, f"{free:,} MiB", {"needed": needed})


def _swap(scene: Scene) -> Seen:
    used = machines.meminfo_mib(scene.machine, "SwapTotal") - machines.meminfo_mib(
        scene.machine, "SwapFree"
    )
    moved = scene.swapped_pages or 0
    text = f"{used:,} MiB used, {moved} pages moved in a second"
    return Seen(SPOILS if moved else NOTE if used else OK, text)


def _open_files(scene: Scene) -> Seen:
    limit, needed = scene.machine.open_files(), scene.asked.concurrency + EXTRA_FILES
    enough = limit >= needed or limit == resource.RLIM_INFINITY
    text = "no limit" if limit == resource.RLIM_INFINITY else f"{limit:,}"
    return Seen(OK if enough else SPOILS, text, {"needed": needed})


def _backlog(scene: Scene) -> Seen:
    limit, needed = int(scene.machine.read("proc/sys/net/core/somaxconn")), scene.asked.concurrency
    return Seen(OK if limit >= needed else SPOILS, f"{limit:,}", {"needed": needed})


def _half_open(scene: Scene) -> Seen:
    """Judge connections that are being made. With cookies the listen queue bounds them instead."""
    limit = int(scene.machine.read("proc/sys/net/ipv4/tcp_max_syn_backlog"))
    cookies = scene.machine.read("proc/sys/net/ipv4/tcp_syncookies") != "0"
    needed = scene.asked.concurrency
    text = f"{limit:,}, {'with' if cookies else 'without'} SYN cookies"
    enough = limit >= needed or scene.asked.concurrency <= FEW_CLIENTS
    return Seen(OK if enough else NOTE if cookies else SPOILS, text, {"needed": needed})


def _ports(scene: Scene) -> Seen:
    """Judge the ports that connections hold in TIME_WAIT, at the end that closed first.

    Where the server closes, as these lanes do under ab, none ran out: 12,000 requests over 2,000
    ports, tcp_tw_reuse 0, with and without timestamps. Where the client does, connection 2,001
    failed, with tcp_tw_reuse 2 as well within its first second.
    """
    ports = machines.local_ports(scene.machine)
    reuse = scene.machine.read("proc/sys/net/ipv4/tcp_tw_reuse") != "0"
    # The next trial's server has another port, and the client's can serve again for that.
    trial_s = scene.asked.seconds * WITH_WARM_UP
    held_s = min(trial_s, REUSED_AFTER_S if reuse else TIME_WAIT_S)
    needed = round(scene.asked.closing_rps * held_s)
    text = f"{ports:,}; a load that closes first would hold {needed:,}"
    if scene.asked.concurrency > ports:
        fill = {"setting": "net.ipv4.ip_local_port_range='32768 60999'", "fewer": "clients"}
        return Seen(SPOILS, f"{ports:,}, for {scene.asked.concurrency:,} clients", fill)
    fill = {"setting": "net.ipv4.tcp_tw_reuse=2", "fewer": "`--seconds`"}
    return Seen(OK if ports >= needed else NOTE, text, fill)


def _ab(scene: Scene) -> Seen:
    try:
        version = scene.machine.ab_version().split()[0]
    except (LoadMissingError, LoadError) as error:
        return Seen(SPOILS, str(error))
    return Seen(OK if version == "2.3" else NOTE, version)


def _h2load(scene: Scene) -> Seen:
    found = scene.machine.which("h2load")
    return Seen(OK, found) if found else Seen(NOTE, "missing: no second load")


def _variables(scene: Scene) -> Seen:
    names = scene.machine.foreign_variables()
    fill = {"names": " ".join(names)}
    return Seen(NOTE, ", ".join(names), fill) if names else Seen(OK, "none")


def _python(scene: Scene) -> Seen:
    found = scene.machine.tracing()
    return Seen(SPOILS, ", ".join(found)) if found else Seen(OK, sys.version.split()[0])


def _profiler(scene: Scene) -> Seen:
    found = scene.machine.which("py-spy")
    return Seen(OK, found) if found else Seen(NOTE, "py-spy is missing: no profiles")


def _ptrace(scene: Scene) -> Seen:
    scope = int(scene.machine.read("proc/sys/kernel/yama/ptrace_scope"))
    refused = scope == 3 or (scope and scene.machine.user() != 0)
    return Seen(NOTE if refused else OK, f"ptrace_scope {scope}")


CHECKS = (
    Check("other load", _other_load, "End what is yours of it ({end}), or wait."),
    Check("cores", _cores, "Ask for fewer workers (`--workers {workers}`), or take more cores."),
    Check(
        "CPU quota",
        _quota,
        "Start the container without `--cpus`, or `docker update --cpu-quota -1 NAME`.",
    ),
    Check("CPU governor", _governor, "`sudo cpupower frequency-set -g performance`"),
    Check("turbo", _turbo, "For a steadier clock: `echo {off} | sudo tee {file}`."),
    Check("heat", _heat, "Let it cool, on mains power; see `sensors`."),
    Check(
        "clock",
        _clock,
        "`echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource`",
    ),
    Check("free memory", _memory, "End what holds it (`top -o %MEM`): {needed} MiB are needed."),
    Check("swap", _swap, "`sudo swapoff -a && sudo swapon -a`, with enough memory free."),
    Check("open files", _open_files, "`ulimit -n {needed}`"),
    Check("listen queue", _backlog, "`sudo sysctl -w net.core.somaxconn={needed}`"),
    Check(
        "half-open connections",
        _half_open,
        "`sudo sysctl -w net.ipv4.tcp_max_syn_backlog={needed}`",
    ),
    Check("local ports", _ports, "`sudo sysctl -w {setting}`, or fewer {fewer}."),
    Check("ab", _ab, "`apt-get install apache2-utils`: ab 2.3 is the one whose output is known."),
    Check("h2load", _h2load, "`apt-get install nghttp2-client`"),
    Check("variables", _variables, "Kept from the servers; to be sure: `unset {names}`."),
    Check(
        "Python",
        _python,
        "`unset COVERAGE_PROCESS_START`; for another Python, `make clean bench PYTHON=python3`.",
    ),
    Check("profiler", _profiler, "`.venv/bin/python -m pip install py-spy`"),
    Check("ptrace", _ptrace, "For profiles: `sudo sysctl -w kernel.yama.ptrace_scope=0`."),
)
