"""The requests that every app answers alike, and those that a server's own parser answers first.

A row is a request, byte for byte, with the status that is expected, a problem's code, and a text
that the body holds. Rows with `now` get an answer for the instant of the request.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).parents[1] / "client"
HOST = "Host: localhost"
TIME = "time=2026-11-30T21:00:00Z"
MARS = f"/planets/mars?{TIME}"
ASKED = '"lon":11.6,"lat":48.1,"elevation":0.0,"source":"given"'
PLACE = "lat=48.1&lon=11.6"
TAG = "{tag}"  # stands for the entity tag that a plain GET of the row's target answers
GZIP_TAG = "{tag in gzip}"  # and this for that of the same body in gzip


@dataclass(frozen=True, slots=True)
class Row:
    """A request and what is expected of it; `coding` is what the reply's body is sent in."""

    name: str
    target: str
    status: int
    code: str = ""
    holds: str = ""
    method: str = "GET"
    headers: tuple[str, ...] = (HOST,)
    body: bytes = b""
    version: str = "1.1"
    now: bool = False
    coding: str = ""

    def message(self, tag: str = "") -> bytes:
        """Return the bytes to send."""
        lines = (f"{self.method} {self.target} HTTP/{self.version}", *self.headers)
        head = (
            "".join(f"{line}\r\n" for line in lines)
            .replace(TAG, tag)
            .replace(GZIP_TAG, f'{tag[:-1]}-gzip"')
        )
        return f"{head}\r\n".encode("latin-1") + self.body

    def needs_tag(self) -> bool:
        """Return whether the message holds an entity tag."""
        return any(TAG in header or GZIP_TAG in header for header in self.headers)

    def path(self) -> str:
        """Return the target's path."""
        return self.target.partition("?")[0]


def _name(text: str) -> str:
    return text if len(text) < 60 else f"{text[:24]} ... of {len(text)}"


BODIES = (
    Row("sun", f"/planets/sun?{TIME}", 200, holds='"name":"sun"'),
    Row("moon", f"/planets/moon?{TIME}", 200, holds='"name":"moon"'),
    Row("mercury", f"/planets/mercury?{TIME}", 200, holds='"name":"mercury"'),
    Row("venus", f"/planets/venus?{TIME}", 200, holds='"name":"venus"'),
    Row("mars", f"/planets/mars?{TIME}", 200, holds='"name":"mars"'),
    Row("jupiter", f"/planets/jupiter?{TIME}", 200, holds='"name":"jupiter"'),
    Row("saturn", f"/planets/saturn?{TIME}", 200, holds='"name":"saturn"'),
    Row("uranus", f"/planets/uranus?{TIME}", 200, holds='"name":"uranus"'),
    Row("neptune", f"/planets/neptune?{TIME}", 200, holds='"name":"neptune"'),
    Row("pluto", f"/planets/pluto?{TIME}", 200, holds='"name":"pluto"'),
    Row("capitals", f"/planets/MARS?{TIME}", 200, holds='"name":"mars"'),
    Row("mixed case", f"/planets/mArS?{TIME}", 200, holds='"name":"mars"'),
    Row("all bodies", f"/planets?{TIME}", 200, holds='"bodies":[{"name":"sun"'),
    Row("the sky's state", f"/planets?{TIME}", 200, holds='"sky":{"state":"night","sun_alt":-'),
    Row("all for a place", f"/planets?{PLACE}&{TIME}", 200, holds=ASKED),
    Row("one now", "/planets/mars", 200, holds='"source":"default"', now=True),
    Row("all now", f"/planets?{PLACE}", 200, holds=ASKED, now=True),
    Row("a blank time is now", f"/planets/moon?{PLACE}&time=", 200, holds=ASKED, now=True),
    Row("a bare ? is now", "/planets/mars?", 200, holds='"source":"default"', now=True),
    Row("a near miss", "/planets/marz", 404, "unknown-body", "Did you mean mars?"),
    Row("the earth", "/planets/earth", 404, "unknown-body", '"bodies":["sun","moon",'),
    Row("unknown body, bad query", "/planets/earth?x=1", 404, "unknown-body"),
    Row("health", "/healthz", 200, holds='{"status":"ok"}'),
    Row("health with a bare ?", "/healthz?", 200, holds='{"status":"ok"}'),
    Row("health takes nothing", "/healthz?x=1", 400, "unknown-parameter", "it takes none"),
)


def _path(path: str, status: int = 404, code: str = "not-found", holds: str = "") -> Row:
    return Row(_name(path), path, status, code, holds)


PATHS = (
    _path("/nowhere"),
    _path(f"/nowhere?{'a' * 2001}"),
    _path("/planet"),
    _path("/Planets"),
    _path("/HEALTHZ"),
    _path("/planets/"),
    _path("/planets/mars/"),
    _path("/planets/mars/track/x"),
    _path("/healthz/"),
    # Nothing tidies a path up.
    _path("/."),
    _path("/.."),
    _path("/./planets"),
    _path("/planets/./mars"),
    _path("/planets/../planets"),
    _path("/nowhere/../planets"),
    _path("/%2e/planets"),
    _path("/planets//mars"),
    _path("/planets//"),
    _path("/planets/mars//"),
    _path("/planets/.", code="unknown-body"),
    _path("/planets/..", code="unknown-body"),
    _path("/planets/%2e%2e", code="unknown-body"),
    # What is encoded is decoded, once, and an encoded slash divides nothing.
    _path(f"/%70lanets/m%61rs?{TIME}", 200, "", '"name":"mars"'),
    _path("/healt%68z", 200, "", "ok"),
    _path("/%2F"),
    _path("/%2Fplanets"),
    _path("/%2f%2fhealthz"),
    _path("/planets%2Fmars"),
    _path("/planets%2fmars?lat=1"),
    _path("/planets/ma%2Frs"),
    _path("/planets/%2F"),
    _path("/planets/mars%2F"),
    _path("/planets/%252F", code="unknown-body"),
    _path("/planets/m%2561rs", code="unknown-body"),
    _path("/planets%3Flat=1"),
    _path("/planets/mars%3Flat=1", code="unknown-body"),
    _path("/planets%23"),
    _path("/planets/%23", code="unknown-body"),
    # A fragment is for the client alone; a server that drops one would drop the place with it.
    _path(f"{MARS}#fragment", 200, "", '"name":"mars"'),
    _path(f"{MARS}#&lat=1?lon=2", 200, "", '"source":"default"'),
    _path(f"/planets/mars#?{PLACE}"),
    _path(f"/planets/mars#fragment?{PLACE}"),
    _path("/planets#"),
    _path("/#"),
    # Bytes and letters that no body has.
    _path("/planets/%ff", code="unknown-body"),
    _path("/planets/%ffmars", code="unknown-body"),
    _path("/planets/%00", code="unknown-body"),
    _path("/planets/mars%00", code="unknown-body"),
    _path("/planets/%0A", code="unknown-body"),
    _path("/planets/mars%0A", code="unknown-body"),
    _path("/planets/mars%0D%0A", code="unknown-body"),
    _path("/planets/mars%20", code="unknown-body"),
    _path("/planets/%20mars", code="unknown-body"),
    _path("/planets/+mars", code="unknown-body"),
    _path("/planets/mars+", code="unknown-body"),
    _path("/planets/mars;x=1", code="unknown-body"),
    _path("/planets/mars&lat=1", code="unknown-body"),
    _path("/planets/mars,venus", code="unknown-body"),
    _path("/planets/*", code="unknown-body"),
    _path("/planets/%zz", code="unknown-body"),
    _path("/planets/mars%", code="unknown-body"),
    _path("/planets/mars%4", code="unknown-body"),
    _path("/planets/%E2%82%AC", code="unknown-body"),
    _path("/planets/%C5%BFun", code="unknown-body"),  # a long s, whose capital is S
    _path("/planets/%EF%BC%ADars", code="unknown-body"),  # a full-width M
    _path("/planets/%D9%85%D8%B1%DB%8C%D8%AE", code="unknown-body"),  # Mars in Persian
    _path("/planets/mars%D8%9Flon=1", code="unknown-body"),  # a Persian question mark
    # Characters that a URL may not have.
    _path("/planets/{name}", code="unknown-body"),
    _path("/planets/<name>", code="unknown-body"),
    _path("/planets/[::1]", code="unknown-body"),
    _path("/planets/[", code="unknown-body"),
    _path("/planets/]", code="unknown-body"),
    _path('/planets/"mars"', code="unknown-body"),
    _path("/planets/'mars'", code="unknown-body"),
    _path("/planets/mars|venus", code="unknown-body"),
    _path("/planets/mars\\", code="unknown-body"),
    _path("/planets/^`", code="unknown-body"),
    _path("/{path}"),
    _path("/<path>"),
    _path("/[x]"),
    _path("/\\planets"),
    _path("/:80"),
    _path("/@localhost/planets"),
    _path("/http://localhost/planets"),
    # Line breaks, which a router's patterns may not match.
    _path("/%0A"),
    _path("/nowhere%0A"),
    _path("/a%0Ab"),
    _path("/a%0A/b%0D"),
    _path("/planets%0A"),
    _path("/healthz%0A"),
    _path("/%00"),
    _path("/%20"),
    _path("/%FF"),
    _path("/%C3%A9"),
    # 4,000 bytes of target.
    _path("/" + "a" * 3999),
    _path("/planets/" + "a" * 3991, code="unknown-body"),
    _path("/planets/" + "%61" * 1330, code="unknown-body"),
    _path("/planets/" + "%2F" * 1330),
    # The client's files are answered by name.
    _path("/client/"),
    _path("/client/index.html"),
    _path("/../Pipfile"),
    _path("/..%2fPipfile"),
    _path("/%2e%2e/Pipfile"),
    _path("/Pipfile"),
    _path("/index.html/"),
    _path("/favicon.ico"),
)


def _place(query: str, status: int, expected: str, parameter: str = "") -> Row:
    """Return a row for a place: `expected` is a code, or what the body holds after `observer`."""
    target = f"/planets/mars?{query}&{TIME}"
    name = _name(query)
    if status == 200:
        return Row(name, target, status, holds=f'"observer":{{{expected}')
    return Row(name, target, status, expected, f'"parameter":"{parameter}"')


DEFAULT = '"lon":-0.0005,"lat":51.4769,"elevation":0.0,"source":"default"'
PLACES = (
    _place(PLACE, 200, ASKED),
    _place("lon=11.6&lat=48.1", 200, ASKED),
    _place(f"{PLACE}&elevation=520", 200, '"lon":11.6,"lat":48.1,"elevation":520.0'),
    _place(f"{PLACE}&elevation=", 200, ASKED),
    _place("lat=&lon=&elevation=", 200, DEFAULT),
    _place("lat=%20&lon=+++&elevation=%09", 200, DEFAULT),
    _place("lat&lon", 200, DEFAULT),
    _place("lat=48.1", 400, "missing-parameter", "lon"),
    _place("lon=11.6", 400, "missing-parameter", "lat"),
    _place("lat=48.1&lon=", 400, "missing-parameter", "lon"),
    _place("lat=+&lon=11.6", 400, "missing-parameter", "lat"),
    _place("elevation=520", 400, "missing-parameter", "lat"),
    _place("lat=48.1&elevation=520", 400, "missing-parameter", "lon"),
    _place("lon=11.6&elevation=520", 400, "missing-parameter", "lat"),
    _place("lat=48.1;lon=11.6", 400, "missing-parameter", "lon"),
    # Decoded once, after it was divided.
    _place("lat=48.1%26lon=11.6", 400, "missing-parameter", "lon"),
    _place("lat=%252B48.1&lon=11.6", 400, "not-a-number", "lat"),
    _place("lat%3D48.1=&lon=11.6", 400, "unknown-parameter", "lat=48.1"),
    # Limits, both included.
    _place("lat=90&lon=0", 200, '"lon":0.0,"lat":90.0,'),
    _place("lat=-90&lon=0", 200, '"lon":0.0,"lat":-90.0,'),
    _place("lat=90.0000001&lon=0", 400, "out-of-range", "lat"),
    _place("lat=-90.0000001&lon=0", 400, "out-of-range", "lat"),
    _place("lat=0&lon=-180", 200, '"lon":-180.0,"lat":0.0,'),
    _place("lat=0&lon=180", 200, '"lon":-180.0,"lat":0.0,'),
    _place("lat=0&lon=360", 200, '"lon":0.0,"lat":0.0,'),
    _place("lat=0&lon=359.9", 200, '"lon":-0.1,"lat":0.0,'),
    _place("lat=0&lon=359.99999999999", 200, '"lon":0.0,"lat":0.0,'),
    _place("lat=0&lon=179.999", 200, '"lon":179.999,"lat":0.0,'),
    _place("lat=0&lon=-180.0000001", 400, "out-of-range", "lon"),
    _place("lat=0&lon=360.0000001", 400, "out-of-range", "lon"),
    _place("lat=0&lon=1000000000", 400, "out-of-range", "lon"),
    _place("lat=0&lon=0&elevation=9000", 200, '"lon":0.0,"lat":0.0,"elevation":9000.0'),
    _place("lat=0&lon=0&elevation=-500", 200, '"lon":0.0,"lat":0.0,"elevation":-500.0'),
    _place("lat=0&lon=0&elevation=9000.1", 400, "out-of-range", "elevation"),
    _place("lat=0&lon=0&elevation=-500.1", 400, "out-of-range", "elevation"),
    # A plain decimal, with a sign that may have been a + before it was decoded.
    _place("lat=+51.4769&lon=0", 200, '"lon":0.0,"lat":51.4769,'),
    _place("lat=%2B51.4769&lon=0", 200, '"lon":0.0,"lat":51.4769,'),
    _place("lat=%2051.4769&lon=0", 200, '"lon":0.0,"lat":51.4769,'),
    _place("lat=-0&lon=-0.0&elevation=-0", 200, '"lon":0.0,"lat":0.0,"elevation":0.0'),
    _place("lat=.5&lon=5.", 200, '"lon":5.0,"lat":0.5,'),
    _place("lat=0048.10&lon=11.6", 200, ASKED),
    _place("l%61t=48%2E1&l%6fn=%31%31.6", 200, ASKED),
    _place(f"lat={'0' * 398}48.1&lon=11.6", 200, ASKED),
    _place(f"lat=48.1{'0' * 400}&lon=11.6", 200, ASKED),
    _place(f"lat={'9' * 400}&lon=0", 400, "out-of-range", "lat"),
    _place(f"lat=0&lon=-{'9' * 400}", 400, "out-of-range", "lon"),
    _place("lat=++51&lon=0", 400, "not-a-number", "lat"),
    _place("lat=%2B%2B51&lon=0", 400, "not-a-number", "lat"),
    _place("lat=+-51&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51+&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51+28&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51%2028&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51:28&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51:90:00&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51,4&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51.4.7&lon=0", 400, "not-a-number", "lat"),
    _place("lat=1e2&lon=0", 400, "not-a-number", "lat"),
    _place("lat=5_1&lon=0", 400, "not-a-number", "lat"),
    _place("lat=0x10&lon=0", 400, "not-a-number", "lat"),
    _place("lat=.&lon=0", 400, "not-a-number", "lat"),
    _place("lat=-&lon=0", 400, "not-a-number", "lat"),
    _place("lat=%2B&lon=0", 400, "not-a-number", "lat"),
    _place("lat=north&lon=0", 400, "not-a-number", "lat"),
    _place("lat=48.1N&lon=0", 400, "not-a-number", "lat"),
    _place("lat=48.1%C2%B0&lon=0", 400, "not-a-number", "lat"),
    _place("lat=NaN&lon=0", 400, "not-a-number", "lat"),
    _place("lat=0&lon=nan", 400, "not-a-number", "lon"),
    _place("lat=0&lon=inf", 400, "not-a-number", "lon"),
    _place("lat=0&lon=-Infinity", 400, "not-a-number", "lon"),
    _place("lat=0&lon=0&elevation=NaN", 400, "not-a-number", "elevation"),
    _place("lat=0&lon=0&elevation=1e3", 400, "not-a-number", "elevation"),
    _place("lat=%D9%A5%D9%A1&lon=0", 400, "not-a-number", "lat"),  # Arabic digits
    _place("lat=%EF%BC%95%EF%BC%91&lon=0", 400, "not-a-number", "lat"),  # full-width digits
    _place("lat=%E2%88%9251&lon=0", 400, "not-a-number", "lat"),  # a minus sign, no hyphen
    _place("lat=51%00&lon=0", 400, "not-a-number", "lat"),
    _place("lat=51%0A&lon=0", 400, "not-a-number", "lat"),
    _place("lat=%ff&lon=0", 400, "not-a-number", "lat"),
    _place("lat=%zz&lon=0", 400, "not-a-number", "lat"),
    _place("lat=%&lon=0", 400, "not-a-number", "lat"),
    _place("lat==51&lon=0", 400, "not-a-number", "lat"),
    # Names.
    _place("lat=1&lat=2&lon=3", 400, "repeated-parameter", "lat"),
    _place("lat=1&lat=1&lon=3", 400, "repeated-parameter", "lat"),
    _place("lat=1&lon=3&lat=", 400, "repeated-parameter", "lat"),
    _place("lat=1&lon=3&l%61t=1", 400, "repeated-parameter", "lat"),
    _place(TIME, 400, "repeated-parameter", "time"),
    _place("lat=1&long=3", 400, "unknown-parameter", "long"),
    _place("lat=1&lon=3&long=", 400, "unknown-parameter", "long"),
    _place("latitude=1&longitude=3", 400, "unknown-parameter", "latitude"),
    _place("LAT=1&LON=3", 400, "unknown-parameter", "LAT"),
    _place("lat+=1&lon=3", 400, "unknown-parameter", "lat "),
    _place("lat%00=1&lon=3", 400, "unknown-parameter", "lat\\u0000"),
    _place("pressure=0", 400, "unknown-parameter", "pressure"),
    _place("%D8%B9=1", 400, "unknown-parameter", "\u0639"),
    _place("utm_source=mail", 400, "unknown-parameter", "utm_source"),
)


def _time(text: str, expected: str, *, sent: str = "") -> Row:
    """Return a row for a time: `expected` is the instant in the body, or a problem's code."""
    target = f"/planets/mars?time={sent or text}"
    if expected.endswith("Z"):
        return Row(f"time {text}", target, 200, holds=f'{{"time":"{expected}"')
    return Row(f"time {text}", target, 400, expected, '"parameter":"time"')


TIMES = (
    _time("2026-11-30T21:00:00Z", "2026-11-30T21:00:00Z"),
    _time("2026-11-30t21:00:00z", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21:00Z", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21%3A00%3A00Z", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21:00:00%2B00:00", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21:00:00-00:00", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21:00:00+01:00", "2026-11-30T20:00:00Z"),
    _time("2026-11-30T21:00:00%2B01:00", "2026-11-30T20:00:00Z"),
    _time("2026-11-30T21:00:00%2001:00", "2026-11-30T20:00:00Z"),
    _time("2026-11-30T21:00:00+0130", "2026-11-30T19:30:00Z"),
    _time("2026-11-30T21:00:00+01", "2026-11-30T20:00:00Z"),
    _time("2026-11-30T21:00:00-05:00", "2026-12-01T02:00:00Z"),
    _time("2026-11-30T21:00-0530", "2026-12-01T02:30:00Z"),
    _time("2026-11-30T21:00:00+23:59", "2026-11-29T21:01:00Z"),
    _time("2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"),
    # Fractions of a second, cut to milliseconds.
    _time("2026-11-30T21:00:00.1Z", "2026-11-30T21:00:00.100Z"),
    _time("2026-11-30T21:00:00.12Z", "2026-11-30T21:00:00.120Z"),
    _time("2026-11-30T21:00:00.123Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.1234Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.12345Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.123456Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.1234567Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.12345678Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.123456789Z", "2026-11-30T21:00:00.123Z"),
    _time("2026-11-30T21:00:00.999999999Z", "2026-11-30T21:00:00.999Z"),
    _time("2026-11-30T21:00:00.000Z", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21:00:00.0009Z", "2026-11-30T21:00:00Z"),
    _time("2026-11-30T21:00:00,5Z", "2026-11-30T21:00:00.500Z"),
    _time("2026-11-30T21:00:00.5+01:00", "2026-11-30T20:00:00.500Z"),
    _time("400 digits of a second", "2026-11-30T21:00:00.111Z", sent=f"{TIME[5:24]}.{'1' * 400}Z"),
    _time("2026-11-30T21:00:00.Z", "not-an-instant"),
    _time("2026-11-30T21:00.5Z", "not-an-instant"),
    # The limits.
    _time("1900-01-01T00:00:00Z", "1900-01-01T00:00:00Z"),
    _time("1899-12-31T23:59:59.999Z", "out-of-range"),
    _time("1899-12-31T23:30:00-01:00", "1900-01-01T00:30:00Z"),
    _time("1900-01-01T00:30:00+01:00", "out-of-range"),
    _time("2100-12-31T23:59:59.999Z", "2100-12-31T23:59:59.999Z"),
    _time("2100-12-31T23:59:59.9999999Z", "2100-12-31T23:59:59.999Z"),
    _time("2101-01-01T00:00:00Z", "out-of-range"),
    _time("2101-01-01T00:30:00+01:00", "2100-12-31T23:30:00Z"),
    _time("2100-12-31T23:30:00-01:00", "out-of-range"),
    _time("0001-01-01T00:00:00+23:59", "out-of-range"),
    _time("9999-12-31T23:59:59-23:59", "out-of-range"),
    # No such date or time of day.
    _time("0000-01-01T00:00:00Z", "not-an-instant"),
    _time("2024-02-30T00:00:00Z", "not-an-instant"),
    _time("2026-02-29T00:00:00Z", "not-an-instant"),
    _time("2026-13-01T00:00:00Z", "not-an-instant"),
    _time("2026-00-01T00:00:00Z", "not-an-instant"),
    _time("2026-11-31T00:00:00Z", "not-an-instant"),
    _time("2026-11-00T00:00:00Z", "not-an-instant"),
    _time("2026-11-30T24:00:00Z", "not-an-instant"),
    _time("2026-11-30T21:60:00Z", "not-an-instant"),
    _time("2026-11-30T21:00:60Z", "not-an-instant"),
    _time("2016-12-31T23:59:60Z", "not-an-instant"),
    _time("2026-11-30T21:00:00+24:00", "not-an-instant"),
    _time("2026-11-30T21:00:00+01:60", "not-an-instant"),
    _time("2026-11-30T21:00:00-0199", "not-an-instant"),
    # Not ISO 8601 with an offset, or not the part of it that is taken.
    _time("2026-11-30", "not-an-instant"),
    _time("2026-11-30Z", "not-an-instant"),
    _time("2026-11-30T21Z", "not-an-instant"),
    _time("2026-11-30T21:00:00", "not-an-instant"),
    _time("2026-11-30T21:00", "not-an-instant"),
    _time("2026-11-30 21:00:00Z", "not-an-instant", sent="2026-11-30+21:00:00Z"),
    _time("20261130T210000Z", "not-an-instant"),
    _time("2026-W49-1T21:00:00Z", "not-an-instant"),
    _time("2026-334T21:00:00Z", "not-an-instant"),
    _time("+2026-11-30T21:00:00Z", "not-an-instant"),
    _time("-2026-11-30T21:00:00Z", "not-an-instant"),
    _time("12026-11-30T21:00:00Z", "not-an-instant"),
    _time("26-11-30T21:00:00Z", "not-an-instant"),
    _time("2026-11-30T21:00:00Z+01:00", "not-an-instant"),
    _time("2026-11-30T21:00:00+1", "not-an-instant"),
    _time("2026-11-30T21:00:00+01:00:00", "not-an-instant"),
    _time("2026-11-30T21:00:00++01:00", "not-an-instant"),
    _time("2026-11-30T21:00:00UTC", "not-an-instant"),
    _time("2026-11-30T21:00:00%20Z", "not-an-instant"),
    _time("2026-11-30T21:00:00Z%20", "not-an-instant"),
    _time("2026-11-30T21:00:00Z%0A", "not-an-instant"),
    _time("2026-11-30T21:00:00Z%00", "not-an-instant"),
    _time("2026-11-30T21:00:00%E2%88%9201:00", "not-an-instant"),
    _time("%D9%A2026-11-30T21:00:00Z", "not-an-instant"),
    _time("2026%2F11%2F30T21:00:00Z", "not-an-instant"),
    _time("12/31/2024", "not-an-instant"),
    _time("1796072400", "not-an-instant"),
    _time("2460000.5", "not-an-instant"),
    _time("now", "not-an-instant"),
    _time("400 digits of a year", "not-an-instant", sent=f"{'2' * 400}-11-30T21:00:00Z"),
)


def _query(query: str, status: int, code: str = "", holds: str = "") -> Row:
    return Row(_name(f"?{query}"), f"/planets/mars?{query}", status, code, holds)


QUERIES = (
    _query(f"&{TIME}", 200, holds='"source":"default"'),
    _query(f"{TIME}&", 200, holds='"source":"default"'),
    _query(f"&&{TIME}&&{PLACE}&&", 200, holds=ASKED),
    _query("=", 400, "unknown-parameter", '"parameter":""'),
    _query("=1", 400, "unknown-parameter", '"parameter":""'),
    _query(f"?{TIME}", 400, "unknown-parameter", '"parameter":"?time"'),
    _query(f"{TIME}?", 400, "not-an-instant"),
    _query(f"{TIME}?{PLACE}", 400, "missing-parameter", '"parameter":"lat"'),
    _query(f"{TIME};{PLACE}", 400, "missing-parameter", '"parameter":"lat"'),
    _query(f"%26{TIME}", 400, "unknown-parameter"),
    _query("time%3D2026-11-30T21:00:00Z", 400, "unknown-parameter"),
    _query("/", 400, "unknown-parameter"),
    _query("%2F", 400, "unknown-parameter"),
    _query("[]", 400, "unknown-parameter"),
    _query("lat[]=1", 400, "unknown-parameter", "did you mean lat?"),
    _query('"', 400, "unknown-parameter", '"parameter":"\\""'),
    _query("'|^`{}<>\\", 400, "unknown-parameter", '"parameter":"\'|^`{}<>\\\\"'),
    _query("%", 400, "unknown-parameter", '"parameter":"%"'),
    _query("%zz", 400, "unknown-parameter", '"parameter":"%zz"'),
    _query("%ff", 400, "unknown-parameter", '"parameter":"\ufffd"'),
    _query("%00", 400, "unknown-parameter", '"parameter":"\\u0000"'),
    _query("%0D%0ASet-Cookie:x", 400, "unknown-parameter", '"parameter":"\\r\\nSet-Cookie:x"'),
    _query("%ED%A0%80", 400, "unknown-parameter", '"parameter":"\ufffd'),  # half a surrogate pair
    _query("%F0%9F%AA%90", 400, "unknown-parameter", '"parameter":"\U0001fa90"'),
    _query("+", 400, "unknown-parameter", '"parameter":" "'),
    _query("a=1&" * 500, 400, "unknown-parameter"),
    _query("%61" * 667, 414, "query-too-long"),
    _query("x" * 2000, 400, "unknown-parameter"),
    _query("x" * 2001, 414, "query-too-long"),
    _query(f"{TIME}{'&' * 1975}", 200, holds='"source":"default"'),
    _query(f"{TIME}{'&' * 1976}", 414, "query-too-long"),
    _query("x" * 3900, 414, "query-too-long"),
    Row("a long query of an unknown body", f"/planets/earth?{'x' * 2001}", 414, "query-too-long"),
    Row("a long query of all bodies", f"/planets?{'x' * 2001}", 414, "query-too-long"),
    Row("a long query of the health", f"/healthz?{'x' * 2001}", 414, "query-too-long"),
)

SPAN = "start=2026-11-30T21:00:00Z&end=2026-11-30T22:00:00Z"
TRACK = f"/planets/mars/track?{SPAN}"
STARS = f"/stars?{TIME}"
IDENTIFY = f"/identify?az=140&alt=30&{TIME}"


def _track(query: str, expected: str, parameter: str = "") -> Row:
    """Return a row for a track: `expected` is a code, or what the body holds."""
    target, name = f"/planets/mars/track?{query}", f"track?{query}"
    if not parameter:
        return Row(name, target, 200, holds=expected)
    return Row(name, target, 400, expected, f'"parameter":"{parameter}"')


TRACKS = (
    _track(SPAN, '"step":10.0,"points":7,"columns":{"time":["2026-11-30T21:00:00Z",'),
    _track(f"{SPAN}&{PLACE}", ASKED),
    _track(f"{SPAN}&step=0.1", '"points":601'),
    _track(f"{SPAN}&step=1440", '"points":1,'),
    _track(f"{SPAN}&fields=magnitude%2Cphase_name", '"phase_name":[null,'),
    _track(f"{SPAN}&fields=&step=&lat=&lon=", '"points":7'),
    _track("start=2026-11-30T21:00:00Z", '"end":"2026-12-01T21:00:00Z","step":10.0,"points":145'),
    _track("start=2026-11-30T22:00:00+01:00", '"start":"2026-11-30T21:00:00Z"'),
    _track("start=2026-11-30T21:00:00.5Z&step=120", '"time":["2026-11-30T21:00:00.500Z",'),
    _track("start=2026-11-30T21:00:00Z&end=2026-11-30T21:00:00Z", '"points":1,'),
    _track("start=2026-11-30T21:00:00Z&end=2026-12-02T06:19:00Z&step=1", '"points":2000'),
    _track("start=2026-11-30T21:00:00Z&end=2026-12-02T06:20:00Z&step=1", "too-many-points", "step"),
    _track("end=2026-11-30T22:00:00Z", "missing-parameter", "start"),
    _track("end=2026-11-30T22:00:00Z&start=", "missing-parameter", "start"),
    _track("start=2026-11-30T21:00:00Z&end=2026-11-30T20:59:59Z", "end-before-start", "end"),
    _track("start=2026-11-30", "not-an-instant", "start"),
    _track("start=2100-12-31T12:00:00Z", "out-of-range", "end"),
    _track("start=1899-12-31T23:59:59Z", "out-of-range", "start"),
    _track(f"{SPAN}&step=0", "out-of-range", "step"),
    _track(f"{SPAN}&step=1e2", "not-a-number", "step"),
    _track(f"{SPAN}&fields=az,altitude", "unknown-field", "fields"),
    _track(f"{SPAN}&fields=%ff", "unknown-field", "fields"),
    _track(f"{SPAN}&lat=48.1", "missing-parameter", "lon"),
    _track(f"{SPAN}&{TIME}", "unknown-parameter", "time"),
    _track(f"{SPAN}&step=1&step=2", "repeated-parameter", "step"),
    Row("a track now", "/planets/MARS/track", 200, holds='"points":145', now=True),
    Row("a track of no body", "/planets/earth/track?x=1", 404, "unknown-body"),
    Row("a track with a slash", "/planets/mars/track/", 404, "not-found"),
    Row("a track with an encoded slash", "/planets/mars%2Ftrack", 404, "not-found"),
)


def _identify(query: str, expected: str, parameter: str = "") -> Row:
    """Return a row for a direction: `expected` is a code, or what the body holds."""
    target, name = f"/identify?{query}", f"identify?{query}"
    if not parameter:
        return Row(name, target, 200, holds=expected)
    return Row(name, target, 400, expected, f'"parameter":"{parameter}"')


STARS_AND_DIRECTIONS = (
    Row("stars", STARS, 200, holds='"stars":[{"name":"Sirius"'),
    Row("stars for a place", f"{STARS}&{PLACE}", 200, holds=ASKED),
    Row("stars now", "/stars", 200, holds='"source":"default"', now=True),
    Row("stars with a direction", f"{STARS}&az=1", 400, "unknown-parameter"),
    Row("stars for a part of a place", "/stars?alt=520", 400, "unknown-parameter", "elevation?"),
    Row("stars with a slash", "/stars/", 404, "not-found"),
    _identify(f"az=140&alt=30&{TIME}", '"direction":{"az":140.0,"alt":30.0},"nearest":[{'),
    _identify(f"az=140&alt=30&{PLACE}&elevation=520&{TIME}", '"elevation":520.0'),
    _identify(f"az=360&alt=+90&{TIME}", '"direction":{"az":0.0,"alt":90.0}'),
    _identify(f"az=-0&alt=-0&{TIME}", '"direction":{"az":0.0,"alt":0.0}'),
    _identify(f"az=0&alt=-90&{TIME}", '"up":false'),
    _identify("", "missing-parameter", "az"),
    _identify("az=140", "missing-parameter", "alt"),
    _identify("az=&alt=30", "missing-parameter", "az"),
    _identify("az=140&elevation=30", "missing-parameter", "alt"),
    _identify("az=140&alt=30&elevation=520", "missing-parameter", "lat"),
    _identify("az=360.1&alt=30", "out-of-range", "az"),
    _identify("az=-1&alt=30", "out-of-range", "az"),
    _identify("az=140&alt=90.1", "out-of-range", "alt"),
    _identify("az=SE&alt=30", "not-a-number", "az"),
    _identify("az=140&alt=30:00", "not-a-number", "alt"),
    _identify(f"az=140&alt=30&lat=91&lon=0&{TIME}", "out-of-range", "lat"),
    _identify("az=140&alt=30&time=now", "not-an-instant", "time"),
    _identify("az=140&altitude=30", "unknown-parameter", "altitude"),
    Row(
        "altitude means alt", "/identify?altitude=30", 400, "unknown-parameter", "did you mean alt?"
    ),
    Row("a direction now", "/identify?az=1&alt=2", 200, holds='"nearest":[', now=True),
)

PAGE = "/index.html"
CLIENT_FILES = (
    Row("the page", "/", 200, holds="<!doctype html>"),
    Row("the page for a place", f"/?{PLACE}&elevation=520", 200, holds="<!doctype html>"),
    Row("the page with any query", "/?x=%zz&&lat=95", 200, holds="<!doctype html>"),
    Row("the page with 2,000 characters", f"/?{'x' * 2000}", 200, holds="<!doctype html>"),
    Row("the list of the page's files", "/files.json", 200, holds='"/main.js":'),
    Row("the page with 2,001 characters", f"/?{'x' * 2001}", 414, "query-too-long"),
    *(Row(f"file {file.name}", f"/{file.name}", 200) for file in sorted(CLIENT.iterdir())),
    *(Row(f"file {file.name}?v=1", f"/{file.name}?v=1", 200) for file in sorted(CLIENT.iterdir())),
)

# Every known method on each kind of route; CONNECT's target is no path.
ALLOW = "Send one of GET, HEAD, OPTIONS."
_REFUSED = ("POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND")


def _methods(target: str, status: int) -> Iterator[Row]:
    name = target.partition("?")[0]
    yield Row(f"HEAD {name}", target, status, method="HEAD")
    yield Row(f"OPTIONS {name}", target, 204, method="OPTIONS")
    for method in _REFUSED:
        yield Row(f"{method} {name}", target, 405, "method-not-allowed", ALLOW, method)


METHODS = (
    *_methods(MARS, 200),
    *_methods(f"/planets?{TIME}", 200),
    *_methods(TRACK, 200),
    *_methods(STARS, 200),
    *_methods(IDENTIFY, 200),
    *_methods("/healthz", 200),
    *_methods("/", 200),
    *_methods(PAGE, 200),
    Row("HEAD of an unknown body", "/planets/earth", 404, method="HEAD"),
    Row("HEAD with a bad query", "/planets?x=1", 400, method="HEAD"),
    Row("HEAD with a long query", f"/planets?{'x' * 2001}", 414, method="HEAD"),
    Row("OPTIONS of an unknown body", "/planets/earth?x=1", 204, method="OPTIONS"),
    Row("POST to an unknown body", "/planets/earth", 405, "method-not-allowed", method="POST"),
    Row("POST of a long query", f"/?{'x' * 2001}", 405, "method-not-allowed", method="POST"),
    Row("POST to a slash too many", "/planets/ma%2Frs", 404, "not-found", method="POST"),
    Row("HEAD nowhere", "/nowhere", 404, method="HEAD"),
    Row("OPTIONS nowhere", "/nowhere", 404, "not-found", method="OPTIONS"),
    *(Row(f"{name} nowhere", "/nowhere", 404, "not-found", method=name) for name in _REFUSED),
)


def _bodies(method: str, status: int, code: str = "") -> Iterator[Row]:
    row = Row(f"{method} with a body", MARS, status, code, method=method, body=b"lat=1&lon=2")
    form = "Content-Type: application/x-www-form-urlencoded"
    yield replace(row, headers=(HOST, "Content-Length: 11", form))
    chunks = b"b\r\nlat=1&lon=2\r\n0\r\n\r\n"
    chunked = replace(row, headers=(HOST, "Transfer-Encoding: chunked", form), body=chunks)
    yield replace(chunked, name=f"{method} with a chunked body")


BODY_SENT = (
    *_bodies("GET", 200),
    *_bodies("HEAD", 200),
    *_bodies("OPTIONS", 204),
    *_bodies("POST", 405, "method-not-allowed"),
    *_bodies("PUT", 405, "method-not-allowed"),
    *_bodies("DELETE", 405, "method-not-allowed"),
    *_bodies("PATCH", 405, "method-not-allowed"),
    *_bodies("TRACE", 405, "method-not-allowed"),
    Row(
        *("POST of 100,000 bytes", MARS, 405, "method-not-allowed", ALLOW, "POST"),
        headers=(HOST, "Content-Length: 100000"),
        body=b"x" * 100_000,
    ),
    Row(
        *("GET with 100,000 bytes", MARS, 200),
        headers=(HOST, "Content-Length: 100000"),
        body=b"x" * 100_000,
    ),
)


def _with(*headers: str, status: int = 200, target: str = MARS, method: str = "GET") -> Row:
    name = " / ".join(header[:50] for header in headers)
    if (method, target) != ("GET", MARS):
        name = f"{method} {target[:12]} {name}"
    return Row(name, target, status, method=method, headers=(HOST, *headers))


_PREFLIGHT = ("Origin: https://sky.example", "Access-Control-Request-Method: GET")
CONDITIONS = (
    _with(f"If-None-Match: {TAG}", status=304),
    _with(f"if-none-match:{TAG}", status=304),
    _with(f"If-None-Match: W/{TAG}", status=304),
    _with(f'If-None-Match: "x", {TAG}', status=304),
    _with(f'If-None-Match: "x",W/{TAG} ,"y"', status=304),
    _with("If-None-Match: *", status=304),
    _with('If-None-Match: "x"'),
    _with("If-None-Match: x"),
    _with("If-None-Match:"),
    _with('If-None-Match: "'),
    _with("If-None-Match: ,,,"),
    _with('If-None-Match: "*"'),
    _with(f"If-None-Match: {TAG}", 'If-None-Match: "x"', status=304),
    _with('If-None-Match: "x"', f"If-None-Match: {TAG}", status=304),
    _with("If-None-Match: *", 'If-None-Match: "x"'),
    _with(f"If-None-Match: {TAG}", method="OPTIONS", status=204),
    _with(f"If-None-Match: {TAG}", target=PAGE, status=304),
    _with(f"If-None-Match: {TAG}", target=TRACK, status=304),
    _with(f"If-None-Match: {TAG}", target=STARS, status=304),
    _with(f"If-None-Match: {TAG}", target=IDENTIFY, status=304),
    _with(f"If-None-Match: W/{TAG}", target="/", status=304),
    _with('If-None-Match: "x"', target=PAGE),
    _with("If-None-Match: *", target="/healthz"),
    _with("If-None-Match: *", target="/nowhere", status=404),
    _with("If-Match: *"),
    _with('If-Match: "x"'),
    _with("If-Modified-Since: Thu, 31 Dec 2099 00:00:00 GMT"),
    _with("If-Modified-Since: yesterday"),
    _with("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT"),
    _with("Range: bytes=0-9"),
    _with("Range: bytes=99999-"),
    _with("Range: lines=1", "If-Range: x"),
    _with("Range: bytes=0-9", target=PAGE),
)
CONDITIONS_OF_HEAD = (
    _with(f"If-None-Match: {TAG}", status=304, method="HEAD"),
    _with('If-None-Match: "x"', method="HEAD"),
    _with(f"If-None-Match: {TAG}", status=405, method="POST"),
)
PREFLIGHTS = (
    _with(*_PREFLIGHT, method="OPTIONS", status=204),
    _with(*_PREFLIGHT, method="OPTIONS", status=204, target="/planets"),
    _with(*_PREFLIGHT, method="OPTIONS", status=204, target="/"),
    _with(*_PREFLIGHT, method="OPTIONS", status=404, target="/nowhere"),
    _with(
        "access-control-request-method: DELETE",
        "access-control-request-headers: x-a, x-b",
        "access-control-request-private-network: true",
        method="OPTIONS",
        status=204,
    ),
    _with("Access-Control-Request-Method:", method="OPTIONS", status=204),
    _with("Access-Control-Request-Headers: x-a", method="OPTIONS", status=204),
    _with("Origin: https://sky.example", method="OPTIONS", status=204),
    _with(*_PREFLIGHT),
)
HEADERS = (
    _with("Origin: https://sky.example"),
    _with("Origin: null"),
    _with("Origin: https://a.example", "Origin: https://b.example"),
    _with("Accept: text/html"),
    _with("Accept: image/*;q=0, x/"),
    _with("Accept:"),
    _with("Accept-Encoding: gzip, br, zstd"),
    _with("Accept-Encoding: identity;q=0"),
    _with("Accept-Language: fa, en;q=0.5", "Accept-Charset: nonsense"),
    _with("Expect: 100-continue"),
    _with("Expect: 100-Continue", target="/nowhere", status=404),
    _with("Upgrade: websocket", "Connection: Upgrade"),
    _with(
        "Upgrade: WebSocket",
        "Connection: keep-alive, Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        target=PAGE,
    ),
    _with("Upgrade: websocket", "Connection: upgrade", target="/nowhere", status=404),
    _with("Upgrade: websocket"),
    _with(
        "Upgrade: h2c",
        "Connection: Upgrade, HTTP2-Settings",
        "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
    ),
    _with("Upgrade: TLS/1.0", "Connection: Upgrade"),
    _with("Connection: close"),
    _with("Connection: keep-alive", "Keep-Alive: timeout=5"),
    _with("Connection: nonsense"),
    _with("Cookie: session=x; lat=1", "Cookie: a"),
    _with('Cookie: ;;=="'),
    _with("Authorization: Basic !!!", "Proxy-Authorization: x"),
    _with("X-Forwarded-For: 192.0.2.1, x", "X-Real-IP: 192.0.2.1"),
    _with("X-Forwarded-Proto: https"),
    _with("X-Forwarded-Proto: https", "X-Forwarded-Ssl: 0"),
    # gunicorn would let a peer that it trusts say where the app is mounted.
    _with("SCRIPT_NAME: /planets"),
    _with("SCRIPT_NAME: /other"),
    _with("X-Forwarded-Proto: ftp", "X-Forwarded-Port: x"),
    _with("X-Forwarded-Host: other.example", "X-Forwarded-Prefix: /other"),
    _with("Forwarded: for=192.0.2.1;host=other.example;proto=https"),
    _with("X-HTTP-Method-Override: DELETE", "X-Original-URL: /healthz", "X-Rewrite-URL: /healthz"),
    _with("Script-Name: /other", "Path-Info: /healthz", "Query-String: lat=1"),
    _with("Content-Type: application/json"),
    _with("Content-Type: ;;;=", "Content-Encoding: nonsense", "Content-Language: xx"),
    _with("Content-Type: multipart/form-data"),
    _with("Content-Length: 0"),
    _with("Cache-Control: no-cache, only-if-cached", "Pragma: no-cache"),
    _with("User-Agent:", "Referer: \\", "From: @", "Date: today", "Via: x", "Max-Forwards: 0"),
    _with("TE: trailers", "Trailer: X", "Priority: u=1", "Sec-Fetch-Mode: navigate"),
    _with("X-A: 1", "X-A: 2", "x-a: 3"),
    _with("X-Empty:", "X-Tab: a\tb", "X-Space:    a   ", 'X-Quote: "', "X-!#$%&'*+.^`|~: 1"),
    _with("X-Latin: \xe9"),
    _with("Server: me", "ETag: x", 'Status: 500 "'),
    _with("X-Long: " + "a" * 7900),
    _with(*(f"X-{number}: {'a' * 80}" for number in range(90))),
)
HOSTS = tuple(
    Row(f"{host[:40]} for {target[:8]}", target, status, headers=(host,))
    for host in (
        "Host:",
        "Host: ",
        "Host: other.example",
        "Host: 127.0.0.1:8000",
        "Host: [::1]:8000",
        "Host: [::1",
        "Host: :80",
        "Host: a:b:c",
        "Host: a..b",
        "Host: .",
        "Host: a b",
        "Host: a/b?c#d@e",
        "Host: xn--",
        "Host: *",
        "Host: \xe9",
        "Host: " + "a" * 300,
    )
    for target, status in ((MARS, 200), ("/nowhere", 404))
)
VERSIONS = (
    Row("HTTP/1.0", MARS, 200, version="1.0"),
    Row("HTTP/1.0 without a host", MARS, 200, version="1.0", headers=()),
    Row("HTTP/1.0 nowhere", "/nowhere", 404, "not-found", version="1.0"),
    Row("HTTP/1.0 HEAD", MARS, 200, method="HEAD", version="1.0"),
    Row("HTTP/1.0 expecting", MARS, 200, version="1.0", headers=(HOST, "Expect: 100-continue")),
    Row("HTTP/1.0 kept", MARS, 200, version="1.0", headers=(HOST, "Connection: keep-alive")),
)

# Formats, on a route that has several; each row's name says what asks for which.
SERIES = f"/planets/mars/track?{PLACE}&start=2026-11-30T21:00Z&end=2026-11-30T22:00Z"
DATE_AND_PLACE = f"/almanac?{PLACE}&date=2026-11-30"
CSV_HEAD = "time,az,alt\r\n2026-11-30T21:00:00Z,"


def _format(name: str, holds: str, *headers: str, query: str = "", status: int = 200) -> Row:
    """Return a row for a format: `holds` is what the body holds, or a problem's code."""
    code, held = ("", holds) if status in (200, 304) else (holds, '"csv":"text/csv"')
    return Row(f"format {name}", SERIES + query, status, code, held, headers=(HOST, *headers))


FORMATS = (
    _format("by default", '"columns":{"time":["2026-11-30T21:00:00Z",'),
    _format("any", '"columns"', "Accept: */*"),
    _format("by Accept", CSV_HEAD, "Accept: text/csv"),
    _format("by a type in capitals", CSV_HEAD, "accept:TEXT/CSV"),
    _format("by a starred type", CSV_HEAD, "Accept: text/*"),
    _format("by quality", CSV_HEAD, "Accept: application/json;q=0.4, text/csv;q=0.5"),
    _format("by two headers", CSV_HEAD, "Accept: text/html", "Accept: text/csv;q=0.1"),
    _format("of a browser", '"columns"', "Accept: text/html,application/xml;q=0.9,*/*;q=0.8"),
    _format("by nonsense", '"columns"', 'Accept: csv, ;;, "'),
    _format("of fields", "time,magnitude\r\n", query="&fields=magnitude&format=csv"),
    _format("by name", CSV_HEAD, query="&format=csv"),
    _format("by a name in capitals", CSV_HEAD, query="&format=CSV"),
    _format("by name in place of Accept", CSV_HEAD, "Accept: image/png", query="&format=csv"),
    _format("JSON by name", '"columns"', "Accept: text/csv", query="&format=json"),
    _format("by a blank name", CSV_HEAD, "Accept: text/csv", query="&format="),
    _format("by an unknown name", "unknown-format", query="&format=xml", status=400),
    _format("by another's name", "unknown-format", query="&format=ics", status=400),
    _format("that there is not", "not-acceptable", "Accept: text/html", status=406),
    _format("that is refused", "not-acceptable", "Accept: */*;q=0", status=406),
    _format("not changed", "", f"If-None-Match: {TAG}", query="&format=csv", status=304),
    _format("with another's tag", CSV_HEAD, "Accept: text/csv", f"If-None-Match: {TAG}"),
    Row("an unknown body as CSV", "/planets/earth/track?format=csv", 404, "unknown-body"),
    *(
        row
        for form, media_type, holds in (
            ("csv", "text/csv", "kind,name,status,why_not,time,local,az,alt\r\ndawn,civil,"),
            ("ics", "text/calendar", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"),
        )
        for row in (
            Row(f"the almanac as {form}", f"{DATE_AND_PLACE}&format={form}", 200, holds=holds),
            Row(
                f"the almanac by Accept: {media_type}",
                *(DATE_AND_PLACE, 200, "", holds),
                headers=(HOST, f"Accept: {media_type}"),
            ),
            Row(
                f"the almanac as {form} not changed",
                *(f"{DATE_AND_PLACE}&format={form}", 304),
                headers=(HOST, f"If-None-Match: {TAG}"),
            ),
        )
    ),
    Row(
        "the almanac as what it is not",
        *(DATE_AND_PLACE, 406, "not-acceptable", '"ics":"text/calendar"'),
        headers=(HOST, "Accept: text/html"),
    ),
)

# The almanac of a date.
ALMANAC = f"/almanac?{PLACE}&date=2026-11-30"


def _almanac(query: str, status: int, code: str = "", holds: str = "") -> Row:
    return Row(f"almanac {_name(query)}", f"/almanac?{query}", status, code, holds)


def _almanac_of(place: str, day: str, holds: str, tz: str = "") -> Row:
    row = _almanac(f"{place}&date={day}&tz={tz}", 200, holds=holds)
    return replace(row, name=f"almanac of {place} {day} {tz} with {holds[:60]}")


_DATE = "date=2026-11-30"
_SAMOA = "lat=-13.83&lon=-171.77"
ALMANACS = (
    _almanac_of(PLACE, "2026-11-30", '"zone":{"name":"Europe/Berlin","source":"place"}'),
    _almanac_of(PLACE, "2026-11-30", f'"observer":{{{ASKED}}}'),
    _almanac_of(PLACE, "2026-03-29", '"begin":"2026-03-28T23:00:00Z","end":"2026-03-29T22:00:00Z"'),
    _almanac_of(PLACE, "2026-10-25", '"begin":"2026-10-24T22:00:00Z","end":"2026-10-25T23:00:00Z"'),
    _almanac_of(PLACE, "2026-11-30", '"name":"Asia/Tokyo","source":"given"', "Asia/Tokyo"),
    _almanac_of(PLACE, "2026-11-30", '"name":"UTC-2","source":"given"', "Etc/GMT%2B2"),
    _almanac_of(PLACE, "2026-11-30", '"name":"UTC-2"', "Etc/GMT+2"),
    _almanac_of("lat=69.6&lon=18.95", "2026-12-15", '"status":"always_down"'),
    _almanac_of("lat=69.6&lon=18.95", "2026-06-21", '"why_not":"no_darkness"'),
    _almanac_of("lat=90&lon=0", "2026-03-20", '"name":"UTC","source":"place"'),
    _almanac_of("lat=-90&lon=0", "2026-06-21", '"status":"always_up"'),
    _almanac_of("lat=0&lon=0", "2026-06-21", '"name":"UTC"'),
    _almanac_of("lat=30&lon=-25", "2026-06-21", '"name":"UTC-2","source":"place"'),
    _almanac_of("lat=-14.28&lon=-170.7", "2026-11-30", '"begin":"2026-11-30T11:00:00Z"'),
    _almanac_of("lat=1.87&lon=-157.4", "2026-11-30", '"begin":"2026-11-29T10:00:00Z"'),
    _almanac_of("lat=1.87&lon=-157.4", "1900-01-01", '"date":"1900-01-01"'),
    _almanac_of("lat=-14.28&lon=-170.7", "2100-12-31", '"date":"2100-12-31"'),
    _almanac_of(_SAMOA, "2011-12-31", '"begin":"2011-12-30T10:00:00Z"'),
    _almanac(f"{_SAMOA}&date=2011-12-30", 400, "missing-date", "Pacific/Apia had no 2011-12-30"),
    _almanac(_DATE, 200, holds='"source":"default"'),
    _almanac("date=2026-02-30", 400, "not-a-date", '"parameter":"date"'),
    _almanac("date=tomorrow", 400, "not-a-date"),
    _almanac("date=1899-12-31", 400, "out-of-range", '"parameter":"date"'),
    _almanac("date=2101-01-01", 400, "out-of-range"),
    _almanac(f"{_DATE}&{_DATE}", 400, "repeated-parameter"),
    _almanac(f"{_DATE}&tz=europe/paris", 400, "unknown-zone", "Did you mean Europe/Paris"),
    _almanac(f"{_DATE}&tz=../../etc/localtime", 400, "unknown-zone", '"parameter":"tz"'),
    _almanac(f"{_DATE}&tz=%00", 400, "unknown-zone"),
    _almanac(f"{_DATE}&tz=%ff", 400, "unknown-zone"),
    _almanac(f"{_DATE}&tz={'x' * 1900}", 400, "unknown-zone"),
    _almanac(f"{_DATE}&time=now", 400, "unknown-parameter", "did you mean date?"),
    _almanac(f"{_DATE}&timezone=UTC", 400, "unknown-parameter", "did you mean tz?"),
    _almanac(f"{_DATE}&lat=1", 400, "missing-parameter", '"parameter":"lon"'),
    _almanac(f"{_DATE}&lat=91&lon=0", 400, "out-of-range", '"parameter":"lat"'),
    _almanac(f"{_DATE}&lat=x&lon=0", 400, "not-a-number"),
    _almanac(f"{_DATE}&lat=0&lon=0&elevation=9001", 400, "out-of-range"),
    _almanac(f"{_DATE}&{'x' * 2000}", 414, "query-too-long"),
    Row("almanac with a slash", "/almanac/", 404, "not-found"),
    *_methods(ALMANAC, 200),
    _with(f"If-None-Match: {TAG}", target=ALMANAC, status=304),
    _with('If-None-Match: "x"', target=ALMANAC),
)

# What describes the service.
DESCRIPTIONS = tuple(
    row
    for path, holds in (("/openapi.json", '{"openapi":"3.1.0",'), ("/docs", "<!doctype html>"))
    for row in (
        Row(path, path, 200, holds=holds),
        Row(f"{path} with a query", f"{path}?x=1", 200, holds=holds),
        Row(f"{path} not changed", path, 304, headers=(HOST, f"If-None-Match: {TAG}")),
        Row(f"{path} as another format", path, 200, headers=(HOST, "Accept: image/png")),
        Row(f"{path} with a slash", f"{path}/", 404, "not-found"),
        *_methods(path, 200),
    )
)

# What a body is sent in. A reply of up to 1,000 bytes is sent as it is, whatever is accepted.
GZIP = "Accept-Encoding: gzip"
BROWSERS_OWN = "Accept-Encoding: gzip, deflate, br, zstd"
SKY = f"/planets?{TIME}"
LONG_PROBLEM = f"/planets/mars?{'x' * 1500}"


def _coded(target: str, *headers: str, name: str = "", **expected: Any) -> Row:
    """Return a row for a body that is sent in gzip."""
    row = _accepting(target, *headers, name=name, **expected)
    return replace(row, coding="gzip")


def _accepting(target: str, *headers: str, name: str = "", **expected: Any) -> Row:
    called = name or f"{target[:16]} {' / '.join(headers)}"
    return Row(f"coding {called}", target, headers=(HOST, *headers), **{"status": 200, **expected})


CODINGS = (
    *(
        _coded(SKY, f"Accept-Encoding:{accepted}", holds='"name":"pluto"')
        for accepted in (
            *(
                " gzip",
                "gzip",
                " GZip",
                " x-gzip",
                " *",
                " gzip;q=0.001",
                " gzip ; q=1.000",
                "\tgzip;Q=1",
            ),
            *(" br, gzip", " gzip, deflate, br, zstd", " gzip;q=0.5, identity;q=0.5", " *;q=0.1"),
            *(
                " identity;q=0, gzip",
                " gzip, *;q=0",
                " identity;q=0, *",
                " br;q=1, *;q=0.5",
                ",,gzip,",
            ),
            *(" gzip, nonsense;q=2", " gzip;q=0, x-gzip"),
        )
    ),
    *(
        _accepting(SKY, f"Accept-Encoding:{accepted}", holds='"name":"pluto"')
        for accepted in (
            *("", " identity", " br", " gzip;q=0", " gzip;q=0.000", " *;q=0", " identity;q=0"),
            *(
                " gzip;q=0.4, identity;q=0.5",
                " gzip;q=0.4, *;q=0.5",
                " gzip;q=0, *",
                " gzip2",
                " gz",
            ),
            *(
                " gzip;q=2",
                " gzip;q=0.0001",
                " gzip;q=",
                " gzip;level=9",
                " gzip deflate",
                ' "gzip"',
            ),
            *(" gzip;q=.5", " gzip; q = 1", " ;", " =gzip"),
        )
    ),
    _coded(SKY, "Accept-Encoding: br", "accept-encoding: gzip", holds='"name":"pluto"'),
    _accepting(SKY, GZIP, "Accept-Encoding: gzip;q=0", name="taken and refused"),
    _coded("/planets", GZIP, name="now", now=True, holds='"source":"default"'),
    _coded(SKY, GZIP, name="HTTP/1.0", version="1.0"),
    _coded(SKY, GZIP, name="HEAD", method="HEAD"),
    _coded(STARS, BROWSERS_OWN, holds='"stars":['),
    _coded(f"{SERIES}&step=1", GZIP, "Accept: application/json", holds='"columns"'),
    _coded(f"{SERIES}&step=1", GZIP, "Accept: text/csv", holds=CSV_HEAD),
    _coded(f"{DATE_AND_PLACE}&format=csv", GZIP, name="of a CSV", holds="kind,name,status"),
    _coded(f"{DATE_AND_PLACE}&format=ics", GZIP, name="of a calendar", holds="BEGIN:VCALENDAR"),
    _coded(DATE_AND_PLACE, GZIP, holds='"twilights"'),
    _coded(LONG_PROBLEM, GZIP, status=400, code="unknown-parameter", name="of a long problem"),
    _accepting(LONG_PROBLEM, status=400, code="unknown-parameter", name="of none"),
    _accepting(MARS, BROWSERS_OWN, name="of one body", holds='"name":"mars"'),
    _accepting("/healthz", GZIP),
    _accepting("/nowhere", GZIP, status=404, code="not-found"),
    _accepting("/planets%2Fmars", GZIP, status=404, code="not-found"),
    _accepting(SKY, GZIP, name="POST", method="POST", status=405, code="method-not-allowed"),
    _accepting(SKY, GZIP, name="OPTIONS", method="OPTIONS", status=204),
    *(_coded(target, BROWSERS_OWN) for target in ("/", "/openapi.json", "/docs", "/files.json")),
    *(
        replace(_accepting(f"/{file.name}", GZIP, name=f"of {file.name}"), coding=coding)
        for file in sorted(CLIENT.iterdir())
        for coding in ("" if file.suffix == ".png" else "gzip",)
    ),
    # The tag of either coding is that of the same body.
    *(
        _accepting(target, f"If-None-Match: {tag}", *accepted, status=304, name=called)
        for target in (SKY, "/", "/openapi.json", f"{DATE_AND_PLACE}&format=csv")
        for tag in (TAG, GZIP_TAG, f"W/{GZIP_TAG}", f"{GZIP_TAG}, {TAG}", "*")
        for accepted in ((), (GZIP,))
        for called in (f"known {target[:30]} {tag} {accepted}",)
    ),
    _coded(SKY, GZIP, 'If-None-Match: "x-gzip"'),
    _accepting(SKY, f"If-None-Match: {TAG}", GZIP, method="HEAD", status=304, name="HEAD known"),
    # A request's own coding is nobody's business: its body is not read.
    *(
        _accepting(
            *(MARS, f"Content-Length: {len(body)}", f"Content-Encoding: {coding}"),
            **{"method": method, "body": body, "status": status},
            name=f"of a {method} in {coding} of {len(body)}",
        )
        for coding in ("gzip", "deflate", "br", "zstd", "identity", "nonsense")
        for method, status in (("GET", 200), ("POST", 405))
        for body in (b"", b"lat=1&lon=2", b"x" * 100_000)
    ),
)

# What servers that the experiment starts answer; in production nothing is at this path.
WAITS = (
    Row("a wait", "/wait?ms=1", 200, holds='{"waited_ms":1}'),
    Row("a wait by default", "/wait", 200, holds='{"waited_ms":10}'),
    Row("a wait of a part", "/wait?ms=0.5", 200, holds='{"waited_ms":0.5}'),
    Row("a wait of nothing", "/wait?ms=0", 200, holds='{"waited_ms":0}'),
    Row("a wait for too long", "/wait?ms=1001", 400, "out-of-range", '"parameter":"ms"'),
    Row("a wait that is no number", "/wait?ms=soon", 400, "not-a-number"),
    Row("a wait for seconds", "/wait?time=1", 400, "unknown-parameter", "did you mean ms?"),
    Row("OPTIONS of a wait", "/wait", 204, method="OPTIONS"),
    Row("POST of a wait", "/wait", 405, "method-not-allowed", method="POST"),
)

INSIDE = (
    *BODIES,
    *PATHS,
    *PLACES,
    *TIMES,
    *QUERIES,
    *TRACKS,
    *STARS_AND_DIRECTIONS,
    *CLIENT_FILES,
    *METHODS,
    *BODY_SENT,
    *CONDITIONS,
    *CONDITIONS_OF_HEAD,
    *PREFLIGHTS,
    *HEADERS,
    *HOSTS,
    *VERSIONS,
    *FORMATS,
    *ALMANACS,
    *DESCRIPTIONS,
    *CODINGS,
    *WAITS,
)
