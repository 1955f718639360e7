"""What is said of a member of a reply, and how it is written on the wire."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """One member of a body's answer: its name on the wire, and the attribute that it shows.

    `decimals` is None for what is not rounded, whose `kind` is then one of KINDS; `circle` says
    that 360 degrees is written as 0; `nullable` that null stands for what does not happen. A text
    may be one of `choices`.
    """

    name: str
    attribute: str
    unit: str | None
    decimals: int | None
    description: str
    circle: bool = False
    nullable: bool = False
    kind: str = "text"
    choices: tuple[str, ...] = ()

    def expression(self, value: str) -> str:
        """Return the Python expression for the member on the wire, of one for the attribute.

        Numbers are rounded by way of whole ones, which know no -0.0, and on a circle no 360.0; and
        which refuse NaN and infinity, for which orjson would write null.
        """
        if self.decimals is None:
            return value
        scale = 10**self.decimals
        turn = f" % {360 * scale}" if self.circle else ""
        rounded = f"round({value} * {scale}){turn} / {scale}"
        return f"None if {value} is None else {rounded}" if self.nullable else rounded


# What a value without decimals is in JSON, as JSON Schema says it.
KINDS: Mapping[str, Mapping[str, str]] = {
    "text": {"type": "string"},
    "flag": {"type": "boolean"},
    "count": {"type": "integer"},
    "number": {"type": "number"},
    "instant": {"type": "string", "format": "date-time"},
    "date": {"type": "string", "format": "date"},
}


@dataclass(frozen=True, slots=True)
class Group:
    """One member of a reply that has members of its own: an object, or a list of them (`many`).

    Of `columns` each member is a list of values, all of one length; only those asked for are there.
    """

    name: str
    members: tuple["Field | Group", ...]
    description: str
    many: bool = False
    nullable: bool = False
    columns: bool = False


Members = tuple[Field | Group, ...]


def encoder(fields: Iterable[Field]) -> Callable[[object], dict[str, object]]:
    """Return the function from an ephemeris to its members on the wire.

    It is compiled from the table, as a dataclass's methods are from its fields: 2 us a body, where
    a loop over a function for each field took 4.3, measured between requests.
    """
    members = (f"{field.name!r}: {field.expression(f'it.{field.attribute}')}" for field in fields)
    encode: Callable[[object], dict[str, object]] = eval(f"lambda it: {{{', '.join(members)}}}")
    return encode
