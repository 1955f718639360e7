"""Where a smooth curve is zero, and where it turns."""

from collections.abc import Callable

Curve = Callable[[float], float]


def root(curve: Curve, a: float, at_a: float, b: float, at_b: float, close: float) -> float:
    """Return where the curve is zero between a and b, at which it has different signs.

    To `close`, by the regula falsi in the Illinois form: in some seven rounds over a piece of a
    sine, where bisection would take twenty. It is done when the zero is closed in: that a step is
    small says nothing beside an extreme, where the curve is flat.
    """
    while abs(b - a) > close:
        x = b - at_b * (b - a) / (at_b - at_a)
        at_x = curve(x)
        if at_x == 0:
            return x
        if (at_x > 0) != (at_b > 0):
            a, at_a = b, at_b
        else:
            at_a /= 2  # or that end would stay where it is
        b, at_b = x, at_x
    return b


def turn(curve: Curve, near: float, step: float) -> float:
    """Return where the curve has an extreme, by the parabola through three of its points.

    They are `step` apart, the middle one at `near`; never further than a step from there.
    """
    before, middle, after = (curve(near + way * step) for way in (-1, 0, 1))
    bend = before - 2 * middle + after
    if not bend:
        return near
    return near + step * min(max((before - after) / bend / 2, -1.0), 1.0)
