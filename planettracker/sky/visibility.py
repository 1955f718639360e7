"""How bright the sky is, and what the naked eye can see in it.

The model is Schaefer's, in the V band, for a clear sky and a good eye: B. E. Schaefer, "Astronomy
and the Limits of Vision", Vistas in Astronomy 36 (1993) 311, and "To the Visual Limits", Sky &
Telescope 95 (May 1998) 57. Moonlight, towns and the Sun's cycle of eleven years are left out.
"""

from dataclasses import dataclass
from math import cos, exp, log10, radians, sin, sqrt

from planettracker.sky.ephemeris import Ephemeris

# The least altitude of the Sun's centre, without refraction, in each twilight (USNO, Rise, Set, and
# Twilight Definitions).
TWILIGHTS_DEG = {"civil": -6.0, "nautical": -12.0, "astronomical": -18.0}
STATES = ("day", *TWILIGHTS_DEG, "night")

# Magnitudes that one airmass of clear air takes away; Schaefer has 0.2 to 0.3 near sea level.
EXTINCTION_MAG = 0.25
# The eye sees no crescent closer to the Sun (A. Danjon, "Jeunes et vieilles lunes", L'Astronomie 46
# (1932) 57).
MOON_FROM_SUN_DEG = 7.0
# Closer than this the crescent is nowhere wider than 1', which is what the eye resolves, and by day
# only some 3 % brighter than the sky around it, by the model below. The number is a choice.
MOON_FROM_SUN_BY_DAY_DEG = 20.0

# Schaefer's units to nanolamberts.
_NANOLAMBERT = 1.02e-15
# The Sun's magnitude less that of the Moon for which the scattering was measured.
_SUN_LESS_MOON_MAG = -26.74 + 11.05
_AIRGLOW = 1e-13
# The eye's two ways of seeing: each has a constant and a slope, below and above this brightness.
_NIGHT_VISION_ENDS_NL = 1500.0
_NIGHT_VISION = (10**-9.80, 10**-1.90)
_DAY_VISION = (10**-8.35, 10**-5.90)


@dataclass(frozen=True, slots=True)
class SkyState:
    """One of STATES, and the altitude of the Sun's centre, without refraction, in degrees."""

    state: str
    sun_altitude_deg: float


def sky_state(sun: Ephemeris) -> SkyState:
    """Return the state of the sky below this Sun: `day` is while the Sun is up."""
    return SkyState("day" if sun.up else _darkness(sun.altitude_deg), sun.altitude_deg)


def _darkness(sun_altitude_deg: float) -> str:
    for twilight, least_deg in TWILIGHTS_DEG.items():
        if sun_altitude_deg >= least_deg:
            return twilight
    return "night"


def is_visible(body: Ephemeris, sun: Ephemeris) -> bool:
    """Return whether the naked eye can see the body, which the Sun's place decides.

    The Sun is visible while it is up; the Moon besides keeps its distance from the Sun.
    """
    if not body.up or body.elongation_deg is None:
        return body.up
    from_sun_deg = abs(body.elongation_deg)
    if body.name == "moon" and from_sun_deg < _moons_distance_deg(sun):
        return False
    return outshines(body.magnitude, body.apparent_altitude_deg, from_sun_deg, sun.altitude_deg)


def _moons_distance_deg(sun: Ephemeris) -> float:
    return MOON_FROM_SUN_BY_DAY_DEG if sun.up else MOON_FROM_SUN_DEG


def outshines(
    magnitude: float, altitude_deg: float | None, from_sun_deg: float, sun_altitude_deg: float
) -> bool:
    """Return whether a point of light is up and bright enough for the sky behind it.

    `altitude_deg` is apparent, None for what is down; `sun_altitude_deg` without refraction.
    """
    return altitude_deg is not None and magnitude <= limiting_magnitude(
        altitude_deg, from_sun_deg, sun_altitude_deg
    )


def limiting_magnitude(altitude_deg: float, from_sun_deg: float, sun_altitude_deg: float) -> float:
    """Return the faintest magnitude, as it is without air, that the naked eye sees there.

    `altitude_deg` is apparent, and taken for 0 below the horizon; `from_sun_deg` is the angle from
    the Sun, `sun_altitude_deg` the Sun's altitude without refraction.
    """
    airmass = _airmass(altitude_deg)
    brightness = _brightness(max(altitude_deg, 0.0), airmass, from_sun_deg, sun_altitude_deg)
    brightness_nl = brightness / _NANOLAMBERT
    constant, slope = _NIGHT_VISION if brightness_nl < _NIGHT_VISION_ENDS_NL else _DAY_VISION
    threshold = constant * (1 + sqrt(slope * brightness_nl)) ** 2
    return -16.57 - 2.5 * log10(threshold) - EXTINCTION_MAG * airmass


def _airmass(altitude_deg: float) -> float:
    """Return the airmass (G. V. Rozenberg, Twilight, 1966): 1 at the zenith, 40 at the horizon."""
    height = sin(radians(max(altitude_deg, 0.0)))
    return 1 / (height + 0.025 * exp(-11 * height))


def _brightness(
    altitude_deg: float, airmass: float, from_sun_deg: float, sun_altitude_deg: float
) -> float:
    """Return the sky's brightness, in Schaefer's units: airglow, and twilight or daylight.

    The lesser of these two, as he has it: each is too bright where the other holds.
    """
    zenith_deg = 90 - altitude_deg
    let_through: float = 10 ** (-0.4 * EXTINCTION_MAG * airmass)
    airglow = 0.4 + 0.6 / sqrt(1 - 0.96 * sin(radians(zenith_deg)) ** 2)
    from_sun_deg = max(from_sun_deg, 1.0)  # the model ends at the aureole
    by_sun = min(
        _twilight(zenith_deg, from_sun_deg, sun_altitude_deg),
        _daylight(from_sun_deg, sun_altitude_deg),
    )
    return _AIRGLOW * airglow * let_through + by_sun * (1 - let_through)


def _twilight(zenith_deg: float, from_sun_deg: float, sun_altitude_deg: float) -> float:
    magnitude = _SUN_LESS_MOON_MAG + 32.5 - sun_altitude_deg - zenith_deg / (360 * EXTINCTION_MAG)
    brightness: float = 10 ** (-0.4 * magnitude) * 100 / from_sun_deg
    return brightness


def _daylight(from_sun_deg: float, sun_altitude_deg: float) -> float:
    direct: float = 10 ** (-0.4 * EXTINCTION_MAG * _airmass(sun_altitude_deg))
    scattered = (
        6.2e7 / from_sun_deg**2
        + 10 ** (6.15 - from_sun_deg / 40)
        + 10**5.36 * (1.06 + cos(radians(from_sun_deg)) ** 2)
    )
    brightness: float = 10 ** (-0.4 * (_SUN_LESS_MOON_MAG + 43.27))
    return brightness * (scattered * direct + 440_000 * (1 - direct))
