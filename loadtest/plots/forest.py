"""The planned ratios with their intervals, and the noise floor behind them."""

from collections.abc import Mapping
from dataclasses import replace

from markupsafe import Markup

from loadtest import figures
from loadtest.pairs import PYTHON, Pair
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.stats import Interval
from loadtest.summary import Summary

TITLE = "How many times as fast"
ROW = 44
BEYOND = 2.5  # times the furthest estimate: an interval that goes on ends in an arrow there


def plot(summary: Summary) -> Plot | None:
    """Return the plot; None where nothing was compared."""
    noise = summary.noise()
    known = summary.throughput_ratios()
    ratios = {_label(pair): known[pair.names] for pair in summary.pairs if pair.names in known}
    if noise and summary.twins:
        ratios[f"{summary.twins[0]} / itself, the noise"] = noise
    if not ratios:
        return None
    return Plot(TITLE, drawing(TITLE, ratios, noise), _caption(summary, noise))


def drawing(title: str, ratios: Mapping[str, Interval], noise: Interval | None) -> Markup:
    """Return named ratios of throughput, a row for each, over the noise where it is known."""
    scale = _scale(ratios)
    bottom = ROW * len(ratios)
    parts = _noise(noise, scale, bottom)
    ticks = axes.log_ticks(scale.low, scale.high)
    parts += axes.x_axis(scale, ticks, (0, bottom), "times as many requests per second")
    parts.append(axes.line((scale.at(1), 0), (scale.at(1), bottom), "one"))
    for row, (label, ratio) in enumerate(ratios.items()):
        parts += _ratio(label, ratio, ROW * row, scale)
    said = "; ".join(f"{label} {figures.factor(ratio)}" for label, ratio in ratios.items())
    return axes.drawing(title, f"Ratios of throughput: {said}.", bottom + axes.AXIS, parts)


def _label(pair: Pair) -> str:
    """Return both lanes' names; of two Pythons' lane its name once, which a phone has room for."""
    if pair.purpose == PYTHON:
        return f"{replace(pair.a, python='').name}: {pair.a.python} / {pair.b.python}"
    return " / ".join(pair.names)


def _scale(ratios: Mapping[str, Interval]) -> Scale:
    """Return a scale with 1 and every estimate on it, and of wide intervals only a part."""
    estimates = [1.0, *(ratio.estimate for ratio in ratios.values())]
    ends = [end for ratio in ratios.values() for end in (ratio.low, ratio.high)]
    low = max(min([*ends, 0.9]), min(estimates) / BEYOND)
    high = min(max([*ends, 1.1]), max(estimates) * BEYOND)
    return Scale(low / 1.05, high * 1.05, logarithmic=True)


def _noise(noise: Interval | None, scale: Scale, bottom: float) -> list[str]:
    if noise is None:
        return []
    return [axes.bar(scale.at(noise.low), scale.at(noise.high), 0, bottom, "noise")]


def _ratio(label: str, ratio: Interval, top: float, scale: Scale) -> list[str]:
    y = top + LINE + 11
    low, high, middle = map(scale.at, (ratio.low, ratio.high, ratio.estimate))
    kind = "unshown" if ratio.holds(1) else "shown"
    parts = [
        axes.text(0, top + 14, label, css="over"),
        axes.text(100, top + 14, f"{ratio.estimate:.2f}", "end", "value over"),
        axes.line((low, y), (high, y), f"reach {kind}"),
    ]
    for end, x, path in (
        (ratio.low, low, "M6 -5L0 0L6 5" if ratio.low < scale.low else "M0 -7V7"),
        (ratio.high, high, "M-6 -5L0 0L-6 5" if ratio.high > scale.high else "M0 -7V7"),
    ):
        if end != ratio.estimate:
            parts.append(axes.shape(x, y, path, f"reach {kind}"))
    return [*parts, axes.shape(middle, y, "M-3.5 -3.5H3.5V3.5H-3.5Z", f"estimate {kind}")]


def _caption(summary: Summary, noise: Interval | None) -> str:
    ratios = summary.throughput_ratios()
    shown = [ratio for ratio in ratios.values() if not ratio.holds(1)]
    said = []
    if ratios:
        said.append(
            f"{len(shown)} of {len(ratios)} planned comparisons show a difference (full squares): "
            "their intervals, by Holm's method, do not hold 1. Hollow squares show none."
        )
    if noise and figures.finite(noise):
        reach = "holds 1, as it should" if noise.holds(1) else "does not hold 1, as it should"
        said.append(
            f"The shaded band is the noise floor, {noise.low:.2f} to {noise.high:.2f}: what a lane "
            f"differs by from itself. It {reach}. An interval that ends inside it shows "
            "nothing that noise could not."
        )
    return " ".join([*said, "The scale is logarithmic: 2 and 0.5 are as far from 1."])
