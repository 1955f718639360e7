"""The load generators, as rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from loadtest import ab
from loadtest.load import Load, LoadMissingError


class UnknownLoadError(ValueError):
    """A name that no load has."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no load is called {name!r}; there are {', '.join(LOADS)}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Kind:
    """How a load is found, or LoadMissingError raised; and which version of it is installed."""

    find: Callable[[], Load]
    version: Callable[[], str]


LOADS: Mapping[str, Kind] = {
    "ab": Kind(lambda: ab.ApacheBench(ab.find()), lambda: ab.version().split()[0]),
}


def chosen(names: Sequence[str]) -> dict[str, Load]:
    """Return the named loads, or raise UnknownLoadError or LoadMissingError.

    Where none is named, return those that are installed; ab must be.
    """
    for name in names:
        if name not in LOADS:
            raise UnknownLoadError(name)
    if names:
        return {name: LOADS[name].find() for name in LOADS if name in names}
    return {"ab": LOADS["ab"].find()} | _installed()


def _installed() -> dict[str, Load]:
    found = {}
    for name, kind in LOADS.items():
        try:
            found[name] = kind.find()
        except LoadMissingError:
            continue
    return found


def versions(names: Sequence[str]) -> dict[str, str]:
    """Return the version of each, or raise LoadError."""
    return {name: LOADS[name].version() for name in names}
