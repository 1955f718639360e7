"""The command line: the sky in this terminal, or a framework's own development server."""

import os
from socket import gaierror

import click

from planettracker.apps import FRAMEWORKS, App, load
from planettracker.terminal.commands import Sections, body_commands, sky_commands


def _server(framework: str) -> click.Command:
    @click.command(framework, help=f"Serve on {framework}.")
    @click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
    @click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
    @click.option("--access-log", is_flag=True, help="Log a line for each request.")
    def command(host: str, port: int, access_log: bool) -> None:
        app = _loaded(framework)
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        click.echo(f"PlanetTracker on {framework}: http://{address}/ (Ctrl-C ends it)", err=True)
        try:
            app.serve(host, port, access_log)
        except OSError as error:
            raise click.ClickException(f"cannot listen on {address}: {_reason(error)}") from None

    return command


class MissingError(click.ClickException):
    """Something that must be installed first."""

    exit_code = 2


def _loaded(framework: str) -> App:
    try:
        return load(framework)
    except ModuleNotFoundError as error:
        missing = f"{framework} needs {error.name}, which is not installed"
        raise MissingError(f"{missing}: `make stacks` installs it") from None


def _reason(error: OSError) -> str | None:
    """Return the system's own words, to which asyncio adds the address once more."""
    if isinstance(error, gaierror) or error.errno is None:
        return error.strerror
    return os.strerror(error.errno)


main = Sections(
    {
        "The sky": sky_commands(),
        "One body": body_commands(),
        "Serve on a framework's development server": [_server(each) for each in FRAMEWORKS],
    },
    help="Show the sky above a place in this terminal, or serve it.",
)

if __name__ == "__main__":
    main(prog_name="python -m planettracker")
