"""What people type for a place, and what the page makes of it for the server."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests import browser as browsers
from tests.pages import Server, one_app

pytestmark = [browsers.needed, one_app]

MINUS = "\N{MINUS SIGN}"
PRIME, SECOND = "\N{PRIME}", "\N{DOUBLE PRIME}"
LTR, RTL = "\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}"


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with closing(browser.new_page()) as page:
        page.goto(server.url)
        yield page


def called(page: Page, function: str, *arguments: Any) -> Any:
    return page.evaluate(
        "([name, given]) => import('/place-input.js').then((m) => m[name](...given))",
        [function, list(arguments)],
    )


# One field


@pytest.mark.parametrize("text", ["48.1", "-0.1276", "+48.1", ".5", "48.", "007", "0", "360"])
def test_what_the_server_takes_is_left_as_it_is(page: Page, text: str) -> None:
    reading = called(page, "readCoordinate", f" {text} ", "lon")
    assert reading == {"text": text, "isConverted": False, "hint": None}


@pytest.mark.parametrize(
    ("typed", "axis", "text"),
    [
        ("48,1", "lat", "48.1"),
        ("-0,1276", "lon", "-0.1276"),
        (",5", "lat", ".5"),
        (f"{MINUS}33.87", "lat", "-33.87"),
        ("\N{EN DASH}33.87", "lat", "-33.87"),
        ("- 33.87", "lat", "-33.87"),
        ("۳۵٫۶۹", "lat", "35.69"),
        ("۳۵/۶۹", "lat", "35.69"),
        ("۳۵.۶۹", "lat", "35.69"),
        ("٣٥٫٦٩", "lat", "35.69"),
        (f"{LTR}{MINUS}۵۱٫۳۹{RTL}", "lon", "-51.39"),
        ("３５．６９", "lat", "35.69"),
        (f"51°28{PRIME}N", "lat", "51.46667"),
        (f"51°28{PRIME}40{SECOND}N", "lat", "51.47778"),
        (f"51° 28{PRIME} 40.5{SECOND} S", "lat", "-51.47792"),
        ("51°28'40\"N", "lat", "51.47778"),
        ("51°28'40''N", "lat", "51.47778"),
        ("51°28’40”N", "lat", "51.47778"),
        ("51º28´N", "lat", "51.46667"),
        ("51 28 40 N", "lat", "51.47778"),
        ("N 51 28 40", "lat", "51.47778"),
        ("51:28:40", "lat", "51.47778"),
        ("51 28,5 n", "lat", "51.475"),
        ("51 28.5", "lat", "51.475"),
        ("-33 52", "lat", "-33.86667"),
        ("51° N", "lat", "51"),
        ("51.5 north", "lat", "51.5"),
        ("0°7'W", "lon", "-0.11667"),
        ("0 W", "lon", "0"),
        ("0°0'0\"S", "lat", "0"),
        ("90 S", "lat", "-90"),
        (f"۳۵°۴۱{PRIME} شمالی", "lat", "35.68333"),
        ("۵۱٫۳۹ شرقي", "lon", "51.39"),
        ("۵۸٫۴ غرب", "lon", "-58.4"),
        ("20 m", "lat", "20 m"),
    ],
)
def test_other_forms_are_converted(page: Page, typed: str, axis: str, text: str) -> None:
    is_converted = typed != text
    expected = {"text": text, "isConverted": is_converted, "hint": None}
    assert called(page, "readCoordinate", typed, axis) == expected


@pytest.mark.parametrize(
    "text", ["", "east", "NaN", "1e2", "48.1.2", "<img>", "--5", "5-", "1 2 3 4"]
)
def test_what_cannot_be_read_goes_to_the_server_as_it_was_typed(page: Page, text: str) -> None:
    reading = called(page, "readCoordinate", text, "lat")
    assert (reading["text"], reading["isConverted"]) == (text, False)


@pytest.mark.parametrize(
    ("typed", "axis", "hint"),
    [
        ("90.1", "lat", "place.latRange"),
        ("-91", "lat", "place.latRange"),
        ("۹۵", "lat", "place.latRange"),
        ("91 S", "lat", "place.latRange"),
        ("360.1", "lon", "place.lonRange"),
        ("-180.5", "lon", "place.lonRange"),
        ("11.6 E", "lat", "place.latSide"),
        ("48.1 N", "lon", "place.lonSide"),
        ("-51 N", "lat", "place.twoSides"),
        ("N 51 S", "lat", "place.twoSides"),
        ("51°60'", "lat", "place.sixty"),
        ("51 28 75", "lat", "place.sixty"),
        ("48.1, 11.6", "lat", "place.two"),
        ("48.1 11.6", "lon", "place.two"),
    ],
)
def test_what_cannot_be_is_met_with_a_hint(page: Page, typed: str, axis: str, hint: str) -> None:
    assert called(page, "readCoordinate", typed, axis)["hint"] == hint


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("520", "520"),
        ("-28", "-28"),
        ("8848.86", "8848.86"),
        ("1,5", "1.5"),
        ("1,200", "1200"),
        ("1 200 m", "1200"),
        ("۱٬۲۰۰ متر", "1200"),
        ("۱۲۰۰", "1200"),
        (f"{MINUS}28 metres", "-28"),
        ("1700 ft", "1700 ft"),
        ("high", "high"),
        ("", ""),
    ],
)
def test_an_elevation_is_read_in_metres(page: Page, typed: str, text: str) -> None:
    reading = called(page, "readElevation", typed)
    assert reading == {"text": text, "isConverted": typed != text, "hint": None} or (
        typed == text and reading == {"text": text, "isConverted": False, "hint": None}
    )


# Swapped


@pytest.mark.parametrize(
    ("lat", "lon", "swapped"),
    [
        ("139.69", "35.68", {"lat": "35.68", "lon": "139.69"}),
        ("-118,24", "34,05", {"lat": "34.05", "lon": "-118.24"}),
        ("11.6 E", "48.1 N", {"lat": "48.1", "lon": "11.6"}),
        ("48.1", "11.6", None),
        ("95", "95", None),
        ("95", "", None),
        ("95", "east", None),
        ("51°99'", "11", None),
    ],
)
def test_only_what_would_be_a_place_is_called_swapped(
    page: Page, lat: str, lon: str, swapped: dict[str, str] | None
) -> None:
    assert called(page, "check", {"lat": lat, "lon": lon})["swapped"] == swapped


# Both in one field

MUNICH = {"lat": "48.1", "lon": "11.6"}
WHOLE = {"lat": "48", "lon": "11"}
GREENWICH = {"lat": "51.47778", "lon": "-0.00139"}


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("48.1, 11.6", MUNICH),
        ("48.1,11.6", MUNICH),
        ("48.1 11.6", MUNICH),
        ("48.1; 11.6", MUNICH),
        ("48.1/11.6", MUNICH),
        ("(48.1, 11.6)", MUNICH),
        ("48,1 11,6", MUNICH),
        ("48,1, 11,6", MUNICH),
        ("48,1; 11,6", MUNICH),
        ("48,1,11,6", MUNICH),
        ("48.1° 11.6°", MUNICH),
        ("48.1° N, 11.6° E", MUNICH),
        ("48.1N 11.6E", MUNICH),
        ("48,1N,11,6E", MUNICH),
        ("N48.1 E11.6", MUNICH),
        ("11.6 E 48.1 N", MUNICH),
        ("11.6, 48.1 N", MUNICH),
        ("E 11.6, 48.1", MUNICH),
        ("۴۸٫۱، ۱۱٫۶", MUNICH),
        ("۴۸٫۱،۱۱٫۶", MUNICH),
        ("۴۸/۱ ۱۱/۶", MUNICH),
        ("٤٨٫١، ١١٫٦", MUNICH),
        ("۴۸٫۱ شمالی ۱۱٫۶ شرقی", MUNICH),
        ("48, 11", WHOLE),
        ("48,11", WHOLE),
        ("48 11", WHOLE),
        (f"51°28{PRIME}40{SECOND}N 0°0{PRIME}5{SECOND}W", GREENWICH),
        ("51°28'40\" -0°0'5\"", GREENWICH),
        ("51 28 40 N 0 0 5 W", GREENWICH),
        ("51 28 40 N, 0 0 5 W", GREENWICH),
        ("N 51 28 40 W 0 0 5", GREENWICH),
        ("51:28:40 -0:0:5", GREENWICH),
        ("51 28 40 -0 0 5", GREENWICH),
        ("-33.9 151.2", {"lat": "-33.9", "lon": "151.2"}),
        ("33 54 S 151 12 E", {"lat": "-33.9", "lon": "151.2"}),
        ("-33 54 151 12", {"lat": "-33.9", "lon": "151.2"}),
        ("40.7, -74", {"lat": "40.7", "lon": "-74"}),
        ("40.7,-74", {"lat": "40.7", "lon": "-74"}),
        ("40,7,-74,5", {"lat": "40.7", "lon": "-74.5"}),
        ("0, 0", {"lat": "0", "lon": "0"}),
        ("48.1, 11.6, 520", MUNICH | {"elevation": "520"}),
        ("48,1; 11,6; 520 m", MUNICH | {"elevation": "520"}),
        ("۴۸٫۱، ۱۱٫۶، ۵۲۰ متر", MUNICH | {"elevation": "520"}),
    ],
)
def test_two_coordinates_are_read_from_one_text(
    page: Page, typed: str, values: dict[str, str]
) -> None:
    read = called(page, "readPlace", typed)
    assert (read["values"], read["hint"]) == (values, None)


@pytest.mark.parametrize(
    "name", ["", "Tehran", "تهران", "S", "N'Djamena", "6th of October", "<b>1, 2</b>", "48.1; DROP"]
)
def test_a_name_is_no_coordinates(page: Page, name: str) -> None:
    assert called(page, "readPlace", name) is None


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("48", "place.half"),
        ("48.1,", "place.half"),
        ("51°28'N", "place.half"),
        ("51 28 40", "place.half"),
        ("48,1,11", "place.unclear"),
        ("48.1 11.6 520 3", "place.unclear"),
        ("1, 2, 3, 4", "place.unclear"),
        ("48.1.1, 11", "place.unclear"),
        ("48.1N 11.6N", "place.sameAxis"),
        ("51°99'N 0°0'E", "place.sixty"),
        ("95, 95", "place.latRange"),
        ("45, 400", "place.lonRange"),
    ],
)
def test_coordinates_that_are_no_place_are_met_with_a_hint(
    page: Page, typed: str, hint: str
) -> None:
    assert called(page, "readPlace", typed)["hint"] == hint


def test_swapped_coordinates_in_one_text_are_offered_the_other_way_round(page: Page) -> None:
    read = called(page, "readPlace", "139.69, 35.68, 40")
    assert read["hint"] == "place.latRange"
    assert read["swapped"] == {"lat": "35.68", "lon": "139.69", "elevation": "40"}
