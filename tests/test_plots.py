"""What the report draws."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loadtest import attribution, plots
from loadtest.attribution import Bar, Part
from loadtest.lanes import EVERY, all_lanes, chosen
from loadtest.pairs import PYTHON, Pair
from loadtest.plots import axes, forest, latency
from loadtest.plots.axes import Plot, Scale
from loadtest.plots.styles import styles
from loadtest.stats import Interval
from loadtest.summary import Summary, summarise
from tests.runs import H2LOAD, a_run

THROUGHPUT, LATENCY = "Throughput by lane", "Latency by percentile"


@pytest.fixture
def made(tmp_path: Path) -> Summary:
    return summarise(a_run(tmp_path / "run"))


@pytest.fixture
def drawn(made: Summary, monkeypatch: pytest.MonkeyPatch) -> dict[str, Plot]:
    bar = Bar(
        "aiohttp-gunicorn",
        (
            Part("connection", Interval(80, 75, 85)),
            Part("server and framework", Interval(30, 28, 32)),
            Part("one body's ephemeris", Interval(-2, -5, 1)),
        ),
        Interval(111, 100, 122),
    )
    monkeypatch.setattr("loadtest.plots.attribution.bars", lambda run: [bar])
    return {plot.title: plot for plot in plots.plots(made)}


def places(svg: str, css: str) -> list[float]:
    found = re.findall(rf'class="{css}[^"]*" (?:c?x1?)="([0-9.]+)%"', svg)
    return [float(place) for place in found]


def description(plot: Plot) -> str:
    found = ElementTree.fromstring(plot.svg).find("desc")
    assert found is not None and found.text
    return found.text


def test_report_has_its_five_plots(drawn: dict[str, Plot]) -> None:
    assert list(drawn) == [
        "Throughput by lane",
        "How many times as fast",
        "Latency by percentile",
        "CPU time per request and throughput",
        "Where the microseconds go",
    ]
    assert all(plot.svg and plot.caption for plot in drawn.values())


def test_each_has_a_text_alternative_with_its_figures(drawn: dict[str, Plot]) -> None:
    for title, plot in drawn.items():
        svg = ElementTree.fromstring(plot.svg)
        named = svg.attrib["aria-labelledby"].split()
        texts = {child.attrib["id"]: child.text for child in svg if "id" in child.attrib}
        assert svg.attrib["role"] == "img"
        assert [texts[name] for name in named] == [title, description(plot)]
        assert "aiohttp-gunicorn" in description(plot)
        assert re.search(r"\d", description(plot))


def test_identifiers_are_used_once(drawn: dict[str, Plot]) -> None:
    found = re.findall(r' id="([^"]+)"', "".join(plot.svg for plot in drawn.values()))
    assert len(found) == len(set(found)) == 10


def test_nothing_is_drawn_beyond_the_drawing(drawn: dict[str, Plot]) -> None:
    for plot in drawn.values():
        places = re.findall(r' (?:x|x1|x2|cx)="([-0-9.]+)%"', plot.svg)
        assert places and all(0 <= float(place) <= 100 for place in places)
        height = float(ElementTree.fromstring(plot.svg).attrib["height"])
        assert all(
            0 <= float(y) <= height for y in re.findall(r' (?:y|y1|y2|cy)="([-0-9.]+)"', plot.svg)
        )


def test_every_valid_trial_is_a_dot(made: Summary, drawn: dict[str, Plot]) -> None:
    assert len(places(drawn["Throughput by lane"].svg, "trial")) == 8 * 7
    one = next(trial for trial in made.run.trials if trial.workload == made.workload)
    trials = (*(t for t in made.run.trials if t != one), replace(one, invalid="killed"))
    (fewer, *_) = plots.plots(summarise(replace(made.run, trials=trials)))
    assert len(places(fewer.svg, "trial")) == 8 * 7 - 1


def test_forest_has_each_planned_ratio_and_the_noise(drawn: dict[str, Plot]) -> None:
    plot = drawn["How many times as fast"]
    assert plot.svg.count('class="estimate') == 8
    assert plot.svg.count('class="noise"') == 1
    assert "aiohttp-gunicorn / itself, the noise" in plot.svg
    assert "It holds 1, as it should." in plot.caption
    assert re.match(r"[4-7] of 7 planned comparisons show a difference", plot.caption)


def test_forest_of_wide_intervals_keeps_its_estimates_apart() -> None:
    wide = {"a / b": Interval(4, 1e-9, 1e9), "c / d": Interval(2, 1.9, 2.1)}
    scale = forest._scale(wide)
    assert 0.3 < scale.low < 0.5 and 9 < scale.high < 12


def test_latencies_stand_at_their_percentiles(drawn: dict[str, Plot]) -> None:
    plot = drawn["Latency by percentile"]
    assert plot.svg.count('class="marker') == 6 * 4  # the twin is left out
    assert "takes longer than" in plot.caption


def test_labels_keep_apart_and_within_the_plot() -> None:
    wanted = {"a": 20.0, "b": 21.0, "c": 290.0, "d": 291.0, "e": 293.0}
    placed = sorted(latency.spread(wanted).values())
    assert all(b - a >= 17 for a, b in pairwise(placed))
    assert placed[0] >= 14 and placed[-1] <= 294


def test_labels_of_many_lanes_have_room() -> None:
    placed = sorted(latency.spread({str(n): 200.0 for n in range(20)}, 14 + 17 * 20).values())
    assert all(b - a >= 17 for a, b in pairwise(placed))
    assert placed[0] >= 14


def test_lanes_are_told_apart_without_their_colour(drawn: dict[str, Plot]) -> None:
    svg = drawn["CPU time per request and throughput"].svg
    marks = re.findall(r'class="marker (\w+) lane-\d" d="([^"]+)"', svg)
    assert len(set(marks)) == 6


def test_one_core_fully_used_is_a_line(drawn: dict[str, Plot]) -> None:
    plot = drawn["CPU time per request and throughput"]
    assert plot.svg.count('class="guide"') == 1
    assert "0.8 cores" in plot.caption


def test_parts_of_a_request_are_numbered_and_named(drawn: dict[str, Plot]) -> None:
    plot = drawn["Where the microseconds go"]
    assert "1  connection" in plot.svg and "3  one body&#39;s ephemeris" in plot.svg
    assert "On aiohttp-gunicorn most goes to: connection, 73 % of 110 µs." in plot.caption
    assert "one body's ephemeris -2 (-5" in description(plot)


def test_run_of_one_block_is_drawn_without_intervals(tmp_path: Path) -> None:
    drawn = {plot.title: plot for plot in plots.plots(summarise(a_run(tmp_path / "run", blocks=1)))}
    assert 'class="interval' not in drawn["Throughput by lane"].svg
    assert "0 of 7 planned comparisons" in drawn["How many times as fast"].caption
    assert len(drawn) == 5


def test_run_without_attribution_says_how_to_measure_it(made: Summary) -> None:
    *_, last = plots.plots(made)
    assert last.title == "Where the microseconds go" and not last.svg
    assert "python -m loadtest attribute" in last.caption
    assert attribution.bars(made.run) == []


@pytest.mark.parametrize("value", [0.0003, 0.9, 1, 1.01, 99.9, 12_345])
def test_ticks_are_few_and_reach_the_largest(value: float) -> None:
    found = axes.ticks(value)
    assert 3 <= len(found) <= 6
    assert found[0] == 0 and found[-1] >= value * (1 - 1e-9)


@pytest.mark.parametrize(("low", "high"), [(0.9, 1.1), (0.2, 12), (1, 1e9), (30, 70)])
def test_ticks_of_a_logarithmic_scale_are_few(low: float, high: float) -> None:
    found = axes.log_ticks(low, high)
    assert 1 <= len(found) <= 7
    assert all(low <= tick <= high for tick in found)


def test_what_is_beyond_a_scale_is_drawn_at_its_end() -> None:
    scale = Scale(1, 100, logarithmic=True)
    assert [scale.at(x) for x in (0, 1, 10, 100, 1e9)] == [2, 2, 50, 98, 98]


def test_names_of_lanes_are_escaped() -> None:
    assert "&lt;b&gt;" in axes.text(0, 0, "<b>")


def test_many_lanes_are_drawn_within_the_drawing_most_throughput_first(tmp_path: Path) -> None:
    made = summarise(a_run(tmp_path / "run", blocks=2, lanes=chosen([EVERY], 4)))
    drawn = {plot.title: plot for plot in plots.plots(made) if plot.svg}
    test_nothing_is_drawn_beyond_the_drawing(drawn)
    test_each_has_a_text_alternative_with_its_figures(drawn)
    assert re.search("interval: starlette-[a-z]+ [89],", description(drawn[THROUGHPUT]))
    assert drawn[LATENCY].svg.count('class="marker') == 16 * 4 + 16  # and in the legend
    legend = re.findall(r">([a-z0-9-]+)</text>", drawn[LATENCY].svg)[-16:]
    assert legend[0] == "flask-dev" and set(legend) == {lane.name for lane in chosen([EVERY], 4)}


def test_lanes_names_are_once_in_a_ratio_of_two_pythons() -> None:
    a, b = (replace(all_lanes()["flask-gevent"], python=f"python3.{n}") for n in (14, 11))
    assert forest._label(Pair(a, b, PYTHON)) == "flask-gevent: python3.14 / python3.11"


def test_every_lane_has_a_mark_of_its_own_without_its_colour(tmp_path: Path) -> None:
    every = list(all_lanes().values())
    run = a_run(tmp_path / "run", blocks=1, loads=(H2LOAD,), rate=lambda cell: 1e3, lanes=every)
    found = styles(summarise(run))
    marks = {name: re.sub(r" lane-\d", "", style.marker(50, 50)) for name, style in found.items()}
    del marks["aiohttp-gunicorn-twin"]  # as the lane that it is
    assert len(set(marks.values())) == len(marks) == len(every)
    assert styles(run) == found
