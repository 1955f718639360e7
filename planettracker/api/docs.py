"""The contract as a page to read, made of the same tables as /openapi.json: no script in it."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from planettracker.api.client import fixed, fixed_route
from planettracker.api.compression import MIN_BYTES
from planettracker.api.contract import MAX_QUERY_CHARACTERS, PROBLEMS, Parameter, Route
from planettracker.api.fields import Field, Group, Members
from planettracker.api.openapi import example, path_parameters, problems

_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>PlanetTracker: the addresses and what they answer</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<header>
<h1>What PlanetTracker answers</h1>
<p><a href="/">The page</a> shows it; <a href="/openapi.json">/openapi.json</a> is the same
contract for programs, OpenAPI 3.1.</p>
</header>
<main>
{body}
</main>
</body>
</html>
"""
_INTRODUCTION = (
    "Angles are in degrees, lengths in metres, times in UTC unless the table says otherwise. "
    "A blank parameter counts as absent; without a place the answer is for Greenwich. Every "
    "address answers GET, HEAD and OPTIONS, and takes a query of at most "
    f"{MAX_QUERY_CHARACTERS:,} characters. A reply to a given instant has an ETag, and "
    "If-None-Match gets 304 as long as it holds. A body of more than "
    f"{MIN_BYTES:,} bytes comes in gzip where Accept-Encoding takes it. Errors are RFC 9457 "
    "problems: a code that stays, the parameter at fault, and a sentence that says what to send "
    "instead."
)


def route(routes: Iterable[Route]) -> Route:
    """Return the route of the page that describes these routes."""
    body = page(tuple(routes)).encode()
    reply = fixed(body, "text/html; charset=utf-8", _HEADERS)
    return fixed_route("/docs", reply, "this contract, as a page to read")


def page(routes: Sequence[Route]) -> str:
    """Return the page, in HTML."""
    sections = (
        f"<p>{escape(_INTRODUCTION)}</p>",
        _contents(routes),
        *(_section(each) for each in routes),
        _all_problems(),
    )
    return _PAGE.format(body="\n".join(sections))


def _contents(routes: Iterable[Route]) -> str:
    items = (
        f'<li><a href="#{_anchor(each)}"><code>{escape(each.path)}</code></a> '
        f"{escape(each.summary)}</li>"
        for each in routes
    )
    return f"<nav aria-label='Addresses'><ul>{''.join(items)}</ul></nav>"


def _anchor(route: Route) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in route.path).strip("-")


def _section(route: Route) -> str:
    target = escape(example(route))
    parts = (
        f'<section id="{_anchor(route)}">',
        f"<h2><code>GET {escape(route.path)}</code></h2>",
        f"<p>{escape(route.summary)}</p>",
        f'<p class="example"><a href="{target}"><code>{target}</code></a></p>',
        _formats(route),
        _parameters(route),
        _table("Reply", ("member", "what it is"), _members(route.reply)),
        _table("Columns of CSV", ("column", "what it is"), _members(route.columns)),
        _codes(route),
        "</section>",
    )
    return "\n".join(part for part in parts if part)


def _formats(route: Route) -> str:
    if not route.formats:
        return ""
    names = (
        f"{_code(each.media_type)} or {_code(f'format={each.name}')}" for each in route.formats
    )
    return f"<p>Formats, by Accept or by name: {'; '.join(names)}.</p>"


def _parameters(route: Route) -> str:
    rows = (*path_parameters(route), *(route.parameters or {}).values())
    return _table("Parameters", ("parameter", "send"), map(_parameter, rows))


def _parameter(parameter: Parameter) -> tuple[str, str]:
    choices = f": {', '.join(parameter.choices)}" if parameter.choices else ""
    needed = "<b>required</b>, " if parameter.required else ""
    return _code(parameter.name), needed + escape(parameter.expected + choices)


def _members(members: Members, prefix: str = "") -> Iterator[tuple[str, str]]:
    for each in members:
        name = f"{prefix}{each.name}"
        # A long name may break after a dot, on a phone.
        cell = _code(name).replace(".", ".<wbr>")
        if isinstance(each, Field):
            yield cell, _description(each)
        else:
            yield cell, escape(f"{'lists: ' if each.columns else ''}{each.description}")
            yield from _members(each.members, f"{name}{_step(each)}")


def _step(group: Group) -> str:
    return "[]." if group.many else "."


def _description(field: Field) -> str:
    choices = f": {', '.join(field.choices)}" if field.choices else ""
    unit = f"<b>{escape(field.unit)}</b>, " if field.unit else ""
    return f"{unit}{escape(field.description + choices)}"


def _codes(route: Route) -> str:
    codes = (f'<a href="#{each.code}">{_code(each.code)}</a>' for each in problems(route))
    return f"<p>Problems: {', '.join(codes)}.</p>"


def _all_problems() -> str:
    rows = (
        (f'<span id="{each.code}">{_code(each.code)}</span>', str(each.status), _prose(each.when))
        for each in PROBLEMS.values()
    )
    table = _table("", ("code", "status", "when"), rows)
    return f'<section id="problems"><h2>Problems</h2>{table}</section>'


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML already, or nothing where there are no rows."""
    lines = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    if not lines:
        return ""
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    # Focusable, since a table wider than a phone is scrolled by keys too.
    return (
        f'<div class="wide" tabindex="0"><table>{title}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _prose(text: str) -> str:
    """Return a text as HTML, what stands in backticks as code."""
    parts = text.split("`")
    return "".join(_code(part) if n % 2 else escape(part) for n, part in enumerate(parts))
