"""The command line of the experiment."""

import shlex
from collections.abc import Iterator

import click
from rich.table import Table
from rich.text import Text

from loadtest import asking, lanes, measuring, nginx, own_lane, pythons, reading, server
from loadtest.load import LoadError, LoadMissingError
from loadtest.options import console


@click.group()
def main() -> None:
    """Measure which web stack serves the planet tracker faster, by how much, and how surely."""


@main.command("lanes")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(2, 64))
def list_lanes(workers: int) -> None:
    """Show every lane, whether it can run here, and its command; `all` names those without -4."""
    table = Table("lane", "workers", "keep-alive", "can run here", "command")
    for lane in lanes.all_lanes(workers).values():
        command = shlex.join(lane.command("python", server.HOST, 8000))
        keeps = "yes" if lane.keeps_alive else "no"
        lacking = ", ".join(lane.missing())
        runs = f"needs {lacking}" if lacking else "yes"
        table.add_row(lane.name, str(lane.workers), keeps, runs, command)
    console().print(table)
    for sentence in _beside():
        console().print(Text(sentence), soft_wrap=True)


def _beside() -> Iterator[str]:
    """Yield what lanes can be measured with, and whether it is here."""
    try:
        yield f"Each also behind {nginx.version()}, by --behind nginx."
    except (LoadError, LoadMissingError) as error:
        yield f"None behind nginx: {error}."
    here = sorted(pythons.installed())
    yield f"By further Pythons, of which there are: {', '.join(here) or 'none'} (make pythons)."
    yield f"Or an application of your own: --lane {own_lane.EXAMPLE}"


for command in (
    *(measuring.run, measuring.attribute, *asking.COMMANDS),
    *(reading.report_run, reading.compare_runs, reading.size_stacks, reading.examine),
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m loadtest")
