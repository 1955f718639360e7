"""The replies as tables. Figures and units come from the contract's tables of fields."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table

from planettracker.api.contract import FIELDS
from planettracker.api.fields import Field
from planettracker.api.tables import NEAR_FIELDS, STAR_FIELDS, TRACK_FIELDS
from planettracker.terminal import almanac, words
from planettracker.terminal.words import Json

_UNBOUNDED = 1000  # columns, wider than any table here
# In order of importance: the last are left out where the terminal is narrower.
_SKY = (
    "name az alt up magnitude constellation elongation illuminated diameter_arcsec distance_au"
    " alt_apparent ra dec phase_name"
)
_STARS = "name az alt up magnitude constellation alt_apparent ra dec"
_NEAR = "name separation az alt up magnitude kind alt_apparent"
_TIME = Field("time", "", "UTC", None, "")
_BODY_COLUMNS: tuple[tuple[JustifyMethod, str], ...] = (
    ("left", ""),
    ("right", ""),
    ("left", ""),
    ("left", "dim"),
)
_ROOMY = 72  # columns that leave room for a field's description
_KEPT = 4  # columns that are shown however narrow the terminal is
_DECIMALS = 2  # of degrees in a list, which is for the eye; one body's table has all


def show(path: str, reply: Json) -> None:
    """Print the route's reply to standard output; bold and dim are for terminals alone."""
    # Nothing that the service says is rich's markup.
    VIEWS[path](reply, Console(highlight=False, emoji=False, markup=False))


def _body(reply: Json, console: Console) -> None:
    _head(console, f"{reply['name'].capitalize()}, {words.when_and_where(reply)}")
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify, style in _BODY_COLUMNS[: 4 if console.width >= _ROOMY else 3]:
        table.add_column(justify=justify, style=style, overflow="fold")
    for field in FIELDS:
        if field.name in reply and field.name != "name":
            row = (words.name(field), words.value(field, reply), _unit(field, reply))
            table.add_row(*(*row, field.description)[: len(table.columns)])
    console.print(table)


def _head(console: Console, title: str, *lines: str) -> None:
    console.print(title, style="bold")
    for line in (*lines, ""):
        console.print(line)


def _unit(field: Field, row: Json) -> str:
    unit = field.unit or ""
    return f"{unit}, {words.point(row['az'])}" if field.name == "az" else unit


def _sky(reply: Json, console: Console) -> None:
    _head(console, f"The sky, {words.when_and_where(reply)}", words.darkness(reply["sky"]))
    console.print(_fitting(_named(_SKY, FIELDS), reply["bodies"], console))


def _stars(reply: Json, console: Console) -> None:
    _head(console, f"The bright stars, {words.when_and_where(reply)}")
    console.print(_fitting(_named(_STARS, STAR_FIELDS), reply["stars"], console))


def _identify(reply: Json, console: Console) -> None:
    towards = words.towards(reply["direction"])
    _head(console, f"The nearest to {towards}", words.when_and_where(reply))
    console.print(_fitting(_named(_NEAR, NEAR_FIELDS), reply["nearest"], console))


def _track(reply: Json, console: Console) -> None:
    place = words.place(reply["observer"])
    _head(console, f"{reply['name'].capitalize()}, {place}, every {reply['step']:g} min")
    names, columns = zip(*reply["columns"].items(), strict=True)
    rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    for row in rows:
        row["time"] = words.utc(row["time"]).removesuffix(" UTC")
    # All of the columns, since somebody asked for them.
    console.print(_table([_TIME, *(TRACK_FIELDS[name] for name in names[1:])], rows))


def _named(names: str, fields: Iterable[Field]) -> list[Field]:
    known = {field.name: field for field in fields}
    return [known[name] for name in names.split()]


def _fitting(fields: Sequence[Field], rows: Sequence[Json], console: Console) -> Table:
    """Return the rows in as many of the columns as the console is wide."""
    unbounded = console.options.update(max_width=_UNBOUNDED)
    for count in range(len(fields), _KEPT, -1):
        table = _table(fields[:count], rows)
        if console.measure(table, options=unbounded).maximum <= console.width:
            return table
    return _table(fields[:_KEPT], rows)


def _table(fields: Sequence[Field], rows: Sequence[Json]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for field in fields:
        heading = f"{words.name(field)}\n{field.unit or ''}"
        figures = field.decimals is not None and field.name != "az"
        table.add_column(heading, justify="right" if figures else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(field, row) for field in fields), style=_style(row))
    return table


def _cell(field: Field, row: Json) -> str:
    text = words.value(field, row, _DECIMALS)
    return f"{text:>6} {words.point(row['az'])}" if field.name == "az" else text


def _style(row: Json) -> str:
    if not row.get("up", True):
        return "dim"
    return "bold" if row.get("visible") else ""


VIEWS: Mapping[str, Callable[[Json, Console], None]] = {
    "/planets/{name}": _body,
    "/planets": _sky,
    "/planets/{name}/track": _track,
    "/stars": _stars,
    "/identify": _identify,
    "/almanac": almanac.show,
}
