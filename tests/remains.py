"""What a test's processes have left behind: each inherits a mark in its environment."""

import time
from pathlib import Path

PATIENCE_S = 5.0
EXEC_S = 0.2  # amidst its exec a process has no environment


def left_behind(mark: str) -> list[str]:
    """Return the command lines of the processes whose environment holds the mark."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def left_soon(mark: str) -> list[str]:
    """Return what is still left behind after five seconds, or nothing as soon as that is sure."""
    last = time.perf_counter()
    deadline = last + PATIENCE_S
    while (now := time.perf_counter()) < min(deadline, last + EXEC_S):
        if left_behind(mark):
            last = now
        time.sleep(0.01)
    return left_behind(mark)
