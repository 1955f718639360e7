"""The sky in a terminal: the api's own answers and errors, as tables that people can read."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from planettracker.__main__ import main
from planettracker.api.contract import FIELDS
from planettracker.api.messages import Request
from planettracker.api.respond import respond, run
from planettracker.api.routes import ROUTES
from planettracker.sky import BODIES
from planettracker.terminal import words

ROOT = Path(__file__).parents[1]
FIELD = {field.name: field for field in FIELDS}
PLACE = ("--lat", "48.1", "--lon", "11.6")
THEN = ("--time", "2026-11-30T21:00:00Z")
TIME = "time=2026-11-30T21:00:00Z"
QUERY = f"lat=48.1&lon=11.6&{TIME}"
DIRECTION = ("--az", "140", "--alt", "30")
SPAN = ("--start", "2026-11-30T21:00:00Z", "--step", "60", "--fields", "magnitude,up,az")
SPAN_QUERY = "start=2026-11-30T21:00:00Z&step=60&fields=magnitude,up,az"
# A command's words before the place, and its route with the path's variables and its own query.
ASKED = [
    (("sky", *THEN), "/planets", {}, TIME),
    (("almanac", "--date", "2026-10-25"), "/almanac", {}, "date=2026-10-25"),
    (("stars", *THEN), "/stars", {}, TIME),
    (("identify", *THEN, *DIRECTION), "/identify", {}, f"{TIME}&az=140&alt=30"),
    (
        ("track", "mars", *SPAN),
        "/planets/{name}/track",
        {"name": "mars"},
        SPAN_QUERY,
    ),
    *(((body, *THEN), "/planets/{name}", {"name": body}, TIME) for body in BODIES),
]
NAMES = [row[0][0] for row in ASKED]


def asked(*arguments: str, columns: int = 80) -> Result:
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(main, arguments)


def reply(path: str, params: dict[str, str], query: str = QUERY) -> bytes:
    (route,) = (route for route in ROUTES if route.path == path)
    return run(respond(route, Request("GET", query, params, {}))).body


def in_a_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "planettracker", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False
    )


@pytest.mark.parametrize(("command", "path", "params", "query"), ASKED, ids=NAMES)
def test_json_is_the_apis_reply_to_the_byte(
    command: tuple[str, ...], path: str, params: dict[str, str], query: str
) -> None:
    shown = asked(*command, *PLACE, "--json")
    assert shown.exit_code == 0
    assert shown.stdout_bytes == reply(path, params, f"lat=48.1&lon=11.6&{query}")


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("command", [row[0] for row in ASKED], ids=NAMES)
def test_a_table_fits_the_terminal_and_cuts_nothing_off(
    command: tuple[str, ...], columns: int
) -> None:
    shown = asked(*command, *PLACE, columns=columns)
    assert shown.exit_code == 0
    assert max(map(len, shown.stdout.splitlines())) <= columns
    assert "\N{HORIZONTAL ELLIPSIS}" not in shown.stdout


def test_a_real_process_writes_the_apis_reply_to_the_byte_and_nothing_else() -> None:
    shown = in_a_process("mars", *PLACE, *THEN, "--json")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout == reply("/planets/{name}", {"name": "mars"})


def test_a_pipe_gets_no_colours_and_lines_of_at_most_80_columns() -> None:
    shown = in_a_process("sky", *PLACE, *THEN, COLUMNS="")
    lines = shown.stdout.decode().splitlines()
    assert "\x1b" not in shown.stdout.decode()
    assert max(map(len, lines)) <= 80


def test_a_pipe_that_takes_only_ascii_gets_its_table() -> None:
    shown = in_a_process("sky", *PLACE, *THEN, PYTHONIOENCODING="ascii")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout.isascii()


def test_a_terminal_gets_bold_and_dim_alone_and_no_colour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    codes = re.findall(r"\x1b\[([0-9;]*)m", asked("sky", *PLACE, *THEN).stdout)
    assert set(codes) == {"0", "1", "2"}


@pytest.mark.parametrize("columns", [48, 80, 120, 200])
def test_every_body_has_its_azimuth_altitude_and_state_at_any_width(columns: int) -> None:
    shown = asked("sky", *PLACE, *THEN, columns=columns).stdout
    for body in json.loads(reply("/planets", {}))["bodies"]:
        (line,) = (line for line in shown.splitlines() if line.startswith(body["name"]))
        assert f"{body['az']:.2f} {words.point(body['az'])} " in line
        assert f" {body['alt']:.2f} " in line


def test_a_wider_terminal_gets_more_of_the_sky() -> None:
    headings = [
        asked("sky", *PLACE, *THEN, columns=columns).stdout.split("name")[1].split("\n")[0].split()
        for columns in (50, 80, 120, 200)
    ]
    lengths = [len(each) for each in headings]
    assert lengths == sorted(set(lengths))
    assert "declination" in headings[-1]


@pytest.mark.parametrize("columns", [48, 80, 120])
def test_one_body_has_every_field_with_its_decimals_and_unit(columns: int) -> None:
    shown = asked("jupiter", *PLACE, *THEN, columns=columns).stdout
    lines = shown.splitlines()
    members = json.loads(reply("/planets/{name}", {"name": "jupiter"}))
    for name in members.keys() - {"time", "observer", "name", "up", "phase_name"}:
        field = FIELD[name]
        (line,) = (each for each in lines if each.startswith(f"{words.name(field)} "))
        assert f" {words.value(field, members)}" in line
        assert (field.unit or "") in line
        if isinstance(members[name], float):
            assert float(words.value(field, members)) == members[name]


def test_a_body_is_shown_with_its_instant_place_and_compass_point() -> None:
    shown = asked("Jupiter", "--lat", "-33.9", "--lon", "-81", "--elevation", "520", *THEN).stdout
    assert shown.startswith("Jupiter, 2026-11-30 21:00:00 UTC, 33.9 S, 81 W, 520 m\n")
    azimuth = json.loads(
        reply(
            "/planets/{name}", {"name": "jupiter"}, QUERY.replace("48.1&lon=11.6", "-33.9&lon=-81")
        )
    )["az"]
    assert f"degrees, {words.point(azimuth)} " in shown


def test_stars_are_listed_as_the_api_has_them() -> None:
    lines = asked("stars", *PLACE, *THEN).stdout.splitlines()
    stars = json.loads(reply("/stars", {}))["stars"]
    assert lines[0] == "The bright stars, 2026-11-30 21:00:00 UTC, 48.1 N, 11.6 E, 0 m"
    assert [star["name"] for star in stars] == [line[:15].strip() for line in lines[5:]]


@pytest.mark.parametrize(
    ("place", "date"),
    [
        (("--lat", "69.6", "--lon", "18.9"), "2026-12-21"),
        (("--lat", "0", "--lon", "0"), "2026-12-01"),
        (("--lat", "90", "--lon", "0"), "2026-06-21"),
        (("--lat", "-14.3", "--lon", "-170.7"), "2026-12-01"),
        (("--lat", "1.87", "--lon", "-157.4"), "2026-12-01"),
        (("--lat", "48.1", "--lon", "11.6"), "2026-10-25"),
        (("--lat", "48.1", "--lon", "11.6"), "2026-03-29"),
    ],
    ids=["Tromso", "0 N 0 E", "pole", "Pago Pago", "Kiritimati", "25 hours", "23 hours"],
)
def test_an_almanac_shows_every_event_in_its_bodys_rows(place: tuple[str, ...], date: str) -> None:
    asked_for = ("almanac", *place, "--date", date)
    almanac = json.loads(asked(*asked_for, "--json").stdout)
    shown = asked(*asked_for).stdout
    assert almanac["zone"]["name"] in shown.splitlines()[1]
    rows = re.split(rf"^(?=(?:{'|'.join(BODIES)}) )", shown, flags=re.MULTILINE)[1:]
    for row, body in zip(rows, almanac["bodies"], strict=True):
        assert row.startswith(body["name"])
        for event in (*body["rises"], *body["transits"], *body["sets"]):
            at = datetime.fromisoformat(event["local"])
            nearest = at + timedelta(seconds=30)
            assert f"{nearest if nearest.date() == at.date() else at:%H:%M}" in row


def test_what_is_near_a_direction_is_listed_with_its_distance_from_it() -> None:
    lines = asked("identify", *PLACE, *THEN, *DIRECTION).stdout.splitlines()
    near = json.loads(reply("/identify", {}, f"{QUERY}&az=140&alt=30"))["nearest"]
    assert lines[0] == "The nearest to azimuth 140 (SE), altitude 30 degrees"
    for line, it in zip(lines[-len(near) :], near, strict=True):
        assert re.split(r"\s{2,}", line)[:2] == [it["name"], f"{it['separation']:.2f}"]


def test_a_track_has_the_columns_that_were_asked_for_in_their_order() -> None:
    lines = asked("track", "Mars", *PLACE, *SPAN).stdout.splitlines()
    assert lines[0] == "Mars, 48.1 N, 11.6 E, 0 m, every 60 min"
    assert lines[2].split() == ["time", "magnitude", "state", "azimuth"]
    assert lines[5].startswith("2026-11-30 21:00:00  ")
    assert lines[-1].startswith("2026-12-01 21:00:00  ")
    assert len(lines) == 5 + 25


def test_a_format_that_is_asked_for_is_written_to_the_byte() -> None:
    written = asked("track", "mars", *PLACE, *SPAN, "--format", "csv")
    query = f"lat=48.1&lon=11.6&{SPAN_QUERY}&format=csv"
    assert written.stdout_bytes == reply("/planets/{name}/track", {"name": "mars"}, query)
    assert written.stdout_bytes.startswith(b"time,magnitude,up,az\r\n")


def test_a_tracks_unknown_body_gets_the_apis_own_sentence() -> None:
    refused = asked("track", "marz")
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1].endswith("neptune, pluto. Did you mean mars?")


def test_null_is_shown_as_a_dash() -> None:
    (line,) = (
        each
        for each in asked("sun", *PLACE, *THEN).stdout.splitlines()
        if each.startswith("elongation ")
    )
    assert line.split()[1] == "-"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux alone has a full device")
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["table", "json"])
def test_a_full_disk_is_told_in_one_sentence(options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "planettracker", "mars", *options]
    with Path("/dev/full").open("wb") as full:
        failed = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert failed.returncode == 1
    assert failed.stderr == b"Error: cannot write: No space left on device\n"


def test_without_a_place_the_answer_says_for_where_it_is() -> None:
    assert "UTC, Greenwich (no place was given)\n" in asked("mars").stdout
    assert "Greenwich" not in asked("mars", *PLACE).stdout


@pytest.mark.parametrize("longitude", [("--lon", "-81"), ("--lon=-81",)])
def test_a_negative_longitude_is_a_value_and_no_option(longitude: tuple[str, ...]) -> None:
    shown = asked("mars", "--lat", "48.1", *longitude, "--json")
    assert json.loads(shown.stdout)["observer"]["lon"] == -81


@pytest.mark.parametrize("sign", ["+", "-"])
def test_an_offset_is_read_with_its_sign(sign: str) -> None:
    shown = asked("mars", *PLACE, "--time", f"2026-11-30T12:00:00{sign}02:00", "--json")
    hour = {"+": "10", "-": "14"}[sign]
    assert json.loads(shown.stdout)["time"] == f"2026-11-30T{hour}:00:00Z"


def errors() -> Iterator[tuple[str, tuple[str, ...], str]]:
    yield "not a number", ("--lat", "north", "--lon", "1"), "--lat: Send lat as degrees from -90"
    yield "out of range", ("--lat", "1", "--lon", "361"), "--lon: Send lon as degrees from -180"
    yield "in part", ("--lat", "1"), "--lon: A place needs lat and lon. Send lon as degrees"
    yield "twice", (*PLACE, "--lat", "2"), "--lat: lat stands in the query more than once; "
    yield "no offset", ("--time", "2026-11-30T21:00"), "--time: The offset from UTC is missing. "
    yield "no UTF-8", ("--time", "\udcff"), "--time: Send time as an instant from 1900 to 2100"
    yield "other query", ("--time", "now&lat=1"), "--time: Send time as an instant"
    yield "too long", ("--time", "9" * 2000), "Send a query of at most 2,000 characters."


@pytest.mark.parametrize(
    ("options", "sentence"), [row[1:] for row in errors()], ids=[row[0] for row in errors()]
)
@pytest.mark.parametrize("extra", [(), ("--json",)], ids=["table", "json"])
def test_a_problem_is_one_sentence_that_names_the_option(
    options: tuple[str, ...], sentence: str, extra: tuple[str, ...]
) -> None:
    refused = asked("mars", *options, *extra)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.splitlines()[-1].startswith(f"Error: {sentence}")


def test_an_unknown_command_is_told_the_nearest() -> None:
    refused = asked("marz")
    assert refused.exit_code == 2
    assert "mars" in refused.stderr


def test_a_fault_of_the_service_is_not_told_as_one_of_the_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("planettracker.api.handlers.PlanetTracker", None)
    failed = asked("mars", *PLACE)
    assert failed.exit_code == 1
    assert "Error: The fault is the server's" in failed.stderr
    assert isinstance(failed.exception, SystemExit)


@pytest.mark.parametrize(("command", "path"), [row[:2] for row in ASKED], ids=NAMES)
def test_each_parameter_of_the_route_is_an_option_with_its_own_help(
    command: tuple[str, ...], path: str
) -> None:
    (route,) = (route for route in ROUTES if route.path == path)
    assert route.parameters is not None
    told = " ".join(asked(command[0], "--help").stdout.split())
    for parameter in route.parameters.values():
        assert f"--{parameter.name} " in told
        assert parameter.expected in told


def test_help_lists_the_commands_by_what_they_are_for() -> None:
    told = asked("--help").stdout
    assert told.index("The sky:") < told.index("One body:") < told.index("Serve on")
    assert ", ".join(BODIES) in told
    assert max(map(len, told.splitlines())) <= 80


def test_help_loads_neither_the_tables_nor_a_framework() -> None:
    script = (
        "import sys; from planettracker.__main__ import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "assert not {'rich', 'aiohttp', 'flask'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("azimuth_deg", "point"), [(0, "N"), (11.24, "N"), (11.26, "NNE"), (180, "S"), (359.9, "N")]
)
def test_an_azimuth_has_the_nearest_of_16_points(azimuth_deg: float, point: str) -> None:
    assert words.point(azimuth_deg) == point


def test_no_figure_is_a_negative_zero_or_a_whole_circle() -> None:
    assert words.value(FIELD["alt"], {"alt": -0.001}, 2) == "0.00"
    assert words.value(FIELD["az"], {"az": 359.999}, 2) == "0.00"


def test_what_is_up_but_not_visible_is_told_apart_from_what_is() -> None:
    told = [
        words.value(FIELD["up"], row)
        for row in (
            {"up": True, "visible": True},
            {"up": True, "visible": False},
            {"up": False, "visible": False},
            {"up": True},
        )
    ]
    assert told == ["visible", "up, unseen", "down", "up"]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("night", "It is night: the Sun's altitude is -35.12 degrees."),
        ("nautical", "It is nautical twilight: the Sun's altitude is -35.12 degrees."),
    ],
)
def test_the_skys_state_is_a_sentence(state: str, sentence: str) -> None:
    assert words.darkness({"state": state, "sun_alt": -35.12345}) == sentence
