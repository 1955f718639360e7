"""Which lanes a run is made to compare: rules over the lanes, each with what its pairs are for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from loadtest.lanes import Lane

FRAMEWORKS = ("aiohttp", "flask")  # the article's, the first as a factor of the second
DEV = "dev"
ARTICLE_SERVERS = (DEV, "gunicorn")

# What a pair is for.
FRAMEWORK = "the article's frameworks on one server"
SERVER = "the article's servers, to the development server"
STACK = "a further stack, to the plain one"
VARIANT = "a variant, to the lane without it"
OWN = "a person's own, to the first of them"
PROXY = "behind a proxy, to the same without"
BEHIND = "behind one proxy, as without"
PYTHON = "on a further Python, to the same on the first"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lanes to be compared, the first as a factor of the second."""

    a: Lane
    b: Lane
    purpose: str

    @property
    def names(self) -> tuple[str, str]:
        """Return both lanes' names."""
        return self.a.name, self.b.name


def planned(lanes: Sequence[Lane]) -> tuple[Pair, ...]:
    """Return what is compared in a run of these lanes, no two of them twice."""
    originals = [lane for lane in dict.fromkeys(lanes) if not lane.twin]
    found: dict[tuple[str, str], Pair] = {}
    for rule in RULES:
        for pair in rule(originals):
            if pair.names[::-1] not in found:
                found.setdefault(pair.names, pair)
    return tuple(found.values())


def of_article(lane: Lane) -> bool:
    """Return whether the article's table has a place for the lane."""
    return lane.framework in FRAMEWORKS and lane.server in ARTICLE_SERVERS and _is_plain(lane)


def _is_plain(lane: Lane) -> bool:
    return not (lane.variant or lane.twin or lane.behind or lane.python or lane.own)


def places(lanes: Sequence[Lane]) -> list[tuple[str, int]]:
    """Return the servers of the article's lanes with their workers, for development first."""
    kinds = {(lane.server, lane.workers) for lane in lanes if of_article(lane)}
    return [(DEV, 1), *sorted(kinds - {(DEV, 1)})] if kinds else []


def _frameworks(lanes: Sequence[Lane]) -> Iterator[Pair]:
    for place in places(lanes):
        a, b = (_at(lanes, framework, place) for framework in FRAMEWORKS)
        yield from _pair(a, b, FRAMEWORK)


def _servers(lanes: Sequence[Lane]) -> Iterator[Pair]:
    for place in places(lanes)[1:]:
        for framework in FRAMEWORKS:
            first = _at(lanes, framework, (DEV, 1))
            yield from _pair(_at(lanes, framework, place), first, SERVER)


def _stacks(lanes: Sequence[Lane]) -> Iterator[Pair]:
    """Yield each further lane to Flask's sync worker under gunicorn, or else to the first lane."""
    alone = sum(bool(lane.own) for lane in lanes) < 2
    rows = [lane for lane in lanes if not lane.behind and not lane.python]
    for lane in rows:
        if not of_article(lane) and (alone or not lane.own):
            plain = _at(rows, "flask", ("gunicorn", lane.workers))
            yield from _pair(lane, plain or rows[0], STACK)


def _variants(lanes: Sequence[Lane]) -> Iterator[Pair]:
    rows = [lane for lane in lanes if not lane.behind and not lane.python]
    for lane in rows:
        if lane.variant:
            kind = (lane.framework, lane.server, lane.workers)
            alike = (x for x in rows if (x.framework, x.server, x.workers) == kind)
            without = next((other for other in alike if not other.variant), None)
            yield from _pair(lane, without, VARIANT)


def _own(lanes: Sequence[Lane]) -> Iterator[Pair]:
    for lane in lanes:
        if lane.own:
            firsts = (x for x in lanes if x.own and x.behind == lane.behind)
            yield from _pair(lane, next(firsts, None), OWN)


def _proxied(lanes: Sequence[Lane]) -> Iterator[Pair]:
    by_name = {lane.name: lane for lane in lanes}
    for lane in lanes:
        if lane.behind:
            yield from _pair(lane, by_name.get(replace(lane, behind="").name), PROXY)


def _behind(lanes: Sequence[Lane]) -> Iterator[Pair]:
    """Yield behind each proxy the frameworks, and the further stacks, as they are paired before."""
    for proxy in dict.fromkeys(lane.behind for lane in lanes if lane.behind and not lane.own):
        there = {replace(lane, behind=""): lane for lane in lanes if lane.behind == proxy}
        for pair in (*_frameworks(list(there)), *_stacks(list(there))):
            yield Pair(there[pair.a], there[pair.b], BEHIND)


def _pythons(lanes: Sequence[Lane]) -> Iterator[Pair]:
    firsts: dict[Lane, Lane] = {}
    for lane in lanes:
        if lane.python:
            yield from _pair(lane, firsts.setdefault(replace(lane, python=""), lane), PYTHON)


def _at(lanes: Sequence[Lane], framework: str, place: tuple[str, int]) -> Lane | None:
    """Return the article's lane of a framework at a place, None where the run has none."""
    there = (lane for lane in lanes if of_article(lane) and (lane.server, lane.workers) == place)
    return next((lane for lane in there if lane.framework == framework), None)


def _pair(a: Lane | None, b: Lane | None, purpose: str) -> Iterator[Pair]:
    if a and b and a != b:
        yield Pair(a, b, purpose)


RULES: tuple[Callable[[Sequence[Lane]], Iterator[Pair]], ...] = (
    _frameworks,
    _servers,
    _stacks,
    _variants,
    _own,
    _behind,
    _proxied,
    _pythons,
)
