"""What every further question has: a command, the cells that it measures, and its report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from loadtest.content import Content
from loadtest.lanes import Lane
from loadtest.plan import Cell
from loadtest.results import Run

Cells = Callable[[Sequence[Lane], dict[str, Any]], tuple[Cell, ...]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question over the same engine, cells and files as `run`.

    `cells` makes of the lanes and the values of the question's own `options` (by their names) what
    is to be measured, or raises ValueError with a sentence that says what to give instead.
    `report` answers from the files alone. `lanes` are those measured unless others are named.
    Each client has at least so many `rounds`, however slow its lane.
    """

    name: str
    help: str
    cells: Cells
    report: Callable[[Run], Content]
    options: Sequence[click.Option] = ()
    lanes: Sequence[str] = ()
    blocks: int = 4
    seconds: float = 1.25
    workers: int = 4
    rounds: int = 1
    loads: Sequence[str] = field(default=("h2load",))
