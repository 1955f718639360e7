"""What became of a server's processes: the first one ended, workers were replaced."""

import time

from loadtest.world import Serving

EXIT_S = 0.25  # within which a process is seen to be gone whose connections have closed


def changed(server: Serving, workers: frozenset[int]) -> str | None:
    """Return what became of the server's processes since `workers` were seen, None if nothing."""
    ended = server.ended()
    if ended:
        return ended
    now = server.workers()
    if now == workers:
        return None
    ended = _ended_soon(server) if workers - now else None
    if ended:
        return ended
    gone = ", ".join(map(str, sorted(workers - now))) or "none"
    new = ", ".join(map(str, sorted(now - workers))) or "none"
    return f"the workers changed during the trial (ended: {gone}; new: {new})"


def _ended_soon(server: Serving) -> str | None:
    """Return how the first process ended: its supervisor says so some milliseconds later."""
    deadline = time.monotonic() + EXIT_S
    while time.monotonic() < deadline:
        if ended := server.ended():
            return ended
        time.sleep(0.005)
    return None


def changed_soon(server: Serving, workers: frozenset[int]) -> str | None:
    """Look again: a process that is killed closes its connections before it is seen to be gone."""
    time.sleep(EXIT_S)
    return changed(server, workers)
