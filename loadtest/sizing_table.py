"""How many workers a rate of requests needs, as a table of text."""

from loadtest.figures import NOTHING, PERCENT, number
from loadtest.sizing import UTILISATION, Memory, Question, sizes
from loadtest.summary import Summary
from loadtest.table import Table

DEFAULT = Question()
SIZING = (
    "A sketch to begin with, for this request on such cores. A worker is taken to answer one "
    "request at a time on a core of its own (so there must be as many cores as workers, and more "
    "for whatever else runs), in the CPU time that the lane with the fewest workers was measured "
    f"to use, and to be busy for at most {100 * UTILISATION:g}{PERCENT} of the time. The 99th "
    "percentile is that of a queue before each worker, with random arrivals shared evenly and an "
    "exponential time of service (M/M/1), since the run's closed loop measures none at a given "
    "rate. Clients are taken to be as near as the load's: a slow one holds a sync worker, where "
    "no proxy stands between. Memory is on a straight line through the measured numbers of "
    "workers. Development servers are not for production."
)


def sizing(summary: Summary, question: Question = DEFAULT) -> Table:
    """Return what each stack needs to serve so much."""
    rows = (
        (
            size.stack.name,
            "cannot" if size.workers is None else str(size.workers),
            _memory(size.memory),
            number(size.cores, 2),
            number(size.p99_ms, 1),
            size.decides,
        )
        for size in sizes(summary, question)
    )
    return Table(
        f"For {question.rate_rps:,g} requests per second, 99 in 100 within {question.p99_ms:g} ms",
        ("", "workers", "memory, MiB", "CPU, cores", "p99, ms", "what decides"),
        tuple(rows),
        (SIZING,),
    )


def _memory(memory: Memory | None) -> str:
    if memory is None:
        return NOTHING
    return f"{memory.mib:,.0f}{' at most' if memory.at_most else ''}"
