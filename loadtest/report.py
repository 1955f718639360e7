"""A run's figures for a reader: in the terminal, as REPORT.md, and as report.html."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from loadtest import figures, repeat, summary_csv, tables, verdict
from loadtest.plots import plots
from loadtest.summary import Summary
from loadtest.table import Table

TITLE = "PlanetTracker: aiohttp and Flask compared"
MARKDOWN_FILE = "REPORT.md"
HTML_FILE = "report.html"
CSV_FILE = "summary.csv"
LONG = 40  # characters of text, which a phone must not squeeze into a narrow column
REPEAT = "How to repeat it"


def write(summary: Summary) -> list[Path]:
    """Write REPORT.md, report.html and summary.csv into the run's folder; return their paths."""
    written = []
    texts = {
        MARKDOWN_FILE: markdown(summary),
        HTML_FILE: html(summary),
        CSV_FILE: summary_csv.text(summary.run),
    }
    for name, text in texts.items():
        path = summary.run.folder / name
        path.write_text(text, encoding="utf-8", newline="")
        written.append(path)
    return written


def show(summary: Summary, console: Console) -> None:
    """Print the tables, and last, where a terminal stands still, the verdict."""
    show_tables(tables.tables(summary), console)
    for paragraph in verdict.headline(summary):
        console.print(Text(paragraph))
        console.print()
    console.print(Text(f"{REPEAT}:"))
    for command in repeat.commands(summary.run):
        console.print(Text(command), soft_wrap=True)


def show_tables(shown: Iterable[Table], console: Console) -> None:
    """Print tables with their notes."""
    for table in shown:
        console.print(_rich(table))
        for note in table.notes:
            console.print(Text(note, "dim"))
        console.print()


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=table.title, title_justify="left", title_style="bold")
    for number, column in enumerate(table.columns):
        text = number == 0 or _is_prose(table, number)
        shown.add_column(column, justify="left" if text else "right", overflow="fold")
    for row in table.rows:
        shown.add_row(*map(Text, row))  # a target or a log line may look like rich's markup
    return shown


def _is_prose(table: Table, column: int) -> bool:
    """Return whether a column reads better from the left: its cells do not start as numbers."""
    cells = [row[column] for row in table.rows if row[column] not in ("", figures.NOTHING)]
    return bool(cells) and not all(cell[0] in "+-0123456789n" for cell in cells)


def markdown(summary: Summary) -> str:
    """Return REPORT.md."""
    lines = [f"# {TITLE}"]
    for paragraph in verdict.headline(summary):
        lines += ["", paragraph]
    lines += markdown_tables(tables.tables(summary))
    lines += ["", f"## {REPEAT}", "", "```sh", *repeat.commands(summary.run), "```"]
    return "\n".join(lines) + "\n"


def markdown_tables(written: Iterable[Table]) -> list[str]:
    """Return the lines of tables with their titles and notes."""
    lines = []
    for table in written:
        lines += ["", f"## {table.title}", "", *_markdown_table(table)]
        for note in table.notes:
            lines += ["", note]
    return lines


def _markdown_table(table: Table) -> list[str]:
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
        paragraphs=verdict.paragraphs(summary),
        plots=plots(summary),
        tables=tables.tables(summary),
        repeat=REPEAT,
        commands=repeat.commands(summary.run),
        css=_css,
    )


def _css(table: Table, column: int) -> str:
    """Return the classes of a column's cells."""
    if not _is_prose(table, column):
        return "number"
    return "prose long" if max(len(row[column]) for row in table.rows) > LONG else "prose"
