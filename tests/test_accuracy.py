"""docs/accuracy.md says what the tests hold."""

import re

from tests.accuracy import PAGE, page
from tests.comparisons import COMPARISONS
from tests.event_comparisons import EVENT_COMPARISONS

# What may change with another version of a library, or a processor: what was seen, and the dates.
SEEN = re.compile(r"[\d.]+(?= / )|\d{4}-\d{2}-\d{2}")


def test_page_is_what_make_accuracy_writes() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert SEEN.sub("", written) == SEEN.sub("", page()), "run make accuracy"


def test_page_shows_nothing_beyond_what_is_allowed() -> None:
    figures = re.findall(r"([\d.]+) / ([\d.]+)", PAGE.read_text(encoding="utf-8"))
    every = (*COMPARISONS, *EVENT_COMPARISONS)
    assert len(figures) == sum(len(comparison.bodies) for comparison in every)
    assert [(seen, allowed) for seen, allowed in figures if float(seen) > float(allowed)] == []
