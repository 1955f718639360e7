"""What the commands have in common: how an option is read, and what a person can mend."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import isnan
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console

from loadtest import (
    attribution,
    comparison,
    lanes,
    loads,
    own_lane,
    pinning,
    plan,
    profile,
    pythons,
    results,
)
from loadtest.load import LoadError, LoadMissingError

PATIENCE = "For a quiet machine, and for the blocks after --precision's pilot."
NOISY = "Wait for no quiet machine, and count trials beside other load, too."
WIDTH = 140  # in a pipe, where nobody says how wide a line may be

MENDABLE = (
    *(lanes.UnknownLaneError, lanes.NoLaneError, loads.UnknownLoadError),
    *(results.RunFolderError, LoadMissingError, LoadError, profile.ProfileError),
    *(own_lane.OwnLaneError, pythons.PythonMissingError),
    *(pinning.PinError, comparison.IncomparableError),
    *(attribution.NoPartsError, plan.TargetError),
)


class Refusal(click.ClickException):
    """One sentence that says what to do, and exit status 2."""

    exit_code = 2


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what a person can mend into a Refusal."""
    try:
        yield
    except MENDABLE as error:
        raise Refusal(str(error)) from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
            raise
        raise Refusal(
            f"cannot write ({error.strerror}); make room or name another folder with --out"
        ) from None


def split(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    """Return the names in a list such as `a,b,c`."""
    return [name.strip() for name in value.split(",") if name.strip()]


class Seconds(click.FloatRange):
    """How long a trial lasts."""

    def __init__(self) -> None:
        super().__init__(0.05, 60)

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> float:
        seconds: float = super().convert(value, parameter, context)
        if isnan(seconds):  # which no range refuses
            raise Refusal("--seconds must be a number")
        return seconds


class Percent(click.ParamType[float]):
    """A share such as `3%`, as 0.03."""

    name = "percent"

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> float:
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", str(value))
        if not found or not 0.1 <= float(found[1]) <= 50:
            self.fail("give a percentage from 0.1% to 50%, such as 3%", parameter, context)
        return float(found[1]) / 100


class Duration(click.ParamType[float]):
    """A time such as `90s` or `10m`, in seconds."""

    name = "duration"

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> float:
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)", str(value))
        if not found:
            self.fail("give a time such as 90s, 10m or 2h", parameter, context)
        return float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


class Counts(click.ParamType[tuple[int, ...]]):
    """Numbers of clients such as `1,10,100`, in rising order and each once."""

    name = "counts"

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> tuple[int, ...]:
        found = [name.strip() for name in str(value).split(",")]
        if not all(re.fullmatch(r"[1-9]\d{0,4}", name) for name in found):
            self.fail("give numbers from 1 to 99999, such as 1,10,100", parameter, context)
        return tuple(sorted(set(map(int, found))))


def refuse_others(context: click.Context, *options: str) -> None:
    """Raise Refusal where any but these options is given: all else comes from an earlier run."""
    given = context.get_parameter_source
    for name in context.params:
        if name not in options and given(name) == ParameterSource.COMMANDLINE:
            raise Refusal("--resume goes on as the run was planned; leave out other options")


def console() -> Console:
    """Return the terminal; for CI and for a pipe plain lines, whatever FORCE_COLOR says."""
    if os.isatty(1) and "CI" not in os.environ:
        return Console()
    return Console(width=WIDTH, force_terminal=False)
