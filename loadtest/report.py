"""A run's figures for a reader: in the terminal, as REPORT.md, and as report.html."""

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from loadtest import figures, plots, tables, verdict
from loadtest.summary import Summary

TITLE = "PlanetTracker: aiohttp and Flask compared"
MARKDOWN_FILE = "REPORT.md"
HTML_FILE = "report.html"


def write(summary: Summary) -> list[Path]:
    """Write REPORT.md and report.html into the run's folder; return their paths."""
    written = []
    for name, text in ((MARKDOWN_FILE, markdown(summary)), (HTML_FILE, html(summary))):
        path = summary.run.folder / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def show(summary: Summary, console: Console) -> None:
    """Print the headline and the tables."""
    for table in tables.tables(summary):
        console.print(_rich(table))
        for note in table.notes:
            console.print(Text(note, "dim"))
        console.print()
    for sentence in verdict.headline(summary):
        console.print(Text(sentence))


def _rich(table: tables.Table) -> RichTable:
    shown = RichTable(title=table.title, title_justify="left", title_style="bold")
    for number, column in enumerate(table.columns):
        text = number == 0 or _is_prose(table, number)
        shown.add_column(column, justify="left" if text else "right", overflow="fold")
    for row in table.rows:
        shown.add_row(*map(Text, row))  # a target or a log line may look like rich's markup
    return shown


def _is_prose(table: tables.Table, column: int) -> bool:
    """Return whether a column reads better from the left: its cells do not start as numbers."""
    cells = [row[column] for row in table.rows if row[column] not in ("", figures.NOTHING)]
    return bool(cells) and not all(cell[0] in "+-0123456789n" for cell in cells)


def markdown(summary: Summary) -> str:
    """Return REPORT.md."""
    lines = [f"# {TITLE}", "", *(f"- {sentence}" for sentence in verdict.headline(summary))]
    for table in tables.tables(summary):
        lines += ["", f"## {table.title}", "", *_markdown_table(table)]
        for note in table.notes:
            lines += ["", note]
    return "\n".join(lines) + "\n"


def _markdown_table(table: tables.Table) -> list[str]:
    numbers = range(len(table.columns))
    rule = ("---" if n == 0 or _is_prose(table, n) else "---:" for n in numbers)
    rows = (table.columns, tuple(rule), *table.rows)
    return ["| " + " | ".join(map(_markdown_cell, row)) + " |" for row in rows]


def _markdown_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def html(summary: Summary) -> str:
    """Return report.html: one file with everything in it."""
    environment = Environment(
        loader=PackageLoader("loadtest"), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("report.html").render(
        title=TITLE,
        headline=verdict.headline(summary),
        plots=[plot for plot in [plots.throughput(summary)] if plot],
        tables=tables.tables(summary),
        is_prose=_is_prose,
    )
