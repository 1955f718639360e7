"""The commands that read what was measured, or look at the machine."""

import json
import sys
from dataclasses import asdict
from math import isnan
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from loadtest import comparison, comparison_tables, doctor, report, results, sizing_table
from loadtest.options import Percent, Refusal, Seconds, console, refusals
from loadtest.sizing import Question
from loadtest.summary import summarise

SLOWER = "Only a slowdown of more than this, such as 2%, counts. [any]"
POSITIVE = click.FloatRange(0.001, 1e9)
STYLES = {doctor.SPOILS: "bold red", doctor.NOTE: "yellow", doctor.NOT_KNOWN: "dim"}


@click.command("report")
@click.argument("folder", type=click.Path(path_type=Path))
def report_run(folder: Path) -> None:
    """Report the run in FOLDER again, from its files alone."""
    with refusals():
        sys.exit(write_and_show(folder, console()))


def write_and_show(folder: Path, terminal: Console) -> int:
    """Write and show the run's report; return 1 if a lane never became valid."""
    run = results.load(folder)
    written = report.write(run)
    report.show(run, terminal)
    terminal.print(Text("".join(f"\n{path}" for path in written)), soft_wrap=True)
    return 1 if results.never_valid(run) else 0


@click.command("doctor")
@click.option("--concurrency", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--workers", default=4, show_default=True, type=click.IntRange(1, 64))
@click.option("--seconds", default=1.25, show_default=True, type=Seconds())
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def examine(concurrency: int, workers: int, seconds: float, as_json: bool) -> None:
    """Say what on this machine would spoil a run with such options, and the remedy."""
    findings = doctor.examine(doctor.Asked(concurrency, workers, seconds))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        console().print(_findings(findings))
    sys.exit(1 if doctor.spoils(findings) else 0)


def _findings(findings: list[doctor.Finding]) -> Table:
    table = Table("check", "", "found", "remedy")
    for finding in findings:
        cells = (finding.check, finding.level, finding.found, finding.remedy or "")
        # As Text: a process may have a name that rich would take for markup.
        table.add_row(*map(Text, cells), style=STYLES.get(finding.level))
    return table


@click.command("compare")
@click.argument("run_a", type=click.Path(path_type=Path))
@click.argument("run_b", type=click.Path(path_type=Path))
@click.option("--slower", type=Percent(), help=SLOWER)
@click.option("--json", "form", flag_value="json", help="For a program.")
@click.option("--markdown", "form", flag_value="markdown", help="For a page.")
def compare_runs(run_a: Path, run_b: Path, slower: float | None, form: str | None) -> None:
    """Compare two runs; the exit status is 1 if any lane of RUN_B is slower than in RUN_A."""
    with refusals():
        compared = comparison.compare(results.load(run_a), results.load(run_b), slower or 0.0)
    _show_comparison(compared, form)
    sys.exit(1 if compared.slowdowns() else 0)


def _show_comparison(compared: comparison.Comparison, form: str | None) -> None:
    shown, sentences = comparison_tables.tables(compared), comparison_tables.sentences(compared)
    if form == "json":
        click.echo(json.dumps(comparison_tables.as_json(compared), indent=2, ensure_ascii=False))
    elif form == "markdown":
        lines = [*(f"- {sentence}" for sentence in sentences), *report.markdown_tables(shown)]
        click.echo("\n".join(lines))
    else:
        terminal = console()
        report.show_tables(shown, terminal)
        for sentence in sentences:
            terminal.print(Text(sentence))


@click.command("sizing")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--rate", default=500.0, show_default=True, type=POSITIVE, help="Requests a second.")
@click.option("--p99", default=50.0, show_default=True, type=POSITIVE, help="In milliseconds.")
def size_stacks(folder: Path, rate: float, p99: float) -> None:
    """Say how many workers serve that rate in time, by what the run in FOLDER has measured."""
    if isnan(rate) or isnan(p99):  # which no range refuses
        raise Refusal("--rate and --p99 must be numbers")
    with refusals():
        summary = summarise(results.load(folder))
    table = sizing_table.sizing(summary, Question(rate, p99))
    if not table.rows:
        raise Refusal("the run has no valid trial of a server for production")
    report.show_tables([table], console())
