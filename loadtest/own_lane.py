"""A lane of a person's own: `name=command with {host} {port} {workers}`."""

import re
import shlex
from collections.abc import Collection
from pathlib import Path

from loadtest.commands import PLACEHOLDERS
from loadtest.lanes import Lane

SERVER = "own"
EXAMPLE = "'shop=.venv/bin/gunicorn -b {host}:{port} -w {workers} app:app'"


class OwnLaneError(ValueError):
    """A lane that cannot be what its text says; the message says what to give instead."""


def parse(text: str, folder: Path, target: str, workers: int, taken: Collection[str]) -> Lane:
    """Return the lane that a text such as EXAMPLE describes, or raise OwnLaneError.

    Its command runs in the folder. `{workers}` stands for so many; without it nobody knows how
    many workers the lane has, and it counts as one of a single worker.
    """
    name, equals, command = text.partition("=")
    if not equals or not command.strip():
        raise OwnLaneError(f"--lane is NAME=COMMAND, such as {EXAMPLE}, and not {text!r}")
    _check_name(name, taken)
    _check_command(name, command)
    return Lane(
        framework=name,
        server=SERVER,
        worker_class="",
        workers=workers if "{workers}" in command else 1,
        keeps_alive=None,
        own=command.strip(),
        folder=str(folder),
        ready=target,
    )


def _check_name(name: str, taken: Collection[str]) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name) or name.endswith("-twin"):
        raise OwnLaneError(
            f"--lane: a name has letters, digits, - and _, begins with one of the first two, and "
            f"does not end in -twin; {name!r} is none"
        )
    if name in taken:
        raise OwnLaneError(f"--lane: {name} is another lane's name; choose one of its own")


def _check_command(name: str, command: str) -> None:
    try:
        shlex.split(command)
    except ValueError as error:
        raise OwnLaneError(f"--lane {name}: {error} in the command") from None
    for word in re.findall(r"{([a-z_]+)}", command):
        if word not in PLACEHOLDERS:
            known = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            raise OwnLaneError(
                f"--lane {name}: {{{word}}} is none of {known}; what needs other braces is best "
                "put into a script"
            )
    if "{port}" not in command:
        raise OwnLaneError(
            f"--lane {name}: the command must have {{port}} where its server's port stands, such "
            f"as {EXAMPLE}; each trial starts it on a free one"
        )
