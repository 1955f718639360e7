"""What a burst of requests took each client: its time on the wall, and that of its CPU."""

from collections.abc import Sequence

from loadtest import figures
from loadtest.clients import ways
from loadtest.clients.ways import Way
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.results import Run

TITLE = "Time for all replies, and the client's CPU time in it"
ROW = 54
SQUARE = "M-5 -5H5V5H-5Z"


def plot(run: Run, shown: Sequence[Way]) -> Plot | None:
    """Return the plot; None without a valid trial."""
    shown = [way for way in shown if ways.trials(run, way)]
    if not shown:
        return None
    times = {way: [1000 * ways.wall(trial) for trial in ways.trials(run, way)] for way in shown}
    costs = {way: ways.figure_ms(run, way, ways.cpu) for way in shown}
    least = min(min(map(min, times.values())), *(cost.estimate for cost in costs.values() if cost))
    scale = Scale(least / 1.3, max(map(max, times.values())) * 1.1, logarithmic=True)
    bottom = ROW * len(shown)
    ticks = axes.log_ticks(scale.low, scale.high)
    parts = axes.x_axis(scale, ticks, (0, bottom), "milliseconds")
    for row, way in enumerate(shown):
        parts += _way(run, way, times[way], ROW * row, scale)
    svg = axes.drawing(TITLE, _description(run, shown), bottom + axes.AXIS, parts)
    return Plot(TITLE, svg, _caption(run, shown))


def _way(run: Run, way: Way, times_ms: list[float], top: float, scale: Scale) -> list[str]:
    wall, cpu = (ways.figure_ms(run, way, of) for of in (ways.wall, ways.cpu))
    assert wall is not None and cpu is not None
    middle = top + LINE + 16
    parts = [
        axes.text(0, top + 14, way.name, css="over"),
        axes.text(100, top + 14, f"{wall.estimate:,.0f} ms", "end", "value over"),
    ]
    if figures.finite(wall):
        low, high = scale.at(wall.low), scale.at(wall.high)
        parts.append(axes.bar(low, high, middle - 11, 22, "interval lane-0"))
    mean = scale.at(wall.estimate)
    parts.append(axes.line((mean, middle - 13), (mean, middle + 13), "mean lane-0"))
    for number, value in enumerate(times_ms):
        offset = (number % 3 - 1) * 6  # apart, so that dots of like value do not hide each other
        parts.append(axes.dot(scale.at(value), middle + offset, "trial lane-0"))
    return [*parts, axes.shape(scale.at(cpu.estimate), middle, SQUARE, "marker hollow lane-1")]


def _description(run: Run, shown: Sequence[Way]) -> str:
    said = (
        f"{way.name} {figures.rate(ways.figure_ms(run, way, ways.wall))}, "
        f"of CPU {figures.rate(ways.figure_ms(run, way, ways.cpu))}"
        for way in shown
    )
    return f"Milliseconds, mean and 95 % interval: {'; '.join(said)}."


def _caption(run: Run, shown: Sequence[Way]) -> str:
    waiting = {way: _waiting(run, way) for way in shown}
    most, least = max(shown, key=waiting.__getitem__), min(shown, key=waiting.__getitem__)
    return (
        "Every valid trial is a dot, the stroke is their mean, the pale bar its 95 % interval; the "
        "hollow square is the client's CPU time, and what lies between the two it waited: "
        f"{most.name} for {100 * waiting[most]:.0f} % of its time, {least.name} for "
        f"{100 * waiting[least]:.0f} %. The scale is logarithmic."
    )


def _waiting(run: Run, way: Way) -> float:
    """Return the share of the time in which the client had nothing to do."""
    wall, cpu = (ways.figure_ms(run, way, of) for of in (ways.wall, ways.cpu))
    assert wall is not None and cpu is not None
    return max(0.0, 1 - cpu.estimate / wall.estimate)
