"""The commands that measure: a run, and what explains one."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from random import SystemRandom

import click
from click.core import ParameterSource
from rich.text import Text

from loadtest import (
    attribution,
    calibration,
    experiment,
    explaining,
    lanes,
    loads,
    nginx,
    own_lane,
    pinning,
    plan,
    profile,
    report,
    results,
    server,
    session,
)
from loadtest.interruption import Interruption
from loadtest.options import (
    NOISY,
    PATIENCE,
    Duration,
    Percent,
    Refusal,
    Seconds,
    console,
    refusals,
    refuse_others,
    split,
)
from loadtest.reading import write_and_show
from loadtest.summary import VERDICT_LOADS
from loadtest.world import World

LOADS = "ab, h2load or both. [those that are installed]"
OWN = "An application of your own, by a command with {port}, {host}, {workers}; repeatable."
EXPECT = "The file with what --target answers. [what most lanes answer]"
BEHIND = "Measure each lane behind this proxy, too."
PROFILE = "Write a speedscope file of each lane, by py-spy."
SLICES = "Of each load, put on in turn with the block's others, whose servers run at once."
RESULTS = server.ROOT / "loadtest" / "results"
BLOCKS = 6  # of 14 trials with the default lanes and both loads: 7 took 4 min 17 s and 4 min 42 s


@click.command()
@click.option("--lanes", "names", default="", callback=split, help="Some of them: a,b,c. [all]")
@click.option("--lane", "own", multiple=True, metavar="NAME=COMMAND", help=OWN)
@click.option("--loads", "load_names", default="", callback=split, help=LOADS)
@click.option("--blocks", default=BLOCKS, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seconds", default=1.25, show_default=True, type=Seconds())
@click.option("--requests", type=click.IntRange(1, 10_000_000), help="Of a trial. [by --seconds]")
@click.option("--concurrency", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--target", default=plan.MARS, help="What is asked for. [mars at a fixed time]")
@click.option("--expect", type=click.Path(path_type=Path), help=EXPECT)
@click.option("--no-keep-alive", is_flag=True, help="A connection for each request, on all lanes.")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
@click.option("--behind", type=click.Choice([nginx.NAME]), help=BEHIND)
@click.option("--aa/--no-aa", default=True, help="Measure one lane twice: the noise. [--aa]")
@click.option("--precision", type=Percent(), help="Run as many blocks as this half-width needs.")
@click.option("--patience", default="2m", show_default=True, type=Duration(), help=PATIENCE)
@click.option("--noisy", is_flag=True, help=NOISY)
@click.option("--pin", help="Cores SERVER:LOAD, such as 0:1 or 0-3:4,5. [all for both]")
@click.option("--slices", default=1, show_default=True, type=click.IntRange(1, 1000), help=SLICES)
@click.option("--all-pairs", is_flag=True, help="Compare every two lanes, too.")
@click.option("--attribute", "parts", type=click.IntRange(1, 1000), help=explaining.HELP)
@click.option("--seed", type=int, help="Of the order of the lanes. [random, and recorded]")
@click.option("--out", type=click.Path(path_type=Path), help="A new folder. [loadtest/results/...]")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with an interrupted run.")
@click.pass_context
def run(
    context: click.Context,
    names: list[str],
    own: tuple[str, ...],
    load_names: list[str],
    blocks: int,
    seconds: float,
    requests: int | None,
    concurrency: int,
    target: str,
    expect: Path | None,
    no_keep_alive: bool,
    workers: int,
    behind: str | None,
    aa: bool,
    precision: float | None,
    patience: float,
    noisy: bool,
    pin: str | None,
    slices: int,
    all_pairs: bool,
    parts: int | None,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
) -> None:
    """Measure the lanes in shuffled blocks, and report."""
    if resume:
        refuse_others(context, "resume", "patience")
        return _resume(resume, patience)
    if requests is not None and requests < concurrency * slices:
        each = " for each of --slices" if slices > 1 else ""
        least = f"{concurrency * slices}{each}"
        raise Refusal(f"--requests must be at least --concurrency, which is {least}")
    if own and context.get_parameter_source("target") == ParameterSource.DEFAULT:
        raise Refusal("--lane needs --target: a path such as /, which all lanes answer alike")
    if behind and concurrency > nginx.MOST_CLIENTS:
        raise Refusal(f"--behind takes a --concurrency of at most {nginx.MOST_CLIENTS:,}")
    two_stages = None
    if precision:
        two_stages = plan.TwoStages(precision, max(blocks, plan.LEAST_PILOT), patience)
    with refusals():
        plan.check_target(target)
        if behind:
            nginx.find()
        rows = _proxied(_rows(names, own, target, workers), behind)
        chosen = _loads(load_names, bool(own))
        workloads = [plan.Workload(target, concurrency, not no_keep_alive, load) for load in chosen]
        leading = (w for load in VERDICT_LOADS for w in workloads if w.load == load)
        deciding = next(leading, workloads[0])
        cells = plan.cells(rows, workloads, deciding, aa)
        if not cells:
            raise Refusal("ab is no fair measure of ASGI lanes, being HTTP/1.0: --loads h2load")
        planned = plan.Plan(
            cells=cells,
            blocks=two_stages.pilot if two_stages else blocks,
            seconds=seconds,
            requests=requests,
            seed=SystemRandom().randrange(10**6) if seed is None else seed,
            two_stages=two_stages,
            all_pairs=all_pairs,
            noisy=noisy,
            pin=None if pin is None else pinning.parse(pin, os.sched_getaffinity(0)),
            slices=slices,
            expected=_expected(expect) if expect else None,
            asked=explaining.asked(parts, rows),
        )
        folder = made(out)
        conduct(planned, folder, partial(experiment.run, planned), patience)


def _runnable(names: Sequence[str], workers: int) -> list[lanes.Lane]:
    """Return the chosen lanes that can run here, and say which cannot."""
    rows, skipped = lanes.runnable(lanes.chosen(names, workers))
    for sentence in skipped:
        console().print(Text(sentence), soft_wrap=True)
    return rows


def _rows(names: Sequence[str], own: Sequence[str], target: str, workers: int) -> list[lanes.Lane]:
    """Return the lanes of a person's own, and the named ones, or the default ones without any."""
    taken = {lanes.EVERY, *lanes.all_lanes(workers)}
    mine = []
    for text in own:
        mine.append(own_lane.parse(text, Path.cwd(), target, workers, taken))
        taken.add(mine[-1].name)
    return mine + (_runnable(names, workers) if names or not mine else [])


def _proxied(rows: list[lanes.Lane], proxy: str | None) -> list[lanes.Lane]:
    return [*rows, *(lanes.behind(lane, proxy) for lane in rows)] if proxy else rows


def _loads(names: Sequence[str], own: bool) -> tuple[str, ...]:
    """Return the names of the loads; for a person's own application, unless it is said, one."""
    found = tuple(loads.of_servers(names))
    if own and not names:
        return tuple(load for load in VERDICT_LOADS if load in found)[:1]
    return found


def _expected(file: Path) -> plan.Expected:
    try:
        return plan.Expected(str(file.resolve()), file.read_bytes().decode("latin-1"))
    except OSError as error:
        raise Refusal(
            f"--expect: {file} cannot be read ({error.strerror}); it is to hold the bytes that "
            "--target answers, as curl -o writes them"
        ) from None


def made(out: Path | None) -> Path:
    """Return the folder for a new run."""
    folder = out or RESULTS / datetime.now().strftime("%Y-%m-%dT%H-%M-%S")
    results.make(folder)
    return folder


def _resume(folder: Path, patience: float) -> None:
    with refusals():
        found = results.load(folder)
        planned = plan.from_description(found.description["plan"])
        left = explaining.left(planned, folder) and found.description["state"] == "finished"
        conduct(planned, folder, None if left else experiment.resume, patience)


def conduct(
    planned: plan.Plan,
    folder: Path,
    go: session.Go | None,
    patience: float,
    after: session.After | None = None,
    explained: Path | None = None,
) -> None:
    """Conduct the run and what explains it, report it, or the run that it explains, and exit.

    Without `go` the run is whole, and only what explains it is left.
    """
    terminal = console()
    status = session.conduct(planned, folder, go, terminal, patience, after) if go else 0
    if status == 0:
        status = explaining.explain(planned, folder, terminal, patience)
    if not (folder / results.RUN_FILE).exists():
        sys.exit(status)
    if explained:
        report.write(results.load(folder))
    never_valid = write_and_show(explained or folder, terminal)
    sys.exit(status or never_valid)


@click.command()
@click.argument("explained", metavar="[RUN]", required=False, type=click.Path(path_type=Path))
@click.option("--lanes", "names", default="", callback=split, help="Some of them. [all, or RUN's]")
@click.option("--blocks", default=6, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seconds", default=explaining.SECONDS, show_default=True, type=Seconds())
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
@click.option("--profile", "profiles", is_flag=True, help=PROFILE)
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
    profiles: bool,
    patience: float,
    noisy: bool,
    seed: int | None,
    out: Path | None,
) -> None:
    """Measure where a request's CPU time goes, for the report of RUN if one is named."""
    with refusals():
        if explained:
            rows = _lanes_of(explained, names)
            out = out or explained / attribution.FOLDER
        else:
            rows = _runnable(names, workers)
        seed = SystemRandom().randrange(10**6) if seed is None else seed
        measured = attribution.plan(rows, blocks, seconds, seed, noisy)
        folder = made(out)
        spy = profile.find() if profiles else None

        def profiled(world: World, interruption: Interruption) -> None:
            if spy:
                _profile(folder, world, profile.Spy(spy, interruption))

        conduct(measured, folder, partial(experiment.run, measured), patience, profiled, explained)


def _lanes_of(folder: Path, names: Sequence[str]) -> list[lanes.Lane]:
    """Return the named lanes of the run in a folder, or all of them."""
    planned = plan.from_description(results.load(folder).description["plan"])
    of_run = {cell.lane.name: cell.lane for cell in planned.cells if not cell.lane.twin}
    for name in names:
        if name not in of_run:
            raise lanes.UnknownLaneError(name, tuple(of_run))
    return [lane for name, lane in of_run.items() if not names or name in names]


def _profile(folder: Path, world: World, spy: profile.Spy) -> None:
    """Write a profile of each lane into the folder; say where it cannot be."""
    sizes = calibration.sizes(results.load(folder).description)
    for cell, size in sizes.items():
        if replace(cell.workload, load=attribution.ONE_BODY.load) == attribution.ONE_BODY:
            try:
                profile.profile(cell, size, world, spy, folder / "profiles")
            except profile.ProfileError as error:
                console().print(Text(f"{cell.lane.name}: {error}"), soft_wrap=True)
