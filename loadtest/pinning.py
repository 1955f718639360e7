"""Which cores a run gives to the server, and which to the load."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_CORES = r"\d{1,4}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?)*"
_PIN = re.compile(f"({_CORES}):({_CORES})", re.ASCII)


class PinError(Exception):
    """Cores that cannot be given so; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Pin:
    """The cores of the server and of the load, in order; none means all of them."""

    server: tuple[int, ...] = ()
    load: tuple[int, ...] = ()


def parse(text: str, usable: Collection[int]) -> Pin:
    """Return the cores that a text such as 0:1 or 0-3:4,5 names, or raise PinError."""
    match = _PIN.fullmatch(text)
    if not match:
        raise PinError("--pin must be SERVER:LOAD, two lists of cores such as 0:1 or 0-3:4,5")
    server, load = (tuple(sorted(set(_listed(cores, usable)))) for cores in match.groups())
    shared = sorted(set(server) & set(load))
    if shared:
        raise PinError(f"--pin must not give core {_words(shared)} to both server and load")
    return Pin(server, load)


def _listed(text: str, usable: Collection[int]) -> Iterator[int]:
    for part in text.split(","):
        first, _, last = part.partition("-")
        cores = range(int(first), int(last or first) + 1)
        if not cores:
            raise PinError(f"--pin must name the lower core first, not {part}")
        for core in cores:
            if core not in usable:
                raise PinError(
                    f"--pin names core {core}, which this process may not use; "
                    f"there are {_words(sorted(usable))}"
                )
            yield core


def _words(cores: Collection[int]) -> str:
    return ", ".join(map(str, cores))
