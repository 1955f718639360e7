"""The client's files: read once, answered from memory, by name."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import orjson

from planettracker.api.compression import prepared
from planettracker.api.contract import JSON, Route
from planettracker.api.messages import Request, Response
from planettracker.api.respond import etag

CLIENT = Path(__file__).parents[2] / "client"
LISTING = "/files.json"

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
_OWN = ("script", "style", "img", "connect", "manifest", "worker")
_POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in _OWN),
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",  # the address may hold the place of the person
    "X-Content-Type-Options": "nosniff",
}
# A policy is of documents and workers. Beside each of some 70 scripts and styles, which a browser
# does not read it of, it would be a tenth of what the first visit brings.
_WITH_POLICY = {**_HEADERS, "Content-Security-Policy": _POLICY}
_DOCUMENTS = (".html", ".svg")
_WORKER = "sw.js"


def routes(folder: Path = CLIENT) -> Iterator[Route]:
    """Yield a route for each file in the folder, `/` for index.html, and the files' list.

    The list says each file's entity tag, so that who keeps the files learns in one request which
    of them are not the newest.
    """
    tags = {}
    for file in sorted(folder.iterdir()):
        if file.suffix in CONTENT_TYPES:
            content_type = CONTENT_TYPES[file.suffix]
            reply = fixed(file.read_bytes(), content_type, _headers(file))
            tags[f"/{file.name}"] = reply.headers["ETag"]
            yield fixed_route(f"/{file.name}", reply, f"the page's {file.name}")
            if file.name == "index.html":
                yield fixed_route("/", reply, "the page")
    # The list says the policy, too, which changes without a file of the client's.
    listing = fixed(orjson.dumps(tags), JSON.media_type, _WITH_POLICY)
    yield fixed_route(LISTING, listing, "the page's files with their entity tags")


def _headers(file: Path) -> Mapping[str, str]:
    has_policy = file.suffix in _DOCUMENTS or file.name == _WORKER
    return _WITH_POLICY if has_policy else _HEADERS


def fixed(body: bytes, content_type: str, headers: Mapping[str, str]) -> Response:
    """Return the reply that always has this body, which is compressed now if at all."""
    own = {"Content-Type": content_type, "ETag": etag(body)}
    return prepared(Response(200, {**own, **headers}, body))


def fixed_route(path: str, reply: Response, summary: str) -> Route:
    """Return the route that always answers so; its query is nobody's business."""
    media_type = reply.headers["Content-Type"].partition(";")[0]
    return Route(path, partial(_answer, reply), None, summary, media_type=media_type)


def _answer(reply: Response, request: Request) -> Response:
    return reply
