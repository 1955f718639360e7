"""The command line of the experiment."""

import json
import os
import re
import shlex
import sys
from dataclasses import asdict
from datetime import datetime
from functools import partial
from math import isnan
from pathlib import Path
from random import SystemRandom

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table
from rich.text import Text

from loadtest import (
    attribution,
    comparison,
    comparison_tables,
    doctor,
    experiment,
    lanes,
    pinning,
    plan,
    report,
    results,
    server,
    session,
    tables,
    trial,
)
from loadtest import loads as load_rows
from loadtest import profile as profiling
from loadtest.interruption import Interruption
from loadtest.options import Duration, Percent, Refusal, refusals, split
from loadtest.sizing import Question
from loadtest.summary import VERDICT_LOADS, summarise

RESULTS = server.ROOT / "loadtest" / "results"
BLOCKS = 7  # of 14 trials with the default lanes and both loads: 4 minutes and a half
PATIENCE = "For a quiet machine, and for the blocks after --precision's pilot."
NOISY = "Wait for no quiet machine, and count trials beside other load, too."
SLOWER = "Only a slowdown of more than this, such as 2%, counts. [any]"
POSITIVE = click.FloatRange(0.001, 1e9)
WIDTH = 140  # in a pipe, where nobody says how wide a line may be

STYLES = {doctor.SPOILS: "bold red", doctor.NOTE: "yellow", doctor.NOT_KNOWN: "dim"}


@click.group()
def main() -> None:
    """Measure which web stack serves the planet tracker faster, by how much, and how surely."""


@main.command("lanes")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
def list_lanes(workers: int) -> None:
    """Show the lanes and the command of each."""
    table = Table("lane", "workers", "keep-alive", "command")
    for lane in lanes.lanes(workers).values():
        command = shlex.join(lane.command("python", server.HOST, 8000))
        table.add_row(lane.name, str(lane.workers), "yes" if lane.keeps_alive else "no", command)
    _console().print(table)


@main.command()
@click.option("--lanes", "names", default="", callback=split, help="Some of them: a,b,c. [all]")
@click.option("--loads", default="", callback=split, help="ab, h2load or both. [the installed]")
@click.option("--blocks", default=BLOCKS, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seconds", default=1.25, show_default=True, type=click.FloatRange(0.05, 60))
@click.option("--requests", type=click.IntRange(1, 10_000_000), help="Of a trial. [by --seconds]")
@click.option("--concurrency", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--target", default=plan.MARS, help="What is asked for. [mars at a fixed time]")
@click.option("--no-keep-alive", is_flag=True, help="A connection for each request, on all lanes.")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
@click.option("--aa/--no-aa", default=True, help="Measure one lane twice: the noise. [--aa]")
@click.option("--precision", type=Percent(), help="Run as many blocks as this half-width needs.")
@click.option("--patience", default="2m", show_default=True, type=Duration(), help=PATIENCE)
@click.option("--noisy", is_flag=True, help=NOISY)
@click.option("--pin", help="Cores SERVER:LOAD, such as 0:1 or 0-3:4,5. [all for both]")
@click.option("--all-pairs", is_flag=True, help="Compare every two lanes, too.")
@click.option("--seed", type=int, help="Of the order of the lanes. [random, and recorded]")
@click.option("--out", type=click.Path(path_type=Path), help="A new folder. [loadtest/results/...]")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with an interrupted run.")
@click.pass_context
def run(
    context: click.Context,
    names: list[str],
    loads: list[str],
    blocks: int,
    seconds: float,
    requests: int | None,
    concurrency: int,
    target: str,
    no_keep_alive: bool,
    workers: int,
    aa: bool,
    precision: float | None,
    patience: float,
    noisy: bool,
    pin: str | None,
    all_pairs: bool,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
) -> None:
    """Measure the lanes in shuffled blocks, and report."""
    if resume:
        refuse_others(context, "resume", "patience")
        return _resume(resume, patience)
    if not re.fullmatch("/[!-~]*", target):
        raise Refusal(
            "--target must be an ASCII path without spaces such as /planets?time=2026-01-01T00:00Z"
        )
    if isnan(seconds):  # which no range refuses
        raise Refusal("--seconds must be a number")
    if requests is not None and requests < concurrency:
        raise Refusal(f"--requests must be at least --concurrency, which is {concurrency}")
    two_stages = None
    if precision:
        two_stages = plan.TwoStages(precision, max(blocks, plan.LEAST_PILOT), patience)
    with refusals():
        chosen = tuple(load_rows.chosen(loads))
        workloads = [plan.Workload(target, concurrency, not no_keep_alive, load) for load in chosen]
        deciding = next(w for load in VERDICT_LOADS for w in workloads if w.load == load)
        planned = plan.Plan(
            cells=plan.cells(lanes.chosen(names, workers), workloads, deciding, aa),
            blocks=two_stages.pilot if two_stages else blocks,
            seconds=seconds,
            requests=requests,
            seed=SystemRandom().randrange(10**6) if seed is None else seed,
            two_stages=two_stages,
            all_pairs=all_pairs,
            noisy=noisy,
            pin=None if pin is None else pinning.parse(pin, os.sched_getaffinity(0)),
        )
        folder = _made(out)
        _run(planned, folder, partial(experiment.run, planned), patience)


def _made(out: Path | None) -> Path:
    """Return the folder for a new run."""
    folder = out or RESULTS / datetime.now().strftime("%Y-%m-%dT%H-%M-%S")
    results.make(folder)
    return folder


def refuse_others(context: click.Context, *options: str) -> None:
    """Raise Refusal where any but these options is given: all else comes from an earlier run."""
    given = context.get_parameter_source
    for name in context.params:
        if name not in options and given(name) == ParameterSource.COMMANDLINE:
            raise Refusal("--resume goes on as the run was planned; leave out other options")


def _resume(folder: Path, patience: float) -> None:
    with refusals():
        planned = plan.from_description(results.load(folder).description["plan"])
        _run(planned, folder, experiment.resume, patience)


def _run(
    planned: plan.Plan,
    folder: Path,
    go: session.Go,
    patience: float,
    after: session.After | None = None,
) -> None:
    """Conduct the run, report it, and exit."""
    console = _console()
    status = session.conduct(planned, folder, go, console, patience, after)
    begun = (folder / results.RUN_FILE).exists()
    never_valid = _report(folder, console) if begun else 0
    sys.exit(status or never_valid)


@main.command()
@click.argument("explained", metavar="[RUN]", required=False, type=click.Path(path_type=Path))
@click.option("--lanes", "names", default="", callback=split, help="Some of them. [all, or RUN's]")
@click.option("--blocks", default=6, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seconds", default=0.4, show_default=True, type=click.FloatRange(0.05, 60))
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
@click.option("--profile", is_flag=True, help="Write a speedscope file of each lane, by py-spy.")
@click.option("--patience", default="2m", show_default=True, type=Duration(), help=PATIENCE)
@click.option("--noisy", is_flag=True, help=NOISY)
@click.option("--seed", type=int, help="Of the order of the lanes. [random, and recorded]")
@click.option("--out", type=click.Path(path_type=Path), help="A new folder. [within RUN, or ...]")
def attribute(
    explained: Path | None,
    names: list[str],
    blocks: int,
    seconds: float,
    workers: int,
    profile: bool,
    patience: float,
    noisy: bool,
    seed: int | None,
    out: Path | None,
) -> None:
    """Measure where a request's CPU time goes, for the report of RUN if one is named."""
    with refusals():
        rows = lanes.chosen(names, workers)
        if explained:
            run = results.load(explained)
            planned = plan.from_description(run.description["plan"])
            of_run = dict.fromkeys(c.lane for c in planned.cells if not c.lane.twin)
            rows = [lane for lane in of_run if not names or lane.name in names]
            out = out or explained / attribution.FOLDER
        measured = plan.Plan(
            cells=attribution.cells(rows),
            blocks=blocks,
            seconds=seconds,
            seed=SystemRandom().randrange(10**6) if seed is None else seed,
            noisy=noisy,
        )
        folder = _made(out)
        spy = profiling.find() if profile else None

        def profiled(world: trial.World, interruption: Interruption) -> None:
            if spy:
                _profile(folder, world, profiling.Spy(spy, interruption))

        _run(measured, folder, partial(experiment.run, measured), patience, profiled)


def _profile(folder: Path, world: trial.World, spy: profiling.Spy) -> None:
    """Write a profile of each lane into the folder; say where it cannot be."""
    sizes = experiment.described_sizes(results.load(folder).description)
    for cell, size in sizes.items():
        if cell.workload == attribution.ONE_BODY:
            try:
                profiling.profile(cell, size, world, spy, folder / "profiles")
            except profiling.ProfileError as error:
                _console().print(Text(f"{cell.lane.name}: {error}"), soft_wrap=True)


@main.command("report")
@click.argument("folder", type=click.Path(path_type=Path))
def report_run(folder: Path) -> None:
    """Report the run in FOLDER again, from its files alone."""
    with refusals():
        sys.exit(_report(folder, _console()))


def _report(folder: Path, console: Console) -> int:
    """Write and show the run's report; return 1 if a lane never became valid."""
    summary = summarise(results.load(folder))
    written = report.write(summary)
    report.show(summary, console)
    console.print(Text("".join(f"\n{path}" for path in written)), soft_wrap=True)
    return 1 if summary.never_valid() else 0


@main.command("doctor")
@click.option("--concurrency", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--workers", default=4, show_default=True, type=click.IntRange(1, 64))
@click.option("--seconds", default=1.25, show_default=True, type=click.FloatRange(0.05, 60))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def examine(concurrency: int, workers: int, seconds: float, as_json: bool) -> None:
    """Say what on this machine would spoil a run with such options, and the remedy."""
    findings = doctor.examine(doctor.Asked(concurrency, workers, seconds))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _console().print(_findings(findings))
    sys.exit(1 if doctor.spoils(findings) else 0)


def _findings(findings: list[doctor.Finding]) -> Table:
    table = Table("check", "", "found", "remedy")
    for finding in findings:
        cells = (finding.check, finding.level, finding.found, finding.remedy or "")
        # As Text: a process may have a name that rich would take for markup.
        table.add_row(*map(Text, cells), style=STYLES.get(finding.level))
    return table


@main.command("compare")
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
        console = _console()
        report.show_tables(shown, console)
        for sentence in sentences:
            console.print(Text(sentence))


@main.command("sizing")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--rate", default=500.0, show_default=True, type=POSITIVE, help="Requests a second.")
@click.option("--p99", default=50.0, show_default=True, type=POSITIVE, help="In milliseconds.")
def size_stacks(folder: Path, rate: float, p99: float) -> None:
    """Say how many workers serve that rate in time, by what the run in FOLDER has measured."""
    if isnan(rate) or isnan(p99):  # which no range refuses
        raise Refusal("--rate and --p99 must be numbers")
    with refusals():
        summary = summarise(results.load(folder))
    table = tables.sizing(summary, Question(rate, p99))
    if not table.rows:
        raise Refusal("the run has no valid trial of a server for production")
    report.show_tables([table], _console())


def _console() -> Console:
    """Return the terminal; for CI and for a pipe plain lines, whatever FORCE_COLOR says."""
    if os.isatty(1) and "CI" not in os.environ:
        return Console()
    return Console(width=WIDTH, force_terminal=False)


if __name__ == "__main__":
    main(prog_name="python -m loadtest")
