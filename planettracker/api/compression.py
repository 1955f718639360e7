"""The coding that a reply's body is sent in: gzip where the client takes it (RFC 9110, 12.5.3).

Nothing that the service sends is a secret, so the lengths of compressed replies give none away.
"""

import re
import zlib
from collections.abc import Iterator
from functools import lru_cache

from planettracker.api.messages import Request, Response

# A shorter body fits into one packet as it is.
MIN_BYTES = 1000
_LEVEL = 6
_LEVEL_ONCE = 9  # of a body that is compressed once, and then sent for as long as the server runs
_GZIP = zlib.MAX_WBITS | 16  # gzip's header says neither a time nor a name: one body, one coding
_TEXTS = ("application/json", "application/manifest+json", "application/problem+json", "text/")
_MARKUP = "image/svg+xml"
ACCEPT_ENCODING = "Accept-Encoding"
_SUFFIX = '-gzip"'
_ELEMENT = re.compile(
    r"[ \t]*+([!#$%&'*+.^_`|~0-9A-Za-z-]++)[ \t]*+"
    r"(?:;[ \t]*+[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*+)?"
)


def prepared(response: Response) -> Response:
    """Return the response with its body in gzip beside it, where that is shorter."""
    if not is_text(response.headers.get("Content-Type", "")):
        return response
    gzipped = _gzip(response.body, _LEVEL_ONCE)
    if len(gzipped) >= len(response.body):
        return response
    return Response(response.status, response.headers, response.body, gzipped)


def negotiated(request: Request, response: Response) -> Response:
    """Return the text with the headers of the coding that the request takes, its body as is.

    Each coding has an entity tag of its own.
    """
    if len(response.body) <= MIN_BYTES and not response.gzipped:
        return response
    accepted = request.headers.get(ACCEPT_ENCODING)
    if accepted is None or not takes_gzip(accepted):
        return response
    headers = {**response.headers, "Content-Encoding": "gzip"}
    if "ETag" in headers:
        headers["ETag"] = in_gzip(headers["ETag"])
    return Response(response.status, headers, response.body, response.gzipped)


def coded(response: Response) -> Response:
    """Return the response with its body in the coding that its headers name."""
    if "Content-Encoding" not in response.headers:
        return response
    body = response.gzipped or _gzip(response.body, _LEVEL)
    return Response(response.status, response.headers, body)


def in_gzip(tag: str) -> str:
    """Return the entity tag of the same body in gzip."""
    return f"{tag[:-1]}{_SUFFIX}"


def codings(tag: str) -> tuple[str, str]:
    """Return the entity tags of a body in each coding, of either of them, which comes first."""
    if tag.endswith(_SUFFIX):
        return tag, f'{tag.removesuffix(_SUFFIX)}"'
    return tag, in_gzip(tag)


@lru_cache(maxsize=64)  # browsers and programs send the same few texts again and again
def takes_gzip(accepted: str) -> bool:
    """Return whether an `Accept-Encoding` likes gzip at least as well as the body as it is."""
    weights = dict(_weights(accepted))
    star = weights.get("*", 0.0)
    # `x-gzip` is gzip's older name. What is not listed weighs as the star does; without one, gzip
    # is not taken, and the body as it is for want of better.
    gzip = max((weights[name] for name in ("gzip", "x-gzip") if name in weights), default=star)
    return gzip > 0 and gzip >= weights.get("identity", star)


def _weights(accepted: str) -> Iterator[tuple[str, float]]:
    """Yield the codings in small letters with their weights; what is none is skipped."""
    for element in accepted.split(","):
        found = _ELEMENT.fullmatch(element)
        if found:
            coding, weight = found.groups()
            yield coding.lower(), 1.0 if weight is None else float(weight)


def is_text(content_type: str) -> bool:
    """Return whether gzip shortens bodies of the type."""
    return content_type.startswith(_TEXTS) or content_type == _MARKUP


def _gzip(body: bytes, level: int) -> bytes:
    return zlib.compress(body, level, _GZIP)
