"""The almanac of a day as tables, with the times of the place's own clocks."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from planettracker.terminal import words
from planettracker.terminal.words import Json

# Seconds are left to --json: refraction at the horizon changes by more than a minute.
_HALF_A_MINUTE = timedelta(seconds=30)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_OTHER_OFFSET = "*"
_UNITS = "Angles are in degrees."
_ORDER = ("astronomical", "nautical", "civil")  # as the morning has them
_STATUS = {"normal": "", "always_up": "always up", "always_down": "always down"}
# Of the night that follows.
_WHY_NOT = {
    "the_sun": words.NOTHING,
    "no_darkness": "no darkness",
    "in_daylight": "up by day only",
    "below_horizon": "never up",
}


@dataclass(frozen=True, slots=True)
class Clock:
    """How one almanac's times are written: its day, and its offsets, that of most times first."""

    day: date
    offsets: tuple[str, ...]

    def time(self, local: str) -> str:
        """Return a local instant's nearest minute, marked where day or offset are another."""
        at = _rounded(datetime.fromisoformat(local))
        day = "" if at.date() == self.day else f"{_DAYS[at.weekday()][:3]} "
        return f"{day}{at:%H:%M}{'' if str(at.tzinfo) == self.offsets[0] else _OTHER_OFFSET}"


def _clock(reply: Json) -> Clock:
    locals_ = _locals([reply["twilights"], reply["bodies"]])
    counts = Counter(str(datetime.fromisoformat(local).tzinfo) for local in locals_)
    return Clock(date.fromisoformat(reply["date"]), tuple(each for each, _ in counts.most_common()))


def _rounded(at: datetime) -> datetime:
    """Return the nearest minute of the same date."""
    nearest = at + _HALF_A_MINUTE
    return nearest if nearest.date() == at.date() else at


def show(reply: Json, console: Console) -> None:
    """Print the day's head, its twilights, its bodies and the Moon."""
    clock = _clock(reply)
    console.print(_day_and_place(reply, clock.day), style="bold")
    console.print(_whose_time(reply["zone"], clock))
    console.print(f"{_marked(clock)}{_length(reply)}{_UNITS}")
    for table in (_twilights(reply["twilights"], clock), _bodies(reply["bodies"], clock)):
        console.print("", table, sep="\n")
    console.print("", _moon(reply["moon"]), _phases(reply["moon"]["phases"]), sep="\n")


def _locals(it: object) -> Iterator[str]:
    """Yield the local time of each event, however deep it lies."""
    if isinstance(it, dict):
        if "local" in it:
            yield it["local"]
        it = list(it.values())
    if isinstance(it, list):
        for each in it:
            yield from _locals(each)


def _day_and_place(reply: Json, day: date) -> str:
    return f"{_DAYS[day.weekday()]}, {day}, {words.place(reply['observer'])}"


def _whose_time(zone: Json, clock: Clock) -> str:
    whose = "the zone of the place" if zone["source"] == "place" else "the zone asked for"
    # A zone may be no more than its offset: UTC-2.
    told = not clock.offsets or zone["name"].startswith("UTC")
    return f"Times are of {zone['name']}{'' if told else f' ({clock.offsets[0]})'}, {whose}."


def _marked(clock: Clock) -> str:
    return "".join(f"Those with {_OTHER_OFFSET} are {each}. " for each in clock.offsets[1:])


def _length(reply: Json) -> str:
    """Return how long the day is where that is not 24 hours."""
    end, begin = (datetime.fromisoformat(reply[name]) for name in ("end", "begin"))
    hours = (end - begin) / timedelta(hours=1)
    return "" if hours == 24 else f"This day has {hours:g} hours. "


def _twilights(twilights: Json, clock: Clock) -> Table:
    table = _table("twilight", "dawn", "dusk", "")
    for name in _ORDER:
        it = twilights[name]
        dawns, dusks = (
            _lines(it[which], lambda event: clock.time(event["local"]))
            for which in ("dawns", "dusks")
        )
        note = {"always_up": "no such darkness", "always_down": "no such light"}
        table.add_row(name, dawns, dusks, note.get(it["status"], ""))
    return table


def _bodies(bodies: Sequence[Json], clock: Clock) -> Table:
    table = _table(
        "name",
        "rises\nat azimuth",
        "transits\nat altitude",
        "sets\nat azimuth",
        "best in darkness\nat altitude, azimuth",
    )
    for it in bodies:
        rises, sets = (_lines(it[which], _azimuth(clock)) for which in ("rises", "sets"))
        transits = _lines(it["transits"], _altitude(clock))
        row = (it["name"], _STATUS[it["status"]] or rises, transits, sets, _best(it, clock))
        table.add_row(*row)
    return table


def _table(*headings: str) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for number, heading in enumerate(headings):
        table.add_column(heading, overflow="fold", no_wrap=number == 0)
    return table


def _lines(events: Sequence[Json], written: Callable[[Json], str]) -> str:
    return "\n".join(map(written, events)) or words.NOTHING


def _azimuth(clock: Clock) -> Callable[[Json], str]:
    return lambda event: f"{clock.time(event['local'])} {_direction(event['az'])}"


def _altitude(clock: Clock) -> Callable[[Json], str]:
    return lambda event: f"{clock.time(event['local'])} {event['alt']:z5.1f}"


def _direction(azimuth_deg: float) -> str:
    return f"{round(azimuth_deg) % 360:3} {words.point(azimuth_deg)}"


def _best(it: Json, clock: Clock) -> str:
    """Return when, how high and where the body is best, or why it is not."""
    best = it["best"]
    if best is None:
        return _WHY_NOT[it["why_not"]]
    return f"{clock.time(best['local'])} {best['alt']:z5.1f} {_direction(best['az'])}"


def _moon(moon: Json) -> str:
    return f"The Moon: {words.plain(moon['phase_name'])}, {moon['illuminated']:.2f} illuminated."


def _phases(phases: Sequence[Json]) -> Table:
    table = _table("next", "date", "time")
    for phase in phases:
        at = _rounded(datetime.fromisoformat(phase["local"]))
        table.add_row(words.plain(phase["name"]), str(at.date()), f"{at:%H:%M}")
    return table
