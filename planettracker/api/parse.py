"""Text into values, or the problem that names the parameter."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from urllib.parse import unquote_plus

from planettracker.api.contract import (
    ELEVATION,
    LAT,
    LON,
    TIME,
    Parameter,
    ProblemError,
)
from planettracker.sky.ephemeris import END_INSTANT, FIRST_INSTANT, Observer

_DECIMAL = "0123456789.+-"  # of strings of these alone, `float` takes just the plain decimals
# An offset's minutes stop at 59: `datetime` would take +01:60 for +02:00.
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
    r"(?P<offset>[Zz]|[+-][0-9]{2}(?::?[0-5][0-9])?)?"
)
_SPACE_BEFORE_OFFSET = re.compile(r" (?=[0-9]{2}(?::?[0-9]{2})?$)")

GREENWICH = Observer(lon_deg=-0.0005, lat_deg=51.4769)


@dataclass(frozen=True, slots=True)
class Place:
    """An observer, and whether it was `given` or is the `default`."""

    observer: Observer
    source: str


@dataclass(frozen=True, slots=True)
class Instant:
    """An instant in UTC, in whole milliseconds, and whether the request named it."""

    at: datetime
    explicit: bool


def values(query: str, parameters: Sequence[Parameter]) -> dict[str, str]:
    """Return the query's values by name, blank ones left out, or raise ProblemError.

    Names that the route does not know and names that come twice are errors, blank or not.
    """
    if not query:
        return {}
    given: dict[str, str] = {}
    unseen = {parameter.name for parameter in parameters}
    for name, value in _pairs(query):
        if name not in unseen:
            raise _unexpected(name, parameters)
        unseen.remove(name)
        if value and not value.isspace():
            given[name] = value
    return given


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    """Yield names and values, decoded: as `parse_qsl` with blank values, in a sixth of its time."""
    decode = unquote_plus if "%" in query or "+" in query else str
    for pair in query.split("&"):
        if pair:
            name, _, value = pair.partition("=")
            yield decode(name), decode(value)


def _unexpected(name: str, parameters: Sequence[Parameter]) -> ProblemError:
    if any(name == parameter.name for parameter in parameters):
        sentence = f"{name} stands in the query twice; send it once."
        return ProblemError("repeated-parameter", sentence, parameter=name)
    names = {
        each: parameter.name
        for parameter in parameters
        for each in (parameter.name, *parameter.other_names)
    }
    near = get_close_matches(name.lower(), names, n=1)
    if near:
        advice = f"did you mean {names[near[0]]}?"
    elif parameters:
        advice = f"it takes {', '.join(parameter.name for parameter in parameters)}."
    else:
        advice = "it takes none."
    return ProblemError(
        "unknown-parameter", f"This address has no such parameter; {advice}", parameter=name
    )


def place(given: Mapping[str, str]) -> Place:
    """Return the place that the values give, Greenwich where they give none."""
    if "lat" in given and "lon" in given:
        observer = Observer(
            lon_deg=_west_of_180(number(LON, given["lon"])),
            lat_deg=number(LAT, given["lat"]),
            elevation_m=number(ELEVATION, given["elevation"]) if "elevation" in given else 0.0,
        )
        return Place(observer, "given")
    for parameter in (LAT, LON, ELEVATION):
        if parameter.name in given:
            missing = LON if parameter is LAT else LAT
            raise ProblemError(
                "missing-parameter",
                f"{parameter.name} alone is no place. Send {missing.name} as {missing.expected}.",
                parameter=missing.name,
            )
    return Place(GREENWICH, "default")


def _west_of_180(lon_deg: float) -> float:
    # Rounded, since 359.9 - 360 is -0.10000000000002274; and -0.0 is 0.0.
    return round(lon_deg - 360, 9) + 0.0 if lon_deg >= 180 else lon_deg


def number(parameter: Parameter, text: str) -> float:
    """Return a plain decimal within the parameter's limits, or raise ProblemError."""
    # A query's "+" decodes to a space: one before the digits is a sign.
    if text[0] == " ":
        text = "+" + text[1:]
    try:
        value = float("" if text.strip(_DECIMAL) else text)
    except ValueError:
        raise _expected(parameter, "not-a-number") from None
    assert parameter.limits is not None
    low, high = parameter.limits
    if not low <= value <= high:
        raise _expected(parameter, "out-of-range")
    return value + 0.0  # -0.0 is 0.0


def _expected(parameter: Parameter, code: str, fault: str = "") -> ProblemError:
    sentence = f"{fault}Send {parameter.name} as {parameter.expected}."
    return ProblemError(code, sentence, parameter=parameter.name)


def instant(given: Mapping[str, str], clock: Callable[[], datetime]) -> Instant:
    """Return the instant that the values give, or the clock's, cut to whole milliseconds."""
    if "time" in given:
        return Instant(_whole_milliseconds(_instant(given["time"])), explicit=True)
    return Instant(_whole_milliseconds(clock()), explicit=False)


def _whole_milliseconds(at: datetime) -> datetime:
    excess = at.microsecond % 1000
    return at.replace(microsecond=at.microsecond - excess) if excess else at


def _instant(text: str) -> datetime:
    if " " in text:
        text = _SPACE_BEFORE_OFFSET.sub("+", text)
    match = _INSTANT.fullmatch(text)
    if not match:
        raise _expected(TIME, "not-an-instant")
    if not match["offset"]:
        raise _expected(TIME, "not-an-instant", "The offset from UTC is missing. ")
    try:
        if text[11:13] == "24":  # the next day's start, to `datetime` from Python 3.14 on
            raise ValueError(text)
        at = datetime.fromisoformat(text.upper())
    except ValueError:  # the 30th of February, hour 25, second 60
        raise _expected(TIME, "not-an-instant", "There is no such date or time of day. ") from None
    if not FIRST_INSTANT <= at < END_INSTANT:
        raise _expected(TIME, "out-of-range")
    return at.astimezone(UTC)
