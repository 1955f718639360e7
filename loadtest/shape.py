"""The shape of JSON documents: a JSON Schema of a dataclass, and what in a document breaks one.

`fault` knows the few words of JSON Schema (draft 2020-12) that the experiment's own schemas use;
the tests hold it to a library that knows them all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from operator import ge, gt, le
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

Schema = Mapping[str, Any]

# An integer must be written as one: 2.0 blocks are none, though JSON Schema would have them.
TYPES: Mapping[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (float, int),
    "string": (str,),
    "null": (NoneType,),
    "array": (list,),
    "object": (dict,),
}
NAMES: Mapping[type, str] = {kinds[0]: name for name, kinds in TYPES.items()}
LIMITS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": ("at least", ge),
    "exclusiveMinimum": ("more than", gt),
    "maximum": ("at most", le),
}


def of(
    kind: type, members: Mapping[str, Schema], required: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the schema of a dataclass, from its types and what is said of each member.

    Members without a default are required, unless it is said which are.
    """
    hints = get_type_hints(kind)
    without = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]
    return {
        "type": "object",
        "properties": {name: {**_of_type(hints[name]), **members[name]} for name in hints},
        "required": list(without if required is None else required),
    }


def _of_type(hint: Any) -> dict[str, Any]:
    if isinstance(hint, UnionType):
        options = [_of_type(option) for option in get_args(hint)]
        names = [option.pop("type") for option in options]
        return {"type": names, **{word: rule for o in options for word, rule in o.items()}}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _of_type(get_args(hint)[0])}
    return {"type": NAMES.get(hint, "object")}


def fault(value: Any, schema: Schema) -> str | None:
    """Return the first thing in which a document breaks its schema, in words, or None."""
    return next(_faults(value, schema, ""), None)


def _faults(value: Any, schema: Schema, path: str) -> Iterator[str]:
    names = schema.get("type", ())
    names = [names] if isinstance(names, str) else names
    if names and not any(_is(value, name) for name in names):
        yield f"{path or 'it'} must be {' or '.join(names)}, and is {_shown(value)}"
    elif isinstance(value, dict):
        yield from _in_object(value, schema, path)
    elif isinstance(value, list):
        yield from _in_array(value, schema, path)
    elif _is(value, "number"):
        yield from _beyond(value, schema, path)
    if "if" in schema and fault(value, schema["if"]) is None:
        yield from _faults(value, schema["then"], path)


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):  # which Python takes for an integer
        return name == "boolean"
    return isinstance(value, TYPES[name])


def _shown(value: Any) -> str:
    kind = NAMES[type(value)]
    return f"an {kind}" if kind in ("array", "object") else "null" if value is None else repr(value)


def _in_object(value: dict[str, Any], schema: Schema, path: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{_below(path, name)} is missing"
    for name in value:
        if name in known:
            yield from _faults(value[name], known[name], _below(path, name))
        elif schema.get("additionalProperties") is False:
            yield f"{_below(path, name)} is not known"


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _in_array(value: list[Any], schema: Schema, path: str) -> Iterator[str]:
    if not value and schema.get("minItems"):
        yield f"{path} is empty"
    for number, item in enumerate(value):
        yield from _faults(item, schema.get("items", {}), f"{path}[{number}]")


def _beyond(value: float, schema: Schema, path: str) -> Iterator[str]:
    for word, (said, holds) in LIMITS.items():
        if word in schema and not holds(value, schema[word]):
            yield f"{path} must be {said} {schema[word]:g}, and is {value}"
