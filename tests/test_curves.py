"""The plot of a figure over something that is varied."""

import re
from itertools import pairwise
from math import inf
from xml.etree import ElementTree

import pytest

from loadtest.plots import curves
from loadtest.plots.axes import Plot
from loadtest.plots.curves import Curve, Guide
from loadtest.plots.styles import Style
from loadtest.stats import Interval

STYLES = {"a": Style(0, 0), "b": Style(1, 1), "<c>": Style(2, 2)}
LEVELS = (1, 10, 50, 100)


def curve(name: str, *values: float | None, spread: float = 1.1) -> Curve:
    intervals = (None if v is None else Interval(v, v / spread, v * spread) for v in values)
    return Curve(name, tuple(zip(LEVELS, intervals, strict=False)))


def drawn(*found: Curve, guides: tuple[Guide, ...] = (), log_y: bool = False) -> Plot:
    title, axis = "Throughput by clients", "requests per second"
    plot = curves.plot(
        title, "clients", axis, found, STYLES, "Up is more.", log_y=log_y, guides=guides
    )
    assert plot is not None
    return plot


def description(plot: Plot) -> str:
    found = ElementTree.fromstring(plot.svg).find("desc")
    assert found is not None and found.text
    return found.text


def lines(plot: Plot, css: str) -> list[tuple[float, ...]]:
    number = r'"([-0-9.]+)%?"'
    found = re.findall(
        rf'class="{css}[^"]*" x1={number} y1={number} x2={number} y2={number}', plot.svg
    )
    return [tuple(map(float, places)) for places in found]


def labels(plot: Plot, y: float) -> dict[str, float]:
    found = re.findall(rf'<text x="([0-9.]+)%" y="{y}"[^>]*>([^<]*)</text>', plot.svg)
    return {label: float(x) for x, label in found}


def test_has_a_text_alternative_with_every_figure() -> None:
    plot = drawn(curve("a", 100, 900, 950, 1234))
    svg = ElementTree.fromstring(plot.svg)
    assert svg.attrib["role"] == "img"
    assert svg.attrib["aria-labelledby"] == "throughput-by-clients-title throughput-by-clients-text"
    assert description(plot) == (
        "requests per second by clients. a: at 1 100 (91 to 110), at 10 900 (818 to 990), "
        "at 50 950 (864 to 1,045), at 100 1,234 (1,122 to 1,357)."
    )
    assert plot.caption == "Up is more."


def test_small_figures_keep_decimals() -> None:
    assert "at 1 0.45 (0.41 to 0.50), at 10 12.0 (10.9 to 13.2)" in description(
        drawn(curve("a", 0.45, 12))
    )


def test_nothing_is_drawn_where_no_point_is_known() -> None:
    assert curves.plot("t", "x", "y", [curve("a", None, None)], STYLES, "") is None
    assert curves.plot("t", "x", "y", [], STYLES, "") is None


@pytest.mark.parametrize("log_y", [False, True])
def test_nothing_is_drawn_beyond_the_drawing(log_y: bool) -> None:
    found = curve("a", 1, 10, 10, 10), curve("b", 3, 30, 90, 2000, spread=4)
    guide = Guide("as many as clients", ((1, 100), (100, 10_000)))
    plot = drawn(*found, guides=(guide,), log_y=log_y)
    height = float(ElementTree.fromstring(plot.svg).attrib["height"])
    across = re.findall(r' (?:x|x1|x2|cx)="([-0-9.]+)%"', plot.svg)
    up = re.findall(r' (?:y|y1|y2|cy)="([-0-9.]+)"', plot.svg)
    assert across and all(0 <= float(x) <= 100 for x in across)
    assert up and all(0 <= float(y) <= height for y in up)


def test_curve_joins_its_points_in_their_order() -> None:
    found = lines(drawn(curve("a", 10, 20, 30, 40)), "curve dash")
    *joined, legend = found
    assert len(joined) == 3 and legend[0] == 0
    assert all(x1 < x2 and y1 > y2 for x1, y1, x2, y2 in joined)
    assert all(one[2:] == next_[:2] for one, next_ in pairwise(joined))


def test_missing_point_leaves_a_gap() -> None:
    plot = drawn(curve("a", 10, None, 30, 40))
    assert len(lines(plot, "curve dash")) == 1 + 1  # from 50 to 100, and in the legend
    assert plot.svg.count('class="marker') == 3 + 1
    assert "at 10 " not in description(plot)


def test_interval_is_a_short_upright_stroke() -> None:
    plot = drawn(curve("a", 100, 200, 300, 400))
    strokes = lines(plot, "curve spread lane-0")
    assert len(strokes) == 4
    assert all(x1 == x2 and y1 > y2 for x1, y1, x2, y2 in strokes)


def test_single_trial_has_no_interval() -> None:
    plot = drawn(Curve("a", ((1, Interval(5, 0, inf)), (10, Interval(7, 0, inf)))))
    assert not lines(plot, "curve spread")
    assert description(plot).endswith("a: at 1 5.00, at 10 7.00.")


def test_logarithmic_scales_give_each_factor_the_same_length() -> None:
    found = lines(drawn(Curve("a", tuple(_points(1, 10, 100))), log_y=True), "curve dash")
    (first, second, _) = found
    assert first[2] - first[0] == pytest.approx(second[2] - second[0], abs=0.02)
    assert first[1] - first[3] == pytest.approx(second[1] - second[3], abs=0.2)


def test_linear_scales_begin_at_zero() -> None:
    points = _points(50, 100)
    plot = curves.plot("t", "x", "y", [Curve("a", tuple(points))], STYLES, "", log_x=False)
    assert plot is not None
    (half, whole, *_) = re.findall(r'<svg x="([0-9.]+)%" y="([0-9.]+)"', plot.svg)
    assert float(half[0]) - curves.START == pytest.approx((float(whole[0]) - curves.START) / 2)
    assert curves.BOTTOM - float(half[1]) == pytest.approx(
        (curves.BOTTOM - float(whole[1])) / 2, abs=0.1
    )


def _points(*values: float) -> list[tuple[float, Interval]]:
    return [(value, Interval(value, value, value)) for value in values]


def test_each_measured_place_is_labelled_where_there_is_room() -> None:
    plot = drawn(curve("a", 10, 20, 30, 40))
    assert list(labels(plot, curves.BOTTOM + 15)) == ["1", "10", "50", "100"]
    close = drawn(Curve("a", tuple(_points(1000, 1001, 10_000))))
    assert list(labels(close, curves.BOTTOM + 15)) == ["1,000", "10,000"]
    assert len(lines(close, "grid")) >= 3


def test_many_places_have_round_labels() -> None:
    plot = drawn(Curve("a", tuple(_points(*range(1, 100, 3)))))
    assert list(labels(plot, curves.BOTTOM + 15)) == ["1", "2", "5", "10", "20", "50", "100"]


def test_single_place_is_drawn() -> None:
    assert drawn(curve("a", 10)).svg.count('class="marker') == 1 + 1


def test_names_are_escaped() -> None:
    plot = drawn(curve("<c>", 1, 2), guides=(Guide("x < y", ((1, 1), (10, 2))),))
    assert "<c>" not in plot.svg and "&lt;c&gt;" in plot.svg and "x &lt; y" in plot.svg


def test_curves_are_told_apart_without_their_colour() -> None:
    plot = drawn(curve("a", 1, 2), curve("b", 2, 3), curve("<c>", 4, 5))
    marks = set(re.findall(r'class="marker (\w+) lane-\d" d="([^"]+)"', plot.svg))
    assert len(marks) == 3
    assert len(set(re.findall(r"curve (dash-\d)", plot.svg))) == 3


def test_guide_is_named_at_its_end() -> None:
    plot = drawn(curve("a", 1, 2), guides=(Guide("one worker", ((1, 100), (100, 100))),))
    ((x1, y1, x2, y2),) = lines(plot, "guide")
    assert x1 < x2 and y1 == y2
    assert "one worker" in labels(plot, round(y2 - 5, 1))


def test_legend_has_each_curve_below_the_plot() -> None:
    plot = drawn(curve("a", 1, 2), curve("b", 2, 3))
    names = re.findall(r'<text x="11.00%" y="([0-9.]+)"[^>]*>(\w)</text>', plot.svg)
    assert [name for _, name in names] == ["a", "b"]
    assert all(float(y) > curves.BOTTOM + 15 for y, _ in names)
