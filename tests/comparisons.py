"""What PlanetTracker answers beside what others say: how far apart they may be, and why.

The tests hold each of COMPARISONS, and `make accuracy` writes docs/accuracy.md of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isnan

from planettracker.sky import BODIES
from tests import oracle
from tests.differences import (
    SUNS,
    apparent_altitude_arcsec,
    azimuth_arcsec,
    diameter_percent,
    distance_au,
    elongation_arcsec,
    equatorial_arcsec,
    horizontal_arcsec,
    illuminated_fraction,
    magnitude,
)
from tests.truth import AIRLESS, DE421, HORIZONS, MAGNITUDES, REFRACTED, Row, instant, of


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity beside one source; `tolerance` is by body, and `reason` says why so wide."""

    quantity: str
    source: str
    decimals: int  # that a difference is told with
    rows: list[Row]
    difference: Callable[[Row], float]
    tolerance: Mapping[str, float]
    reason: str

    @property
    def years(self) -> str:
        years = sorted(instant(row).year for row in self.rows)
        return f"{years[0]}-{years[-1]}"

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(body for body in BODIES if of(body, self.rows))

    def __str__(self) -> str:
        return f"{self.quantity}, {self.source}, {self.years}"


def held(tolerance: float, **of_body: float) -> Mapping[str, float]:
    """Return a tolerance for each body, the same but for those that are named."""
    return dict.fromkeys(BODIES, tolerance) | of_body


def between(first: int, last: int, rows: list[Row]) -> list[Row]:
    """Return the rows of those years, both included."""
    return [row for row in rows if first <= instant(row).year <= last]


# Days that are no multiple of a day, a month or a year, so that all hours and phases come.
_IN_UT1 = oracle.positions(
    oracle.every(97.37, datetime(1900, 1, 1, tzinfo=UTC), datetime(1972, 1, 1, tzinfo=UTC)),
    ut1=True,
)
# Skyfield's UT1 is measured from 1973 on, and a forecast from 2026 on.
_IN_UTC = oracle.positions(
    oracle.every(61.37, datetime(1973, 1, 2, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
)
_SKYFIELD_MAGNITUDES = [
    row
    for row in oracle.magnitudes(
        oracle.every(47.37, datetime(1900, 1, 1, tzinfo=UTC), datetime(2050, 1, 1, tzinfo=UTC))
    )
    # Of Neptune before 2000, at its largest phase angles, Skyfield says nothing.
    if not isnan(float(row["apmag"]))
]
_HIGH = [row for row in REFRACTED if float(row["el_deg"]) > 10]
_LOW = [row for row in REFRACTED if 0 < float(row["el_deg"]) <= 10]

HORIZONTAL = "azimuth and altitude (arcseconds)"
EQUATORIAL = "right ascension and declination (arcseconds)"
_ALTAZ_OF_DE421 = horizontal_arcsec("alt_airless_deg")
_RADEC_OF_DE421 = equatorial_arcsec("ra_date_deg", "dec_date_deg")

COMPARISONS = (
    Comparison(
        HORIZONTAL,
        "DE421",
        2,
        between(1900, 2026, DE421),
        _ALTAZ_OF_DE421,
        held(1.5, uranus=2.0, neptune=2.5),
        "PyEphem's theories, those of Uranus and Neptune being the coarser",
    ),
    Comparison(
        HORIZONTAL,
        "DE421, more days",
        2,
        _IN_UTC,
        _ALTAZ_OF_DE421,
        held(1.5, venus=2.0, mars=2.5, uranus=2.0, neptune=2.5),
        "a planet that is near shows its theory's error larger, Mars at an opposition most",
    ),
    Comparison(
        HORIZONTAL,
        "DE421, the instant being UT1",
        2,
        _IN_UT1,
        _ALTAZ_OF_DE421,
        held(1.5, mars=2.5),
        "Mars as above; PyEphem's delta-T is good for these years",
    ),
    Comparison(
        HORIZONTAL,
        "DE421, to come",
        2,
        between(2027, 2100, DE421),
        _ALTAZ_OF_DE421,
        held(8.0),
        "how the Earth will turn is not known: Skyfield and we guess it by other rules",
    ),
    Comparison(
        HORIZONTAL,
        "Horizons",
        2,
        between(1975, 2018, AIRLESS),
        horizontal_arcsec("el_deg"),
        held(1.0),
        "PyEphem's theories",
    ),
    Comparison(
        HORIZONTAL,
        "Horizons, when it guessed",
        2,
        between(2019, 2049, AIRLESS),
        horizontal_arcsec("el_deg"),
        held(5.0),
        "its turn of the Earth was a forecast",
    ),
    Comparison(
        EQUATORIAL,
        "DE421",
        2,
        DE421,
        _RADEC_OF_DE421,
        held(1.5, moon=0.6, uranus=2.0, neptune=3.0),
        "PyEphem's theories; how the Earth turns hardly matters",
    ),
    Comparison(
        EQUATORIAL,
        "DE421, more days",
        2,
        _IN_UTC,
        _RADEC_OF_DE421,
        held(1.5, moon=0.6, venus=2.0, mars=2.5, uranus=2.0, neptune=3.0),
        "Venus and Mars as above",
    ),
    Comparison(
        EQUATORIAL,
        "DE421, the instant being UT1",
        2,
        _IN_UT1,
        _RADEC_OF_DE421,
        held(1.5, mars=2.5),
        "Mars as above; delta-T of 1900 moves the Moon by 0.9",
    ),
    Comparison(
        EQUATORIAL,
        "Horizons",
        2,
        AIRLESS,
        equatorial_arcsec("ra_app_deg", "dec_app_deg"),
        held(1.5, moon=0.6),
        "PyEphem's theories",
    ),
    Comparison(
        "azimuth (arcseconds)",
        "Horizons",
        2,
        between(1975, 2018, HORIZONS),
        azimuth_arcsec,
        held(1.5, mars=2.5, uranus=2.0, neptune=2.5, pluto=9.0),
        "PyEphem's theory of Pluto is the coarsest",
    ),
    Comparison(
        "azimuth (arcseconds)",
        "Horizons, when it guessed",
        2,
        between(2019, 2049, HORIZONS),
        azimuth_arcsec,
        held(5.0, pluto=10.0),
        "its turn of the Earth was a forecast",
    ),
    Comparison(
        "apparent altitude above 10 degrees (arcseconds)",
        "Horizons",
        2,
        _HIGH,
        apparent_altitude_arcsec,
        held(5.0, pluto=10.0),
        "its turn of the Earth from 2019 on was a forecast",
    ),
    Comparison(
        "apparent altitude from 0 to 10 degrees (arcseconds)",
        "Horizons",
        2,
        _LOW,
        apparent_altitude_arcsec,
        held(5.0, pluto=10.0),
        "its turn of the Earth from 2019 on was a forecast",
    ),
    Comparison(
        "magnitude",
        "Skyfield",
        3,
        _SKYFIELD_MAGNITUDES,
        magnitude,
        held(0.02, uranus=0.023),
        "the same formulas, of which Uranus's has a step of 0.021 at a phase angle of 3.1 degrees",
    ),
    Comparison(
        "magnitude",
        "Horizons",
        3,
        [row for row in MAGNITUDES if row["apmag"]],
        magnitude,
        held(0.03, mercury=0.18, venus=0.08, mars=0.08, uranus=0.09, neptune=0.14, moon=0.15),
        "Horizons had older formulas, but for Mars, where ours lack its face and seasons",
    ),
    Comparison(
        "distance (1e-6 au)",
        "DE421",
        1,
        DE421,
        lambda row: 1e6 * distance_au(row),
        held(150.0, sun=0.4, moon=0.4),
        "PyEphem's is that at the instant, DE421's that of the light then seen",
    ),
    Comparison(
        "illuminated fraction (1e-4)",
        "Horizons",
        1,
        [row for row in MAGNITUDES if row["phase_angle_deg"]],
        lambda row: 1e4 * illuminated_fraction(row),
        held(5.0),
        "Mercury's phase moves most while its light is on its way",
    ),
    Comparison(
        "elongation (arcseconds)",
        "DE421",
        2,
        [row for row in DE421 if row["body"] != "sun" and (row["site"], row["time_utc"]) in SUNS],
        elongation_arcsec,
        held(2.0),
        "PyEphem's theories",
    ),
    Comparison(
        "diameter (%)",
        "the IAU's radii",
        2,
        DE421,
        diameter_percent,
        held(0.4, venus=1.5),
        "PyEphem's Venus is larger than the ground below its clouds",
    ),
)
