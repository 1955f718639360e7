"""The moment: now, which is live, or any other, which stays; a slider, a date, and playing."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import browser as browsers
from tests.pages import OpenPage, module_value, one_app
from tests.parts import part_page, show, told

pytestmark = [browsers.needed, one_app]

BERLIN = "Europe/Berlin"
NOW = "2026-11-30T11:30:20Z"
LIMITS = {"begin": "2026-11-29T23:00:00Z", "end": "2026-11-30T23:00:00Z"}


def picker(open_page: OpenPage, **context: Any) -> Page:
    """Open the part at an instant of its own clock, which goes on."""

    def before(page: Page) -> None:
        page.clock.install(time=NOW)

    return part_page(open_page, "moment", "MomentPicker", before=before, **context)


def live(page: Page, **shown: Any) -> None:
    show(page, **{"moment": None, "zone": BERLIN, "limits": LIMITS} | shown)


def slider(page: Page) -> Locator:
    return page.get_by_role("slider")


def moments(page: Page) -> list[str | None]:
    """Return the moments that were told, to the minute."""
    return [value and value[:16] for _, value in told_moments(page)]


def told_moments(page: Page) -> list[Any]:
    return [[event, value and value.isoformat()] for event, value in told(page)]


def test_now_is_live_and_in_the_places_own_zone(open_page: OpenPage) -> None:
    page = picker(open_page, timezone_id="Asia/Tokyo")
    live(page)
    expect(page.get_by_role("status")).to_have_text("Live: this is now.")
    expect(page.locator(".moment-clock")).to_have_text(
        "Monday, 30 November 2026, 12:30 in Europe/Berlin"
    )
    expect(page.get_by_role("button", name="Now")).to_have_attribute("aria-pressed", "true")
    expect(slider(page)).to_have_value(str(12 * 60 + 30))
    expect(slider(page)).to_have_attribute("aria-valuetext", "12:30")
    expect(page.get_by_label("Date", exact=True)).to_have_value("2026-11-30")


def test_another_moment_is_fixed_and_says_so(open_page: OpenPage) -> None:
    page = picker(open_page)
    live(page, moment="2027-06-01T20:15:00Z", limits=None)
    expect(page.get_by_role("status")).to_have_text("Fixed: the sky stays at this moment.")
    expect(page.locator(".moment-clock")).to_contain_text("1 June 2027, 22:15")
    expect(page.get_by_role("button", name="Now")).to_have_attribute("aria-pressed", "false")
    expect(slider(page)).to_have_value(str(22 * 60 + 15))
    page.get_by_role("button", name="Now").click()
    expect(page.get_by_role("status")).to_have_text("Live: this is now.")
    assert told(page) == [["onMoment", None]]


def test_the_slider_is_the_24_hours_of_the_local_date(open_page: OpenPage) -> None:
    page = picker(open_page)
    live(page)
    expect(slider(page)).to_have_attribute("max", "1439")
    slider(page).fill("0")
    expect(page.locator(".moment-clock")).to_contain_text("30 November 2026, 00:00")
    slider(page).fill("1439")
    expect(page.locator(".moment-clock")).to_contain_text("30 November 2026, 23:59")
    page.clock.run_for(1000)
    assert moments(page)[-1] == "2026-11-30T22:59"


@pytest.mark.parametrize(
    ("date", "begin", "end", "last"),
    [
        ("2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23 * 60 - 1),
        ("2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25 * 60 - 1),
    ],
)
@pytest.mark.parametrize("known", [True, False], ids=["from the server", "by the browser"])
def test_a_date_of_23_or_25_hours_has_as_many_on_the_slider(
    open_page: OpenPage, date: str, begin: str, end: str, last: int, known: bool
) -> None:
    page = picker(open_page)
    limits = {"begin": begin, "end": end} if known else LIMITS
    live(page, moment=f"{date}T11:00:00Z", limits=limits)
    expect(slider(page)).to_have_attribute("max", str(last))
    slider(page).fill(str(last))
    expect(slider(page)).to_have_attribute("aria-valuetext", "23:59")


def test_a_dragged_slider_tells_now_and_then_and_at_the_end(open_page: OpenPage) -> None:
    page = picker(open_page)
    page.clock.pause_at("2026-11-30T11:31:00Z")
    live(page)
    page.evaluate(
        """() => {
            const slider = document.querySelector("[type=range]");
            for (const value of [100, 200, 300]) {
                slider.value = value;
                slider.dispatchEvent(new Event("input"));
            }
        }"""
    )
    assert told(page) == []
    expect(slider(page)).to_have_value("300")
    live(page)  # an answer that comes meanwhile does not move it back
    expect(slider(page)).to_have_value("300")
    page.clock.run_for(100)
    assert moments(page) == ["2026-11-30T04:00"]


def test_another_date_keeps_the_time_of_day(open_page: OpenPage) -> None:
    page = picker(open_page)
    live(page, moment="2026-11-30T21:40:00Z")
    page.get_by_label("Date", exact=True).fill("2027-07-14")
    assert moments(page) == ["2027-07-14T20:40"]  # summer time
    page.get_by_role("button", name="The day after").click()
    page.get_by_role("button", name="The day before").click()
    page.get_by_role("button", name="The day before").click()
    assert moments(page)[1:] == ["2027-07-15T20:40", "2027-07-14T20:40", "2027-07-13T20:40"]


@pytest.mark.parametrize("date", ["1899-12-31", "2101-01-01", "0202-11-30", ""])
def test_a_date_outside_the_years_is_refused_with_a_hint(open_page: OpenPage, date: str) -> None:
    page = picker(open_page)
    live(page)
    field = page.get_by_label("Date", exact=True)
    field.fill(date)
    field.blur()
    expect(page.get_by_role("alert")).to_have_text("Choose a date from 1900 to 2100.")
    expect(field).to_have_accessible_error_message("Choose a date from 1900 to 2100.")
    assert told(page) == []
    page.get_by_role("button", name="Now").click()
    expect(page.get_by_role("alert")).to_have_text("")
    live(page)
    expect(field).to_have_value("2026-11-30")


@pytest.mark.parametrize(
    ("moment", "minutes", "limited"),
    [
        ("1900-01-01T00:30:00Z", 10, "1900-01-01T00:00"),
        ("2100-12-31T23:30:00Z", 23 * 60 + 50, "2100-12-31T23:59"),
    ],
)
def test_moments_stay_within_the_years_of_the_server(
    open_page: OpenPage, moment: str, minutes: int, limited: str
) -> None:
    page = picker(open_page)
    # 12 hours from UTC, the first local date begins before the years and the last ends after them.
    zone = "Etc/GMT-12" if moment.startswith("1900") else "Etc/GMT+12"
    live(page, moment=moment, zone=zone, limits=None)
    slider(page).fill(str(minutes))
    page.clock.run_for(1000)
    assert moments(page)[-1] == limited


def test_playing_goes_ten_minutes_a_second_until_it_is_stopped(open_page: OpenPage) -> None:
    page = picker(open_page)
    page.clock.pause_at("2026-11-30T11:31:00Z")
    live(page, moment="2026-11-30T12:00:00Z")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("status")).to_have_text("Playing: 10 minutes in each second.")
    play_for(page, 3)
    assert moments(page)[-1] == "2026-11-30T12:30"
    page.get_by_role("button", name="Pause").click()
    count = len(told(page))
    play_for(page, 3)
    assert len(told(page)) == count
    expect(page.get_by_role("status")).to_have_text("Fixed: the sky stays at this moment.")


def play_for(page: Page, seconds: int) -> None:
    """Let steps of playing, each of which waits for the one before, take place."""
    for _ in range(seconds * 4):
        page.clock.run_for(250)
        page.evaluate("0")


def test_playing_waits_for_each_answer_and_keeps_its_pace(open_page: OpenPage) -> None:
    page = picker(open_page)
    page.clock.pause_at("2026-11-30T11:31:00Z")
    page.evaluate(
        """async () => {
            const { MomentPicker } = await import("/moment.js");
            const section = document.getElementById("part");
            window.asked = [];
            window.part = new MomentPicker(section, { onMoment: (moment) => {
                asked.push(moment.toISOString());
                return new Promise((done) => { window.answer = done; });
            } });
        }"""
    )
    live(page, moment="2026-11-30T12:00:00Z")
    page.get_by_role("button", name="Play").click()
    play_for(page, 3)
    assert page.evaluate("asked.length") == 1, "asked before there was an answer"
    page.evaluate("answer()")
    play_for(page, 1)
    asked = page.evaluate("asked")
    assert len(asked) == 2
    assert asked[1][:16] == "2026-11-30T12:32"


def test_playing_ends_where_another_moment_is_chosen_or_the_page_is_left(
    open_page: OpenPage,
) -> None:
    page = picker(open_page)
    page.clock.pause_at("2026-11-30T11:31:00Z")
    live(page, moment="2026-11-30T12:00:00Z")
    page.get_by_role("button", name="Play").click()
    play_for(page, 1)
    live(page, moment="2027-01-01T00:00:00Z", limits=None)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_who_wants_no_motion_steps_instead(open_page: OpenPage) -> None:
    page = picker(open_page, reduced_motion="reduce")
    live(page, moment="2026-11-30T12:00:00Z")
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    page.get_by_role("button", name="10 minutes on").click()
    page.get_by_role("button", name="10 minutes on").click()
    assert moments(page) == ["2026-11-30T12:10", "2026-11-30T12:20"]


def test_it_works_by_keyboard_alone(open_page: OpenPage) -> None:
    page = picker(open_page)
    live(page)
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    page.clock.run_for(1000)
    assert moments(page)[-1] == "2026-11-30T11:31"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert moments(page)[-1] is None


def test_persian_has_its_own_digits_and_calendar(open_page: OpenPage) -> None:
    page = picker(open_page, locale="fa-IR")
    live(page, zone="Asia/Tehran", limits=None)
    clock = page.locator(".moment-clock")
    expect(clock).to_contain_text("۱۵:۰۰")
    expect(clock).to_contain_text("۱۴۰۵")
    expect(page.get_by_role("status")).to_have_text("زنده: همین اکنون.")


@pytest.mark.parametrize("width", [240, 320, 1920])
@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
def test_nothing_scrolls_sideways(open_page: OpenPage, width: int, locale: str) -> None:
    page = picker(open_page, locale=locale, viewport={"width": width, "height": 640})
    live(page, zone="America/Argentina/ComodRivadavia", limits=None)
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    ("date", "minutes", "zone", "instant"),
    [
        ("2026-11-30", 600, "Europe/Berlin", "2026-11-30T09:00"),
        ("2026-03-29", 150, "Europe/Berlin", "2026-03-29T01:30"),  # left out: an hour later
        ("2026-10-25", 150, "Europe/Berlin", "2026-10-25T00:30"),  # twice: the first
        ("2026-10-25", 180, "Europe/Berlin", "2026-10-25T02:00"),
        ("2026-11-30", 0, "Asia/Kathmandu", "2026-11-29T18:15"),
        ("2026-11-30", 0, "Pacific/Kiritimati", "2026-11-29T10:00"),
        ("2018-11-04", 0, "America/Sao_Paulo", "2018-11-04T03:00"),  # midnight is left out
        ("2026-11-30", 0, "UTC-2", "2026-11-30T02:00"),
        ("2026-11-30", 0, "UTC", "2026-11-30T00:00"),
    ],
)
def test_a_time_of_the_clock_is_an_instant(
    open_page: OpenPage, date: str, minutes: int, zone: str, instant: str
) -> None:
    page = picker(open_page)
    found = module_value(
        page, "civil.js", f"m.instantOf('{date}', {minutes}, '{zone}').toISOString()"
    )
    assert found[:16] == instant
