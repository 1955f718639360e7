"""The sky. It knows nothing of HTTP; PyEphem is used nowhere else."""

from planettracker.sky.ephemeris import (
    BODIES,
    Ephemeris,
    InstantError,
    PlanetTracker,
    UnknownBodyError,
)
from planettracker.sky.site import Observer, OutOfRangeError

__all__ = [
    "BODIES",
    "Ephemeris",
    "InstantError",
    "Observer",
    "OutOfRangeError",
    "PlanetTracker",
    "UnknownBodyError",
]
