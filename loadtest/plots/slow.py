"""Each lane's latency alone and beside slow clients, and how many requests were answered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from loadtest import figures
from loadtest.figures import PERCENT
from loadtest.plots import axes
from loadtest.plots.axes import LINE, Plot, Scale
from loadtest.plots.styles import Style

TITLE = "Latency alone and beside slow clients"
# How each of a lane's lines is told from the others, and what its mark is called.
MARKS = (
    (Style(0, 0), "a full square"),
    (Style(1, 1), "a hollow circle"),
    (Style(2, 2), "a triangle with a dot in it"),
)
GAP = 10  # between lanes
START = 20.0  # percent: on a phone 58 pixels, for the names of the lines
SHORT = 64.0  # where the scale ends if shares are written: `>99 % answered` is 90 pixels
BESIDE = 3.5  # percent, from a mark's middle to the share
MARGIN = 1.6  # of the scale beyond what it shows: so it spans a factor of 2.5, and has a tick
TWICE = 2.0


@dataclass(frozen=True, slots=True)
class Line:
    """A lane's latency beside slow clients, or alone where `slow` is empty, and who was answered.

    What is not known is None; `answered` is a share of the requests.
    """

    slow: str
    p50_ms: float | None
    p99_ms: float | None
    answered: float | None

    @property
    def drawn_ms(self) -> float | None:
        """Return where its mark stands: nowhere if the middle trial had no answer."""
        return self.p99_ms if self.answered else None

    @property
    def beside(self) -> str:
        """Return for instance `beside 50 idle`."""
        return f"beside {self.slow}" if self.slow else "alone"

    @property
    def lacking(self) -> str:
        """Return what is to be said where not all is well: how much was answered, or known."""
        if self.answered is None:
            return "no valid trial"
        said = [] if self.answered == 1 else [f"{_percent(self.answered)} answered"]
        return ", ".join([*said, *(["no latency"] if self.answered and not self.p99_ms else [])])


Lanes = Mapping[str, Sequence[Line]]


def plot(lanes: Lanes) -> Plot | None:
    """Return the plot of each lane's lines, the first of them alone; None without a latency."""
    drawn = [line for lines in lanes.values() for line in lines if line.drawn_ms]
    if not drawn:
        return None
    scale = _scale(drawn)
    tops = [0]
    for lines in lanes.values():
        tops.append(tops[-1] + LINE * (1 + len(lines)) + GAP)
    ticks = axes.log_ticks(scale.low, scale.high, 6 if scale.end > SHORT else 4)
    parts = axes.x_axis(scale, ticks, (0, tops[-1]), "milliseconds")
    for (name, lines), top in zip(lanes.items(), tops, strict=False):
        parts += _lane(name, lines, top, scale)
    svg = axes.drawing(TITLE, _description(lanes), tops[-1] + axes.AXIS, parts)
    return Plot(TITLE, svg, _caption(lanes))


def _scale(drawn: Sequence[Line]) -> Scale:
    values = [ms for line in drawn for ms in (line.p50_ms, line.p99_ms) if ms]
    end = SHORT if any(line.lacking for line in drawn) else axes.RIGHT
    return Scale(min(values) / MARGIN, max(values) * MARGIN, True, START, end)


def _lane(name: str, lines: Sequence[Line], top: float, scale: Scale) -> list[str]:
    parts = [axes.text(0, top + 14, name, css="over")]
    for number, (line, (style, _)) in enumerate(zip(lines, MARKS, strict=True), 1):
        parts += _line(line, style, top + LINE * number + LINE / 2, scale)
    return parts


def _line(line: Line, style: Style, y: float, scale: Scale) -> Iterator[str]:
    yield axes.text(0, y + 4, line.slow.split()[-1] if line.slow else "alone", css="quiet")
    x = scale.at(line.drawn_ms) if line.drawn_ms else None
    if x is not None and line.p50_ms:
        p50 = scale.at(line.p50_ms)
        yield axes.line((p50, y), (x, y), f"curve {style.css}")
        yield axes.line((p50, y - 7), (p50, y + 7), f"mean {style.css}")
    if x is not None:
        yield style.marker(x, y)
    if line.lacking:
        yield axes.text(START if x is None else x + BESIDE, y + 4, line.lacking, css="over")


def _percent(share: float) -> str:
    """Return the share, never all or none where it is but nearly that."""
    shown = f"{100 * share:.0f}"
    if share and shown == "0":
        return f"<1{PERCENT}"
    return f">99{PERCENT}" if share < 1 and shown == "100" else f"{shown}{PERCENT}"


def _description(lanes: Lanes) -> str:
    said = (f"{name} {', '.join(map(_said, lines))}" for name, lines in lanes.items())
    return f"Milliseconds, and the share answered where that is not all: {'; '.join(said)}."


def _said(line: Line) -> str:
    known = {"p50": line.p50_ms, "p99": line.p99_ms} if line.drawn_ms else {}
    latencies = [f"{name} {figures.number(ms, 1)}" for name, ms in known.items() if ms]
    lacking = f"({line.lacking})" if line.lacking else ""
    return " ".join(filter(None, (line.beside, *latencies, lacking)))


def _caption(lanes: Lanes) -> str:
    first = next(iter(lanes.values()))
    marks = ", ".join(f"{mark} {line.beside}" for line, (_, mark) in zip(first, MARKS, strict=True))
    said = [
        f"A mark is the p99 of the requests that were answered ({marks}), the stroke before it "
        "their p50, each the median of the trials' own; further left is sooner, and the scale is "
        "logarithmic.",
        *_shares(lanes),
        *_furthest(lanes),
    ]
    return " ".join(said)


def _shares(lanes: Lanes) -> Iterator[str]:
    lines = [line for found in lanes.values() for line in found]
    shares = [line.answered for line in lines if line.answered is not None]
    if min(shares) < 1:
        yield "Where not all was answered, the share is written, the median of the trials' own."
    if 0 in shares:
        yield "Where that is 0, there is no mark."


def _furthest(lanes: Lanes) -> Iterator[str]:
    """Yield which mark is furthest from that of its lane alone, as far as marks are drawn."""
    found = [
        (line.drawn_ms / alone.drawn_ms, name, line, alone)
        for name, (alone, *beside) in lanes.items()
        for line in beside
        if line.drawn_ms and alone.drawn_ms
    ]
    if not found:
        return
    factor, name, line, alone = max(found, key=lambda each: each[0])
    if factor < TWICE:
        yield "Each mark beside slow clients is at less than twice its lane's own alone."
        return
    yield (
        f"Furthest from its own alone is {name} {line.beside}: "
        f"{figures.number(line.drawn_ms, 1)} ms, alone {figures.number(alone.drawn_ms, 1)} ms."
    )
