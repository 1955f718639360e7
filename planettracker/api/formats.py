"""Which format a reply is written in (RFC 9110, section 12), and CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from planettracker.api.contract import CSV, FORMAT, Format, ProblemError
from planettracker.api.fields import Field
from planettracker.api.messages import Request

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_RANGE = re.compile(rf"(\*/\*|{_TOKEN}/{_TOKEN})")
_QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
# A quotation that is not closed goes on to the end, so that no header takes more than one pass.
_QUOTED = r'"(?:\\.|[^"\\])*+(?:"|\\?$)'
_BETWEEN_COMMAS = re.compile(rf'(?:[^,"]|{_QUOTED})++', re.DOTALL)
_BETWEEN_SEMICOLONS = re.compile(rf'(?:[^;"]|{_QUOTED})++', re.DOTALL)
# What a range may ask for beside the type, in small letters: every format here is UTF-8.
_PARAMETERS_MET = {("charset", "utf-8")}


@dataclass(frozen=True, slots=True)
class Accepted:
    """One media range of an `Accept`, in small letters, with its parameters and its quality."""

    media_range: str
    parameters: tuple[tuple[str, str], ...]
    quality: float

    def takes(self, media_type: str) -> bool:
        """Return whether the range takes the type, as this service writes it."""
        kind = media_type.partition("/")[0]
        return self.media_range in (media_type, f"{kind}/*", "*/*") and (
            _PARAMETERS_MET.issuperset(self.parameters)
        )

    def specificity(self) -> int:
        """Return a number that is greater the more the range says."""
        return 2 - self.media_range.count("*") + len(self.parameters)


def chosen(request: Request, given: Mapping[str, str], offered: Sequence[Format]) -> Format:
    """Return the format that `format=` names, or else the one that `Accept` likes best.

    The first of those offered where neither says. Raise ProblemError for a format or an `Accept`
    that cannot be met.
    """
    if FORMAT.name in given:
        return _named(given[FORMAT.name], offered)
    accept = request.headers.get("Accept")
    ranges = tuple(accepted(accept)) if accept else ()
    if not ranges:
        return offered[0]
    # Of equals the one that is named rather than starred, then the first offered.
    best = max(offered, key=lambda each: _liking(each.media_type, ranges))
    if _liking(best.media_type, ranges)[0] == 0:
        raise _refusal("not-acceptable", offered)
    return best


def _named(name: str, offered: Sequence[Format]) -> Format:
    for each in offered:
        if each.name == name.strip().lower():
            return each
    raise _refusal("unknown-format", offered, parameter=FORMAT.name)


def _refusal(code: str, offered: Sequence[Format], **members: object) -> ProblemError:
    types = " or ".join(each.media_type for each in offered)
    names = " or ".join(f"format={each.name}" for each in offered)
    listed = {each.name: each.media_type for each in offered}
    return ProblemError(code, f"Send Accept: {types}; or {names}.", **members, formats=listed)


def _liking(media_type: str, ranges: Iterable[Accepted]) -> tuple[float, int]:
    """Return the quality that the most specific range gives the type, and how specific it is."""
    fitting = [(each.specificity(), each.quality) for each in ranges if each.takes(media_type)]
    specificity, quality = max(fitting, default=(0, 0.0))
    return quality, specificity


def accepted(accept: str) -> Iterator[Accepted]:
    """Yield the media ranges of an `Accept`; what is none, or has no valid quality, is skipped."""
    for element in _BETWEEN_COMMAS.findall(accept):
        first, *rest = (part.strip() for part in _BETWEEN_SEMICOLONS.findall(element) or [""])
        pairs = [_pair(part) for part in rest if part]
        names = [name for name, _ in pairs]
        end = names.index("q") if "q" in names else len(pairs)
        quality = pairs[end][1] if end < len(pairs) else "1"
        if _MEDIA_RANGE.fullmatch(first) and _QUALITY.fullmatch(quality):
            # What follows the quality was once an extension, and says nothing about the type.
            yield Accepted(first.lower(), tuple(pairs[:end]), float(quality))


def _pair(parameter: str) -> tuple[str, str]:
    name, _, value = parameter.partition("=")
    return name.strip().lower(), value.strip().strip('"').lower()


def described(format: Format, stem: str) -> dict[str, str]:
    """Return the headers of a body that is no JSON: its type, and a name to save it by."""
    header = "; header=present" if format is CSV else ""
    return {
        "Content-Type": f"{format.media_type}; charset=utf-8{header}",
        "Content-Disposition": f'inline; filename="{stem}.{format.name}"',
    }


def csv_body(fields: Iterable[Field], rows: Iterable[Iterable[object]]) -> bytes:
    """Return RFC 4180's CSV: a line of the fields' names, then one for each row of their values.

    The values are as on the wire in JSON; null is an empty cell. None of the service's own texts
    begins as a formula does, which a spreadsheet would run.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(field.name for field in fields)
    writer.writerows(map(_cell, row) for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """Return the value as JSON writes it, without its quotation marks."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value
