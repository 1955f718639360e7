"""The command line of the experiment."""

import shlex

import click
from rich.table import Table

from loadtest import lanes, measuring, reading, server
from loadtest.options import console


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
    console().print(table)


for command in (
    *(measuring.run, measuring.attribute),
    *(reading.report_run, reading.compare_runs, reading.size_stacks, reading.examine),
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m loadtest")
