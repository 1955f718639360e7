"""The plot of each lane's latency alone and beside slow clients."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loadtest.plan import Cell
from loadtest.plots import slow
from loadtest.plots.axes import Plot
from loadtest.plots.slow import MARKS, Line
from loadtest.slow_clients import KINDS
from tests.test_slow import HALF, made, stuck

ALONE = Line("", 9, 20, 1)
IDLE, TRICKLING = Line("50 idle", 9, 60, 1), Line("50 trickling", 9, 21, 1)
LACKING = [Line("50 idle", 9, 9, 1), Line("50 idle", None, None, 0), Line("50 idle", 9, 9, 0.5)]
MARK = (
    r'<svg x="([0-9.]+)%" y="([0-9.]+)" class="place">'
    r'<path class="marker (\w+) lane-\d" d="([^"]+)"'
)
STROKE = r'class="mean lane-\d" x1="([0-9.]+)%"'


def drawn(*lines: Line, **more: tuple[Line, ...]) -> Plot:
    plot = slow.plot({"a": lines or (ALONE, IDLE, TRICKLING), **more})
    assert plot is not None
    return plot


def description(plot: Plot) -> str:
    found = ElementTree.fromstring(plot.svg).find("desc")
    assert found is not None and found.text
    return plain(found.text)


def plain(said: str) -> str:
    return said.replace("\N{NO-BREAK SPACE}", " ")


def texts(plot: Plot) -> list[tuple[str, float, float]]:
    """Return each text with its place."""
    root = ElementTree.fromstring(plot.svg)
    found = [(each.text or "", each.attrib) for each in root.iter("text")]
    return [(plain(said), float(at["x"].strip("%")), float(at["y"])) for said, at in found]


def marks(plot: Plot) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y, *_ in re.findall(MARK, plot.svg)]


def test_each_kind_of_slow_clients_has_a_mark() -> None:
    assert len(MARKS) == 1 + len(KINDS)


def test_report_draws_each_lane_that_answers(tmp_path: Path) -> None:
    (plot,) = made(tmp_path / "run").plots
    said = [text for text, _, _ in texts(plot)]
    assert len(marks(plot)) == 6 * 3 - 5
    assert said.count("0 % answered") == 5
    assert said.count("alone") == said.count("idle") == said.count("trickling") == 6
    assert "flask-gthread alone p50 9.0 p99 2" in description(plot)
    assert "beside 50 trickling (0 % answered)" in description(plot)
    furthest = (
        r"Furthest from its own alone is flask-gevent beside 50 \w+: 7.\.. ms, alone 2.\.. ms\.$"
    )
    assert re.search(furthest, plot.caption)
    assert "Where that is 0, there is no mark." in plot.caption


def test_share_of_what_was_answered_is_written_beside_the_mark(tmp_path: Path) -> None:
    def partly(cell: Cell) -> dict[str, object]:
        one = cell.lane.name == "flask-gevent" and cell.workload.slow
        return HALF if one else stuck(cell)

    (plot,) = made(tmp_path / "run", partly).plots
    found = [(x, y) for text, x, y in texts(plot) if text == "80 % answered"]
    assert len(found) == 2
    assert {(round(x - 3.5, 2), y - 4) for x, y in found} <= set(marks(plot))


def test_report_without_a_latency_has_no_plot(tmp_path: Path) -> None:
    assert made(tmp_path / "run", lambda cell: {"invalid": "the server was killed"}).plots == []


def test_marks_are_told_apart_without_their_colour() -> None:
    looks = {
        look for *_, filling, path in re.findall(MARK, drawn().svg) for look in [(filling, path)]
    }
    assert len(looks) == len({path for _, path in looks}) == 3
    assert {filling for filling, _ in looks} == {"full", "hollow"}
    assert drawn().svg.count('class="middle') == 1


def test_latencies_stand_in_their_order_on_lines_of_their_own() -> None:
    plot = drawn()
    (alone, idle, trickling) = marks(plot)
    assert alone[0] < trickling[0] < idle[0]
    assert alone[1] < idle[1] < trickling[1]
    assert all(float(p50) < alone[0] for p50 in re.findall(STROKE, plot.svg))
    assert len(re.findall(STROKE, plot.svg)) == 3


def test_scale_is_logarithmic() -> None:
    (one, ten, hundred) = marks(
        drawn(Line("", 1, 1, 1), Line("5 idle", 1, 10, 1), Line("5 x", 1, 100, 1))
    )
    assert hundred[0] - ten[0] == pytest.approx(ten[0] - one[0], abs=0.02)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (Line("50 idle", 9, 60, 1), ""),
        (Line("50 idle", 9, 60, 0.996), ">99 % answered"),
        (Line("50 idle", 9, 60, 0.5), "50 % answered"),
        (Line("50 idle", 9, 60, 0.004), "<1 % answered"),
        (Line("50 idle", None, None, 0), "0 % answered"),
        (Line("50 idle", 9, 60, 0), "0 % answered"),  # the middle trial's, not each one's
        (Line("50 idle", None, None, 0.5), "50 % answered, no latency"),
        (Line("50 idle", None, None, 1), "no latency"),
        (Line("50 idle", None, None, None), "no valid trial"),
    ],
)
def test_what_is_lacking_is_said_and_nothing_else(line: Line, said: str) -> None:
    plot = drawn(ALONE, line, TRICKLING)
    assert plain(line.lacking) == said
    written = [text for text, _, _ in texts(plot) if "answered" in text or text.startswith("no ")]
    assert written == [said] * bool(said)
    assert len(marks(plot)) == 2 + bool(line.p99_ms and line.answered)
    assert (f"({said})" in description(plot)) == bool(said)
    assert ("p99 60.0" in description(plot)) == bool(line.p99_ms and line.answered)


def test_what_is_written_has_room_on_a_phone() -> None:
    far = Line("50 idle", 900, 1000, 0.996), Line("50 trickling", 0.5, 0.6, 0.004)
    plot = drawn(Line("", 0.5, 0.6, 1), *far)
    found = [(text, x) for text, x, _ in texts(plot) if "answered" in text]
    assert len(found) == 2
    for text, x in found:  # on a screen of 320 pixels, with 16 on each side
        assert x * 2.88 + len(text) * 6.6 <= 288, text


def test_scale_is_as_wide_as_what_is_written_lets_it_be() -> None:
    widest = [max(x for x, _ in marks(drawn(ALONE, line, TRICKLING))) for line in LACKING]
    assert widest[0] == widest[1] > widest[2]


def test_nothing_is_drawn_beyond_the_drawing() -> None:
    far = Line("50 idle", 900, 90_000, 0.4), Line("50 trickling", None, None, None)
    for plot in (drawn(), drawn(ALONE, *far), drawn(ALONE, IDLE, TRICKLING, b=(ALONE, *far))):
        height = float(ElementTree.fromstring(plot.svg).attrib["height"])
        across = re.findall(r' (?:x|x1|x2|cx)="([-0-9.]+)%"', plot.svg)
        up = re.findall(r' (?:y|y1|y2|cy)="([-0-9.]+)"', plot.svg)
        assert across and all(0 <= float(x) <= 100 for x in across)
        assert up and all(0 <= float(y) <= height for y in up)


def test_scale_has_a_tick_however_alike_the_latencies() -> None:
    for ms in (1, 1.1, 2.9, 3, 30, 420):
        plot = drawn(*(Line(slow, ms, ms, 1) for slow in ("", "5 idle", "5 trickling")))
        assert 'class="grid"' in plot.svg


def test_caption_says_only_what_is_drawn() -> None:
    caption = drawn(ALONE, Line("50 idle", 9, 30, 1), TRICKLING).caption
    assert caption.endswith(
        "Each mark beside slow clients is at less than twice its lane's own alone."
    )
    assert "share" not in caption
    held = Line("50 idle", None, None, 0), Line("50 trickling", None, None, 0)
    assert drawn(ALONE, *held).caption.endswith("Where that is 0, there is no mark.")
    assert drawn().caption.endswith("is a beside 50 idle: 60.0 ms, alone 20.0 ms.")


def test_names_are_escaped() -> None:
    plot = slow.plot({"<b>": (ALONE, IDLE, TRICKLING)})
    assert plot is not None and "<b>" not in plot.svg and "&lt;b&gt;" in plot.svg
