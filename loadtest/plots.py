"""Plots as SVG: text in the page's own font and colours, readable at any width."""

from dataclasses import dataclass
from math import floor, log10

from markupsafe import Markup

from loadtest.summary import Summary

WIDTH = 480  # small, so that text is readable when a phone shrinks the drawing
LABELS = 140  # for the lanes' names
RIGHT = 20
ROW = 40
TOP = 10
AXIS = 46


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, what it shows, and what to see in it."""

    title: str
    svg: Markup
    caption: str


def throughput(summary: Summary) -> Plot | None:
    """Return each lane's throughput: a dot for every valid trial, their mean and its interval."""
    lanes = [lane for lane in summary.lanes if summary.trials(lane)]
    if not lanes:
        return None
    values = {lane: [t.throughput_rps or 0.0 for t in summary.trials(lane)] for lane in lanes}
    ticks = _ticks(max(map(max, values.values())))
    scale = (WIDTH - LABELS - RIGHT) / ticks[-1]
    height = TOP + ROW * len(lanes) + AXIS
    bottom = height - AXIS
    parts = [_grid(LABELS + scale * tick, bottom, f"{tick:,.0f}") for tick in ticks]
    for row, lane in enumerate(lanes):
        parts += _lane(summary, lane, values[lane], TOP + ROW * (row + 0.5), scale)
    middle = (LABELS + WIDTH - RIGHT) / 2
    parts.append(_text(middle, height - 6, "requests per second", anchor="middle"))
    title = "Throughput by lane"
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">'
        f"{''.join(parts)}</svg>"
    )
    caption = (
        "Every valid trial is a dot; the line is their mean and the pale bar its 95 % interval. "
        "Further to the right is more."
    )
    # The lanes' names are the only text from outside; _text escapes it.
    return Plot(title, Markup(svg), caption)


def _lane(summary: Summary, lane: str, values: list[float], y: float, scale: float) -> list[str]:
    interval = summary.throughput_rps(lane)
    assert interval is not None
    parts = [_text(LABELS - 10, y + 4, lane, anchor="end")]
    if interval.high < float("inf"):
        low, high = (min(LABELS + scale * x, WIDTH - RIGHT) for x in (interval.low, interval.high))
        size = f'width="{max(high - low, 1):.1f}" height="24"'
        parts.append(f'<rect class="interval" x="{low:.1f}" y="{y - 12:.1f}" {size}/>')
    mean = LABELS + scale * interval.estimate
    parts.append(f'<path class="mean" d="M{mean:.1f} {y - 14:.1f}v28"/>')
    for number, value in enumerate(values):
        offset = (number % 3 - 1) * 6  # apart, so that dots of like value do not hide each other
        x = LABELS + scale * value
        parts.append(f'<circle class="trial" cx="{x:.1f}" cy="{y + offset:.1f}" r="3"/>')
    return parts


def _grid(x: float, bottom: float, label: str) -> str:
    line = f'<path class="grid" d="M{x:.1f} {TOP}V{bottom:.1f}"/>'
    return line + _text(x, bottom + 16, label, anchor="middle")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{Markup.escape(text)}</text>'


def _ticks(largest: float) -> list[float]:
    """Return three to six round numbers from zero to at least the largest value."""
    power = 10 ** floor(log10(largest))
    step = next(s for s in (power / 5, power / 2, power, 2 * power) if largest / s <= 5)
    count = int(-(-largest // step))
    return [step * tick for tick in range(count + 1)]
