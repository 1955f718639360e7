"""The load generators, as rows."""

from collections.abc import Callable, Mapping, Sequence

from loadtest import ab, h2load
from loadtest.load import Load, LoadMissingError

LOADS: Mapping[str, Callable[[], Load]] = {
    "ab": lambda: ab.ApacheBench(ab.find()),
    "h2load": lambda: h2load.H2Load(h2load.find()),
}
REQUIRED = "ab"  # the article's table is its


class UnknownLoadError(ValueError):
    """A name that no load has."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no load is called {name!r}; there are {', '.join(LOADS)}")
        self.name = name


def chosen(names: Sequence[str]) -> dict[str, Load]:
    """Return the named loads, or raise UnknownLoadError or LoadMissingError.

    Where none is named, return those that are installed; ab must be.
    """
    for name in names:
        if name not in LOADS:
            raise UnknownLoadError(name)
    if names:
        return {name: find() for name, find in LOADS.items() if name in names}
    return {REQUIRED: LOADS[REQUIRED](), **_installed()}


def _installed() -> dict[str, Load]:
    found = {}
    for name, find in LOADS.items():
        try:
            found[name] = find()
        except LoadMissingError:
            continue
    return found
