"""What plots are drawn with: x in percent of the drawing's width, y and text in pixels.

So a drawing is as wide as its column and its text keeps its size: with a viewBox, text of 12
pixels on a desktop is one of 6 on a phone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10

from markupsafe import Markup

LEFT, RIGHT = 2.0, 98.0  # of the plotting area, in percent
LINE = 18  # from one line of text to the next
AXIS = 42  # below the plotting area, for the ticks' labels and the axis' name


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, what it shows, and what to see in it. `svg` is empty where there is none."""

    title: str
    svg: Markup
    caption: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places: `low` is drawn at `start` and `high` at `end`."""

    low: float
    high: float
    logarithmic: bool = False
    start: float = LEFT
    end: float = RIGHT

    def at(self, value: float) -> float:
        """Return the value's place; what is beyond an end is drawn at that end."""
        value = min(max(value, self.low), self.high)
        share = (self._place(value) - self._place(self.low)) / (
            self._place(self.high) - self._place(self.low)
        )
        return self.start + share * (self.end - self.start)

    def _place(self, value: float) -> float:
        return log10(value) if self.logarithmic else value


def drawing(title: str, description: str, height: float, parts: Iterable[str]) -> Markup:
    """Return the SVG. A reader who cannot see it is read the title and the description."""
    name = "".join(c if c.isalnum() else "-" for c in title.lower())
    return Markup(
        f'<svg width="100%" height="{height:.0f}" role="img" '
        f'aria-labelledby="{name}-title {name}-text">'
        f'<title id="{name}-title">{Markup.escape(title)}</title>'
        f'<desc id="{name}-text">{Markup.escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def text(x: float, y: float, said: str, anchor: str = "start", css: str = "") -> str:
    """Return a line of text. It is escaped: names of lanes come from outside."""
    kind = f' class="{css}"' if css else ""
    return (
        f'<text x="{x:.2f}%" y="{y:.1f}" text-anchor="{anchor}"{kind}>{Markup.escape(said)}</text>'
    )


def line(start: tuple[float, float], end: tuple[float, float], css: str) -> str:
    """Return a straight line."""
    (x1, y1), (x2, y2) = start, end
    return f'<line class="{css}" x1="{x1:.2f}%" y1="{y1:.1f}" x2="{x2:.2f}%" y2="{y2:.1f}"/>'


def bar(x1: float, x2: float, y: float, height: float, css: str) -> str:
    """Return a filled rectangle, never too narrow to be seen."""
    size = f'width="{max(x2 - x1, 0.3):.2f}%" height="{height:.1f}"'
    return f'<rect class="{css}" x="{x1:.2f}%" y="{y:.1f}" {size}/>'


def dot(x: float, y: float, css: str) -> str:
    """Return a small filled circle."""
    return f'<circle class="{css}" cx="{x:.2f}%" cy="{y:.1f}" r="3"/>'


def shape(x: float, y: float, path: str, css: str) -> str:
    """Return a path of pixels around a place: a path itself knows no percent."""
    return f'<svg x="{x:.2f}%" y="{y:.1f}" class="place"><path class="{css}" d="{path}"/></svg>'


def x_axis(scale: Scale, ticks: Sequence[float], span: tuple[float, float], name: str) -> list[str]:
    """Return upright grid lines over a span of y with their labels and the axis' name below."""
    top, bottom = span
    parts = []
    for tick in ticks:
        x = scale.at(tick)
        parts.append(line((x, top), (x, bottom), "grid"))
        parts.append(text(x, bottom + 15, figure(tick), _anchor(x)))
    return [*parts, text(50, bottom + 15 + LINE, name, "middle", "quiet")]


def _anchor(x: float) -> str:
    """Return how a label is set against its tick, so that it stays within the drawing."""
    return "start" if x < 5 else "end" if x > 95 else "middle"


def figure(value: float) -> str:
    """Return a tick's label."""
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def ticks(largest: float) -> list[float]:
    """Return three to six round numbers from zero to at least the largest value."""
    power = 10 ** floor(log10(largest))
    step = next(s for s in (power / 5, power / 2, power, 2 * power) if largest / s <= 5)
    count = int(-(-largest // step))
    return [step * tick for tick in range(count + 1)]


def log_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Return round numbers between two, as many as are readable: 1, 2, 5, 10; or 1, 10, 100."""
    powers = [10.0**power for power in range(floor(log10(low)), floor(log10(high)) + 1)]
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [p * step for p in powers for step in steps if low <= p * step <= high]
        if len(found) <= most:
            return found
    return found[:: -(-len(found) // most)]
