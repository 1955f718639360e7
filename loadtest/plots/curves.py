"""A figure of each lane over something that is varied, as clients or a rate: a line for each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loadtest import figures
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.plots.styles import Style
from loadtest.stats import Interval

TOP, BOTTOM = 40.0, 320.0
START = 13.0  # percent: on a phone 36 pixels, for the labels of the grid's lines
MOST_TICKS = 8  # places of x that have each its own label
CHARACTER = 2.4  # percent: on a phone 6.7 pixels
MARGIN = 1.25  # of a logarithmic scale beyond what it shows


@dataclass(frozen=True, slots=True)
class Curve:
    """A lane's figure at each place, with its interval. Where it is None the line has a gap."""

    name: str
    points: tuple[tuple[float, Interval | None], ...]

    @property
    def known(self) -> tuple[tuple[float, Interval], ...]:
        """Return the points that there are."""
        return tuple((x, y) for x, y in self.points if y is not None)


@dataclass(frozen=True, slots=True)
class Guide:
    """A line to hold the curves against, named at its end: what is possible at all, for instance.

    Those whose ends lie close together write their names over one another.
    """

    name: str
    points: tuple[tuple[float, float], ...]


def plot(
    title: str,
    x_name: str,
    y_name: str,
    curves: Sequence[Curve],
    styles: Mapping[str, Style],
    caption: str,
    *,
    log_x: bool = True,
    log_y: bool = False,
    guides: Sequence[Guide] = (),
) -> Plot | None:
    """Return the plot, with a legend by curve below; None where no point is known.

    A logarithmic scale must have no value of zero or less.
    """
    curves = [curve for curve in curves if curve.known]
    if not curves:
        return None
    across = _across(curves, log_x)
    up = _up(curves, guides, log_y)
    parts = [*_grid(curves, across, up, x_name), axes.text(0, 14, y_name, css="quiet")]
    for guide in guides:
        parts += _guide(guide, across, up)
    for curve in curves:
        parts += _drawn(curve, styles[curve.name], across, up)
    parts += _legend(curves, styles)
    said = ". ".join(f"{curve.name}: {_said(curve)}" for curve in curves)
    height = BOTTOM + axes.AXIS + LINE * len(curves) + 16
    svg = axes.drawing(title, f"{y_name} by {x_name}. {said}.", height, parts)
    return Plot(title, svg, caption)


def _places(curves: Iterable[Curve]) -> list[float]:
    return sorted({x for curve in curves for x, _ in curve.points})


def _across(curves: Iterable[Curve], logarithmic: bool) -> Scale:
    places = _places(curves)
    if logarithmic:
        return Scale(places[0] / MARGIN, places[-1] * MARGIN, True, start=START)
    return Scale(0, places[-1] or 1, start=START, end=96)


def _up(curves: Iterable[Curve], guides: Iterable[Guide], logarithmic: bool) -> Scale:
    values = [y.estimate for curve in curves for _, y in curve.known]
    values += [y for guide in guides for _, y in guide.points]
    if logarithmic:
        low, high = min(values) / MARGIN, max(values) * MARGIN
        return Scale(low, high, True, start=BOTTOM, end=TOP)
    return Scale(0, axes.ticks(max(values) or 1)[-1], start=BOTTOM, end=TOP)


def _grid(curves: Iterable[Curve], across: Scale, up: Scale, x_name: str) -> list[str]:
    parts = _upright(_ticks(_places(curves), across), across, x_name)
    for tick in _marks(up):
        y = up.at(tick)
        parts.append(axes.line((0, y), (100, y), "grid"))
        parts.append(axes.text(0, y - 3, axes.figure(tick), css="quiet"))
    return parts


def _marks(scale: Scale) -> list[float]:
    return axes.log_ticks(scale.low, scale.high) if scale.logarithmic else axes.ticks(scale.high)


def _ticks(places: list[float], across: Scale) -> list[float]:
    """Return where x has labels: at each place that is measured, unless these are many."""
    found = places if len(places) <= MOST_TICKS else _marks(across)
    return [x for x in found if across.low <= x <= across.high]


def _upright(ticks: list[float], across: Scale, x_name: str) -> list[str]:
    """Return the grid's upright lines, and the labels that do not run into one another."""
    parts, free = [], 0.0
    for tick in ticks:
        x, label = across.at(tick), axes.figure(tick)
        half = len(label) * CHARACTER / 2
        parts.append(axes.line((x, TOP), (x, BOTTOM), "grid"))
        if x - half >= free:
            parts.append(axes.text(min(x, 100 - half), BOTTOM + 15, label, "middle"))
            free = x + half + CHARACTER / 2
    return [*parts, axes.text(50, BOTTOM + 15 + LINE, x_name, "middle", "quiet")]


def _guide(guide: Guide, across: Scale, up: Scale) -> list[str]:
    places = [(across.at(x), up.at(y)) for x, y in guide.points]
    lines = [axes.line(a, b, "guide") for a, b in pairwise(places)]
    return [*lines, axes.text(100, places[-1][1] - 5, guide.name, "end", "quiet")]


def _drawn(curve: Curve, style: Style, across: Scale, up: Scale) -> list[str]:
    parts = []
    for run in _runs(curve):
        places = [(across.at(x), up.at(y.estimate)) for x, y in run]
        parts += [style.line(a, b) for a, b in pairwise(places)]
        parts += [_stroke(across.at(x), y, style, up) for x, y in run if figures.finite(y)]
        parts += [style.marker(*place) for place in places]
    return parts


def _runs(curve: Curve) -> Iterator[list[tuple[float, Interval]]]:
    """Yield the points that a line may join: those without a missing one between them."""
    run: list[tuple[float, Interval]] = []
    for x, y in curve.points:
        if y is not None:
            run.append((x, y))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _stroke(x: float, y: Interval, style: Style, up: Scale) -> str:
    return axes.line((x, up.at(y.low)), (x, up.at(y.high)), f"curve spread {style.css}")


def _legend(curves: Iterable[Curve], styles: Mapping[str, Style]) -> list[str]:
    parts = []
    for row, curve in enumerate(curves):
        y = BOTTOM + axes.AXIS + LINE * row + 12
        style = styles[curve.name]
        parts += [style.line((0, y), (9, y)), style.marker(4.5, y)]
        parts.append(axes.text(11, y + 4, curve.name))
    return parts


def _said(curve: Curve) -> str:
    return ", ".join(f"at {axes.figure(x)} {_figure(y)}" for x, y in curve.known)


def _figure(y: Interval) -> str:
    decimals = 0 if y.estimate >= 100 else 1 if y.estimate >= 10 else 2
    spread = f" ({y.low:,.{decimals}f} to {y.high:,.{decimals}f})" if figures.finite(y) else ""
    return f"{y.estimate:,.{decimals}f}{spread}"
