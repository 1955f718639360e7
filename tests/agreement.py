"""Do two full runs agree? No pair of lanes may be called in opposite directions.

What is sure in one must be shown in the other.

.venv/bin/python -m tests.agreement RUN_A RUN_B
"""

import sys
from math import log
from pathlib import Path

from loadtest import results
from loadtest.figures import factor
from loadtest.stats import Interval
from loadtest.summary import Summary, by_load

SURE = 2.0  # half-widths from 1


def called(ratio: Interval) -> int:
    """Return 1 or -1 where a difference is shown, by its direction; else 0."""
    return (ratio.low > 1) - (ratio.high < 1)


def is_sure(ratio: Interval) -> bool:
    """Return whether the ratio is further from 1 than twice its half-width, in logarithms."""
    return abs(log(ratio.estimate)) > SURE * log(ratio.high / ratio.estimate)


def disagreement(a: Interval, b: Interval) -> str | None:
    """Return how two runs disagree on a pair, None if they do not."""
    if called(a) * called(b) < 0:
        return "called in opposite directions"
    if (is_sure(a) and not called(b)) or (is_sure(b) and not called(a)):
        return "sure in one, not shown in the other"
    return None


def compare(a: Summary, b: Summary) -> list[str]:
    """Print each pair of lanes of two runs; return those that they disagree on."""
    ours, theirs = a.all_pairs(), b.all_pairs()
    wrong = []
    for pair in sorted(ours.keys() & theirs.keys()):
        found = disagreement(ours[pair], theirs[pair])
        figures = f"{factor(ours[pair])} and {factor(theirs[pair])}"
        print(f"{a.workload.load}: {pair[0]} / {pair[1]}: {figures}{f': {found}' if found else ''}")
        wrong += [" / ".join(pair)] if found else []
    return wrong


def main(folders: list[str]) -> int:
    """Return 1 if the runs in the two folders disagree on any pair, under any load."""
    ours, theirs = (by_load(results.load(Path(folder))) for folder in folders)
    wrong = [pair for load in ours if load in theirs for pair in compare(ours[load], theirs[load])]
    print(
        f"\n{len(wrong)} pairs that the runs disagree on{': ' if wrong else ''}{', '.join(wrong)}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:3]))
