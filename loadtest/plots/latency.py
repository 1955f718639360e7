"""Latency by percentile, one line for each lane."""

from collections.abc import Mapping
from itertools import pairwise

from loadtest import figures
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.plots.order import FEW
from loadtest.plots.styles import Style, styles
from loadtest.summary import Summary

TITLE = "Latency by percentile"
PERCENTILES = {"p50": 17.0, "p90": 27.0, "p99": 37.0, "max": 47.0}  # and their places, in percent
# Of many lanes, or of long names, which stand below.
WIDE = {"p50": 17.0, "p90": 42.0, "p99": 67.0, "max": 92.0}
LONGEST = 22  # characters of a name that has room beside the lines
NAMES = 52.0  # where the lanes' names begin: on a phone they take 150 pixels
TOP, BOTTOM = 14.0, 294.0  # further down where many lanes' names need it
DEEP = 414.0
APART = 17.0  # from one name to the next

Points = list[tuple[float, float]]


def plot(summary: Summary) -> Plot | None:
    """Return the plot; None where no latency is known."""
    twin = summary.twins and summary.twins[1]
    found = {lane: _latencies_ms(summary, lane) for lane in summary.lanes if lane != twin}
    known = {lane: values for lane, values in found.items() if values}
    if not known:
        return None
    wide = len(known) > FEW or max(map(len, known)) > LONGEST
    places = WIDE if wide else PERCENTILES
    every = [value for values in known.values() for value in values.values()]
    bottom = DEEP if wide else max(BOTTOM, TOP + APART * len(known))
    scale = Scale(min(every) / 1.15, max(every) * 1.15, True, start=bottom, end=TOP)
    parts = _grid(scale, places, 100.0 if wide else NAMES - 1)
    points = {lane: _points(values, scale, places) for lane, values in known.items()}
    style = styles(summary)
    parts += _lines(points, style)
    height = bottom + axes.AXIS
    if wide:
        parts += _legend(known, style, height)
        height += LINE * len(known) + 12
    else:
        parts += _names(points, style, bottom)
    said = "; ".join(f"{lane} {_said(values)}" for lane, values in known.items())
    svg = axes.drawing(TITLE, f"Milliseconds: {said}.", height, parts)
    return Plot(TITLE, svg, _caption(known))


def _latencies_ms(summary: Summary, lane: str) -> dict[str, float]:
    values = {name: summary.latency_ms(lane, name) for name in PERCENTILES}
    return {name: value for name, value in values.items() if value}


def _grid(scale: Scale, places: dict[str, float], end: float) -> list[str]:
    parts = []
    for tick in axes.log_ticks(scale.low, scale.high):
        y = scale.at(tick)
        parts.append(axes.line((0, y), (end, y), "grid"))
        parts.append(axes.text(0, y - 3, f"{axes.figure(tick)} ms", css="quiet"))
    for name, x in places.items():
        parts.append(axes.text(x, scale.start + 16, name, "middle"))
    middle = (places["p50"] + places["max"]) / 2
    return [*parts, axes.text(middle, scale.start + 34, "of a trial's requests", "middle", "quiet")]


def _points(values: dict[str, float], scale: Scale, places: dict[str, float]) -> Points:
    return [(places[name], scale.at(value)) for name, value in values.items()]


def _lines(points: dict[str, Points], style: Mapping[str, Style]) -> list[str]:
    parts = []
    for lane, found in points.items():
        parts += [style[lane].line(a, b) for a, b in pairwise(found)]
        parts += [style[lane].marker(x, y) for x, y in found]
    return parts


def _names(points: dict[str, Points], style: Mapping[str, Style], bottom: float) -> list[str]:
    """Return the lanes' names beside the lines' ends."""
    parts = []
    labels = spread({lane: found[-1][1] for lane, found in points.items()}, bottom)
    for lane, found in points.items():
        parts.append(axes.line(found[-1], (NAMES, labels[lane]), f"leader {style[lane].css}"))
        parts.append(axes.text(NAMES + 0.5, labels[lane] + 4, lane))
    return parts


def _legend(
    known: dict[str, dict[str, float]], style: Mapping[str, Style], top: float
) -> list[str]:
    """Return the lanes below, the slowest first, as their lines lie."""
    parts = []
    order = sorted(known, key=lambda lane: -known[lane].get("p99", 0.0))
    for row, lane in enumerate(order):
        y = top + LINE * row + 12
        parts += [style[lane].line((0, y), (9, y)), style[lane].marker(4.5, y)]
        parts.append(axes.text(11, y + 4, lane))
        p99 = figures.number(known[lane].get("p99"), 1, " ms")
        parts.append(axes.text(100, y + 4, f"p99 {p99}", "end"))
    return parts


def spread(wanted: dict[str, float], bottom: float = BOTTOM) -> dict[str, float]:
    """Return places for labels near those wanted, at least so far apart, within the plot."""
    placed: dict[str, float] = {}
    last = TOP - APART
    for lane in sorted(wanted, key=wanted.__getitem__):
        last = placed[lane] = max(wanted[lane], last + APART)
    limit = bottom
    for lane in reversed(placed):
        placed[lane] = min(placed[lane], limit)
        limit = placed[lane] - APART
    return placed


def _said(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {figures.number(value, 2)}" for name, value in values.items())


def _caption(known: dict[str, dict[str, float]]) -> str:
    p99 = {lane: values["p99"] for lane, values in known.items() if "p99" in values}
    said = [
        "Lower is better; each point is the median of the trials' own figures, and the scale is "
        "logarithmic. The load is a closed loop: each client waits for its reply."
    ]
    if len(p99) > 1:
        least, most = min(p99, key=p99.__getitem__), max(p99, key=p99.__getitem__)
        said.append(
            f"One request in a hundred takes longer than {p99[least]:,.1f} ms on {least}, and "
            f"longer than {p99[most]:,.1f} ms on {most}."
        )
    steep = {
        lane: values["max"] / values["p50"]
        for lane, values in known.items()
        if {"p50", "max"} <= values.keys()
    }
    if steep:
        lane = max(steep, key=steep.__getitem__)
        said.append(
            f"{lane} has the steepest line: its slowest request takes {steep[lane]:,.1f} times as "
            "long as its middle one."
        )
    return " ".join(said)
