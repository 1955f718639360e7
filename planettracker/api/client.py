"""The client's files: read once, answered from memory, by name."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from planettracker.api.contract import Route
from planettracker.api.messages import Request, Response
from planettracker.api.respond import etag

CLIENT = Path(__file__).parents[2] / "client"

# Not from `mimetypes`, which reads the machine's own files.
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect", "manifest")),
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",  # the address may hold the place of the person
    "X-Content-Type-Options": "nosniff",
}


def routes(folder: Path = CLIENT) -> Iterator[Route]:
    """Yield a route for each file in the folder, and `/` for index.html."""
    for file in sorted(folder.iterdir()):
        if file.suffix in CONTENT_TYPES:
            answer = partial(_answer, _reply(file))
            yield Route(f"/{file.name}", answer, None, f"the page's {file.name}")
            if file.name == "index.html":
                yield Route("/", answer, None, "the page")


def _answer(reply: Response, request: Request) -> Response:
    return reply


def _reply(file: Path) -> Response:
    body = file.read_bytes()
    headers = {"Content-Type": CONTENT_TYPES[file.suffix], "ETag": etag(body), **_HEADERS}
    return Response(200, headers, body)
