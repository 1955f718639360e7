"""Plots as SVG in the page's own font and colours."""

from loadtest.plots import attribution, efficiency, forest, latency, throughput
from loadtest.plots.axes import Plot
from loadtest.summary import Summary


def plots(summary: Summary) -> list[Plot]:
    """Return the report's plots, in its order: those that the run has something for."""
    drawn = (
        throughput.plot(summary),
        forest.plot(summary),
        latency.plot(summary),
        efficiency.plot(summary),
        attribution.plot(summary),
    )
    return [plot for plot in drawn if plot]
