"""What a report is made of, whatever the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from loadtest.plots.axes import Plot
from loadtest.table import Table


@dataclass(frozen=True, slots=True)
class Content:
    """A report's title, its paragraphs as sentences, its plots and its tables.

    The first paragraph is the answer to the run's question.
    """

    title: str
    paragraphs: Sequence[Sequence[str]]
    plots: Sequence[Plot]
    tables: Sequence[Table]
