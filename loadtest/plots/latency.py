"""Latency by percentile, one line for each lane."""

from itertools import pairwise

from loadtest import figures
from loadtest.plots import axes
from loadtest.plots.axes import Plot, Scale
from loadtest.plots.styles import styles
from loadtest.summary import Summary

TITLE = "Latency by percentile"
PERCENTILES = {"p50": 17.0, "p90": 27.0, "p99": 37.0, "max": 47.0}  # and their places, in percent
NAMES = 52.0  # where the lanes' names begin: on a phone they take 150 pixels
TOP, BOTTOM = 14.0, 294.0  # further down where many lanes' names need it
APART = 17.0  # from one name to the next

Points = list[tuple[float, float]]


def plot(summary: Summary) -> Plot | None:
    """Return the plot; None where no latency is known."""
    twin = summary.twins and summary.twins[1]
    found = {lane: _latencies_ms(summary, lane) for lane in summary.lanes if lane != twin}
    known = {lane: values for lane, values in found.items() if values}
    if not known:
        return None
    every = [value for values in known.values() for value in values.values()]
    bottom = max(BOTTOM, TOP + APART * len(known))
    scale = Scale(min(every) / 1.15, max(every) * 1.15, True, start=bottom, end=TOP)
    parts = _grid(scale)
    points = {lane: _points(values, scale) for lane, values in known.items()}
    parts += _lines(summary, points, bottom)
    said = "; ".join(f"{lane} {_said(values)}" for lane, values in known.items())
    svg = axes.drawing(TITLE, f"Milliseconds: {said}.", bottom + axes.AXIS, parts)
    return Plot(TITLE, svg, _caption(known))


def _latencies_ms(summary: Summary, lane: str) -> dict[str, float]:
    values = {name: summary.latency_ms(lane, name) for name in PERCENTILES}
    return {name: value for name, value in values.items() if value}


def _grid(scale: Scale) -> list[str]:
    parts = []
    for tick in axes.log_ticks(scale.low, scale.high):
        y = scale.at(tick)
        parts.append(axes.line((0, y), (NAMES - 1, y), "grid"))
        parts.append(axes.text(0, y - 3, f"{axes.figure(tick)} ms", css="quiet"))
    for name, x in PERCENTILES.items():
        parts.append(axes.text(x, scale.start + 16, name, "middle"))
    middle = (PERCENTILES["p50"] + PERCENTILES["max"]) / 2
    return [*parts, axes.text(middle, scale.start + 34, "of a trial's requests", "middle", "quiet")]


def _points(values: dict[str, float], scale: Scale) -> Points:
    return [(PERCENTILES[name], scale.at(value)) for name, value in values.items()]


def _lines(summary: Summary, points: dict[str, Points], bottom: float) -> list[str]:
    parts = []
    style = styles(summary)
    labels = spread({lane: found[-1][1] for lane, found in points.items()}, bottom)
    for lane, found in points.items():
        parts += [style[lane].line(a, b) for a, b in pairwise(found)]
        parts += [style[lane].marker(x, y) for x, y in found]
        parts.append(axes.line(found[-1], (NAMES, labels[lane]), f"leader {style[lane].css}"))
        parts.append(axes.text(NAMES + 0.5, labels[lane] + 4, lane))
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
