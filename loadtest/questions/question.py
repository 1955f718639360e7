"""What every further question has: a command, the cells that it measures, and its report."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from loadtest import tables
from loadtest.content import Content
from loadtest.lanes import Lane
from loadtest.plan import Cell
from loadtest.plots.axes import Plot
from loadtest.results import Run
from loadtest.table import Table

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


def content(
    run: Run,
    title: str,
    said: Iterable[Iterable[str]],
    plots: Iterable[Plot | None],
    shown: Iterable[Table],
) -> Content:
    """Return a report's content without what is empty; the tables of every run come last."""
    paragraphs = [[sentence for sentence in sentences if sentence] for sentences in said]
    every = (*shown, tables.environment(run), tables.invalid(run))
    return Content(
        title,
        [sentences for sentences in paragraphs if sentences],
        [plot for plot in plots if plot],
        [table for table in every if table.rows],
    )
