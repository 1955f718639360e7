"""A body's way over the sky: where it stands, of places for which PyEphem is asked now and then."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, radians, sin, tau
from operator import mul

from planettracker.sky.ephemeris import HORIZON_DEG, MODELS
from planettracker.sky.site import Observer, site
from planettracker.sky.timescales import Moment

# Hour angle, declination and radius are interpolated by the cubic through four places, a step each
# from the next. They bend by the parallax of the turning Earth, at most 33" for Venus and 1 degree
# for the Moon, of which the cubic misses 0.028 with steps of 4 hours and 0.00011 with those of one
# (0.8" and 0.3" seen; 1" is 0.07 s).
_HOUR = 1 / 24  # of PyEphem's days
_STEP = 4 * _HOUR
_MOON_STEP = _HOUR

# A body's hour angle, declination and radius, in radians.
_Place = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Height:
    """An altitude without refraction, for a body's centre or for its upper limb."""

    altitude_deg: float
    of_limb: bool = False


HORIZON = Height(HORIZON_DEG, of_limb=True)


@dataclass(frozen=True, slots=True)
class Sight:
    """A body at one of PyEphem's dates, in radians; the hour angle is from -pi to pi."""

    date: float
    altitude: float
    azimuth: float
    radius: float
    hour_angle: float

    def above(self, height: Height) -> float:
        """Return the sine of how much higher it is; the angle itself has a kink at the zenith."""
        radius = self.radius if height.of_limb else 0.0
        return sin(self.altitude + radius - radians(height.altitude_deg))


class Way:
    """A body's way over an observer's sky between two of PyEphem's dates, near a moment."""

    def __init__(
        self, name: str, observer: Observer, near: Moment, first: float, last: float
    ) -> None:
        latitude = radians(observer.lat_deg)
        self._sine, self._cosine = sin(latitude), cos(latitude)
        self._step = _MOON_STEP if name == "moon" else _STEP
        self._first = first - self._step
        count = int((last - self._first) / self._step) + 3
        dates = (self._first + step * self._step for step in range(count))
        self._places = list(_places(name, observer, near, dates))

    def sight(self, date: float) -> Sight:
        """Return where the body stands at one of PyEphem's dates."""
        steps = (date - self._first) / self._step
        hour_angle, declination, radius = _between(self._places, steps)
        sine, cosine = sin(declination), cos(declination)
        # Towards the zenith, the north and the west.
        up = self._sine * sine + self._cosine * cosine * cos(hour_angle)
        north = self._cosine * sine - self._sine * cosine * cos(hour_angle)
        west = cosine * sin(hour_angle)
        return Sight(
            date=date,
            altitude=atan2(up, hypot(north, west)),
            azimuth=atan2(-west, north),
            radius=radius,
            hour_angle=(hour_angle + pi) % tau - pi,
        )


def _places(
    name: str, observer: Observer, near: Moment, dates: Iterable[float]
) -> Iterator[_Place]:
    """Yield the body's place at each date, the hour angle growing from one to the next."""
    here, body = site(observer, near), MODELS[name]()
    turned = 0.0
    for date in dates:
        here.date = date
        body.compute(here)
        turned += (body.ha - turned) % tau
        yield turned, body.dec, radians(body.size / 7200)


def _between(places: list[_Place], steps: float) -> Iterator[float]:
    """Return the place so many steps from the first, by the cubic through the four around it."""
    index = min(max(int(steps), 1), len(places) - 3)
    p = steps - index
    weights = (
        -p * (p - 1) * (p - 2) / 6,
        (p + 1) * (p - 1) * (p - 2) / 2,
        -(p + 1) * p * (p - 2) / 2,
        (p + 1) * p * (p - 1) / 6,
    )
    four = zip(*places[index - 1 : index + 3], strict=True)
    return (sum(map(mul, weights, values)) for values in four)
