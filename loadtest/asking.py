"""A command for each further question, with the options that all share and its own."""

from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any

import click
from click.core import ParameterSource
from rich.text import Text

from loadtest import experiment, lanes, loads, measuring, plan
from loadtest.options import NOISY, PATIENCE, Duration, Refusal, Seconds, console, refusals, split
from loadtest.questions import QUESTIONS
from loadtest.questions.question import Question

SHARED = ("names", "blocks", "seconds", "workers", "patience", "noisy", "seed", "out")


def _shared(question: Question) -> list[click.Option]:
    """Return the options of every question, in the order of SHARED."""
    default = ", ".join(question.lanes) or "the default lanes"
    return [
        click.Option(
            ["--lanes", "names"], default="", callback=split, help=f"Some: a,b,c. [{default}]"
        ),
        click.Option(
            ["--blocks"], default=question.blocks, show_default=True, type=click.IntRange(1, 1000)
        ),
        click.Option(
            ["--seconds"],
            default=question.seconds,
            show_default=True,
            type=Seconds(),
        ),
        click.Option(
            ["--workers"], default=question.workers, show_default=True, type=click.IntRange(2, 64)
        ),
        click.Option(
            ["--patience"], default="2m", show_default=True, type=Duration(), help=PATIENCE
        ),
        click.Option(["--noisy"], is_flag=True, help=NOISY),
        click.Option(["--seed"], type=int, help="Of the order. [random, and recorded]"),
        click.Option(
            ["--out"],
            type=click.Path(path_type=Path),
            help="A new folder. [loadtest/results/...]",
        ),
    ]


def command(question: Question) -> click.Command:
    """Return the question's command."""
    options = [*question.options, *_shared(question)]
    return click.Command(
        question.name, params=list(options), callback=partial(_ask, question), help=question.help
    )


def _ask(question: Question, **given: Any) -> None:
    shared = {name: given.pop(name) for name in SHARED}
    with refusals():
        names = shared["names"] or _default(question, shared["workers"])
        rows = lanes.chosen(names, shared["workers"])
        rows, skipped = lanes.runnable(rows)
        for sentence in skipped:
            console().print(Text(sentence), soft_wrap=True)
        try:
            cells = question.cells(rows, given)
        except ValueError as error:
            raise Refusal(str(error)) from None
        loads.chosen([cell.workload.load for cell in cells])  # or there would be a folder already
        planned = plan.Plan(
            cells=cells,
            blocks=shared["blocks"],
            seconds=shared["seconds"],
            requests=given.get("requests"),
            seed=SystemRandom().randrange(10**6) if shared["seed"] is None else shared["seed"],
            noisy=shared["noisy"],
            rounds=question.rounds,
            question=question.name,
            asked=_asked(question),
        )
        folder = measuring.made(shared["out"])
        measuring.conduct(planned, folder, partial(experiment.run, planned), shared["patience"])


def _default(question: Question, workers: int) -> list[str]:
    """Return the names of the question's lanes, where these have several workers with so many."""
    known = lanes.all_lanes(question.workers)
    rows = (known[name] for name in question.lanes)
    return [(lanes.several(row, workers) if row.workers > 1 else row).name for row in rows]


def _asked(question: Question) -> tuple[str, ...]:
    """Return the question's own options as they were given, to ask again by."""
    context = click.get_current_context()
    asked: list[str] = []
    for option in question.options:
        assert option.name is not None
        if context.get_parameter_source(option.name) == ParameterSource.COMMANDLINE:
            value = context.params[option.name]
            asked += [option.opts[0]] if option.is_flag else [option.opts[0], _typed(value)]
    return tuple(asked)


def _typed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


COMMANDS = tuple(command(question) for question in QUESTIONS.values())
