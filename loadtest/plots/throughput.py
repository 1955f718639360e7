"""Each lane's throughput: a dot for every valid trial, their mean and its interval."""

from loadtest import figures
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.plots.order import shown
from loadtest.plots.styles import Style, styles
from loadtest.summary import Summary, throughput

TITLE = "Throughput by lane"
ROW = 54


def plot(summary: Summary) -> Plot | None:
    """Return the plot; None without a valid trial."""
    lanes = shown(summary, (lane for lane in summary.lanes if summary.trials(lane)))
    if not lanes:
        return None
    values = {lane: [throughput(trial) for trial in summary.trials(lane)] for lane in lanes}
    ticks = axes.ticks(max(map(max, values.values())))
    scale = Scale(0, ticks[-1])
    bottom = ROW * len(lanes)
    parts = axes.x_axis(scale, ticks, (0, bottom), "requests per second")
    style = styles(summary)
    for row, lane in enumerate(lanes):
        parts += _lane(summary, lane, values[lane], ROW * row, scale, style[lane])
    said = "; ".join(f"{lane} {figures.rate(summary.throughput_rps(lane))}" for lane in lanes)
    description = f"Requests per second, mean and 95 % interval: {said}."
    svg = axes.drawing(TITLE, description, bottom + axes.AXIS, parts)
    twin = summary.twins and summary.twins[1]
    return Plot(TITLE, svg, _caption(summary, [lane for lane in lanes if lane != twin], values))


def _lane(
    summary: Summary, lane: str, values: list[float], top: float, scale: Scale, style: Style
) -> list[str]:
    interval = summary.throughput_rps(lane)
    assert interval is not None
    parts = [
        axes.text(0, top + 14, lane),
        axes.text(100, top + 14, figures.number(interval.estimate), "end", "value"),
    ]
    middle = top + LINE + 16
    if figures.finite(interval):
        low, high = scale.at(interval.low), scale.at(interval.high)
        parts.append(axes.bar(low, high, middle - 11, 22, f"interval {style.css}"))
    mean = scale.at(interval.estimate)
    parts.append(axes.line((mean, middle - 13), (mean, middle + 13), f"mean {style.css}"))
    for number, value in enumerate(values):
        offset = (number % 3 - 1) * 6  # apart, so that dots of like value do not hide each other
        parts.append(axes.dot(scale.at(value), middle + offset, f"trial {style.css}"))
    return parts


def _caption(summary: Summary, lanes: list[str], values: dict[str, list[float]]) -> str:
    if not lanes:
        return ""
    means = {lane: mean.estimate for lane in lanes if (mean := summary.throughput_rps(lane))}
    most, least = max(lanes, key=means.__getitem__), min(lanes, key=means.__getitem__)
    spread = {lane: max(values[lane]) / min(values[lane]) for lane in lanes}
    widest = max(lanes, key=spread.__getitem__)
    said = [
        "Every valid trial is a dot, the stroke is their mean, the pale bar its 95 % interval; "
        "further to the right is more."
    ]
    if means[most] > means[least]:
        said.append(
            f"{most} answers most, {means[most]:,.0f} requests a second, and {least} least, "
            f"{means[least]:,.0f}."
        )
    if spread[widest] > 1:
        said.append(
            f"The trials of {widest} are furthest apart, by a factor of {spread[widest]:.2f}: "
            "what the machine does from block to block, which comparisons within blocks leave out."
        )
    return " ".join(said)
