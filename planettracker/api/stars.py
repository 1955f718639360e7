"""What the routes of the stars and of a direction answer."""

from collections.abc import Mapping

from planettracker.api import parse
from planettracker.api.contract import PLACE_AND_TIME, Parameter, ProblemError
from planettracker.api.fields import encoder
from planettracker.api.messages import Request, Response
from planettracker.api.replies import clock, reply, seen_at
from planettracker.api.tables import ALT, AZ, DIRECTION, IDENTIFY, NEAR_FIELDS, STAR_FIELDS
from planettracker.sky.direction import Direction, nearest
from planettracker.sky.ephemeris import PlanetTracker
from planettracker.sky.stars import stars

_star = encoder(STAR_FIELDS)
_direction = encoder(DIRECTION)
_near = encoder(NEAR_FIELDS)


def bright_stars(request: Request) -> Response:
    """Answer the bright stars for one observer and instant."""
    given = parse.values(request.query, PLACE_AND_TIME)
    observer, at = parse.observer(given), parse.instant(given, clock)
    members = {"stars": [_star(star) for star in stars(PlanetTracker(observer), at)]}
    return reply({**seen_at(at, observer), **members}, lasting="time" in given)


def identify(request: Request) -> Response:
    """Answer the bodies and stars that are nearest to a direction."""
    given = parse.values(request.query, IDENTIFY)
    direction = Direction(_coordinate(AZ, given), _coordinate(ALT, given))
    observer, at = parse.observer(given), parse.instant(given, clock)
    near = nearest(PlanetTracker(observer), at, direction)
    members = {"direction": _direction(direction), "nearest": [_near(each) for each in near]}
    return reply({**seen_at(at, observer), **members}, lasting="time" in given)


def _coordinate(parameter: Parameter, given: Mapping[str, str]) -> float:
    if parameter.name not in given:
        raise ProblemError(
            "missing-parameter",
            f"A direction needs az and alt. Send {parameter.name} as {parameter.expected}.",
            parameter=parameter.name,
        )
    return parse.limited(parameter, given[parameter.name])
