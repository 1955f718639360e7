"""A run's figures for a reader: in the terminal, as REPORT.md, and as report.html."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from loadtest import figures, repeat, summary_csv, tables, verdict
from loadtest.content import Content
from loadtest.plots import plots
from loadtest.questions import QUESTIONS
from loadtest.results import Run
from loadtest.summary import summarise
from loadtest.table import Table

MARKDOWN_FILE = "REPORT.md"
HTML_FILE = "report.html"
CSV_FILE = "summary.csv"
LONG = 40  # characters of text, which a phone must not squeeze into a narrow column
REPEAT = "How to repeat it"


def content(run: Run) -> Content:
    """Return what the run's report is made of."""
    question = QUESTIONS.get(run.description["plan"].get("question", ""))
    return question.report(run) if question else comparison(run)


def comparison(run: Run) -> Content:
    """Return the report of lanes compared, and of where their CPU time goes."""
    summary = summarise(run)
    return Content(
        verdict.title(summary), verdict.paragraphs(summary), plots(summary), tables.tables(summary)
    )


def write(run: Run) -> list[Path]:
    """Write REPORT.md, report.html and summary.csv into the run's folder; return their paths."""
    written = []
    texts = {
        MARKDOWN_FILE: markdown(run),
        HTML_FILE: html(run),
        CSV_FILE: summary_csv.text(run),
    }
    for name, text in texts.items():
        path = run.folder / name
        path.write_text(text, encoding="utf-8", newline="")
        written.append(path)
    return written


def show(run: Run, console: Console) -> None:
    """Print the tables, and last, where a terminal stands still, the answer."""
    made = content(run)
    show_tables(made.tables, console)
    for sentences in made.paragraphs:
        console.print(Text(" ".join(sentences)))
        console.print()
    console.print(Text(f"{REPEAT}:"))
    for command in repeat.commands(run):
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


def markdown(run: Run) -> str:
    """Return REPORT.md."""
    made = content(run)
    lines = [f"# {made.title}"]
    for sentences in made.paragraphs:
        lines += ["", " ".join(sentences)]
    lines += markdown_tables(made.tables)
    lines += ["", f"## {REPEAT}", "", "```sh", *repeat.commands(run), "```"]
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


def html(run: Run) -> str:
    """Return report.html: one file with everything in it."""
    made = content(run)
    environment = Environment(
        loader=PackageLoader("loadtest"), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("report.html").render(
        title=made.title,
        paragraphs=made.paragraphs,
        plots=made.plots,
        tables=made.tables,
        repeat=REPEAT,
        commands=repeat.commands(run),
        css=_css,
    )


def _css(table: Table, column: int) -> str:
    """Return the classes of a column's cells."""
    if not _is_prose(table, column):
        return "number"
    return "prose long" if max(len(row[column]) for row in table.rows) > LONG else "prose"
