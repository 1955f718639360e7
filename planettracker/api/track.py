"""What the route of a body's track answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches

from planettracker.api import parse
from planettracker.api.contract import CSV, ProblemError
from planettracker.api.fields import encoder
from planettracker.api.formats import chosen, csv_body
from planettracker.api.messages import Request, Response
from planettracker.api.replies import clock, document, reply, seen_from, wire_time
from planettracker.api.tables import (
    COLUMNS,
    END,
    START,
    STEP,
    TRACK,
    TRACK_DEFAULT,
    TRACK_FIELDS,
    TRACK_FORMATS,
    TRACK_TIME,
)
from planettracker.sky.ephemeris import END_INSTANT, PlanetTracker, canonical_name
from planettracker.sky.track import MAX_POINTS, TooManyPointsError, Track, track

_encoded = encoder(TRACK_FIELDS.values())
_LENGTH = timedelta(days=1)
_STEP = timedelta(minutes=10)
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Span:
    """The instants of a track: from the start to the end, both included, by steps."""

    start: datetime
    end: datetime
    step: timedelta


def planet_track(request: Request) -> Response:
    """Answer the path of one body as columns."""
    name = canonical_name(request.params["name"])
    given = parse.values(request.query, TRACK)
    form = chosen(request, given, TRACK_FORMATS)
    observer, span, names = parse.observer(given), _span(given), _names(given)
    try:
        path = track(PlanetTracker(observer), name, span.start, span.end, span.step)
    except TooManyPointsError as error:
        raise _too_many(error) from None
    if form is CSV:
        return document(CSV, f"{name}-track", _csv(path, names), lasting=START.name in given)
    members = {
        "name": name,
        **seen_from(observer),
        "start": wire_time(span.start),
        "end": wire_time(span.end),
        "step": span.step / _MINUTE,
        "points": len(path.instants),
        "columns": columns(path, names),
    }
    return reply(members, lasting=START.name in given)


def columns(path: Track, names: tuple[str, ...]) -> dict[str, list[object]]:
    """Return the track's columns on the wire: `time`, then those of TRACK_FIELDS with the names."""
    rows = [_encoded(ephemeris) for ephemeris in path.ephemerides]
    times: list[object] = [wire_time(at) for at in path.instants]
    return {"time": times} | {name: [row[name] for row in rows] for name in names}


def _csv(path: Track, names: tuple[str, ...]) -> bytes:
    """Return the same columns as CSV, a row for each point."""
    fields = (TRACK_TIME, *(TRACK_FIELDS[name] for name in names))
    return csv_body(fields, zip(*columns(path, names).values(), strict=True))


def _span(given: Mapping[str, str]) -> Span:
    """Return the span that the values give; a day from now by default, or raise ProblemError."""
    if END.name in given and START.name not in given:
        raise _problem("missing-parameter", START.name, f"Send start as {START.expected}.")
    start = _instant(START.name, given) or parse.whole_ms(clock())
    end = _instant(END.name, given) or start + _LENGTH
    if end < start:
        raise _problem("end-before-start", END.name, "Send an end that is not before the start.")
    if end >= END_INSTANT:
        raise _problem("out-of-range", END.name, f"Send end as {END.expected}.")
    return Span(start, end, _step(given))


def _instant(name: str, given: Mapping[str, str]) -> datetime | None:
    if name not in given:
        return None
    return parse.whole_ms(parse.stated_instant(TRACK[name], given[name]))


def _step(given: Mapping[str, str]) -> timedelta:
    """Return the step in whole milliseconds, as instants are written."""
    if STEP.name not in given:
        return _STEP
    return timedelta(milliseconds=round(parse.limited(STEP, given[STEP.name]) * 60_000))


def _names(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the fields that are asked for, each once, or raise ProblemError."""
    if COLUMNS.name not in given:
        return TRACK_DEFAULT
    names = tuple(dict.fromkeys(name.strip() for name in given[COLUMNS.name].split(",")))
    for name in names:
        if name not in TRACK_FIELDS:
            raise _unknown_field(name)
    return names


def _unknown_field(name: str) -> ProblemError:
    near = get_close_matches(name.lower(), TRACK_FIELDS, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    listed = ", ".join(TRACK_FIELDS)
    sentence = f"Send fields from {listed}; time is always there.{hint}"
    return _problem("unknown-field", COLUMNS.name, sentence)


def _too_many(error: TooManyPointsError) -> ProblemError:
    sentence = (
        f"These would be {error.points:,} points, and a track has at most {MAX_POINTS:,}. "
        "Send a longer step or an earlier end."
    )
    return _problem("too-many-points", STEP.name, sentence)


def _problem(code: str, parameter: str, sentence: str) -> ProblemError:
    return ProblemError(code, sentence, parameter=parameter)
