"""What stands near a direction in the sky."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import asin, cos, degrees, dist, radians, sin

from planettracker.sky.ephemeris import HORIZON_DEG, Ephemeris, PlanetTracker
from planettracker.sky.stars import Star, stars
from planettracker.sky.visibility import is_visible, outshines

NEAREST = 5


@dataclass(frozen=True, slots=True)
class Direction:
    """Where somebody looks: azimuth from north through east and altitude as seen, in degrees."""

    azimuth_deg: float
    altitude_deg: float


@dataclass(frozen=True, slots=True)
class Near:
    """A body or a star, and how far from the direction it is seen; angles are in degrees.

    `kind` is "body" or "star". The separation is along a great circle, from where the eye sees it:
    with refraction, if it is up. The other fields are as an Ephemeris or a Star has them, and
    `visible` as `is_visible` says.
    """

    kind: str
    name: str
    separation_deg: float
    azimuth_deg: float
    altitude_deg: float
    apparent_altitude_deg: float | None
    magnitude: float
    up: bool
    visible: bool


def nearest(tracker: PlanetTracker, at: datetime, direction: Direction) -> tuple[Near, ...]:
    """Return the NEAREST bodies and stars to a direction at an aware instant, the nearest first.

    Of those that are up; for a direction below the horizon, of all. Raise InstantError.
    """
    bodies = tracker.sky(at)
    candidates: Iterable[Ephemeris | Star] = (*bodies, *stars(tracker, at))
    if direction.altitude_deg >= HORIZON_DEG:
        candidates = (each for each in candidates if each.up)
    separated = ((separation_deg(_seen(each), direction), each) for each in candidates)
    first = sorted(separated, key=lambda pair: pair[0])[:NEAREST]
    return tuple(_near(each, separation, bodies[0]) for separation, each in first)


def _seen(it: Ephemeris | Star) -> Direction:
    apparent_deg = it.altitude_deg if it.apparent_altitude_deg is None else it.apparent_altitude_deg
    return Direction(it.azimuth_deg, apparent_deg)


def separation_deg(one: Direction, other: Direction) -> float:
    """Return the angle between two directions, in degrees, along the great circle."""
    chord = dist(_unit(one), _unit(other))
    return 2 * degrees(asin(min(chord / 2, 1.0)))


def _unit(direction: Direction) -> tuple[float, float, float]:
    azimuth, altitude = radians(direction.azimuth_deg), radians(direction.altitude_deg)
    return cos(altitude) * cos(azimuth), cos(altitude) * sin(azimuth), sin(altitude)


def _near(it: Ephemeris | Star, separation: float, sun: Ephemeris) -> Near:
    return Near(
        kind="body" if isinstance(it, Ephemeris) else "star",
        name=it.name,
        separation_deg=separation,
        azimuth_deg=it.azimuth_deg,
        altitude_deg=it.altitude_deg,
        apparent_altitude_deg=it.apparent_altitude_deg,
        magnitude=it.magnitude,
        up=it.up,
        visible=is_visible(it, sun) if isinstance(it, Ephemeris) else _star_is_visible(it, sun),
    )


def _star_is_visible(star: Star, sun: Ephemeris) -> bool:
    from_sun_deg = separation_deg(
        Direction(star.azimuth_deg, star.altitude_deg), Direction(sun.azimuth_deg, sun.altitude_deg)
    )
    return outshines(star.magnitude, star.apparent_altitude_deg, from_sun_deg, sun.altitude_deg)
