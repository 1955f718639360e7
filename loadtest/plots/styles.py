"""How lanes are told apart: the framework by colour and filling, the server by shape and dashes."""

from dataclasses import dataclass

from loadtest.plan import from_description
from loadtest.plots import axes
from loadtest.summary import Summary

COLOURS = 5  # that the page's style sheet has, as classes `lane-0` and so on
SHAPES = (
    "M-5 -5H5V5H-5Z",  # a square
    "M0 -6A6 6 0 1 1 0 6A6 6 0 1 1 0 -6Z",  # a circle
    "M0 -6L6 5H-6Z",  # a triangle
    "M0 -7L6 0L0 7L-6 0Z",  # a diamond
    "M0 6L6 -5H-6Z",  # a triangle on its tip
    "M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",  # a cross
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
        filling = "hollow" if self.framework % 2 else "full"
        outline = SHAPES[self.server % len(SHAPES)]
        return axes.shape(x, y, outline, f"marker {filling} {self.css}")

    def line(self, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Return a line in the lane's colour and dashes."""
        return axes.line(start, end, f"curve dash-{self.server % 3} {self.css}")


def styles(summary: Summary) -> dict[str, Style]:
    """Return the style of each lane of the run."""
    plan = from_description(summary.run.description["plan"])
    lanes = list(dict.fromkeys(cell.lane for cell in plan.cells))
    frameworks = list(dict.fromkeys(lane.framework for lane in lanes))
    servers = list(dict.fromkeys((lane.server, lane.workers) for lane in lanes))
    return {
        lane.name: Style(
            frameworks.index(lane.framework), servers.index((lane.server, lane.workers))
        )
        for lane in lanes
    }
