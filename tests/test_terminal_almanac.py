"""An almanac in a terminal: the place's own time, said so, and every event of the day."""

import io
from typing import Any, get_args

import pytest
from rich.console import Console

from planettracker.sky.almanac import TWILIGHTS, Status, WhyNot
from planettracker.terminal import almanac

WINTER, SUMMER = "+01:00", "+02:00"


def event(local: str, offset: str = WINTER, **where: float) -> dict[str, Any]:
    return {"time": "not shown", "local": f"{local}{offset}", **where}


def twilight(dawn: str, dusk: str) -> dict[str, Any]:
    dawns, dusks = ([event(f"2026-10-25T{each}")] for each in (dawn, dusk))
    return {"status": "normal", "dawns": dawns, "dusks": dusks}


def body(**members: Any) -> dict[str, Any]:
    return {
        "name": "mars",
        "status": "normal",
        "rises": [event("2026-10-25T00:58:31", az=64.7)],
        "transits": [event("2026-10-25T08:22:29", alt=58.25)],
        "sets": [event("2026-10-25T15:46:00", az=294.6)],
        "best": {**event("2026-10-26T05:40:00", az=121.2, alt=46.04)},
        "why_not": None,
        **members,
    }


def shown(width: int = 80, bodies: list[dict[str, Any]] | None = None, **members: Any) -> list[str]:
    """Return the lines for Munich on the day when summer time ends, of which members may differ."""
    reply = {
        "date": "2026-10-25",
        "zone": {"name": "Europe/Berlin", "source": "place"},
        "observer": {"lon": 11.6, "lat": 48.1, "elevation": 520.0, "source": "given"},
        "begin": "2026-10-24T22:00:00Z",
        "end": "2026-10-25T23:00:00Z",
        "twilights": {
            "civil": twilight("06:13:00", "17:28:00"),
            "nautical": twilight("05:39:00", "18:03:00"),
            "astronomical": twilight("05:05:00", "18:37:00"),
        },
        "bodies": [body()] if bodies is None else bodies,
        "moon": {
            "phase_name": "waxing_gibbous",
            "illuminated": 0.9912,
            "phases": [
                {"name": "full_moon", **event("2026-10-26T05:11:44")},
                {"name": "last_quarter", **event("2026-11-01T21:28:00")},
            ],
        },
        **members,
    }
    console = Console(file=io.StringIO(), width=width, highlight=False)
    almanac.show(reply, console)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return [line.rstrip() for line in text.splitlines()]


def test_the_head_names_the_day_the_place_and_whose_time_it_is() -> None:
    assert shown()[:2] == [
        "Sunday, 2026-10-25, 48.1 N, 11.6 E, 520 m",
        "Times are of Europe/Berlin (UTC+01:00), the zone of the place.",
    ]


def test_a_zone_that_was_given_is_not_called_the_places() -> None:
    assert shown(zone={"name": "Europe/Rome", "source": "given"})[1] == (
        "Times are of Europe/Rome (UTC+01:00), the zone asked for."
    )


def test_a_zone_that_is_named_by_its_offset_is_not_given_it_twice() -> None:
    assert shown(zone={"name": "UTC-2", "source": "place"})[1] == (
        "Times are of UTC-2, the zone of the place."
    )


def test_a_day_of_25_hours_is_told_and_one_of_24_is_not() -> None:
    assert "This day has 25 hours." in shown()[2]
    assert "hours" not in shown(begin="2026-10-24T23:00:00Z")[2]


def test_a_time_before_the_clocks_go_back_is_marked_with_its_offset() -> None:
    rises = [event("2026-10-25T02:30:00", SUMMER, az=64.7), event("2026-10-25T02:30:00", az=64.7)]
    lines = shown(bodies=[body(rises=rises)])
    assert lines[2].startswith("Those with * are UTC+02:00. This day has 25 hours. ")
    first = next(number for number, line in enumerate(lines) if line.startswith("mars"))
    assert lines[first].startswith("mars  02:30*  65 ENE ")
    assert lines[first + 1].strip() == "02:30  65 ENE"


def test_twilights_are_listed_as_the_morning_has_them() -> None:
    lines = [line.split() for line in shown()[6:9]]
    assert lines == [
        ["astronomical", "05:05", "18:37"],
        ["nautical", "05:39", "18:03"],
        ["civil", "06:13", "17:28"],
    ]


@pytest.mark.parametrize(
    ("status", "words"), [("always_up", "no such darkness"), ("always_down", "no such light")]
)
def test_a_twilight_that_neither_begins_nor_ends_says_so(status: str, words: str) -> None:
    never = {"status": status, "dawns": [], "dusks": []}
    lines = shown(twilights=dict.fromkeys(("civil", "nautical", "astronomical"), never))
    assert lines[6].split(maxsplit=3) == ["astronomical", "-", "-", words]


def row(*lines: str) -> str:
    (found,) = (line for line in lines if line.startswith("mars"))
    return " ".join(found.split())


def test_a_body_has_its_events_to_the_nearest_minute_and_the_next_days_by_weekday() -> None:
    assert row(*shown()) == "mars 00:59 65 ENE 08:22 58.2 15:46 295 WNW Mon 05:40 46.0 121 ESE"


def test_the_last_half_minute_is_not_rounded_into_the_next_day() -> None:
    late = body(sets=[event("2026-10-25T23:59:45", az=359.8)])
    assert " 23:59 0 N " in row(*shown(bodies=[late]))


@pytest.mark.parametrize(
    ("status", "words"), [("always_up", "always up"), ("always_down", "always down")]
)
def test_a_body_that_neither_rises_nor_sets_says_so(status: str, words: str) -> None:
    it = body(status=status, rises=[], sets=[])
    assert row(*shown(bodies=[it])).startswith(f"mars {words} 08:22 58.2 - Mon")


def test_an_event_that_does_not_happen_is_a_dash() -> None:
    assert row(*shown(bodies=[body(rises=[])])).startswith("mars - 08:22 58.2 15:46 ")


@pytest.mark.parametrize(
    ("why_not", "words"),
    [
        ("the_sun", "-"),
        ("no_darkness", "no darkness"),
        ("in_daylight", "up by day only"),
        ("below_horizon", "never up"),
    ],
)
def test_a_body_that_is_never_best_says_why(why_not: str, words: str) -> None:
    it = body(best=None, why_not=why_not)
    assert row(*shown(bodies=[it])).endswith(f" WNW {words}")


def test_a_day_without_any_event_has_its_zone() -> None:
    never = {"status": "always_up", "dawns": [], "dusks": []}
    it = body(status="always_up", rises=[], transits=[], sets=[], best=None, why_not="no_darkness")
    lines = shown(
        bodies=[it], twilights=dict.fromkeys(("civil", "nautical", "astronomical"), never)
    )
    assert lines[1] == "Times are of Europe/Berlin, the zone of the place."
    assert row(*lines) == "mars always up - - no darkness"


def test_the_moon_has_its_phase_and_the_next_ones_with_their_dates() -> None:
    lines = shown()
    start = lines.index("The Moon: waxing gibbous, 0.99 illuminated.")
    assert [" ".join(line.split()) for line in lines[start + 3 :]] == [
        "full moon 2026-10-26 05:12",
        "last quarter 2026-11-01 21:28",
    ]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_nothing_is_cut_off_at_any_width(width: int) -> None:
    lines = shown(width)
    assert max(map(len, lines)) <= width
    assert not any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines)


def test_a_body_with_all_its_events_takes_one_line_of_80_columns() -> None:
    second = event("2026-10-25T02:30:00", SUMMER, az=164.7)
    many = body(
        name="mercury", rises=[second], transits=[event("2026-10-25T02:30:00", SUMMER, alt=-58.2)]
    )
    (line,) = (line for line in shown(bodies=[many]) if line.startswith("mercury"))
    assert line.endswith("Mon 05:40  46.0 121 ESE")


def test_every_code_of_the_almanac_has_its_words() -> None:
    assert set(almanac._WHY_NOT) == set(get_args(WhyNot))
    assert set(almanac._STATUS) == set(get_args(Status))
    assert set(almanac._ORDER) == set(TWILIGHTS)
