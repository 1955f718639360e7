"""Text into values, or the problem that names the parameter."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from difflib import get_close_matches
from urllib.parse import unquote_plus

from planettracker.api.almanac_tables import DATE, TZ
from planettracker.api.contract import (
    ELEVATION,
    LAT,
    LON,
    TIME,
    Parameter,
    Parameters,
    ProblemError,
)
from planettracker.sky.ephemeris import END_INSTANT, FIRST_INSTANT
from planettracker.sky.site import Observer, OutOfRangeError
from planettracker.sky.zone import (
    FIRST_DATE,
    LAST_DATE,
    UnknownZoneError,
    Zone,
    today,
    zone_at,
    zone_named,
)

_DECIMAL = "0123456789.+-"  # of strings of these alone, `float` takes just the plain decimals
# An offset's minutes stop at 59: `datetime` would take +01:60 for +02:00.
_LOCAL = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
_INSTANT = re.compile(_LOCAL + r"(?:[Zz]|[+-][0-9]{2}(?::?[0-5][0-9])?)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPACE_BEFORE_HOURS = re.compile(r" (?=[0-9]{1,2}$)")
_SPACE_BEFORE_OFFSET = re.compile(r" (?=[0-9]{2}(?::?[0-9]{2})?$)")

GREENWICH = Observer(lon_deg=-0.0005, lat_deg=51.4769)


def values(query: str, parameters: Parameters) -> dict[str, str]:
    """Return the query's values by name, blank ones left out, or raise ProblemError.

    Names that the route does not know and names that come twice are errors, blank or not.
    """
    if not query:
        return {}
    given: dict[str, str] = {}
    any_blank = False
    # As `parse_qsl` with its blank values, in a sixth of the time.
    encoded = "%" in query or "+" in query
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        if encoded:
            name, value = unquote_plus(name), unquote_plus(value)
        if name not in parameters:
            raise _unknown(name, parameters)
        if name in given:
            sentence = f"{name} stands in the query more than once; send it once."
            raise ProblemError("repeated-parameter", sentence, parameter=name)
        given[name] = value
        any_blank = any_blank or not value or value.isspace()
    return {n: v for n, v in given.items() if v.strip()} if any_blank else given


def _unknown(name: str, parameters: Parameters) -> ProblemError:
    names = {
        each: parameter.name
        for parameter in parameters.values()
        for each in (parameter.name, *parameter.other_names)
    }
    near = get_close_matches(name.lower(), names, n=1)
    if near:
        advice = f"did you mean {names[near[0]]}?"
    elif parameters:
        advice = f"it takes {', '.join(parameters)}."
    else:
        advice = "it takes none."
    return ProblemError(
        "unknown-parameter", f"This address has no such parameter; {advice}", parameter=name
    )


def observer(given: Mapping[str, str]) -> Observer:
    """Return the observer whom the values place, or GREENWICH itself where they place none."""
    if "lat" in given and "lon" in given:
        lon_deg = number(LON, given["lon"])
        if 180 <= lon_deg <= 360:
            # Rounded, since 359.9 - 360 is -0.10000000000002274; and -0.0 is 0.0.
            lon_deg = round(lon_deg - 360, 9) + 0.0
        lat_deg = number(LAT, given["lat"])
        elevation_m = number(ELEVATION, given["elevation"]) if "elevation" in given else 0.0
        return _observer(lon_deg, lat_deg, elevation_m)
    for parameter in (LAT, LON, ELEVATION):
        if parameter.name in given:
            missing = LON if parameter is LAT else LAT
            raise ProblemError(
                "missing-parameter",
                f"A place needs lat and lon. Send {missing.name} as {missing.expected}.",
                parameter=missing.name,
            )
    return GREENWICH


def _observer(lon_deg: float, lat_deg: float, elevation_m: float) -> Observer:
    try:
        return Observer(lon_deg, lat_deg, elevation_m)
    except OutOfRangeError as error:
        parameters = {"lon_deg": LON, "lat_deg": LAT, "elevation_m": ELEVATION}
        raise _expected(parameters[error.quantity], "out-of-range") from None


def number(parameter: Parameter, text: str) -> float:
    """Return a plain decimal, or raise ProblemError."""
    # A query's "+" decodes to a space: one before the digits is a sign.
    if text[0] == " ":
        text = "+" + text[1:]
    try:
        return float("" if text.strip(_DECIMAL) else text) + 0.0  # -0.0 is 0.0
    except ValueError:
        raise _expected(parameter, "not-a-number") from None


def limited(parameter: Parameter, text: str) -> float:
    """Return a plain decimal within the parameter's limits, or raise ProblemError."""
    value = number(parameter, text)
    if parameter.limits is not None:
        low, high = parameter.limits
        if not low <= value <= high:
            raise _expected(parameter, "out-of-range")
    return value


def _expected(parameter: Parameter, code: str, fault: str = "") -> ProblemError:
    sentence = f"{fault}Send {parameter.name} as {parameter.expected}."
    return ProblemError(code, sentence, parameter=parameter.name)


def instant(given: Mapping[str, str], clock: Callable[[], datetime]) -> datetime:
    """Return the UTC instant that the values give, or the clock's, cut to whole milliseconds."""
    return whole_ms(stated_instant(TIME, given["time"]) if "time" in given else clock())


def whole_ms(at: datetime) -> datetime:
    """Return the instant cut to whole milliseconds."""
    excess = at.microsecond % 1000
    return at.replace(microsecond=at.microsecond - excess) if excess else at


def stated_instant(parameter: Parameter, text: str) -> datetime:
    """Return the UTC instant that the parameter's text states, or raise ProblemError."""
    if " " in text:
        text = _SPACE_BEFORE_OFFSET.sub("+", text)
    if not _INSTANT.fullmatch(text):
        missing = "The offset from UTC is missing. " if re.fullmatch(_LOCAL, text) else ""
        raise _expected(parameter, "not-an-instant", missing)
    try:
        if text[11:13] == "24":  # the next day's start, to `datetime` from Python 3.14 on
            raise ValueError(text)
        at = datetime.fromisoformat(text.upper())
    except ValueError:  # the 30th of February, hour 25, second 60
        raise _expected(
            parameter, "not-an-instant", "There is no such date or time of day. "
        ) from None
    if not FIRST_INSTANT <= at < END_INSTANT:
        raise _expected(parameter, "out-of-range")
    return at.astimezone(UTC)


def zone(given: Mapping[str, str], observer: Observer) -> Zone:
    """Return the zone that the values name, or else the observer's own; or raise ProblemError."""
    if TZ.name not in given:
        return zone_at(observer)
    # A query's "+" decodes to a space: Etc/GMT+2 has one.
    name = _SPACE_BEFORE_HOURS.sub("+", given[TZ.name])
    try:
        return zone_named(name)
    except UnknownZoneError as error:
        hint = f"Did you mean {' or '.join(error.near)}? " if error.near else ""
        raise _expected(TZ, "unknown-zone", hint) from None


def day(given: Mapping[str, str], zone: Zone, clock: Callable[[], datetime]) -> date:
    """Return the date that the values give, or else the zone's today; or raise ProblemError."""
    if DATE.name not in given:
        return today(zone, clock())
    text = given[DATE.name]
    if not _DATE.fullmatch(text):
        raise _expected(DATE, "not-a-date")
    try:
        stated = date.fromisoformat(text)
    except ValueError:
        raise _expected(DATE, "not-a-date", "There is no such date. ") from None
    if not FIRST_DATE <= stated <= LAST_DATE:
        raise _expected(DATE, "out-of-range")
    return stated
