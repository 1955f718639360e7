"""Lists of cores, as they are written after --pin."""

import pytest

from loadtest.pinning import Pin, PinError, parse

EIGHT = range(8)


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("0:1", Pin((0,), (1,))),
        ("0-3:4,5", Pin((0, 1, 2, 3), (4, 5))),
        ("7,1-2,2:0", Pin((1, 2, 7), (0,))),
        ("3-3:04", Pin((3,), (4,))),
    ],
)
def test_cores_are_numbers_and_ranges(text: str, pin: Pin) -> None:
    assert parse(text, EIGHT) == pin


@pytest.mark.parametrize(
    "text", ["", ":", "0", "0:", ":1", "0:1:2", "0,:1", "0-:1", "0 :1", "a:b", "-1:0", "\u0660:1"]
)
def test_what_is_no_pair_of_lists_is_refused(text: str) -> None:
    with pytest.raises(PinError, match="--pin must be SERVER:LOAD"):
        parse(text, EIGHT)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0:8", "--pin names core 8, which this process may not use; there are 0, 1, 2"),
        ("0-9999:1", "--pin names core 8, which this process may not use"),
        ("0-3:3,2", "--pin must not give core 2, 3 to both server and load"),
        ("3-1:0", "--pin must name the lower core first, not 3-1"),
    ],
)
def test_cores_that_cannot_be_given_are_named(text: str, sentence: str) -> None:
    with pytest.raises(PinError, match=sentence):
        parse(text, EIGHT)
