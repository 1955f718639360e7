"""Directions in words, in English and in Persian."""

import pytest

from tests import browser as browsers
from tests.pages import OpenPage, empty_page, module_value, one_app

pytestmark = [browsers.needed, one_app]

UNDERSTOOD = {
    "low in the south-east": (135, 15),
    "Low In The SOUTHEAST!": (135, 15),
    "very low, WSW": (247.5, 5),
    "high in the north": (0, 60),
    "overhead": (0, 90),
    "almost overhead, a bit west": (270, 80),
    "it's in the north-north-east": (22.5, 30),
    "in the western sky, half way up": (270, 45),
    "20° above the south": (180, 20),
    "30 degrees high in the west": (270, 30),
    "two fists above the eastern horizon": (90, 20),
    "between south and west": (225, 30),
    "az 135 alt 20": (135, 20),
    "135.5°, 20": (135.5, 20),
    "altitude 12.5 azimuth 360": (0, 12.5),
    "۳۰ درجه بالا در غرب": (270, 30),
    "پایین در جنوب شرقی": (135, 15),
    "پايين در جنوب‌شرقي": (135, 15),
    "خیلی پایین، شرقِ شمال‌شرق": (67.5, 5),
    "نزدیک افق در باختر": (270, 5),
    "بالای سر": (0, 90),
    "سمت ۱۳۵ ارتفاع ۲۰": (135, 20),
    "دو مشت بالای افق جنوب": (180, 20),
}
HINTS = {
    "": "noDirection",
    "low": "noDirection",
    "30 degrees high": "noDirection",
    "<img src=x>": "noDirection",
    "north or south": "twoDirections",
    "west south": "twoDirections",
    "north, east and south": "twoDirections",
    "91 degrees up in the south": "tooHigh",
    "az 361 alt 20": "tooHigh",
}


def test_a_direction_in_words_is_understood(open_page: OpenPage) -> None:
    page = empty_page(open_page)
    for text, (az, alt) in UNDERSTOOD.items():
        expression = f"m.readDirection({text!r})"
        answer = module_value(page, "direction.js", expression)
        assert answer == {"az": az, "alt": alt}, text


@pytest.mark.parametrize(("text", "hint"), HINTS.items())
def test_what_is_no_direction_gets_a_hint(open_page: OpenPage, text: str, hint: str) -> None:
    page = empty_page(open_page)
    assert module_value(page, "direction.js", f"m.readDirection({text!r})") == {"hint": hint}
