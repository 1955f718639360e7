"""Requests as hypothesis makes them, of the tables that the service reads requests by.

INSIDE are within the boundary in which every app answers alike to the byte; OUTSIDE are not, and
ask for one place, so that an answer for another is found out.
"""

from datetime import UTC, datetime
from urllib.parse import quote

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from outside_table import MUNICH
from requests_table import HOST, TIME, Row

from planettracker.api.contract import FORMAT, Parameter, Route
from planettracker.api.openapi import path_parameters
from planettracker.api.routes import ROUTES, routes

Text = SearchStrategy[str]
PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))  # what a target may hold as sent
MAX_TARGET = 4000
METHODS = (
    *("GET",) * 20,
    *("HEAD",) * 4,
    *("OPTIONS",) * 2,
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "TRACE",
)
# Near one another, so that a series between two of them is seldom too long.
INSTANTS = tuple(
    f"2026-03-{day:02}T{hour:02}:30:00Z" for day in (28, 29, 30) for hour in (0, 2, 20)
)


def _weighted(*choices: tuple[int, Text]) -> Text:
    """Return the strategies, each chosen as often as its number says.

    Not by `one_of`, which takes one of many within it for as many.
    """
    repeated = [each for times, each in choices for _ in range(times)]
    return st.sampled_from(repeated).flatmap(lambda each: each)


_junk = _weighted(
    (3, st.text(PRINTABLE, max_size=12)),
    (2, st.text(max_size=8).map(lambda text: quote(text, errors="replace"))),
    (1, st.binary(max_size=6).map(quote)),
    (1, st.text("%0123456789abcdefXYZ+&=;?#/", max_size=16)),
    (
        1,
        st.sampled_from(("", "+", "%20", "NaN", "inf", "1e2", "%D9%A5", "-0", "%26lat=1", "%2525")),
    ),
)


def _decimal(limits: tuple[float, float]) -> Text:
    low, high = limits
    within = st.floats(low, high).map(lambda number: f"{number:.9f}")
    short = st.integers(int(low), int(high)).map(str)
    beyond = st.sampled_from((low, high)).flatmap(
        lambda limit: st.sampled_from((f"{limit}", f"{limit}1", f"{limit:.0f}.00001", f"+{limit}"))
    )
    return _weighted((3, within), (2, short), (1, beyond))


_INSTANT = _weighted(
    (3, st.sampled_from(INSTANTS)),
    (2, st.datetimes(datetime(1899, 12, 31), datetime(2101, 1, 2)).map(lambda at: f"{at:%FT%TZ}")),
    (
        1,
        st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.timezones()).map(
            lambda at: at.astimezone(UTC).isoformat().replace("+00:00", "%2B00:00")
        ),
    ),
)
_DATE = st.dates(datetime(1899, 12, 31).date(), datetime(2101, 1, 2).date()).map(str)
_BY_KIND: dict[str, Text] = {"instant": _INSTANT, "date": _DATE}


def _value(parameter: Parameter, route: Route) -> Text:
    """Return values for the parameter, most of them good ones."""
    choices = [each.name for each in route.formats] if parameter is FORMAT else parameter.choices
    good: Text = st.just(parameter.example)
    if parameter.limits:
        good = _decimal(parameter.limits)
    elif choices:
        good = st.sampled_from(choices)
    elif parameter.kind in _BY_KIND:
        good = _BY_KIND[parameter.kind]
    return _weighted((12, good), (2, st.just(parameter.example)), (1, _junk))


def _as_sent(text: Text) -> Text:
    """Return the texts, now and then encoded as a client may encode them, or once too often."""
    once = text.map(lambda plain: quote(plain, safe=""))
    hexed = text.map(lambda plain: "".join(f"%{byte:02x}" for byte in plain.encode()))
    return _weighted((8, text), (2, once), (1, hexed), (1, once.map(quote)))


def _name(parameter: Parameter) -> Text:
    right = st.just(parameter.name)
    return _weighted((30, right), (1, st.sampled_from((parameter.name, *parameter.other_names))))


def _pair(parameter: Parameter, route: Route) -> Text:
    return st.tuples(_name(parameter), _as_sent(_value(parameter, route))).map("=".join)


def _query(route: Route) -> Text:
    """Return queries of the route: mostly a place, and an instant, since now is not alike."""
    parameters = list((route.parameters or {}).values())
    place = [each for each in parameters if each.name in ("lat", "lon")]
    rest = [each for each in parameters if each not in place]
    pairs = st.tuples(*(_pair(each, route) for each in place))
    others = st.lists(st.sampled_from(rest), unique=True) if rest else st.just([])
    further = others.flatmap(lambda some: st.tuples(*(_pair(each, route) for each in some)))
    odd = st.lists(_junk, max_size=1)
    timed = st.just([TIME] if "time" in (route.parameters or {}) else [])
    return _weighted(
        (4, st.tuples(pairs, timed).map(_joined)),
        (6, st.tuples(pairs, further).map(_joined)),
        (2, st.tuples(further, pairs, odd).map(_joined)),
        (2, st.tuples(odd, timed).map(_joined)),
        (1, _junk),
    )


def _joined(groups: tuple[list[str] | tuple[str, ...], ...]) -> str:
    return "&".join(pair for group in groups for pair in group)


def _spelled(path: str) -> Text:
    """Return the path, now and then with some of its characters encoded or in other letters."""
    upper = st.just(path.upper())
    encoded = st.integers(0, len(path) - 1).map(
        lambda at: f"{path[:at]}%{ord(path[at]):02x}{path[at + 1 :]}"
    )
    return _weighted((30, st.just(path)), (1, upper), (2, encoded))


def _path(route: Route) -> Text:
    names = [each.name for each in path_parameters(route)]
    if not names:
        return _spelled(route.path)
    bodies = st.sampled_from(path_parameters(route)[0].choices)
    segment = _weighted((12, bodies), (1, _junk))
    return segment.map(lambda body: route.path.replace(f"{{{names[0]}}}", body)).flatmap(_spelled)


def _target(route: Route) -> Text:
    bare = _path(route)
    return _weighted((6, st.tuples(bare, _query(route)).map("?".join)), (1, bare))


_nowhere = st.tuples(st.lists(_junk, max_size=3).map("/".join), _junk).map("?".join)
_VALUES = st.text("".join(map(chr, range(0x20, 0x7F))), max_size=40).map(str.strip)
_MEDIA = st.sampled_from(
    (
        *("*/*", "application/json", "text/csv", "text/calendar", "text/*", "application/*"),
        *("text/html", "text/csv;q=0.5", "*/*;q=0.1", "application/json;q=0", "text/csv;q=2", ""),
    )
)
_CODING = st.sampled_from(
    (
        "gzip",
        "gzip;q=0.5",
        "gzip;q=0",
        "x-gzip",
        "identity;q=0",
        "*",
        "*;q=0",
        "br",
        "deflate, zstd",
        "",
    )
)
_NAMES = ("Accept", "Accept-Encoding", "If-None-Match", "Cookie", "User-Agent", "X-A")
_HEADER = st.one_of(
    st.lists(_MEDIA, max_size=4).map(lambda ranges: f"Accept: {', '.join(ranges)}"),
    st.lists(_CODING, max_size=3).map(lambda codings: f"Accept-Encoding: {', '.join(codings)}"),
    st.sampled_from(
        ("If-None-Match: *", 'If-None-Match: "x", W/"y"', "Access-Control-Request-Method: GET")
    ),
    st.tuples(st.sampled_from(_NAMES), _VALUES).map(": ".join),
)


def _row(parts: tuple[str, str, list[str], str]) -> Row:
    method, target, headers, version = parts
    names = [header.partition(":")[0] for header in headers]
    # The same header twice is a question of each server's own.
    single = [each for n, each in enumerate(headers) if names[n] not in names[:n]]
    return Row("", target, 0, method=method, headers=(HOST, *single), version=version)


def _boundary(target: str) -> str:
    """Return the target as one that is inside: it begins with one slash and is not too long."""
    return f"/{target.lstrip('/')}"[:MAX_TARGET]


_TARGET = _weighted(
    *((4, _target(route)) for route in ROUTES),
    (2, st.sampled_from([route.path for route in routes()])),
    (1, _nowhere),
)
INSIDE: SearchStrategy[Row] = st.tuples(
    st.sampled_from(METHODS),
    _TARGET.map(_boundary),
    st.lists(_HEADER, max_size=3),
    st.sampled_from(("1.1", "1.1", "1.1", "1.0")),
).map(_row)


# No printable one, since a digit more is another place; and no line break, which ends the request
# line: what comes before it is another request.
_STRAY = st.sampled_from(
    [bytes([n]) for n in (*range(0x21), *range(0x7F, 256)) if n not in (10, 13)]
)
_LINE = f"GET {MUNICH} HTTP/1.1".encode()
_HOST = HOST.encode()


def _with_bytes(insertions: list[tuple[int, bytes]]) -> bytes:
    """Return the request with a byte that no target may hold at each position."""
    line = _LINE
    for at, byte in insertions:
        line = line[:at] + byte + line[at:]
    return line + b"\r\n" + _HOST + b"\r\n\r\n"


_STRAY_BYTES = st.lists(st.tuples(st.integers(0, len(_LINE)), _STRAY), min_size=1, max_size=3).map(
    _with_bytes
)
_PREFIXED = st.sampled_from(
    ("/", "//", "http://localhost", "https://a.example:1", "x", "*", "?")
).map(lambda prefix: Row("", f"{prefix}{MUNICH}", 0).message())
_LONG = st.integers(1, 70_000).map(lambda size: Row("", f"{MUNICH}&x={'a' * size}", 0).message())
_METHOD = st.text("ABCDEFGHabcdefgh@!-", min_size=1, max_size=12).map(
    lambda method: Row("", MUNICH, 0, method=method).message()
)
_VERSION = st.text("0123456789.", max_size=4).map(
    lambda version: Row("", MUNICH, 0, version=version).message()
)
_HEADERS = st.lists(st.binary(max_size=60).filter(lambda line: not set(line) & set(b"\r\n"))).map(
    lambda lines: b"\r\n".join((_LINE, _HOST, *filter(None, lines), b"", b""))
)
_MANY = st.integers(1, 300).map(
    lambda count: Row("", MUNICH, 0, headers=(HOST, *(f"X-{n}: 1" for n in range(count)))).message()
)
OUTSIDE: SearchStrategy[bytes] = st.one_of(
    _STRAY_BYTES, _STRAY_BYTES, _PREFIXED, _LONG, _METHOD, _VERSION, _HEADERS, _HEADERS, _MANY
)
