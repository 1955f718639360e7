"""What would spoil a run: each check on made-up machines, all of them on this one."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtest import doctor
from loadtest.__main__ import main
from loadtest.doctor import NOT_KNOWN, NOTE, OK, SPOILS, Asked, Finding, examine
from loadtest.load import LoadError, LoadMissingError
from loadtest.machines import Machine

CPU = "sys/devices/system/cpu"
CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
GOVERNOR = f"{CPU}/cpu0/cpufreq/scaling_governor"
THROTTLED = f"{CPU}/cpu0/thermal_throttle/core_throttle_count"
CGROUP = "proc/self/cgroup"

FAULTLESS = {
    "proc/stat": "cpu  1000 0 0 9000 0 0 0 0 0 0\n",
    "proc/vmstat": "nr_free_pages 1\npswpin 7\npswpout 8\n",
    "proc/meminfo": "MemAvailable: 8388608 kB\nSwapTotal: 1048576 kB\nSwapFree: 1048576 kB\n",
    "proc/sys/net/core/somaxconn": "4096\n",
    "proc/sys/net/ipv4/tcp_max_syn_backlog": "2048\n",
    "proc/sys/net/ipv4/tcp_syncookies": "1\n",
    "proc/sys/net/ipv4/ip_local_port_range": "32768\t60999\n",
    "proc/sys/net/ipv4/tcp_tw_reuse": "2\n",
    "proc/sys/kernel/yama/ptrace_scope": "0\n",
    CGROUP: "0::/user.slice\n",
    "sys/fs/cgroup/cpu.max": "max 100000\n",
    GOVERNOR: "performance\n",
    f"{CPU}/intel_pstate/no_turbo": "1\n",
    THROTTLED: "0\n",
    CLOCK: "tsc\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def machine(root: Path, during: Callable[[], None] = lambda: None) -> Machine:
    """Return a machine with the files below root; `during` happens while it is watched."""
    return Machine(
        root,
        sleep=lambda _: during(),
        cores=lambda: 8,
        open_files=lambda: 1024,
        which=lambda program: f"/usr/bin/{program}",
        ab_version=lambda: "2.3 <$Revision: 1923142 $>",
        foreign_variables=list,
        tracing=list,
        user=lambda: 1000,
    )


def faults(findings: list[Finding]) -> dict[str, str]:
    return {finding.check: finding.level for finding in findings if finding.level != OK}


def test_nothing_is_to_be_done_on_a_faultless_machine(tmp_path: Path) -> None:
    write(tmp_path, FAULTLESS)
    findings = examine(Asked(), machine(tmp_path))
    assert faults(findings) == {}
    assert [finding.remedy for finding in findings] == [None] * len(doctor.CHECKS)
    assert not doctor.spoils(findings)


@pytest.mark.parametrize(
    ("files", "asked", "check", "level", "found", "remedy"),
    [
        ({GOVERNOR: "powersave"}, Asked(), "CPU governor", SPOILS, "powersave", "-g performance"),
        (
            {f"{CPU}/intel_pstate/no_turbo": "0"},
            *(Asked(), "turbo", NOTE, "on"),
            f"echo 1 | sudo tee /{CPU}/intel_pstate/no_turbo",
        ),
        ({THROTTLED: "9"}, Asked(), "heat", NOTE, "9 since the start", "cool"),
        ({CLOCK: "hpet"}, Asked(), "clock", SPOILS, "hpet", "echo tsc"),
        (
            {"proc/meminfo": "MemAvailable: 614399 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB"},
            *(Asked(workers=4), "free memory", SPOILS, "599 MiB", "600 MiB are needed"),
        ),
        (
            {"proc/meminfo": "MemAvailable: 8388608 kB\nSwapTotal: 2048 kB\nSwapFree: 1024 kB"},
            *(Asked(), "swap", NOTE, "1 MiB used, 0 pages moved", "swapoff"),
        ),
        ({}, Asked(concurrency=961), "open files", SPOILS, "1,024", "`ulimit -n 1025`"),
        ({}, Asked(concurrency=960), "open files", OK, "1,024", None),
        (
            {"proc/sys/net/core/somaxconn": "128"},
            *(Asked(concurrency=129), "listen queue", SPOILS, "128", "net.core.somaxconn=129"),
        ),
        (
            {"proc/sys/net/core/somaxconn": "128"},
            *(Asked(concurrency=128), "listen queue", OK, "128", None),
        ),
        (
            {"proc/sys/net/ipv4/tcp_max_syn_backlog": "512\n"},
            *(Asked(concurrency=513), "half-open connections", NOTE, "512, with SYN cookies"),
            "tcp_max_syn_backlog=513",
        ),
        (
            {
                "proc/sys/net/ipv4/tcp_max_syn_backlog": "512\n",
                "proc/sys/net/ipv4/tcp_syncookies": "0\n",
            },
            *(Asked(concurrency=513), "half-open connections", SPOILS, "512, without SYN"),
            "tcp_max_syn_backlog=513",
        ),
        (
            {"proc/sys/net/ipv4/ip_local_port_range": "60000 60499"},
            *(Asked(concurrency=501), "local ports", SPOILS, "500, for 501 clients"),
            "ip_local_port_range",
        ),
        (
            {"proc/sys/net/ipv4/tcp_tw_reuse": "0"},
            *(Asked(seconds=5), "local ports", NOTE, "28,232; a load that closes first "),
            "tcp_tw_reuse=2",
        ),
        (
            {"proc/sys/net/ipv4/ip_local_port_range": "60000 60999"},
            *(Asked(), "local ports", NOTE, "1,000; a load", "seconds"),
        ),
        (
            {"sys/fs/cgroup/user.slice/cpu.max": "150000 100000"},
            *(Asked(), "CPU quota", SPOILS, "1.5 cores of 8", "--cpus"),
        ),
        ({"sys/fs/cgroup/cpu.max": "50000 100000"}, Asked(), "CPU quota", SPOILS, "0.5", "--cpus"),
        ({"sys/fs/cgroup/cpu.max": "800000 100000"}, Asked(), "CPU quota", OK, "8 cores", None),
        (
            {
                CGROUP: "5:pids:/x\n4:cpu,cpuacct:/docker/abc\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "200000\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            },
            *(Asked(), "CPU quota", SPOILS, "2 cores of 8", "--cpus"),
        ),
        ({"proc/sys/kernel/yama/ptrace_scope": "1"}, Asked(), "ptrace", NOTE, "1", "sysctl"),
        ({}, Asked(workers=8), "cores", NOTE, "8, for 8 workers and the load", "--workers 7"),
    ],
)
def test_one_fault_is_found_alone_with_its_remedy(
    tmp_path: Path,
    files: dict[str, str],
    asked: Asked,
    check: str,
    level: str,
    found: str,
    remedy: str | None,
) -> None:
    write(tmp_path, FAULTLESS | files)
    findings = examine(asked, machine(tmp_path))
    assert faults(findings) == ({} if level == OK else {check: level})
    (finding,) = (finding for finding in findings if finding.check == check)
    assert found in finding.found
    assert finding.remedy is None if remedy is None else remedy in (finding.remedy or "")


def missing() -> str:
    raise LoadMissingError("ab", "apt-get install apache2-utils")


def mute() -> str:
    raise LoadError("ab: -V names no version")


@pytest.mark.parametrize(
    ("answers", "check", "level", "found"),
    [
        ({"cores": lambda: 1}, "cores", SPOILS, "1, for 4"),
        ({"open_files": lambda: 83}, "open files", SPOILS, "83"),
        ({"open_files": lambda: -1}, "open files", OK, "no limit"),
        ({"ab_version": missing}, "ab", SPOILS, "is not installed"),
        ({"ab_version": mute}, "ab", SPOILS, "names no version"),
        ({"ab_version": lambda: "2.4-dev"}, "ab", NOTE, "2.4-dev"),
        ({"foreign_variables": lambda: ["PORT"]}, "variables", NOTE, "PORT"),
        ({"tracing": lambda: ["a debug build"]}, "Python", SPOILS, "a debug build"),
    ],
)
def test_what_is_no_file_is_judged_too(
    tmp_path: Path, answers: dict[str, Callable[[], object]], check: str, level: str, found: str
) -> None:
    write(tmp_path, FAULTLESS)
    findings = examine(Asked(), replace(machine(tmp_path), **answers))  # type: ignore[arg-type]
    assert faults(findings) == ({} if level == OK else {check: level})
    assert found in next(finding.found for finding in findings if finding.check == check)


def test_missing_programs_are_only_noted(tmp_path: Path) -> None:
    write(tmp_path, FAULTLESS)
    findings = examine(Asked(), replace(machine(tmp_path), which=lambda _: None))
    assert faults(findings) == {"h2load": NOTE, "profiler": NOTE}
    assert "nghttp2-client" in str(findings)


def test_root_may_trace_unless_nobody_may(tmp_path: Path) -> None:
    root = replace(machine(tmp_path), user=lambda: 0)
    for scope, expected in (("1", {}), ("3", {"ptrace": NOTE})):
        write(tmp_path, FAULTLESS | {"proc/sys/kernel/yama/ptrace_scope": scope})
        assert faults(examine(Asked(), root)) == expected


@pytest.mark.parametrize(
    ("files", "check", "found", "remedy"),
    [
        (
            {
                "proc/stat": "cpu  1900 0 0 9000 0 0 0 0 0 0\n",
                "proc/77/stat": f"77 ([red]) R 1 {8 * '0 '}0 900 0 0 0",
            },
            *("other load", "[red] (pid 77)", "kill 77"),
        ),
        (
            {
                "proc/stat": "cpu  1900 0 0 9000 0 0 0 0 0 0\n",
                "proc/78/stat": f"78 (kworker/0:1) R 2 {8 * '0 '}0 900 0 0 0",
            },
            *("other load", "kworker/0:1 (pid 78)", "`top`"),
        ),
        ({"proc/stat": "cpu  1000 0 0 9 0 0 0 900 0 0\n"}, "other load", "stolen", "`top`"),
        ({"proc/vmstat": "pswpin 7\npswpout 11\n"}, "swap", "3 pages moved", "swapoff"),
        ({THROTTLED: "2"}, "heat", "slowed 2 times", "cool"),
    ],
)
def test_what_happens_while_the_machine_is_watched_spoils(
    tmp_path: Path, files: dict[str, str], check: str, found: str, remedy: str
) -> None:
    write(tmp_path, FAULTLESS)
    findings = examine(Asked(), machine(tmp_path, during=lambda: write(tmp_path, files)))
    assert faults(findings) == {check: SPOILS}
    (finding,) = (finding for finding in findings if finding.check == check)
    assert found in finding.found and remedy in (finding.remedy or "")
    assert doctor.spoils(findings)


FROM_FILES = (
    *("other load", "CPU quota", "CPU governor", "turbo", "heat", "clock", "free memory"),
    *("swap", "listen queue", "half-open connections", "local ports", "ptrace"),
)


@pytest.mark.parametrize("text", [None, "", "?\n", "1 2 3 4 5 6 7 8 9 10 11", "0::/\n1:cpu:x"])
def test_what_cannot_be_read_is_not_known(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        write(tmp_path, dict.fromkeys(FAULTLESS, text))
    findings = examine(Asked(), machine(tmp_path))
    unclear = {finding.check for finding in findings if finding.level == NOT_KNOWN}
    assert unclear <= set(FROM_FILES)
    assert text or unclear == set(FROM_FILES)
    assert "free memory" in unclear


def test_this_machine_can_be_examined() -> None:
    findings = examine(Asked())
    assert [finding.check for finding in findings] == [check.name for check in doctor.CHECKS]
    for finding in findings:
        assert (finding.remedy is None) == (finding.level in (OK, NOT_KNOWN))
    assert json.loads(json.dumps([asdict(finding) for finding in findings]))


@pytest.mark.parametrize(("level", "status"), [(SPOILS, 1), (NOTE, 0), (NOT_KNOWN, 0), (OK, 0)])
def test_command_says_it_in_lines_and_in_json(
    monkeypatch: pytest.MonkeyPatch, level: str, status: int
) -> None:
    asked: list[Asked] = []
    found = Finding("other load", level, "[red] (pid 77) 0.90", "`kill 77`")
    monkeypatch.setattr(doctor, "examine", lambda what: asked.append(what) or [found])
    options = ["doctor", "--concurrency", "7", "--workers", "2", "--seconds", "3"]
    lines = CliRunner().invoke(main, options)
    assert lines.exit_code == status
    assert all(text in lines.stdout for text in (level, "[red] (pid 77) 0.90", "`kill 77`"))
    assert "\x1b" not in lines.stdout
    as_json = CliRunner().invoke(main, [*options, "--json"])
    assert as_json.exit_code == status
    assert [Finding(**row) for row in json.loads(as_json.stdout)] == [found]
    assert asked == 2 * [Asked(concurrency=7, workers=2, seconds=3)]
