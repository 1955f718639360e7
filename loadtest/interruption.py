"""Ctrl-C, SIGTERM and a closed terminal, noticed where the experiment waits and nowhere else.

An exception out of a signal handler could strike between a process's start and the line that
remembers its pid, and leave that process behind. So the handler only notes the signal and wakes
the wait; `wait` and `check` raise.
"""

import os
import select
import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """Somebody wants the run to end; `signum` says by which signal."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum


class Interruption:
    """Within its `with` block, SIGNALS end the waits of this object; nohup still holds."""

    def __init__(self) -> None:
        self.signum: int | None = None
        self._wakeup, self._bell = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def __enter__(self) -> "Interruption":
        under_nohup = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        signals = [s for s in SIGNALS if not (under_nohup and s == signal.SIGHUP)]
        self._before = {signum: signal.signal(signum, self._note) for signum in signals}
        return self

    def __exit__(self, *exception: object) -> None:
        for signum, handler in self._before.items():
            signal.signal(signum, handler)
        os.close(self._wakeup)
        os.close(self._bell)

    def _note(self, signum: int, frame: FrameType | None) -> None:
        self.signum = signum
        os.write(self._bell, b"!")

    def check(self) -> None:
        """Raise Interrupted if a signal has come."""
        if self.signum is not None:
            raise Interrupted(self.signum)

    def sleep(self, seconds: float) -> None:
        """Sleep, or raise Interrupted."""
        self._until(None, seconds)

    def wait(self, pid: int, timeout_s: float) -> bool:
        """Return whether our child ended within the time; it is not reaped. Or Interrupted."""
        descriptor = os.pidfd_open(pid)
        try:
            return self._until(descriptor, timeout_s)
        finally:
            os.close(descriptor)

    def _until(self, descriptor: int | None, timeout_s: float) -> bool:
        self.check()
        awaited = [self._wakeup] if descriptor is None else [self._wakeup, descriptor]
        ready, _, _ = select.select(awaited, [], [], timeout_s)
        self.check()
        return descriptor in ready
