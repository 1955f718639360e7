"""Where a request's CPU time goes: a stacked bar for each lane."""

from markupsafe import Markup

from loadtest import figures
from loadtest.attribution import Bar, bars
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.plots.order import shown
from loadtest.summary import Summary

TITLE = "Where the microseconds go"
ROW = 50
TINTS = 5  # that the page's style sheet has, as classes `part-0` and so on
HOW = (
    "Not measured in this run. To measure where a request's CPU time goes (the connection, the "
    "server and framework, the sky) run, with this run's folder as RUN: python -m loadtest "
    "attribute RUN, then python -m loadtest report RUN"
)
NARROW = 6.0  # percent of the drawing: on a phone 20 pixels, too few for a number of two digits


def plot(summary: Summary) -> Plot | None:
    """Return the plot, or how to measure what it would show; None where nothing can."""
    by_lane = {bar.lane: bar for bar in bars(summary.run)}
    found = [by_lane[lane] for lane in shown(summary, by_lane)]
    if not found:
        return Plot(TITLE, Markup(""), HOW) if _can_be(summary) else None
    names = list(dict.fromkeys(part.name for bar in found for part in bar.parts))
    ticks = axes.ticks(max(max(_sum(bar), bar.whole.estimate) for bar in found))
    scale = Scale(0, ticks[-1])
    bottom = ROW * len(found)
    parts = axes.x_axis(scale, ticks, (0, bottom), "CPU microseconds per request")
    for row, bar in enumerate(found):
        parts += _drawn(bar, names, ROW * row, scale)
    for row, name in enumerate(names):
        parts += _named(row, name, bottom + axes.AXIS + LINE * row)
    height = bottom + axes.AXIS + LINE * len(names) + 8
    svg = axes.drawing(TITLE, _description(found), height, parts)
    return Plot(TITLE, svg, _caption(found))


def _can_be(summary: Summary) -> bool:
    """Return whether any lane has the targets whose differences are the parts."""
    return not all(summary.lane(lane).own for lane in summary.lanes)


def _sum(bar: Bar) -> float:
    return sum(max(part.us.estimate, 0.0) for part in bar.parts)


def _drawn(bar: Bar, names: list[str], top: float, scale: Scale) -> list[str]:
    drawn = [
        axes.text(0, top + 14, bar.lane, css="over"),
        axes.text(100, top + 14, f"{bar.whole.estimate:,.0f} µs", "end", "value over"),
    ]
    sum_us = 0.0
    for part in bar.parts:
        us = max(part.us.estimate, 0.0)  # noise makes a small difference negative
        start, end = scale.at(sum_us), scale.at(sum_us + us)
        number = names.index(part.name)
        drawn.append(axes.bar(start, end, top + LINE + 3, 22, f"part part-{number % TINTS}"))
        if end - start >= NARROW:
            middle = (start + end) / 2
            css = f"on-part-{number % TINTS}"
            drawn.append(axes.text(middle, top + LINE + 18, str(number + 1), "middle", css))
        sum_us += us
    whole = scale.at(bar.whole.estimate)
    return [*drawn, axes.line((whole, top + LINE), (whole, top + LINE + 28), "whole")]


def _named(number: int, name: str, y: float) -> list[str]:
    return [
        axes.bar(0, 3, y, 13, f"part part-{number % TINTS}"),
        axes.text(4.5, y + 11, f"{number + 1}  {name}"),
    ]


def _description(found: list[Bar]) -> str:
    said = []
    for bar in found:
        parts = ", ".join(f"{part.name} {figures.rate(part.us)}" for part in bar.parts)
        said.append(f"{bar.lane}: {parts}; measured at once {figures.rate(bar.whole)}")
    return f"CPU microseconds per request. {'. '.join(said)}."


def _caption(found: list[Bar]) -> str:
    ends = dict.fromkeys((min(found, key=_sum), max(found, key=_sum)))
    said = [_largest(bar) for bar in ends]
    return " ".join(
        [
            *said,
            "All bodies of the sky, on a new connection; the upright stroke is the whole measured "
            "at once, to hold against the sum of the parts.",
        ]
    )


def _largest(bar: Bar) -> str:
    part = max(bar.parts, key=lambda part: part.us.estimate)
    share = 100 * part.us.estimate / max(_sum(bar), 1e-9)
    return f"On {bar.lane} most goes to: {part.name}, {share:.0f} % of {_sum(bar):,.0f} µs."
