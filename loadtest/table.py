"""A table of text, and the cells that tables share."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the columns' names, rows of as many cells, and notes. The first column is text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
