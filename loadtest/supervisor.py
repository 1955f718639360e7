"""A program that runs one command and lets nothing of it outlive the command, or the harness.

    python -I -S supervisor.py ALIVE REPORT CORES COMMAND [ARGUMENT ...]

ALIVE is the read end of a pipe whose write end the harness alone holds: it closes however the
harness ends, by SIGKILL too. REPORT is the write end of a pipe that gets two lines: the command's
pid, or the negated errno if it cannot be started; and, when nothing is left, the CPU seconds of
the command and all that it started, and those of this program. CORES such as 0,1 are the only
ones for all of them, if any. They may open as many files as the hard limit allows.

The program ends as the command does: with the same exit status, by the same signal. It imports
little, since each trial starts it three times, and it sleeps while the command runs.
"""

import ctypes
import os
import resource
import select
import signal
import sys
import time

# From <linux/prctl.h>.
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36

# A connection takes a file at both of its ends. Shells start with 1,024; the hard limit may be a
# thousand million, which some programs count up to.
MOST_FILES = 65_536

_prctl = ctypes.CDLL(None).prctl

# What is sent to the group is for the command. A handler, unlike SIG_IGN, is not inherited.
FOR_THE_COMMAND = (
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM),
)


def main() -> None:
    """Run the command that the arguments name, and end as it did."""
    alive, report = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(alive, False)
    os.set_inheritable(report, False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become ours, in whatever session
    for signum in FOR_THE_COMMAND:
        signal.signal(signum, _pass)
    _raise_files()
    if sys.argv[3]:
        os.sched_setaffinity(0, map(int, sys.argv[3].split(",")))
    try:
        command = _start(sys.argv[4:])
    except OSError as error:
        _tell(report, -(error.errno or 1))
        os._exit(127)
    try:
        _tell(report, command)
        _wait(command, alive)
    finally:
        status, cpu_s = _end_all(command)
    _tell(report, cpu_s, time.process_time())
    _end_with(os.waitstatus_to_exitcode(status))


def _raise_files() -> None:
    """Let the command open as many files as this user may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _pass(*_: object) -> None:
    pass


def _start(command: list[str]) -> int:
    # Python ignores SIGPIPE and SIGXFSZ, a shell what it starts with `&`, and nohup SIGHUP.
    return os.posix_spawnp(
        command[0], command, os.environ, setsigmask=[], setsigdef=signal.valid_signals()
    )


def _tell(report: int, *numbers: float) -> None:
    try:
        os.write(report, (" ".join(map(str, numbers)) + "\n").encode())
    except BrokenPipeError:
        pass  # the harness is gone: so is ALIVE's other end, which says the same


def _wait(command: int, alive: int) -> None:
    """Return when the command has ended, or the harness has."""
    poll = select.poll()
    poll.register(os.pidfd_open(command), select.POLLIN)
    poll.register(alive, select.POLLHUP)
    poll.poll()


def _end_all(command: int) -> tuple[int, float]:
    """Kill all that lives; return the command's wait status and the CPU seconds of everything.

    When no child is left there is no descendant either, since each orphan becomes a child.
    """
    status, cpu_s = 0, 0.0
    while True:
        try:
            pid, ended, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return status, cpu_s
        if not pid:
            _kill_children()
            time.sleep(0.001)
            continue
        cpu_s += used.ru_utime + used.ru_stime
        if pid == command:
            status = ended


def _kill_children() -> None:
    """Send SIGKILL to each child. No pid can be another's by now: we alone reap them."""
    own = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit() and _parent(name) == own:
            try:
                os.kill(int(name), signal.SIGKILL)
            except PermissionError:
                pass  # it runs as another user; the rest is ended all the same


def _parent(pid: str) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            stat = file.read()
    except OSError:
        return 0
    # The name stands in parentheses and may hold anything, parentheses too.
    return int(stat[stat.rindex(b")") + 2 :].split()[1])


def _end_with(code: int) -> None:
    if code < 0:
        _prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # one core file is enough
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
