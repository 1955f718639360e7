"""Tonight: the timeline of a date at a place, its table, and the selected body in words."""

from typing import Any

import pytest
from almanacs import BERLIN, DAY, SUN, VENUS, Json, almanac, body, event, twilight
from playwright.sync_api import Page, expect

from tests import browser as browsers
from tests.pages import OpenPage, module_value, one_app
from tests.parts import part_page, show, told

pytestmark = [browsers.needed, one_app]

NOON = f"{DAY}T12:00:00+01:00"
NEXT_DAY = "2026-12-01"
# The sets of Jupiter come after midnight.
JUPITER = body("jupiter", [event("21:00", az=70.0)], [event("04:00", alt=52.0)])
JUPITER_NEXT = body("jupiter", sets=[event("11:30", day=NEXT_DAY, az=290.0)])
POLE_STAR = body("mars", [], [event("12:00", alt=80.0)], [], status="always_up")
SUNK = body("saturn", [], [event("13:00", alt=-12.0)], [], status="always_down")


def tonight(open_page: OpenPage, **context: Any) -> Page:
    return part_page(open_page, "tonight", "Tonight", **context)


def show_at(page: Page, now: str = NOON, selected: str | None = None, **shown: Any) -> None:
    show(page, **{"almanac": almanac(), "now": now, "selected": selected} | shown)


def row(page: Page, name: str) -> list[str]:
    """Return the texts of a body's row as a screen reader has them: without the short ones."""
    cells = page.get_by_role("row", name=name).get_by_role("cell")
    texts: list[str] = cells.evaluate_all(
        """(cells) => cells.map((cell) => {
            const heard = cell.cloneNode(true);
            heard.querySelectorAll("[aria-hidden]").forEach((part) => part.remove());
            return heard.textContent.trim().replace(/\\s+/g, " ");
        })"""
    )
    return texts


def until_next(page: Page, now: str, *bodies: Json, following: Json | None = None) -> str:
    values = [almanac(*bodies), bodies[0]["name"], now, following]
    text: str = page.evaluate(
        """async ([almanac, body, now, following]) => {
            const { untilNext } = await import("/tonight.js");
            return untilNext(almanac, body, new Date(now), following);
        }""",
        values,
    )
    return text


# The table


def test_the_table_has_rise_transit_set_and_best_of_each_body(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    assert row(page, "Venus") == [
        "04:10 in the east-south-east",
        "09:35 31 degrees high",
        "15:00 in the west-south-west",
        "22:40 34 degrees high in the south",
    ]
    expect(page.get_by_role("row", name="Venus").locator(".minor")).to_have_text(
        ["ESE", "31°", "WSW", "34° S"]
    )


def test_two_events_in_one_day_are_both_told(open_page: OpenPage) -> None:
    page = tonight(open_page)
    jupiter = body(
        "jupiter",
        [event("00:02", az=60.0), event("23:58", az=60.0)],
        [event("07:40", alt=52.0)],
        [event("15:20", az=300.0)],
    )
    show_at(page, almanac=almanac(SUN, jupiter))
    assert row(page, "Jupiter")[0] == "00:02, 23:58 in the east-north-east, in the east-north-east"


def test_what_is_always_or_never_up_is_said_in_words(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page, almanac=almanac(SUN, POLE_STAR, SUNK), selected="mars")
    mars, saturn = row(page, "Mars"), row(page, "Saturn")
    assert (mars[0], mars[2]) == ("always up", "always up")
    assert (saturn[0], saturn[2]) == ("never up", "never up")
    expect(page.locator(".next")).to_have_text("Mars is always up on this date.")
    show_at(page, almanac=almanac(SUN, POLE_STAR, SUNK), selected="saturn")
    expect(page.locator(".next")).to_have_text("Saturn is never up on this date.")


def test_a_moon_that_does_not_rise_on_the_date_has_none(open_page: OpenPage) -> None:
    page = tonight(open_page)
    moon = body("moon", [], [event("05:00", alt=50.0)], [event("12:30", az=290.0)])
    show_at(page, almanac=almanac(SUN, moon))
    assert row(page, "Moon")[0] == "none"


@pytest.mark.parametrize(
    ("why_not", "words"),
    [
        ("the_sun", "it makes the day"),
        ("no_darkness", "the night is not dark"),
        ("in_daylight", "up in daylight only"),
        ("below_horizon", "below the horizon"),
    ],
)
def test_why_a_body_has_no_best_moment_is_said_in_words(
    open_page: OpenPage, why_not: str, words: str
) -> None:
    page = tonight(open_page)
    mercury = body("mercury", [event("08:00", az=120.0)], why_not=why_not)
    show_at(page, almanac=almanac(SUN, mercury), selected="mercury")
    assert row(page, "Mercury")[3] == words
    expect(page.locator(".best-words")).to_have_text(f"Mercury: no best moment, {words}.")


def test_a_best_moment_after_midnight_names_its_day(open_page: OpenPage) -> None:
    page = tonight(open_page)
    best = event("03:20", day=NEXT_DAY, az=180.0, alt=50.0)
    show_at(page, almanac=almanac(SUN, VENUS | {"best": best}), selected="venus")
    expect(page.locator(".best-words")).to_have_text(
        "Venus: best 03:20 on 1 Dec, 50 degrees in the south."
    )


def test_a_single_degree_is_no_plural(open_page: OpenPage) -> None:
    page = tonight(open_page)
    venus = VENUS | {"best": event("22:40", az=180.4, alt=1.2)}
    show_at(page, almanac=almanac(SUN, venus), selected="venus")
    expect(page.locator(".best-words")).to_have_text("Venus: best 22:40, 1 degree in the south.")
    assert row(page, "Venus")[3] == "22:40 1 degree high in the south"


def test_a_transit_below_the_horizon_is_said_to_be_there(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page, almanac=almanac(SUN, SUNK))
    assert row(page, "Saturn")[1] == "13:00 12 degrees below the horizon"


def test_twilights_are_told_and_so_is_a_light_that_stays(open_page: OpenPage) -> None:
    page = tonight(open_page)
    twilights = almanac()["twilights"]
    twilights["astronomical"] = {"status": "always_up", "dawns": [], "dusks": []}
    show_at(page, almanac=almanac(twilights=twilights))
    assert row(page, "civil twilight") == ["07:00", "17:00"]
    assert row(page, "astronomical twilight") == ["always lighter", "always lighter"]


def test_the_date_and_the_zone_of_the_place_are_named(open_page: OpenPage) -> None:
    page = tonight(open_page, timezone_id="Asia/Tokyo")
    show_at(page)
    when = page.locator(".when")
    expect(when).to_contain_text("Monday, 30 November 2026")
    expect(when).to_contain_text("Europe/Berlin (Central European Standard Time)")


def test_a_zone_of_the_high_seas_is_understood(open_page: OpenPage) -> None:
    page = tonight(open_page)
    sea = almanac(zone="Etc/GMT+2", shown_zone="UTC-2")
    show_at(page, almanac=sea)
    expect(page.locator(".when")).to_contain_text("UTC-2")
    assert row(page, "Venus")[0].startswith("01:10 ")


def test_the_moons_phase_and_the_next_one_are_told(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    expect(page.locator(".moon")).to_have_text(
        "Moon: waning gibbous, 62 % lit; last quarter on 1 Dec at 07:08."
    )


def test_times_are_in_twelve_hours_for_who_wants_them(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page, selected="venus", hour12=True)
    assert row(page, "Venus")[2].startswith("3:00 pm")
    expect(page.locator(".next")).to_have_text("Venus sets in 3 h, at 3:00 pm.")


# The selected body


def test_the_selected_body_is_told_in_sentences(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page, now=f"{DAY}T12:50:00+01:00", selected="venus")
    expect(page.locator(".next")).to_have_text("Venus sets in 2 h 10 min, at 15:00.")
    expect(page.locator(".best-words")).to_have_text("Venus: best 22:40, 34 degrees in the south.")
    expect(page.get_by_role("button", name="Venus")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Sun")).to_have_attribute("aria-pressed", "false")


def test_without_a_selected_body_one_is_asked_for(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    expect(page.locator(".next")).to_have_text(
        "Choose a body to read when it is best and when it sets."
    )
    expect(page.locator(".best-words")).to_have_text("")


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        ("04:09:40", "rises in less than a minute"),
        ("03:25:00", "rises in 45 min"),
        ("04:10:00", "sets in 10 h 50 min"),
        ("14:00:20", "sets in 1 h"),
        ("14:59:00", "sets in 1 min"),
        ("15:00:00", "does not rise again on this date"),
    ],
)
def test_what_comes_next_is_told_to_the_minute(open_page: OpenPage, clock: str, words: str) -> None:
    page = tonight(open_page)
    assert until_next(page, f"{DAY}T{clock}+01:00", VENUS) == words


def test_a_set_after_midnight_is_known_from_the_next_dates_almanac(open_page: OpenPage) -> None:
    page = tonight(open_page)
    late = f"{DAY}T22:00:00+01:00"
    assert until_next(page, late, JUPITER) == "does not set again on this date"
    following = almanac(JUPITER_NEXT, day=NEXT_DAY)
    assert until_next(page, late, JUPITER, following=following) == "sets in 13 h 30 min"
    show_at(page, late, "jupiter", almanac=almanac(SUN, JUPITER), following=following)
    expect(page.locator(".next")).to_have_text("Jupiter sets in 13 h 30 min, at 11:30 on 1 Dec.")


def test_a_body_is_selected_by_its_name_and_by_its_bar(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    page.get_by_role("button", name="Venus").press("Enter")
    page.locator(".timeline-track[data-body=sun]").click()
    page.locator(".timeline-name[data-body=venus]").click()
    assert told(page) == [["onSelect", "venus"], ["onSelect", "sun"], ["onSelect", "venus"]]


# The timeline


def parts(page: Page, selector: str) -> list[tuple[float, float]]:
    """Return from where to where, in parts of the timeline's width from its left, elements are."""
    edges: list[list[float]] = page.locator(selector).evaluate_all(
        """(elements) => elements.map((element) => {
            const outer = element.offsetParent.getBoundingClientRect();
            const { left, right } = element.getBoundingClientRect();
            return [(left - outer.left) / outer.width, (right - outer.left) / outer.width];
        })"""
    )
    return [(left, right) for left, right in edges]


def test_a_bar_goes_from_rise_to_set_with_its_transit(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    track = ".timeline-track[data-body=venus]"
    assert parts(page, f"{track} .up") == [
        pytest.approx((4.1667 / 24, 15 / 24), abs=0.005),
    ]
    ((left, right),) = parts(page, f"{track} .transit")
    assert (left + right) / 2 == pytest.approx(9.583 / 24, abs=0.005)
    ((left, right),) = parts(page, f"{track} .best")
    assert (left + right) / 2 == pytest.approx(22.667 / 24, abs=0.005)


def test_a_body_that_is_up_over_midnight_has_a_bar_at_each_end(open_page: OpenPage) -> None:
    page = tonight(open_page)
    mars = body("mars", [event("22:00", az=70.0)], [], [event("12:00", az=290.0)])
    show_at(page, almanac=almanac(SUN, mars))
    assert parts(page, ".timeline-track[data-body=mars] .up") == [
        pytest.approx((0, 0.5), abs=0.005),
        pytest.approx((22 / 24, 1), abs=0.005),
    ]


def test_a_body_below_the_horizon_all_day_has_no_marks(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page, almanac=almanac(SUN, POLE_STAR, SUNK))
    assert parts(page, ".timeline-track[data-body=mars] .up") == [pytest.approx((0, 1), abs=0.005)]
    expect(page.locator(".timeline-track[data-body=saturn] > *")).to_have_count(0)


def test_the_light_is_in_bands_from_night_to_day(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    bands = {
        "astronomical": (5.75 / 24, 18.25 / 24),
        "nautical": (6.333 / 24, 17.667 / 24),
        "civil": (7 / 24, 17 / 24),
        "day": (7.667 / 24, 16.333 / 24),
    }
    for kind, span in bands.items():
        assert parts(page, f".timeline-sky .{kind}") == [pytest.approx(span, abs=0.005)]


def test_the_present_moment_is_a_line_that_moves_and_leaves_with_the_date(
    open_page: OpenPage,
) -> None:
    page = tonight(open_page)
    show_at(page)
    ((left, _),) = parts(page, ".timeline-now")
    assert left == pytest.approx(0.5, abs=0.01)
    show_at(page, now=f"{DAY}T18:00:00+01:00")
    ((left, _),) = parts(page, ".timeline-now")
    assert left == pytest.approx(0.75, abs=0.01)
    show_at(page, now=f"{NEXT_DAY}T18:00:00+01:00")
    expect(page.locator(".timeline-now")).to_be_hidden()


def test_with_the_next_date_the_timeline_goes_on_through_the_night(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(
        page,
        almanac=almanac(SUN, JUPITER),
        following=almanac(SUN, JUPITER_NEXT, day=NEXT_DAY),
        now=f"{DAY}T18:00:00+01:00",
    )
    hours = page.locator(".timeline-hours > div")
    expect(hours).to_have_text(["00", "06", "12", "18", "00", "06", "12"])
    expect(page.locator(".timeline-day")).to_have_text(["Mon 30", "Tue 1"])
    assert parts(page, ".timeline-track[data-body=jupiter] .up") == [
        pytest.approx((21 / 36, 35.5 / 36), abs=0.005)
    ]
    ((left, _),) = parts(page, ".timeline-now")
    assert left == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("day", "hours"),
    [("2026-03-29", [0, 5, 11, 17, 23]), ("2026-10-25", [0, 7, 13, 19, 25])],
)
def test_hours_are_the_clocks_where_they_change(
    open_page: OpenPage, day: str, hours: list[int]
) -> None:
    page = tonight(open_page)
    changing = almanac(day=day)
    found = module_value(
        page,
        "chart.js",
        f"m.ticks(Date.parse('{changing['begin']}'), Date.parse('{changing['end']}'), '{BERLIN}')"
        f".map(({{at, hour}}) => [(at - Date.parse('{changing['begin']}')) / 3600000, hour])",
    )
    assert found == [list(pair) for pair in zip(hours, [0, 6, 12, 18, 0], strict=True)]


def test_a_refresh_changes_nothing_but_the_moment(open_page: OpenPage) -> None:
    page = tonight(open_page)
    page.evaluate(
        """(almanac) => {
            const section = document.getElementById("part");
            window.showAt = (now) => part.show({ almanac, now: new Date(now), selected: "venus" });
            showAt("2026-11-30T11:00:00Z");
            window.changes = [];
            new MutationObserver((records) => {
                for (const { target } of records) {
                    changes.push(target.className ?? target.parentElement.className);
                }
            }).observe(section, {
                subtree: true, childList: true, characterData: true, attributes: true,
            });
        }""",
        almanac(),
    )
    page.evaluate("showAt('2026-11-30T11:00:02Z')")
    changes = set(page.evaluate("new Promise((done) => setTimeout(() => done(changes)))"))
    assert changes <= {"timeline-now", "timeline-label", "next"}


# For everyone


def test_in_persian_time_runs_from_right_to_left(open_page: OpenPage) -> None:
    page = tonight(open_page, locale="fa-IR")
    show_at(page, now=f"{DAY}T12:50:00+01:00", selected="venus")
    assert parts(page, ".timeline-track[data-body=venus] .up") == [
        pytest.approx((1 - 15 / 24, 1 - 4.1667 / 24), abs=0.005)
    ]
    expect(page.locator(".next")).to_have_text(
        "زهره ۲ ساعت و ۱۰ دقیقه دیگر غروب می‌کند، ساعت ۱۵:۰۰."
    )
    expect(page.locator(".best-words")).to_have_text(
        "زهره: بهترین زمان ۲۲:۴۰، در ارتفاع ۳۴ درجه در جنوب."
    )


def test_another_language_is_spoken_at_once(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page, selected="venus")
    page.evaluate("import('/texts.js').then((m) => m.setLanguage('fa'))")
    expect(page.locator("h2")).to_have_text("امشب")
    expect(page.locator(".next")).to_contain_text("زهره")
    expect(page.get_by_role("button", name="زهره")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("width", [240, 320, 390, 1920])
@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
@pytest.mark.parametrize("hour12", [False, True])
def test_nothing_scrolls_sideways_or_overlaps(
    open_page: OpenPage, width: int, locale: str, hour12: bool
) -> None:
    page = tonight(open_page, locale=locale, viewport={"width": width, "height": 640})
    both = {"almanac": almanac(SUN, VENUS, POLE_STAR, SUNK), "following": almanac(day=NEXT_DAY)}
    show_at(page, **both, selected="venus", hour12=hour12)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    if width >= 320:
        too_wide = """(cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth)
            .map((cell) => cell.textContent)"""
        assert page.locator("table").locator("th, td").evaluate_all(too_wide) == []
        overlapping = """(labels) => {
            const boxes = labels.filter((label) => label.checkVisibility()).map((label) => {
                const range = document.createRange();
                range.selectNodeContents(label);
                return range.getBoundingClientRect();
            }).sort((one, other) => one.left - other.left);
            return boxes.slice(1).filter((box, index) => box.left < boxes[index].right).length;
        }"""
        assert page.locator(".timeline-hours > div").evaluate_all(overlapping) == 0


def test_a_place_without_an_almanac_has_no_part(open_page: OpenPage) -> None:
    page = tonight(open_page)
    show_at(page)
    show_at(page, almanac=None)
    expect(page.locator("#part")).to_be_hidden()


def test_polar_day_is_one_band_of_light(open_page: OpenPage) -> None:
    page = tonight(open_page)
    sun = body("sun", [], [event("12:00", alt=40.0)], [], status="always_up", why_not="the_sun")
    bright = {"status": "always_up", "dawns": [], "dusks": []}
    dark = twilight("07:00", "17:00") | {"status": "always_down", "dawns": [], "dusks": []}
    twilights = {"civil": bright, "nautical": bright, "astronomical": dark}
    show_at(page, almanac=almanac(sun, twilights=twilights))
    assert parts(page, ".timeline-sky .day") == [pytest.approx((0, 1), abs=0.005)]
    expect(page.locator(".timeline-sky .astronomical")).to_have_count(0)
