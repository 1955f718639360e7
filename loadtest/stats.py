"""Ratios and their intervals. The trial is the unit of replication; requests are never pooled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import fmean, stdev

from scipy.special import stdtrit

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval."""

    estimate: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether the interval holds the value."""
        return self.low <= value <= self.high

    def map(self, function: Callable[[float], float]) -> "Interval":
        """Return the interval under an increasing function."""
        return Interval(function(self.estimate), function(self.low), function(self.high))


def mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the mean with Student's t interval; of one value, the interval is everything."""
    estimate = fmean(values)
    half = half_width(values, confidence)
    return Interval(estimate, estimate - half, estimate + half)


def half_width(values: Sequence[float], confidence: float = CONFIDENCE) -> float:
    """Return half the width of Student's t interval of the mean."""
    n = len(values)
    if n < 2:
        return inf
    t = float(stdtrit(n - 1, (1 + confidence) / 2))
    return t * stdev(values) / sqrt(n)


def geometric_mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the geometric mean of positive values: Student's t interval of their logarithms."""
    return mean([log(value) for value in values], confidence).map(_exp)


def ratio(
    a: Mapping[int, float], b: Mapping[int, float], confidence: float = CONFIDENCE
) -> Interval | None:
    """Return A/B as a factor, from two lanes' values by block, or None without a common block.

    The mean over blocks of log(A/B): what the machine did in a block, it did to both.
    """
    blocks = a.keys() & b.keys()
    if not blocks:
        return None
    return geometric_mean([a[block] / b[block] for block in sorted(blocks)], confidence)


def _exp(value: float) -> float:
    return exp(value) if value < 700 else inf
