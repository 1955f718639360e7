"""The commands that answer in a terminal: each asks one row of ROUTES, as a framework would."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from urllib.parse import urlencode

import click

from planettracker.api.contract import FORMAT, Parameter, Route
from planettracker.api.messages import Request, Response
from planettracker.api.respond import respond, run
from planettracker.api.routes import ROUTES
from planettracker.sky import BODIES

_VARIABLE = re.compile(r"{(\w+)}")
_ROUTES = {route.path: route for route in ROUTES}
_PATHS = {
    "sky": "/planets",
    "almanac": "/almanac",
    "stars": "/stars",
    "identify": "/identify",
    "track": "/planets/{name}/track",
}
Given = Mapping[str, Sequence[str]]


class Sections(click.Group):
    """A group whose help lists its commands by section, those of one description in one row."""

    def __init__(self, sections: Mapping[str, Sequence[click.Command]], help: str) -> None:
        commands = [command for section in sections.values() for command in section]
        # In any letter case, as the api takes a body's name.
        super().__init__(
            help=help, commands=commands, context_settings={"token_normalize_func": str.lower}
        )
        self.sections = sections

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in self.sections.items():
            alike = groupby(commands, lambda command: command.get_short_help_str(80))
            with formatter.section(title):
                formatter.write_dl(
                    [(", ".join(str(each.name) for each in same), text) for text, same in alike]
                )


def sky_commands() -> list[click.Command]:
    """Return the commands about a whole sky, or a day's."""
    return [_command(name, _ROUTES[path]) for name, path in _PATHS.items()]


def body_commands() -> list[click.Command]:
    """Return a command for each body."""
    return [_command(body, _ROUTES["/planets/{name}"], name=body) for body in BODIES]


def _command(called: str, route: Route, /, **fixed: str) -> click.Command:
    """Return the command that asks the route: an option for each of its parameters.

    What the path leaves open, and is not `fixed`, is an argument.
    """
    variables = [each for each in _VARIABLE.findall(route.path) if each not in fixed]

    def show(as_json: bool, **given: str | Sequence[str]) -> None:
        params = fixed | {each: str(given.pop(each)) for each in variables}
        response = answer(route, params, given)
        with _writing():
            _show(route, response, raw=as_json or bool(given.get(FORMAT.name)))

    arguments = [click.Argument([each]) for each in variables]
    options = [_option(parameter) for parameter in (route.parameters or {}).values()]
    help = f"Show {route.summary}."
    return click.Command(
        called, callback=show, params=[*arguments, *options, _as_json()], help=help
    )


def _option(parameter: Parameter) -> click.Option:
    name = parameter.name
    # Taken more than once, so that the api can refuse it; click would keep the last.
    return click.Option(
        [f"--{name}", name], multiple=True, metavar=name.upper(), help=parameter.expected
    )


def _as_json() -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help="print the service's own reply")


def answer(route: Route, params: Mapping[str, str], given: Given) -> Response:
    """Return the api's own reply to the options' values, or raise its problem as click's error."""
    pairs = [(name, value) for name, values in given.items() for value in values]
    # An argument that is no UTF-8 comes from the system with surrogates; as bytes it is refused.
    query = urlencode(pairs, errors="surrogateescape")
    response = run(respond(route, Request("GET", query, params, {})))
    if response.status != 200:
        raise _error(json.loads(response.body))
    return response


def _error(problem: Mapping[str, str]) -> click.ClickException:
    """Return the problem in a sentence: with status 2 if the request is at fault, else 1."""
    if int(problem["status"]) >= 500:
        return click.ClickException(problem["detail"])
    option = f"--{problem['parameter']}: " if "parameter" in problem else ""
    return click.UsageError(option + problem["detail"])


@contextmanager
def _writing() -> Iterator[None]:
    """Tell a full disk in a sentence; a pipe that was closed is click's to end in silence."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write: {error.strerror}") from None


def _show(route: Route, response: Response, raw: bool) -> None:
    if raw:
        # Nothing is added to what a file or a pipe gets.
        click.echo(response.body, nl=sys.stdout.isatty())
        return
    # Here, since rich takes longer to import (50 ms) than --help to show.
    from planettracker.terminal.views import show

    show(route.path, json.loads(response.body))
