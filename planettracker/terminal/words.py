"""The members of a reply in words and figures, in ASCII, which every pipe and terminal takes."""

from collections.abc import Mapping
from typing import Any

from planettracker.api.fields import Field

Json = Mapping[str, Any]
NOTHING = "-"  # for null
# fmt: off
POINTS = (
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
    "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
)
# fmt: on
_NAMES = {
    "az": "azimuth",
    "alt": "altitude",
    "alt_apparent": "apparent altitude",
    "ra": "right ascension",
    "dec": "declination",
    "distance_au": "distance",
    "diameter_arcsec": "diameter",
    "phase_name": "phase",
    "separation": "away by",
    "up": "state",
}
_TWILIGHTS = ("civil", "nautical", "astronomical")


def name(field: Field) -> str:
    """Return the field's name in words: without its unit, which the table gives."""
    return _NAMES.get(field.name, field.name.replace("_", " "))


def value(field: Field, row: Json, degrees_decimals: int | None = None) -> str:
    """Return the row's member as text, with its field's decimals or, of degrees, those given."""
    it = row[field.name]
    if field.name == "up":
        return _state(row)
    if it is None:
        return NOTHING
    if field.decimals is None:
        return plain(str(it))
    coarse = field.unit == "degrees" and degrees_decimals is not None
    decimals = degrees_decimals if coarse else field.decimals
    # Rounded again when it is printed, which the `z` does without leaving a -0.00.
    return f"{round(it, decimals) % 360 if field.circle else it:z.{decimals}f}"


def plain(code: str) -> str:
    """Return a code of the wire in plain words."""
    return code.replace("_", " ")


def _state(row: Json) -> str:
    """Return whether the object is up, and visible to the eye where the row tells."""
    if not row["up"]:
        return "down"
    return {True: "visible", False: "up, unseen", None: "up"}[row.get("visible")]


def point(azimuth_deg: float) -> str:
    """Return the nearest of the compass's 16 points."""
    return POINTS[round(azimuth_deg / 22.5) % 16]


def when_and_where(reply: Json) -> str:
    """Return the reply's instant and place."""
    return f"{utc(reply['time'])}, {place(reply['observer'])}"


def towards(direction: Json) -> str:
    """Return a direction in degrees with its compass point."""
    az, alt = direction["az"], direction["alt"]
    return f"azimuth {az:.12g} ({point(az)}), altitude {alt:.12g} degrees"


def utc(instant: str) -> str:
    """Return an instant of the wire, which ends in Z, for a reader."""
    return instant.replace("T", " ").replace("Z", " UTC")


def place(observer: Json) -> str:
    """Return the place, or which it is where nobody gave one."""
    if observer["source"] == "default":
        return "Greenwich (no place was given)"
    lat, lon = observer["lat"], observer["lon"]
    north = f"{abs(lat):.12g} {'S' if lat < 0 else 'N'}"
    east = f"{abs(lon):.12g} {'W' if lon < 0 else 'E'}"
    return f"{north}, {east}, {observer['elevation']:.12g} m"


def darkness(sky: Json) -> str:
    """Return the sky's state as a sentence."""
    state = f"{sky['state']} twilight" if sky["state"] in _TWILIGHTS else sky["state"]
    return f"It is {state}: the Sun's altitude is {sky['sun_alt']:z.2f} degrees."
