"""The sky. It knows nothing of HTTP; PyEphem is used nowhere else."""

from planettracker.sky.ephemeris import (
    BODIES,
    Ephemeris,
    InstantError,
    Observer,
    OutOfRangeError,
    PlanetTracker,
    UnknownBodyError,
)

__all__ = [
    "BODIES",
    "Ephemeris",
    "InstantError",
    "Observer",
    "OutOfRangeError",
    "PlanetTracker",
    "UnknownBodyError",
]
