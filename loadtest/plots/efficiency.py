"""What a lane's requests cost beside how many it answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from loadtest import figures
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.plots.order import shown
from loadtest.plots.styles import Style, styles
from loadtest.stats import Interval
from loadtest.summary import Summary

TITLE = "CPU time per request and throughput"
TOP, BOTTOM = 16.0, 276.0
US_PER_S = 1e6


@dataclass(frozen=True, slots=True)
class Point:
    """A lane's two figures."""

    lane: str
    cpu_us: Interval
    throughput_rps: Interval

    @property
    def cores(self) -> float:
        """Return how much CPU time a second its server uses, in cores."""
        return self.cpu_us.estimate * self.throughput_rps.estimate / US_PER_S


def plot(summary: Summary) -> Plot | None:
    """Return the plot; None without a valid trial."""
    points = list(_points(summary))
    if not points:
        return None
    across = _scale([point.cpu_us.estimate for point in points])
    up = _scale([point.throughput_rps.estimate for point in points], BOTTOM, TOP)
    style = styles(summary)
    parts = [*_grid(across, up), *_one_core(across, up)]
    for point in points:
        parts += _drawn(point, across, up, style[point.lane])
    parts += _legend(points, style)
    said = "; ".join(f"{point.lane} {_said(point)}" for point in points)
    height = BOTTOM + axes.AXIS + LINE * len(points) + 12
    svg = axes.drawing(TITLE, f"Throughput and CPU time: {said}.", height, parts)
    return Plot(TITLE, svg, _caption(points))


def _points(summary: Summary) -> list[Point]:
    twin = summary.twins and summary.twins[1]
    found = []
    for lane in shown(summary, summary.lanes):
        cpu_us, throughput_rps = summary.cpu_us(lane), summary.throughput_rps(lane)
        if lane != twin and cpu_us and throughput_rps:
            found.append(Point(lane, cpu_us, throughput_rps))
    return found


def _scale(values: list[float], start: float = axes.LEFT, end: float = axes.RIGHT) -> Scale:
    return Scale(min(values) / 1.5, max(values) * 1.5, True, start, end)


def _grid(across: Scale, up: Scale) -> list[str]:
    name = "CPU microseconds per request"
    ticks = axes.log_ticks(across.low, across.high)
    parts = axes.x_axis(across, ticks, (TOP, BOTTOM), name)
    for tick in axes.log_ticks(up.low, up.high):
        y = up.at(tick)
        parts.append(axes.line((0, y), (100, y), "grid"))
        parts.append(axes.text(0, y - 3, f"{axes.figure(tick)}/s", css="quiet"))
    return parts


def _one_core(across: Scale, up: Scale) -> list[str]:
    """Return the line of what one core can answer: a hyperbola, straight on these scales."""
    first = max(across.low, US_PER_S / up.high)
    last = min(across.high, US_PER_S / up.low)
    if first >= last:
        return []
    start, end = ((across.at(x), up.at(US_PER_S / x)) for x in (first, last))
    label = axes.text(end[0], min(end[1] + 14, BOTTOM - 4), "one core, fully used", "end", "quiet")
    return [axes.line(start, end, "guide"), label]


def _drawn(point: Point, across: Scale, up: Scale, style: Style) -> list[str]:
    x, y = across.at(point.cpu_us.estimate), up.at(point.throughput_rps.estimate)
    reach = f"curve {style.css}"
    low, high = across.at(point.cpu_us.low), across.at(point.cpu_us.high)
    least, most = up.at(point.throughput_rps.low), up.at(point.throughput_rps.high)
    intervals = [axes.line((low, y), (high, y), reach), axes.line((x, least), (x, most), reach)]
    shown = intervals if figures.finite(point.throughput_rps) else []
    return [*shown, style.marker(x, y)]


def _legend(points: list[Point], style: Mapping[str, Style]) -> list[str]:
    parts = []
    for row, point in enumerate(points):
        y = BOTTOM + axes.AXIS + LINE * row + 10
        parts.append(style[point.lane].marker(2, y))
        parts.append(axes.text(5, y + 4, point.lane))
        parts.append(axes.text(100, y + 4, _said(point), "end"))
    return parts


def _said(point: Point) -> str:
    return f"{point.throughput_rps.estimate:,.0f}/s, {point.cpu_us.estimate:,.0f} µs"


def _caption(points: list[Point]) -> str:
    cheap = min(points, key=lambda point: point.cpu_us.estimate)
    dear = max(points, key=lambda point: point.cpu_us.estimate)
    busy = max(points, key=lambda point: point.cores)
    said = [
        "Further up is faster, further left is cheaper; both scales are logarithmic. On the dashed "
        "line a server keeps one core busy; above it, more than one."
    ]
    if cheap is not dear:
        said.append(
            f"{cheap.lane} is cheapest, {cheap.cpu_us.estimate:,.0f} µs a request, and {dear.lane} "
            f"dearest, {dear.cpu_us.estimate:,.0f} µs."
        )
    said.append(f"{busy.lane} keeps most of the machine busy, {busy.cores:.1f} cores.")
    return " ".join(said)
