"""A place on the Earth, and PyEphem's observer there."""

from dataclasses import dataclass
from math import radians

import ephem

from planettracker.sky.timescales import Moment

LIMITS = {
    "lon_deg": (-180.0, 360.0),
    "lat_deg": (-90.0, 90.0),
    "elevation_m": (-500.0, 9000.0),
}


class OutOfRangeError(ValueError):
    """A coordinate that no observer can have; `quantity` names the field of `Observer`."""

    def __init__(self, quantity: str, value: float) -> None:
        low, high = LIMITS[quantity]
        super().__init__(f"{quantity} is {value}; it must lie from {low:g} to {high:g}")
        self.quantity = quantity
        self.value = value


@dataclass(frozen=True, slots=True)
class Observer:
    """A place: longitude (east positive) and latitude in degrees, metres above sea level.

    Raises OutOfRangeError outside LIMITS, and for NaN.
    """

    lon_deg: float
    lat_deg: float
    elevation_m: float = 0.0

    def __post_init__(self) -> None:
        for quantity, (low, high) in LIMITS.items():
            value = getattr(self, quantity)
            if not low <= value <= high:
                raise OutOfRangeError(quantity, value)


def site(observer: Observer, moment: Moment) -> ephem.Observer:
    """Return PyEphem's observer at the place and moment, without an atmosphere.

    Make one for each computation: PyEphem's searches move its date.
    """
    it = ephem.Observer()
    # A float is radians to PyEphem; only a string would be degrees.
    it.lon = radians(observer.lon_deg) + moment.turn_rad
    it.lat = radians(observer.lat_deg)
    it.elevation = observer.elevation_m
    it.pressure = 0.0
    it.date = moment.date
    return it
