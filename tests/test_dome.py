"""The sky dome: the chart of the half sphere above."""

import math
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import browser as browsers
from tests.domes import NIGHT, dome_page
from tests.pages import OpenPage, empty_page, module_value, one_app

pytestmark = [browsers.needed, one_app]

BODIES = {
    "sun",
    "moon",
    "mercury",
    "venus",
    "mars",
    "jupiter",
    "saturn",
    "uranus",
    "neptune",
    "pluto",
}
DAY = "2026-11-30T11:00:00Z"
NAUTICAL = "2026-11-30T16:10:00Z"


def mark(page: Page, name: str) -> Locator:
    return page.locator(f".mark[data-name='{name}']")


def centre(page: Page, name: str) -> tuple[float, float]:
    """Return where a mark is, from the dome's centre, in units of the ring's radius."""
    text = mark(page, name).get_attribute("transform") or ""
    x, y = (float(part) for part in re.findall(r"-?[\d.]+", text))
    return x / radius(page), y / radius(page)


def radius(page: Page) -> float:
    return float(page.locator(".dome .horizon").get_attribute("r") or 0)


def shown(page: Page, kind: str) -> set[str]:
    marks = page.locator(f".mark.{kind}:not([hidden])")
    return set(marks.evaluate_all("(marks) => marks.map((mark) => mark.dataset.name)"))


def thing(page: Page, name: str) -> dict[str, Any]:
    script = """(name) => [...picture.bodies, ...picture.stars].find((it) => it.name === name)"""
    found: dict[str, Any] = page.evaluate(script, name)
    return found


def tap(page: Page, x: float, y: float) -> None:
    """Click at a place given from the dome's centre, in units of the ring's radius."""
    box = page.locator(".dome").bounding_box()
    assert box
    middle = box["width"] / 2
    ring = radius(page)
    page.mouse.click(box["x"] + middle + x * ring, box["y"] + middle + y * ring)


def calls(page: Page) -> list[Any]:
    made: list[Any] = page.evaluate("window.calls.splice(0)")
    return made


# The projection


def test_north_is_up_and_east_on_the_left_until_it_is_mirrored(open_page: OpenPage) -> None:
    page = empty_page(open_page)
    places = module_value(
        page,
        "projection.js",
        """[false, true].map((eastRight) =>
            [[0, 0], [90, 0], [180, 45], [7, 90]].flatMap(([az, alt]) => {
                const { x, y } = m.toDisc({ az, alt }, { ...m.NORTH_UP, eastRight });
                return [x, y];
            }))""",
    )
    up, down = [0, -1], [0, 0.5]
    assert places[0] == pytest.approx([*up, -1, 0, *down, 0, 0], abs=1e-9)
    assert places[1] == pytest.approx([*up, 1, 0, *down, 0, 0], abs=1e-9)


def test_a_place_on_the_dome_is_the_direction_that_is_drawn_there(open_page: OpenPage) -> None:
    page = empty_page(open_page)
    worst = module_value(
        page,
        "projection.js",
        """Math.max(...[false, true].flatMap((eastRight) => [0, 123.4, 180].flatMap((bottomAz) =>
            [0, 45, 133.7, 359].flatMap((az) => [0, 12.3, 89].map((alt) => {
                const view = { bottomAz, eastRight };
                const back = m.fromDisc(m.toDisc({ az, alt }, view), view);
                const turn = Math.abs(((back.az - az + 540) % 360) - 180);
                return Math.max(turn, Math.abs(back.alt - alt));
            })))))""",
    )
    assert worst < 1e-9


def test_the_way_to_another_direction_is_along_the_great_circle(open_page: OpenPage) -> None:
    page = empty_page(open_page)

    def step(one: str, other: str) -> dict[str, float]:
        found: dict[str, float] = module_value(page, "projection.js", f"m.towards({one}, {other})")
        return found

    up = step("{ az: 90, alt: 10 }", "{ az: 90, alt: 80 }")
    assert up == {"az": pytest.approx(90), "alt": pytest.approx(11, abs=1e-3)}
    # The Sun just set in the west, the Moon high in the east: its lit side looks up, to the zenith.
    over = step("{ az: 90, alt: 40 }", "{ az: 270, alt: -5 }")
    assert over == {"az": pytest.approx(90), "alt": pytest.approx(41, abs=1e-3)}


# Labels and hours


def test_names_keep_apart_and_stay_on_their_side(open_page: OpenPage) -> None:
    page = empty_page(open_page)
    wish = "({ x, y, radius: 2, label: { width: 40, side }, must })"
    places = module_value(
        page,
        "labels.js",
        f"""(() => {{
            const wish = (x, y, side, must) => {wish};
            return m.placeLabels(
                [wish(0, 0, 0, true), wish(10, 2, 0, false), wish(0, 26, 2, true),
                    wish(145, 0, 0, true)],
                [{{ x: 10, y: 2, width: 4, height: 4 }}], {{ size: 300, radius: 150, em: 12 }});
        }})()""",
    )
    first, second, third, last = places
    for one, other in ((first, second), (first, third), (second, third)):
        apart_x = abs(one["x"] - other["x"]) >= 40
        apart_y = abs(one["y"] - other["y"]) >= 13.2 - 1e-9
        assert apart_x or apart_y
    assert third["side"] == 2, "it was free there before"
    assert last["x"] + 20 <= 150, "it would cross the edge"


def test_a_name_without_a_free_place_is_left_out_unless_it_must_be_there(
    open_page: OpenPage,
) -> None:
    page = empty_page(open_page)
    places = module_value(
        page,
        "labels.js",
        """m.placeLabels(
            [true, false].map((must) =>
                ({ x: 0, y: 0, radius: 2, label: { width: 40, side: 0 }, must })),
            [{ x: 0, y: 0, width: 300, height: 300 }], { size: 300, radius: 150, em: 12 })""",
    )
    assert places[0] is not None
    assert places[1] is None


def test_what_is_up_is_named_inside_the_ring_and_what_is_not_outside(open_page: OpenPage) -> None:
    page = empty_page(open_page)
    wish = "({ x: 0, y, radius: 2, label: { width: 40, side: 2 }, isBelow, must: true })"
    inside, outside = module_value(
        page,
        "labels.js",
        f"""(() => {{
            const wish = (y, isBelow) => {wish};
            return m.placeLabels([wish(-98, false), wish(102, true)], [],
                {{ size: 300, radius: 100, em: 12 }});
        }})()""",
    )
    assert math.hypot(abs(inside["x"]) + 20, inside["y"] - 6.6) <= 100
    assert outside["y"] - 6.6 >= 100


# A zone by half hours, and a night in which an hour comes twice.
@pytest.mark.parametrize(
    ("zone", "first", "count"),
    [
        ("Europe/Berlin", "2026-10-24T22:00:00.000Z", 24),
        ("Asia/Kolkata", "2026-10-24T22:30:00.000Z", 24),
        ("Asia/Kathmandu", "2026-10-24T22:15:00.000Z", 24),
    ],
)
def test_the_hours_on_a_path_are_full_ones_of_the_zone(
    open_page: OpenPage, zone: str, first: str, count: int
) -> None:
    page = empty_page(open_page)
    hours = module_value(
        page,
        "path.js",
        f"""m.fullHours(Array.from({{ length: 145 }}, (_, index) =>
            new Date(Date.UTC(2026, 9, 24, 22) + index * 600_000).toISOString()), "{zone}")
            .map((hour) => ({{ ...hour, instant: hour.instant.toISOString() }}))""",
    )
    assert hours[0]["instant"] == first
    assert len(hours) == count
    assert all(0 <= hour["fraction"] < 1 for hour in hours)


# The picture


def test_bodies_stand_where_they_are_and_wait_outside_the_ring_below_the_horizon(
    open_page: OpenPage,
) -> None:
    page = dome_page(open_page)
    assert shown(page, "body") == BODIES
    for name in BODIES:
        body = thing(page, name)
        x, y = centre(page, name)
        assert (math.hypot(x, y) > 1) == (not body["up"])
        is_below = mark(page, name).evaluate("(it) => it.classList.contains('below')")
        assert is_below == (not body["up"])
        # North up, east left.
        assert math.degrees(math.atan2(-x, -y)) % 360 == pytest.approx(body["az"], abs=2)
        if body["up"]:
            assert 90 - 90 * math.hypot(x, y) == pytest.approx(body["alt_apparent"], abs=0.2)


def test_what_is_brighter_is_larger(open_page: OpenPage) -> None:
    page = dome_page(open_page)

    def size(name: str) -> float:
        return float(mark(page, name).locator(".dot").get_attribute("r") or 0)

    assert size("sun") > size("moon") > size("venus") > size("jupiter") > size("Sirius")
    assert size("Sirius") > size("Regulus") > size("Dubhe") > 1


def test_stars_come_out_as_the_sky_darkens(open_page: OpenPage) -> None:
    assert shown(dome_page(open_page, at=DAY), "star") == set()
    dusk = dome_page(open_page, at=NAUTICAL)
    assert "Vega" in shown(dusk, "star")
    assert "Polaris" not in shown(dusk, "star")
    dark = dome_page(open_page)
    assert {"Sirius", "Polaris", "Dubhe"} <= shown(dark, "star")
    assert "Achernar" not in shown(dark, "star"), "it is below the horizon"


def test_the_domes_colour_follows_the_state_of_the_sky(open_page: OpenPage) -> None:
    page = dome_page(open_page, color_scheme="light")
    colours = page.evaluate(
        """["day", "civil", "nautical", "astronomical", "night"].map((state) => {
            dome.show({ ...picture, state });
            return getComputedStyle(document.querySelector(".sky")).fill;
        })"""
    )
    assert len(set(colours)) == 5
    luminance = [sum(int(part) for part in re.findall(r"\d+", colour)) for colour in colours]
    assert luminance == sorted(luminance, reverse=True)


@pytest.mark.parametrize("at", [DAY, NAUTICAL, NIGHT])
def test_night_mode_is_red_on_black_alone(open_page: OpenPage, at: str) -> None:
    page = dome_page(open_page, at=at, color_scheme="light")
    page.evaluate("document.documentElement.classList.add('night')")
    colours = page.evaluate(
        """() => [...document.querySelectorAll(".dome, .dome *")].flatMap((element) => {
            const { color, fill, stroke, stopColor } = getComputedStyle(element);
            return [color, fill, stroke, stopColor];
        })"""
    )
    painted = {colour for colour in colours if colour.startswith("rgb")}
    assert {colour for colour in painted if not re.search(r", 0, 0(, [\d.]+)?\)$", colour)} == set()


def test_compass_points_give_way_to_what_waits_outside_the_ring(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    north, north_east = (page.locator(".point").nth(index) for index in range(2))

    def put(az: float) -> None:
        page.evaluate(
            """(az) => dome.show({ ...picture, bodies: picture.bodies.map((body) =>
                body.name === "sun" ? { ...body, az } : body) })""",
            az,
        )

    def is_inside() -> bool:
        return -float(north.get_attribute("y") or 0) < radius(page)

    put(100)
    assert not is_inside()
    put(0)
    assert is_inside()
    expect(north_east).to_be_visible()
    put(45)
    assert not is_inside()
    expect(north_east).to_be_hidden()


def test_a_refresh_moves_what_is_there_and_makes_nothing_new(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    page.evaluate(
        """() => {
            window.made = 0;
            window.changes = 0;
            new MutationObserver((records) => {
                window.made += records.filter(({ type }) => type === "childList").length;
                window.changes += records.length;
            }).observe(document.querySelector(".dome"),
                { childList: true, subtree: true, attributes: true });
            dome.show(picture);
        }"""
    )
    page.wait_for_timeout(50)
    assert page.evaluate("window.changes") < 100, "a still sky is written again"
    page.evaluate(
        """() => {
            for (const body of picture.bodies) { body.az += 3; }
            dome.show(picture);
        }"""
    )
    page.wait_for_timeout(50)
    assert page.evaluate("window.made") == 0
    x, y = centre(page, "venus")
    az = thing(page, "venus")["az"]
    assert math.degrees(math.atan2(-x, -y)) % 360 == pytest.approx(az, abs=1)


def test_the_path_of_the_selected_body_ends_at_the_horizon_and_has_its_hours(
    open_page: OpenPage,
) -> None:
    page = dome_page(open_page)
    points = re.findall(r"(-?[\d.]+) (-?[\d.]+)", page.locator(".track").get_attribute("d") or "")
    distances = [math.hypot(float(x), float(y)) / radius(page) for x, y in points]
    assert max(distances) == pytest.approx(1, abs=0.005)
    assert page.locator("circle.hour:not([hidden])").count() == page.evaluate(
        """() => {
            const { time, alt, alt_apparent: seen } = picture.track.columns;
            const isUp = (_, index) => (seen[index] ?? alt[index]) >= 0;
            return time.filter((at, index) => at.includes(":00:00") && isUp(at, index)).length;
        }"""
    )
    written = page.locator(".label.hour:not([hidden])").all_text_contents()
    assert len(written) >= 3
    assert all(re.fullmatch(r"([01]?\d|2[0-3])h", text) for text in written)
    expect(page.locator("#dome-caption")).to_contain_text(
        "The line is the path of Jupiter today; its hours are of Europe/Berlin."
    )


def test_the_path_goes_through_the_body_where_refraction_lifts_it(open_page: OpenPage) -> None:
    """Venus near the horizon, by the columns that the page asks for."""
    page = dome_page(open_page, at="2026-11-30T03:10:00Z")
    page.evaluate(
        """async () => {
            const { fetchTrack, trackUrl } = await import("/sky.js");
            const place = "lat=48.1&lon=11.6&elevation=520";
            const [start, end] = ["2026-11-29T23:00:00Z", "2026-11-30T22:59:59Z"];
            const { answer: track } = await fetchTrack(trackUrl("venus", place, start, end));
            dome.show({ ...picture, selected: "venus", track });
        }"""
    )
    x, y = centre(page, "venus")
    assert 0.97 < math.hypot(x, y) < 1
    drawn = page.locator(".track").get_attribute("d") or ""
    points = [float(number) / radius(page) for number in re.findall(r"-?[\d.]+", drawn)]
    nearest = min(math.dist((x, y), point) for point in zip(points[::2], points[1::2], strict=True))
    assert nearest < 0.001


def test_mirrored_it_is_a_map_and_says_so(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    expect(page.locator("#dome-caption")).to_contain_text("east on the left")
    before = mark(page, "venus").get_attribute("transform")
    x, y = centre(page, "venus")
    page.click("#dome-mirror")
    expect(page.locator("#dome-mirror")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#dome-caption")).to_contain_text("east on the right, as on a map")
    expect(mark(page, "venus")).not_to_have_attribute("transform", str(before))
    assert centre(page, "venus") == pytest.approx((-x, y), abs=0.01)


@pytest.mark.parametrize("width", [320, 375, 700, 1400])
@pytest.mark.parametrize("lang", ["en", "fa"])
def test_names_can_be_read_at_every_width(open_page: OpenPage, width: int, lang: str) -> None:
    page = dome_page(open_page, lang=lang, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    boxes = page.locator(".labels .label:not([hidden])").evaluate_all(
        """(labels) => labels.map((label) => {
            const { left, right, top, bottom } = label.getBoundingClientRect();
            const middle = (top + bottom) / 2;
            return [label.textContent, left, right, middle - 5, middle + 5];
        })"""
    )
    assert len(boxes) >= 10
    for index, (name, left, right, top, bottom) in enumerate(boxes):
        assert left >= -1, name
        assert right <= width + 1, name
        for other, left_, right_, top_, bottom_ in boxes[:index]:
            across = min(right, right_) - max(left, left_)
            overlaps = across > 2 and min(bottom, bottom_) > max(top, top_)
            assert not overlaps, f"{name} over {other}"


def test_in_persian_names_directions_and_digits_are_persian(open_page: OpenPage) -> None:
    page = dome_page(open_page, lang="fa")
    expect(mark(page, "jupiter")).to_have_accessible_name(
        re.compile("^مشتری، [۰-۹]+ درجه بالای افق در ")
    )
    assert page.locator(".scale-text").all_text_contents() == ["۳۰°", "۶۰°"]
    assert "شمال" in page.locator(".point").all_text_contents()


# What is meant


def test_a_tap_selects_a_body_and_on_the_empty_sky_asks_for_the_direction(
    open_page: OpenPage,
) -> None:
    page = dome_page(open_page)
    calls(page)
    tap(page, *centre(page, "venus"))
    assert calls(page) == ["venus"]
    expect(mark(page, "venus")).to_have_attribute("aria-pressed", "true")
    expect(mark(page, "jupiter")).to_have_attribute("aria-pressed", "false")
    x, y = centre(page, "saturn")
    tap(page, x, y)
    assert calls(page) == ["saturn"]
    page.evaluate(
        """dome.show({ ...picture, stars: [], bodies: picture.bodies.filter(({ up }) => !up) })"""
    )
    tap(page, -0.5, 0)
    [(az, alt)] = calls(page)
    assert az == pytest.approx(90, abs=1)
    assert alt == pytest.approx(45, abs=1)
    tap(page, 0.74, 0.74)
    assert calls(page) == [], "outside the ring there is no sky"


def test_a_tap_on_a_star_asks_what_is_there(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    calls(page)
    star = thing(page, "Sirius")
    tap(page, *centre(page, "Sirius"))
    [direction] = calls(page)
    assert direction == pytest.approx([star["az"], star["alt_apparent"]], abs=0.1)
    page.evaluate("dome.aim({ az: 100, alt: 30 })")
    expect(page.locator(".aim")).to_be_visible()
    page.evaluate("dome.aim(null)")
    expect(page.locator(".aim")).to_be_hidden()


def test_a_mouse_that_rests_selects_and_one_that_passes_does_not(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    calls(page)
    mark(page, "venus").hover()
    page.mouse.move(1, 1)
    page.wait_for_timeout(300)
    assert calls(page) == []
    mark(page, "venus").hover()
    expect(mark(page, "venus")).to_have_attribute("aria-pressed", "true")
    assert calls(page) == ["venus"]


def test_the_keyboard_goes_from_mark_to_mark(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    page.keyboard.press("Tab")
    focused = "document.activeElement.dataset.name"
    assert page.evaluate(focused) == "jupiter", "the selected body is where the Tab key comes"
    page.keyboard.press("Home")
    first = page.evaluate(focused)
    assert first == "moon", "the brightest that is up"
    expect(mark(page, "moon")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "venus"
    assert page.locator(".mark[tabindex='0']").count() == 1
    ring = page.locator(".mark:focus .selection")
    assert ring.evaluate("(it) => getComputedStyle(it).stroke") != "none"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.classList.contains('star')")
    calls(page)
    page.keyboard.press("Enter")
    assert len(calls(page)[0]) == 2, "Enter on a star asks what is there"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "dome-mirror"


def test_a_screen_reader_hears_where_each_one_is(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    expect(page.locator(".dome")).to_have_role("group")
    expect(page.locator(".dome")).to_have_accessible_name("The sky above: a chart to look up at")
    expect(mark(page, "venus")).to_have_role("button")
    expect(mark(page, "venus")).to_have_accessible_name("Venus, 9° high in the east-south-east")
    expect(mark(page, "pluto")).to_have_accessible_name(
        re.compile("^Pluto, below the horizon in the ")
    )
    page.evaluate(
        """dome.show({ ...picture, bodies: picture.bodies.map((body) =>
            body.name === "uranus" ? { ...body, visible: false } : body) })"""
    )
    expect(mark(page, "uranus")).to_have_accessible_name(
        re.compile(r"^Uranus, \d+° high in the .*, not to be seen with the naked eye$")
    )


# What is that?

WHAT = """async () => {
    const { What } = await import("/what.js");
    document.querySelector("main").innerHTML = `<form id="what-form"><input id="what-input"
        aria-label="Direction"></form><p id="what-hint"></p><p id="what-asked"></p>
        <ol id="what-list"></ol>`;
    window.calls = [];
    const part = (name) => document.getElementById(`what-${name}`);
    const elements = Object.fromEntries(
        ["form", "input", "hint", "asked", "list"].map((name) => [name, part(name)]));
    window.what = new What(elements, {
        onDirection: (az, alt) => window.calls.push([az, alt]),
        onSelect: (name) => window.calls.push(name),
    });
}"""


def test_a_typed_direction_is_asked_for_or_gets_a_hint(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    page.evaluate(WHAT)
    page.fill("#what-input", "<b>low</b>")
    page.keyboard.press("Enter")
    expect(page.locator("#what-hint")).to_contain_text("Name a direction, too")
    expect(page.locator("#what-input")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#what-input")).to_be_focused()
    assert calls(page) == []
    page.fill("#what-input", "low in the south-east")
    page.keyboard.press("Enter")
    expect(page.locator("#what-hint")).to_have_text("")
    expect(page.locator("#what-input")).to_have_attribute("aria-invalid", "false")
    assert calls(page) == [[135, 15]]


def test_what_is_nearest_is_listed_and_a_body_can_be_selected(open_page: OpenPage) -> None:
    page = dome_page(open_page)
    page.evaluate(WHAT)
    place = {"az": 135, "alt": 14, "alt_apparent": 14.1, "up": True}
    sirius = {"kind": "star", "name": "Sirius", "magnitude": -1.44, "visible": True}
    uranus = {"kind": "body", "name": "uranus", "magnitude": 5.6, "visible": False}
    other = {"kind": "star", "name": "<b>", "magnitude": 2, "visible": True}
    answer = {
        "direction": {"az": 135, "alt": 15},
        "nearest": [
            sirius | place | {"separation": 1.24},
            uranus | place | {"separation": 12.4},
            other | place | {"separation": 20},
        ],
    }
    page.evaluate("(answer) => what.show(answer)", answer)
    expect(page.locator("#what-asked")).to_have_text(
        "15° high in the south-east (135°): Sirius is nearest."
    )
    assert page.locator("#what-list li").all_text_contents() == [
        "Sirius 1.2° away, 14° high in the south-east, magnitude −1.4.",
        "Uranus 12° away, 14° high in the south-east, magnitude 5.6. "
        "Not to be seen with the naked eye now.",
        "<b> 20° away, 14° high in the south-east, magnitude 2.0.",
    ]
    page.get_by_role("button", name="Uranus").click()
    assert calls(page) == ["uranus"]
    page.evaluate("what.show(null)")
    assert page.locator("#what-list li").count() == 0
    expect(page.locator("#what-asked")).to_have_text("")
