"""Requests outside the boundary: a server's own parser may answer them before an app does.

What was seen, per server. Each row asks for one place, so that an answer for another is found out.
"""

from dataclasses import dataclass

from requests_table import HOST, PLACE, TIME, Row

MUNICH = f"/planets/mars?{PLACE}&{TIME}"
CLOSED = -1  # the connection, without a reply
BARE = 0  # a reply without a status line, as HTTP/0.9 has it
# Lanes that are alike in this, by what they have in common.
COLUMNS = {
    "aiohttp": ("aiohttp-dev", "aiohttp-gunicorn", "aiohttp-uvloop"),
    "Flask dev": ("flask-dev",),
    "gunicorn WSGI": ("flask-gunicorn", "flask-gthread", "flask-gthread32", "flask-gevent"),
    "Flask on Granian": ("flask-granian",),
    "Tornado": ("tornado-dev", "tornado-gunicorn"),
    "uvicorn": ("starlette-uvicorn",),
    "gunicorn ASGI": ("starlette-gunicorn",),
    "Starlette on Granian": ("starlette-granian",),
}
WORDS = {"-": CLOSED, "bare": BARE}


@dataclass(frozen=True, slots=True)
class Outside:
    """A message, and the statuses that were seen, one for each of COLUMNS."""

    name: str
    message: bytes
    seen: str

    def statuses(self) -> dict[str, int]:
        """Return the status that was seen of each lane."""
        pairs = zip(COLUMNS.values(), self.seen.split(), strict=True)
        return {lane: _status(text) for lanes, text in pairs for lane in lanes}


def _status(text: str) -> int:
    return WORDS[text] if text in WORDS else int(text)


def _target(name: str, target: str, seen: str) -> Outside:
    return _outside(name, Row(name, target, 0), seen)


def _headers(name: str, headers: tuple[str, ...], seen: str) -> Outside:
    return _outside(name, Row(name, MUNICH, 0, headers=headers), seen)


def _method(method: str, seen: str) -> Outside:
    return _outside(f"method {method}", Row("", MUNICH, 0, method=method), seen)


def _version(version: str, seen: str) -> Outside:
    return _outside(f"HTTP/{version}", Row("", MUNICH, 0, version=version), seen)


def _body(name: str, header: str, body: bytes, seen: str) -> Outside:
    row = Row(name, MUNICH, 0, method="POST", headers=(HOST, header), body=body)
    return _outside(name, row, seen)


def _outside(name: str, row: Row, seen: str) -> Outside:
    return Outside(name, row.message(), seen)


TARGETS = (
    _target("two slashes", f"/{MUNICH}", "404 200 200 200 404 404 404 404"),
    _target("absolute form", f"http://localhost{MUNICH}", "200 200 200 200 404 200 404 200"),
    _target(
        "absolute form, another host",
        f"https://a.example:8443{MUNICH}",
        "200 200 200 200 404 200 404 200",
    ),
    _target("absolute form without a path", "http://localhost", "404 200 200 200 404 400 404 200"),
    _target(
        "absolute form, half a bracket", f"http://[::1{MUNICH}", "400 - 400 400 404 400 404 400"
    ),
    _target("authority form", "localhost:80", "400 404 400 200 404 400 400 404"),
    _target("asterisk form", "*", "400 404 400 404 404 404 400 404"),
    _target("no slash", MUNICH[1:], "400 200 400 400 404 400 400 400"),
    _target("a query alone", f"?{PLACE}", "400 200 400 400 404 400 400 400"),
    _target("empty", "", "400 bare 400 400 400 400 400 400"),
    _target(
        "a byte beyond ASCII in the path", "/planets/m\xe4rs", "400 404 400 400 404 400 400 400"
    ),
    _target(
        "a byte beyond ASCII in the query", f"{MUNICH}&x=\xe9", "400 400 400 400 400 400 400 400"
    ),
    _target("a space", f"{MUNICH} x", "400 400 400 400 400 400 400 400"),
    _target("a tab", f"{MUNICH}\t", "400 200 400 400 400 400 400 400"),
    _target("a NUL", f"{MUNICH}\0", "400 400 400 400 400 400 400 400"),
    _target("a line of 4,095 bytes", f"/{'a' * 4081}", "404 404 414 404 404 404 414 404"),
    _target(
        "a query of 4,100 bytes", f"/planets/mars?{'a' * 4100}", "414 414 414 414 414 414 414 414"
    ),
    _target("a target of 8,190 bytes", f"/{'a' * 8189}", "404 404 414 404 404 404 414 404"),
    _target("a target of 8,191 bytes", f"/{'a' * 8190}", "400 404 414 404 404 404 414 404"),
    _target("a target of 70,000 bytes", f"/{'a' * 69_999}", "400 414 414 414 - 400 414 414"),
)
HEADERS = (
    _headers("no host", (), "400 200 200 200 400 200 200 200"),
    _headers("two hosts", (HOST, "Host: other.example"), "400 200 400 200 400 200 400 200"),
    _headers(
        "Content-Type twice",
        (HOST, "Content-Type: a", "Content-Type: b"),
        "400 200 400 200 200 200 400 200",
    ),
    _headers(
        "User-Agent twice",
        (HOST, "User-Agent: a", "User-Agent: b"),
        "400 200 200 200 200 200 200 200",
    ),
    _headers(
        "an unknown expectation", (HOST, "Expect: nonsense"), "417 200 417 200 200 200 200 200"
    ),
    _headers("an empty expectation", (HOST, "Expect:"), "200 200 417 200 200 200 200 200"),
    _headers(
        "a header of 9,000 bytes",
        (HOST, "X-Long: " + "a" * 9000),
        "400 200 431 200 200 200 431 200",
    ),
    _headers(
        "a header of 70,000 bytes",
        (HOST, "X-Long: " + "a" * 70_000),
        "400 431 431 200 - 200 431 200",
    ),
    _headers(
        "100 headers", (HOST, *(f"X-{n}: 1" for n in range(99))), "200 431 200 200 200 200 200 200"
    ),
    _headers(
        "101 headers", (HOST, *(f"X-{n}: 1" for n in range(100))), "200 431 431 431 200 200 431 431"
    ),
    _headers(
        "129 headers", (HOST, *(f"X-{n}: 1" for n in range(128))), "400 431 431 431 200 200 431 431"
    ),
    _headers("a space before the colon", (HOST, "X-A : 1"), "400 200 400 400 400 400 400 400"),
    _headers("no colon", (HOST, "nonsense"), "400 200 400 400 400 400 400 400"),
    _headers("a folded line", (HOST, "X-A: 1\r\n 2"), "400 200 400 400 400 400 400 400"),
    _headers("a parenthesis in a name", (HOST, "X(a): 1"), "400 200 400 400 400 400 400 400"),
    _headers("a control character", (HOST, "X-A: \x01"), "400 200 400 400 400 400 400 400"),
    _headers("an underscore in a name", (HOST, "X_A: 1"), "200 200 200 200 200 200 200 200"),
)
FRAMING = (
    _body(
        "Content-Length: abc", "Content-Length: abc", b"hello", "400 405 400 400 400 400 400 400"
    ),
    _body("Content-Length: -1", "Content-Length: -1", b"", "400 405 400 400 400 400 400 400"),
    _body("Content-Length: +5", "Content-Length: +5", b"hello", "400 405 400 400 400 400 400 400"),
    _body("Content-Length:", "Content-Length:", b"", "400 405 400 400 400 400 400 400"),
    _body(
        "two lengths",
        "Content-Length: 5\r\nContent-Length: 5",
        b"hello",
        "400 405 400 405 405 400 400 405",
    ),
    _body(
        "a length and chunks",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        b"5\r\nhello\r\n0\r\n\r\n",
        "400 405 400 405 400 400 400 405",
    ),
    _body(
        "Transfer-Encoding: gzip", "Transfer-Encoding: gzip", b"", "400 405 400 400 400 400 400 400"
    ),
    _body(
        "Transfer-Encoding: nonsense",
        "Transfer-Encoding: nonsense",
        b"",
        "400 405 501 400 400 400 501 400",
    ),
    _body("Transfer-Encoding:", "Transfer-Encoding:", b"", "405 405 501 400 400 400 501 400"),
    _body(
        "no chunk size",
        "Transfer-Encoding: chunked",
        b"zz\r\nhi\r\n0\r\n\r\n",
        "400 405 405 405 400 400 400 405",
    ),
)
METHODS = (
    _method("CONNECT", "400 405 405 405 405 405 405 405"),
    _method("MADEUP", "400 405 405 405 405 400 405 405"),
    _method("get", "400 200 400 200 405 400 400 405"),
    _method("G", "400 405 400 405 405 400 400 405"),
    _method("G@T", "400 405 400 400 400 400 400 400"),
    _method("PRI", "400 405 405 405 405 400 405 405"),
)
VERSIONS = (
    _version("0.9", "200 bare 400 400 400 200 400 400"),
    _version("1.2", "400 200 200 400 200 400 400 400"),
    _version("1.10", "400 200 400 400 400 400 400 400"),
    _version("2.0", "200 bare 400 400 400 200 400 400"),
    _version("3.0", "400 bare 400 400 400 400 400 400"),
    _version("1", "400 bare 400 400 400 400 400 400"),
    _version("1.1 ", "400 200 400 400 400 400 400 400"),
)
MESSAGES = (
    Outside("no version", f"GET {MUNICH}\r\n\r\n".encode(), "200 bare 400 400 400 200 400 400"),
    Outside(
        "two spaces",
        f"GET  {MUNICH} HTTP/1.1\r\n{HOST}\r\n\r\n".encode(),
        "200 200 400 400 400 200 400 400",
    ),
    Outside(
        "line feeds alone",
        f"GET {MUNICH} HTTP/1.1\n{HOST}\n\n".encode(),
        "400 200 400 200 200 400 400 200",
    ),
    Outside(
        "an empty line first",
        f"\r\nGET {MUNICH} HTTP/1.1\r\n{HOST}\r\n\r\n".encode(),
        "200 - 200 200 200 200 200 200",
    ),
    Outside(
        "HTTP/2's preface",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "400 bare 400 - 400 400 400 -",
    ),
    Outside("one word", b"hello\r\n\r\n", "400 bare 400 400 400 400 400 400"),
    Outside("bytes", b"\xff\xfe\xfd\r\n\r\n", "400 bare 400 400 400 400 400 400"),
    Outside(
        "TLS",
        b"\x16\x03\x01\x00\xa5\x01\0\0\xa1\x03\x03\r\n\r\n",
        "400 bare 400 400 400 400 400 400",
    ),
)
OUTSIDE = (*TARGETS, *HEADERS, *FRAMING, *METHODS, *VERSIONS, *MESSAGES)
