"""A program that makes GET requests as one client would, checks each reply, and prints a line.

    python -E -P program.py CLIENT URL REQUESTS CONCURRENCY keep|close

The line is JSON, as `report` says. The exit status is 0 if each reply came whole, with status 200
and the bytes that most have, and 1 otherwise; the line is there in both cases. Python's start and
the imports come before the clock, and the checks after it.
"""

import asyncio
import importlib
import json
import os
import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TIMEOUT_S = 60  # of a request, its wait for a connection included
CLOSE = {"Connection": "close"}


@dataclass(frozen=True, slots=True)
class Asked:
    """So many GETs at a URL, at most `concurrency` of them at once."""

    url: str
    requests: int
    concurrency: int
    keep_alive: bool

    @property
    def headers(self) -> dict[str, str]:
        """Return what each request says beside what the client says by itself."""
        return {} if self.keep_alive else CLOSE

    @property
    def limit(self) -> int | None:
        """Return how many connections there may be, None where nothing has to wait for one."""
        return self.concurrency if self.concurrency < self.requests else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one request: a reply, or the name of an error."""

    took_s: float
    status: int = 0
    body: bytes = b""
    error: str = ""


def _since(began: float) -> float:
    return time.perf_counter() - began


def one_after_another(asked: Asked) -> list[Outcome]:
    """Return the outcomes by requests, on one Session."""
    import requests

    with requests.Session() as session:
        session.headers.update(asked.headers)
        outcomes = []
        for _ in range(asked.requests):
            began = time.perf_counter()
            try:
                got = session.get(asked.url, timeout=TIMEOUT_S)
                outcomes.append(Outcome(_since(began), got.status_code, got.content))
            except requests.RequestException as error:
                outcomes.append(Outcome(_since(began), error=type(error).__name__))
        return outcomes


def by_threads(asked: Asked) -> list[Outcome]:
    """Return the outcomes by threads with a Session each; what 100 // 3 leaves is made, too."""
    each, rest = divmod(asked.requests, asked.concurrency)
    found: list[list[Outcome]] = [[] for _ in range(asked.concurrency)]

    def work(number: int) -> None:
        share = each + (number < rest)
        found[number] = one_after_another(
            Asked(asked.url, share, asked.concurrency, asked.keep_alive)
        )

    # A list: a generator would be used up when all are started, and the second loop join none.
    threads = [threading.Thread(target=work, args=(n,)) for n in range(asked.concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [outcome for outcomes in found for outcome in outcomes]


def by_aiohttp(asked: Asked) -> list[Outcome]:
    """Return the outcomes by aiohttp: a task for each request, as many connections as allowed."""
    return asyncio.run(_by_aiohttp(asked))


async def _by_aiohttp(asked: Asked) -> list[Outcome]:
    import aiohttp

    connector = aiohttp.TCPConnector(limit=asked.limit or 0)
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
    async with aiohttp.ClientSession(
        connector=connector, timeout=timeout, headers=asked.headers
    ) as session:

        async def get() -> Outcome:
            began = time.perf_counter()
            try:
                async with session.get(asked.url) as got:
                    body = await got.read()
                    return Outcome(_since(began), got.status, body)
            except (aiohttp.ClientError, TimeoutError) as error:
                return Outcome(_since(began), error=type(error).__name__)

        return await asyncio.gather(*(get() for _ in range(asked.requests)))


def by_httpx(asked: Asked) -> list[Outcome]:
    """Return the outcomes by httpx: a task for each request, as many connections as allowed."""
    return asyncio.run(_by_httpx(asked))


async def _by_httpx(asked: Asked) -> list[Outcome]:
    import httpx

    limits = httpx.Limits(max_connections=asked.limit, max_keepalive_connections=asked.limit)
    async with httpx.AsyncClient(
        limits=limits, timeout=TIMEOUT_S, headers=asked.headers
    ) as session:

        async def get() -> Outcome:
            began = time.perf_counter()
            try:
                got = await session.get(asked.url)
                return Outcome(_since(began), got.status_code, got.content)
            except httpx.HTTPError as error:
                return Outcome(_since(began), error=type(error).__name__)

        return await asyncio.gather(*(get() for _ in range(asked.requests)))


@dataclass(frozen=True, slots=True)
class Client:
    """A way to make the requests, and the package that it takes."""

    package: str
    run: Callable[[Asked], list[Outcome]]


CLIENTS: Mapping[str, Client] = {
    "requests": Client("requests", one_after_another),
    "threads": Client("requests", by_threads),
    "aiohttp": Client("aiohttp", by_aiohttp),
    "httpx": Client("httpx", by_httpx),
}


def measure(client: Client, asked: Asked) -> dict[str, Any]:
    """Return what the client did, and what it took."""
    importlib.import_module(client.package)
    connections = _connections()
    startup_cpu_s = time.process_time()
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    outcomes = client.run(asked)
    seconds, after = _since(began), resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": seconds,
        "user_s": after.ru_utime - before.ru_utime,
        "system_s": after.ru_stime - before.ru_stime,
        "startup_cpu_s": startup_cpu_s,
        "connections": len(connections),
        **report(asked, outcomes),
    }


def _connections() -> list[None]:
    """Return a list that grows with each connection: an audit hook, and no part of the client."""
    opened: list[None] = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect":
            opened.append(None)

    sys.addaudithook(note)
    return opened


def report(asked: Asked, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the counts: what was asked, complete, wrong and why; `bytes` is of each reply."""
    replies = [outcome for outcome in outcomes if not outcome.error]
    failures = Counter(outcome.error for outcome in outcomes if outcome.error)
    bodies = Counter(reply.body for reply in replies)
    failures["other bytes"] = len(replies) - max(bodies.values(), default=0)
    failures["missing"] = asked.requests - len(outcomes)
    lengths = {len(reply.body) for reply in replies}
    return {
        "requests": asked.requests,
        "complete": len(replies),
        "not_2xx": sum(not 200 <= reply.status <= 299 for reply in replies),
        "failures": {kind: count for kind, count in failures.items() if count},
        "bytes": lengths.pop() if len(lengths) == 1 else None,
        "total_bytes": sum(len(reply.body) for reply in replies),
        "took_ms": [round(1000 * reply.took_s, 3) for reply in replies],
    }


def main() -> None:
    """Do what the arguments say."""
    os.environ.clear()  # a proxy, AIOHTTP_NO_EXTENSIONS: nothing from outside changes a client
    name, url, requests, concurrency, keep = sys.argv[1:]
    asked = Asked(url, int(requests), int(concurrency), keep == "keep")
    measured = measure(CLIENTS[name], asked)
    print(json.dumps({"client": name, **measured}))
    faultless = measured["complete"] == asked.requests and not measured["failures"]
    sys.exit(0 if faultless and not measured["not_2xx"] else 1)


if __name__ == "__main__":
    main()
