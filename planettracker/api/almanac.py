"""What the route of the almanac answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from planettracker.api import almanac_formats, parse
from planettracker.api.almanac_tables import (
    ALMANAC,
    ALMANAC_FORMATS,
    BEST,
    BODY,
    CROSSING,
    DATE,
    MOON,
    PHASE,
    TRANSIT,
    TWILIGHT,
    ZONE,
)
from planettracker.api.contract import CALENDAR, CSV, JSON, ProblemError
from planettracker.api.fields import Field, Members, encoder
from planettracker.api.formats import chosen
from planettracker.api.messages import Request, Response
from planettracker.api.replies import clock, document, reply, seen_from
from planettracker.sky.almanac import Almanac, BodyEvents, MoonPhase, Twilight, almanac
from planettracker.sky.events import Event
from planettracker.sky.phases import Phase
from planettracker.sky.zone import MissingDateError, Zone, local

Json = dict[str, object]


def _own(members: Members) -> Iterable[Field]:
    """Yield the members that are values; lists and objects are written by a function each."""
    return (each for each in members if isinstance(each, Field))


_crossing, _transit, _best = encoder(CROSSING), encoder(TRANSIT), encoder(BEST)
_zone, _phase = encoder(ZONE), encoder(PHASE)
_twilight_itself, _body_itself = encoder(_own(TWILIGHT)), encoder(_own(BODY))
_moon_itself = encoder(_own(MOON))
_WRITERS = {CSV: almanac_formats.csv, CALENDAR: almanac_formats.ics}


@dataclass(frozen=True, slots=True)
class _Shown:
    """An event or a phase with its times as they are shown."""

    at: datetime
    local: datetime
    azimuth_deg: float = 0.0
    altitude_deg: float = 0.0
    name: str = ""


def almanac_of_date(request: Request) -> Response:
    """Answer the almanac of one date at a place, in the place's own zone or the one given."""
    given = parse.values(request.query, ALMANAC)
    form = chosen(request, given, ALMANAC_FORMATS)
    observer = parse.observer(given)
    zone = parse.zone(given, observer)
    day = parse.day(given, zone, clock)
    try:
        found = almanac(observer, day, zone)
    except MissingDateError as error:
        raise _missing(error) from None
    answer, lasting = members(found), DATE.name in given
    if form is JSON:
        return reply(answer, lasting)
    return document(form, f"almanac-{day}", _WRITERS[form](answer), lasting)


def members(it: Almanac) -> Json:
    """Return the almanac's members on the wire."""
    return {
        "date": it.date,
        "zone": _zone(it.zone),
        **seen_from(it.observer),
        "begin": it.begin,
        "end": it.end,
        "twilights": {each.name: _twilight(each, it.zone) for each in it.twilights},
        "bodies": [_body(each, it.zone) for each in it.bodies],
        "moon": _moon(it.moon, it.zone),
    }


def _twilight(it: Twilight, zone: Zone) -> Json:
    return {
        **_twilight_itself(it),
        "dawns": [_crossing(_shown(each, zone)) for each in it.dawns],
        "dusks": [_crossing(_shown(each, zone)) for each in it.dusks],
    }


def _body(it: BodyEvents, zone: Zone) -> Json:
    itself = _body_itself(it)
    why_not = itself.pop("why_not")
    return {
        **itself,
        "rises": [_crossing(_shown(each, zone)) for each in it.rises],
        "transits": [_transit(_shown(each, zone)) for each in it.transits],
        "sets": [_crossing(_shown(each, zone)) for each in it.sets],
        "best": None if it.best is None else _best(_shown(it.best, zone)),
        "why_not": why_not,
    }


def _moon(it: MoonPhase, zone: Zone) -> Json:
    return {
        **_moon_itself(it),
        "phases": [_phase(_shown_phase(each, zone)) for each in it.following],
    }


def _shown(event: Event, zone: Zone) -> _Shown:
    at = _whole_second(event.at)
    return _Shown(at, local(at, zone), event.azimuth_deg, event.altitude_deg)


def _shown_phase(phase: Phase, zone: Zone) -> _Shown:
    at = _whole_second(phase.at)
    return _Shown(at, local(at, zone), name=phase.name)


def _whole_second(at: datetime) -> datetime:
    """Return the instant cut to whole seconds: rounded, one might come to lie in the next date."""
    return at.replace(microsecond=0)


def _missing(error: MissingDateError) -> ProblemError:
    sentence = f"{error.zone.name} had no {error.day}: its clocks went from one side of the date "
    sentence += "line to the other. Send the date before or the one after."
    return ProblemError("missing-date", sentence, parameter=DATE.name)
