"""Where curves are zero and where they turn, in few looks at them."""

from collections.abc import Callable
from math import cos, pi, sin

import pytest

from planettracker.sky.curve import Curve, root, turn

Looks = list[float]


def watched(curve: Curve) -> tuple[Curve, Looks]:
    looks: Looks = []

    def watching(x: float) -> float:
        looks.append(x)
        return curve(x)

    return watching, looks


@pytest.mark.parametrize(
    ("curve", "a", "b", "zero", "most"),
    [
        (lambda x: x, -1.0, 2.0, 0.0, 2),
        (sin, -0.2, 0.5, 0.0, 8),
        (lambda x: sin(x) - 0.9, 0.0, pi / 2, 1.1197695149986342, 10),
        # Where one end alone would creep towards it.
        (lambda x: x**5 - 0.1, 0.0, 2.0, 0.1 ** (1 / 5), 20),
        (lambda x: 0.99999999 - cos(x), 0.0, 0.5, 1.4142135624e-4, 30),
    ],
)
def test_root_is_found_in_few_looks(
    curve: Callable[[float], float], a: float, b: float, zero: float, most: int
) -> None:
    watching, looks = watched(curve)
    assert root(watching, a, curve(a), b, curve(b), 1e-7) == pytest.approx(zero, abs=1e-7)
    assert len(looks) <= most


def test_root_at_an_end_is_that_end() -> None:
    assert root(sin, 0.0, 0.0, 1.0, sin(1), 1e-7) == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("near", [-0.5, -0.1, 0.0, 0.3, 0.5])
def test_turn_of_a_sine_is_found_from_beside_it(near: float) -> None:
    for curve in (cos, lambda x: -cos(x)):
        assert turn(curve, turn(curve, near, 0.5), 0.25) == pytest.approx(0.0, abs=1e-3)


def test_turn_of_a_parabola_is_exact() -> None:
    assert turn(lambda x: (x - 0.7) ** 2, 0.5, 1.0) == pytest.approx(0.7)


def test_turn_is_never_further_than_a_step() -> None:
    assert turn(lambda x: (x - 9) ** 2, 0.0, 1.0) == 1.0
    assert turn(lambda x: (x + 9) ** 2, 0.0, 1.0) == -1.0


def test_straight_line_turns_nowhere() -> None:
    assert turn(lambda x: 2 * x, 3.0, 1.0) == 3.0
