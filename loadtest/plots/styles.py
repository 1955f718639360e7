"""How lanes are told apart: the framework by colour and filling, all else by shape and dashes."""

from collections.abc import Mapping
from dataclasses import dataclass

from loadtest.lanes import Lane
from loadtest.plan import from_description
from loadtest.plots import axes
from loadtest.results import Run
from loadtest.summary import Summary

COLOURS = 5  # that the page's style sheet has, as classes `lane-0` and so on
DASHES = 6  # as classes `dash-0` and so on
SHAPES = (
    "M-5 -5H5V5H-5Z",  # a square
    "M0 -6A6 6 0 1 1 0 6A6 6 0 1 1 0 -6Z",  # a circle
    "M0 -6L6 5H-6Z",  # a triangle
    "M0 -7L6 0L0 7L-6 0Z",  # a diamond
    "M0 6L6 -5H-6Z",  # a triangle on its tip
    "M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",  # a cross
    "M6 0L-5 6V-6Z",  # a triangle to the right
    "M-6 0L5 6V-6Z",  # one to the left
    "M-6 -6H6L0 0L6 6H-6L0 0Z",  # an hourglass
    "M-6 -6V6L0 0L6 6V-6L0 0Z",  # a bow tie
    "M-6 5V-1A6 6 0 0 1 6 -1V5Z",  # an arch
    "M-6 -3H6V3H-6Z",  # a lying rectangle
    "M-6 -4L-4 -6L0 -2L4 -6L6 -4L2 0L6 4L4 6L0 2L-4 6L-6 4L-2 0Z",  # a saltire
    "M0 -6L6 -1L4 6H-4L-6 -1Z",  # a pentagon
    "M-6 0L-3 -6H3L6 0L3 6H-3Z",  # a hexagon
    "M-3 -6H3V6H-3Z",  # a standing rectangle
)
# A kind of filling, and what stands in the middle of the mark.
FILLINGS = (
    ("full", ""),
    ("hollow", ""),
    ("hollow", "M-1.5 -1.5H1.5V1.5H-1.5Z"),
    ("hollow", "M-4 0H4"),
    ("hollow", "M0 -4V4"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """A lane's colour, filling, shape and dashes, each a number from 0."""

    framework: int
    server: int

    @property
    def css(self) -> str:
        """Return the class of its colour."""
        return f"lane-{self.framework % COLOURS}"

    def marker(self, x: float, y: float) -> str:
        """Return the lane's mark at a place."""
        filling, middle = FILLINGS[self.framework % len(FILLINGS)]
        outline = SHAPES[self.server % len(SHAPES)]
        mark = axes.shape(x, y, outline, f"marker {filling} {self.css}")
        return mark + axes.shape(x, y, middle, f"middle {self.css}") if middle else mark

    def line(self, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Return a line in the lane's colour and dashes."""
        return axes.line(start, end, f"curve dash-{self.server % DASHES} {self.css}")


def styles(of: Run | Summary) -> Mapping[str, Style]:
    """Return the style of each lane of the run, by its name."""
    run = of.run if isinstance(of, Summary) else of
    plan = from_description(run.description["plan"])
    lanes = list(dict.fromkeys(cell.lane for cell in plan.cells))
    frameworks = list(dict.fromkeys(lane.framework for lane in lanes))
    kinds = list(dict.fromkeys(_kind(lane) for lane in lanes))
    return {
        lane.name: Style(frameworks.index(lane.framework), kinds.index(_kind(lane)))
        for lane in lanes
    }


def _kind(lane: Lane) -> tuple[str | int, ...]:
    """Return what of the lane its shape and dashes say; a twin has its original's style."""
    return lane.server, lane.variant, lane.workers, lane.behind, lane.python
