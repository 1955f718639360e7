"""The experiment's load by Locust, for one machine or several: the same target, the same checks.

On one machine, by two processes and a master that sums them up:

    locust -f loadtest/locustfile.py --headless --processes 2 --host http://127.0.0.1:8000 \\
        --users 20 --spawn-rate 20 --requests 20000 --run-time 5m --summary summary.json

On several, where workers need nothing but Locust, since the master hands this file out:

    locust -f loadtest/locustfile.py --headless --master --expect-workers 2 \\
        --host http://SERVER:8000 --users 20 --spawn-rate 20 --requests 20000 --run-time 5m \\
        --summary summary.json
    locust -f - --worker --master-host MASTER     # on each of the two others

--requests (LOCUST_REQUESTS) are made exactly, each worker its part, by all users at once from the
moment that the last is there. --target (LOCUST_TARGET) is Mars at a fixed time unless another is
named, so that every reply must have the same bytes. --close (LOCUST_CLOSE) asks for a connection
for each request. --summary (LOCUST_SUMMARY) is a file of JSON that the master writes when all
parts are done: the counts and times of each, exact, where Locust's own tables round.

It imports nothing of the experiment.
"""

import hashlib
import json
import logging
import resource
import time
from collections import Counter
from pathlib import Path
from typing import Any

import gevent
from gevent.event import Event
from locust import FastHttpUser, events, task
from locust.argument_parser import LocustArgumentParser
from locust.env import Environment
from locust.exception import StopUser
from locust.runners import LocalRunner, MasterRunner, WorkerRunner

MARS = "/planets/mars?lon=145.051&lat=-39.754&elevation=0&time=2018-09-22T12:00:00Z"
DONE = "part"  # the message with which a worker hands in its part
TIMEOUT_S = 10.0


def add_options(parser: LocustArgumentParser) -> None:
    """Add what this load can be told."""
    parser.add_argument("--requests", type=int, default=1000, env_var="LOCUST_REQUESTS")
    parser.add_argument("--target", default=MARS, env_var="LOCUST_TARGET")
    parser.add_argument("--close", action="store_true", env_var="LOCUST_CLOSE")
    parser.add_argument("--summary", default="", env_var="LOCUST_SUMMARY")


class Part:
    """What one process does of the load: it counts what is begun and what is done."""

    def __init__(self, requests: int) -> None:
        self.requests = self.left = requests
        self.took_ms: list[float] = []
        self.failures: Counter[str] = Counter()
        self.not_2xx = self.kept_alive = self.total_bytes = self.done = 0
        self.first: bytes | None = None
        self.go = Event()
        self.began_s, self.before = 0.0, resource.getrusage(resource.RUSAGE_SELF)

    def start(self) -> None:
        """Let the users begin."""
        self.began_s, self.before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
        self.go.set()

    def take(self) -> bool:
        """Return whether there is one more request to make, and count it as begun."""
        self.left -= 1
        return self.left >= 0

    def judge(self, reply: Any, took_s: float) -> str | None:
        """Count a reply, and return what is wrong with it, if anything is."""
        self.done += 1
        if not reply.status_code:
            self.failures[type(reply.error).__name__] += 1
            return str(reply.error)
        body, headers = reply.content or b"", reply.headers or {}
        if int(headers.get("content-length", len(body))) != len(body):
            self.failures["broken off"] += 1  # which Locust takes for a whole reply
            return f"the reply broke off after {len(body)} bytes"
        self.took_ms.append(round(1000 * took_s, 3))
        self.total_bytes += len(body)
        self.kept_alive += headers.get("connection", "").lower() != "close"
        self.first = body if self.first is None else self.first
        if reply.status_code != 200:
            self.not_2xx += 1
            return f"status {reply.status_code}"
        if body != self.first:
            self.failures["other bytes"] += 1
            return f"other bytes than the first reply's ({len(body)}, not {len(self.first)})"
        return None

    def summary(self) -> dict[str, Any]:
        """Return the counts and times, for the master."""
        seconds = time.perf_counter() - self.began_s
        after = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "requests": self.requests,
            "complete": len(self.took_ms),
            "not_2xx": self.not_2xx,
            "failures": dict(self.failures),
            "kept_alive": self.kept_alive,
            "bytes": len(self.first or b""),
            "digest": hashlib.sha256(self.first or b"").hexdigest(),
            "total_bytes": self.total_bytes,
            "seconds": seconds,
            "user_s": after.ru_utime - self.before.ru_utime,
            "system_s": after.ru_stime - self.before.ru_stime,
            "took_ms": self.took_ms,
        }


class Swarm:
    """The parts of a load that are handed in, and the part of this process, if it has one."""

    def __init__(self) -> None:
        self.part: Part | None = None
        self.parts: list[dict[str, Any]] = []

    def hand_in(self, environment: Environment) -> None:
        """Give this process's part to the master, or sum it up where there is none."""
        assert self.part is not None
        if isinstance(environment.runner, WorkerRunner):
            environment.runner.send_message(DONE, self.part.summary())
        else:
            self.receive(environment, self.part.summary())

    def receive(self, environment: Environment, part: dict[str, Any]) -> None:
        """Take a part; when it is the last, write the summary and end the run."""
        self.parts.append(part)
        options, runner = environment.parsed_options, environment.runner
        assert options is not None and runner is not None
        if len(self.parts) < _workers(environment):
            return
        if options.summary:
            told = {"users": options.num_users, "parts": self.parts}
            Path(options.summary).write_text(json.dumps(told), encoding="utf-8")
        gevent.spawn(runner.quit)  # from a greenlet of its own, since it ends the caller's


swarm = Swarm()


def _workers(environment: Environment) -> int:
    """Return how many processes have a part."""
    if isinstance(environment.runner, LocalRunner) or environment.parsed_options is None:
        return 1
    return int(environment.parsed_options.expect_workers)


def listen(environment: Environment, **_: Any) -> None:
    """Take what the workers hand in, where this is the master."""
    if isinstance(environment.runner, MasterRunner):
        environment.runner.register_message(
            DONE, lambda environment, msg: swarm.receive(environment, msg.data)
        )


def share(environment: Environment, **_: Any) -> None:
    """Fix this process's part, as many requests as the others' or one more."""
    swarm.parts.clear()
    options, runner = environment.parsed_options, environment.runner
    assert options is not None
    if isinstance(runner, MasterRunner):
        if (options.num_users or 1) < _workers(environment):
            logging.error("--users must be at least as many as workers, or some have no user")
            gevent.spawn(runner.quit)
        return
    each, rest = divmod(options.requests, _workers(environment))
    index = runner.worker_index if isinstance(runner, WorkerRunner) else 0
    swarm.part = Part(each + (index < rest))


def begin(**_: Any) -> None:
    """Let the users begin: in every process, when the last user of all is there."""
    if swarm.part is not None:
        swarm.part.start()


class Client(FastHttpUser):
    """One client: it asks again when it has its reply, until its process's part is done."""

    connection_timeout = network_timeout = TIMEOUT_S

    @task
    def ask_in_turn(self) -> None:
        """Make requests for as long as there are some to make."""
        part, options = swarm.part, self.environment.parsed_options
        assert part is not None and options is not None
        # Uncompressed, as the other loads ask for it: the bytes are compared.
        headers = {
            "Accept-Encoding": "identity",
            **({"Connection": "close"} if options.close else {}),
        }
        part.go.wait()
        while part.take():
            self._ask(part, options.target, headers)
            if part.done == part.requests:
                swarm.hand_in(self.environment)
        raise StopUser

    def _ask(self, part: Part, target: str, headers: dict[str, str]) -> None:
        began = time.perf_counter()
        with self.client.get(
            target, headers=headers, catch_response=True, allow_redirects=False
        ) as reply:
            fault = part.judge(reply, time.perf_counter() - began)
            if fault:
                reply.failure(fault)
            else:
                reply.success()


events.init_command_line_parser.add_listener(add_options)
events.init.add_listener(listen)
events.test_start.add_listener(share)
events.spawning_complete.add_listener(begin)
