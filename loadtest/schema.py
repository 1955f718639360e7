"""What stands in `run.json` and in a line of `trials.jsonl`, as JSON Schema.

Types, and which members must be there, come from the dataclasses; what members mean, and what
limits they have, is said here.
"""

from collections.abc import Mapping
from typing import Any

from loadtest import shape
from loadtest.lanes import Lane
from loadtest.load import Latency
from loadtest.pinning import Pin
from loadtest.plan import Expected, Plan, TwoStages, Workload
from loadtest.shape import Schema

VERSION = 2
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def _said(description: str, **rules: Any) -> Schema:
    return {"description": description, **rules}


def _closed(schema: Schema) -> dict[str, Any]:
    return {**schema, "additionalProperties": False}


AT_LEAST_0 = {"minimum": 0}
AT_LEAST_1 = {"minimum": 1}
POSITIVE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1e12}
INSTANT = {"type": "string", "format": "date-time"}

LANE = _closed(
    shape.of(
        Lane,
        {
            "framework": _said("for instance aiohttp"),
            "server": _said("dev is the framework's own development server"),
            "worker_class": _said("gunicorn's"),
            "workers": _said("worker processes", **AT_LEAST_1),
            "keeps_alive": _said("whether connections outlive a request when the client asks"),
            "app": _said("what the server imports; the framework's own module where empty"),
            "twin": _said("another lane under a second name: their difference is noise"),
            "variant": _said("what tells lanes of one framework and server apart"),
            "threads": _said("of each worker process", **AT_LEAST_1),
            "http10": _said("whether a client of HTTP/1.0 gets what others get"),
            "own": _said("a person's own command; empty: one of the experiment's"),
            "folder": _said("in which a person's own command runs"),
            "ready": _said("path and query; the server is up when it answers there"),
            "behind": _said("the proxy before the server; empty: none"),
            "python": _said("the Python that serves; empty: that of the experiment"),
        },
    )
)
WORKLOAD = _closed(
    shape.of(
        Workload,
        {
            "target": _said("path and query"),
            "concurrency": _said("clients at once", **AT_LEAST_1),
            "keep_alive": _said("whether the clients ask for it"),
            "load": _said("the load generator"),
            "share": _said(
                "the rate at which requests come, as a share of what the lane can answer; "
                "null: the next when one is answered",
                exclusiveMinimum=0,
            ),
            "slow": _said("clients beside the load, which send next to nothing; empty: none"),
            "failing": _said("whether failed requests are counted, and are no fault"),
        },
        required=("target", "concurrency", "keep_alive", "load"),
    )
)
NAMED_LANE = {
    **LANE,
    "properties": {"name": _said("the lane's name", type="string"), **LANE["properties"]},
    "required": ["name", *LANE["required"]],
}
CELL = {
    "type": "object",
    "properties": {"lane": _said("a lane's name", type="string"), "workload": WORKLOAD},
    "required": ["lane", "workload"],
}
TWO_STAGES = _closed(
    shape.of(
        TwoStages,
        {
            "half_width": _said("of the headline's intervals, as a share", exclusiveMinimum=0),
            "pilot": _said("blocks whose spread says how many there must be", **AT_LEAST_1),
            "patience_s": _said("how long the blocks after the pilot may take", **AT_LEAST_0),
        },
        required=("half_width", "pilot", "patience_s"),
    )
)
PIN = _closed(
    shape.of(
        Pin,
        {"server": _said("a server's cores"), "load": _said("a load's cores")},
        required=("server", "load"),
    )
)
EXPECTED = _closed(
    shape.of(
        Expected,
        {"file": _said("that it was read from"), "body": _said("its bytes as latin-1")},
        required=("file", "body"),
    )
)
# Which the first runs of this version do not have.
LATER = ("pin", "slices", "rounds", "question", "asked", "expected")
_PLAN = shape.of(
    Plan,
    {
        "cells": _said("what is measured, each once in every block", items=CELL, minItems=1),
        "blocks": _said("passes over all cells", **AT_LEAST_0),
        "seconds": _said("about how long a trial lasts", exclusiveMinimum=0),
        "requests": _said("how long each trial is; null: by `seconds`", **AT_LEAST_1),
        "seed": _said("of the order of the cells in their blocks"),
        "two_stages": _said(
            "how the number of blocks is found; null: it was given",
            **{word: rule for word, rule in TWO_STAGES.items() if word != "type"},
        ),
        "all_pairs": _said("whether the report compares every two lanes"),
        "noisy": _said("whether trials count beside load from outside, too"),
        "pin": _said(
            "the cores that servers and loads are kept to; null: any",
            **{word: rule for word, rule in PIN.items() if word != "type"},
        ),
        "slices": _said("of each load, put on in turn with the block's others", **AT_LEAST_1),
        "rounds": _said("that each client has at least, on average", **AT_LEAST_1),
        "question": _said("the command that made the plan"),
        "asked": _said("the command's own options"),
        "expected": _said(
            "what every lane must answer; null: what most do",
            **{word: rule for word, rule in EXPECTED.items() if word != "type"},
        ),
    },
)
PLAN = {
    **_PLAN,
    "properties": {
        "lanes": _said("the server configurations", type="array", items=NAMED_LANE),
        **_PLAN["properties"],
    },
    "required": ["lanes", *(name for name in _PLAN["properties"] if name not in LATER)],
}
CALIBRATION = {
    "type": "object",
    "properties": {
        **CELL["properties"],  # type: ignore[dict-item]
        "rate_rps": _said("requests per second without a pause, roughly", type=["number", "null"]),
        "failure": _said("why that is not known", type=["string", "null"]),
        "log": _said("of a server that did not start", type=["string", "null"]),
        "requests": _said("of a trial", type="integer", **AT_LEAST_1),
        "warmup_requests": _said("before it", type="integer", **AT_LEAST_0),
        "seconds": _said("that a trial is to last", type="number"),
        "reply": _said("the body, its bytes as latin-1", type=["string", "null"]),
        "asked_rps": _said("rate of an open loop; null: a closed one", type=["number", "null"]),
    },
    "required": [
        *("lane", "workload", "rate_rps", "failure", "log"),
        *("requests", "warmup_requests", "seconds", "reply"),
    ],
}
SECOND_STAGE = {
    "type": "object",
    "properties": {
        "half_width": _said("that was asked for", type="number"),
        "pilot": _said("blocks of the first stage", type="integer"),
        "needed": _said("blocks; null: there was nothing to compare", type=["integer", "null"]),
        "blocks": _said("that patience allowed", type="integer"),
    },
    "required": ["half_width", "pilot", "needed", "blocks"],
}
RESUMED = {
    "type": "object",
    "properties": {"at": INSTANT, "after_trials": {"type": "integer", **AT_LEAST_0}},
    "required": ["at", "after_trials"],
}
RUN: Mapping[str, Any] = {
    "$schema": DRAFT,
    "title": "run.json: what a run was to do, and on what",
    "type": "object",
    "properties": {
        "version": _said("of the format", const=VERSION),
        "state": _said("finished, running, interrupted by a signal, or failed", type="string"),
        "started": _said("when", **INSTANT),
        "finished": _said("when it ended, in whatever state", **INSTANT),
        "resumed": _said("each time that it went on", type="array", items=RESUMED),
        "plan": _said("what is measured, and how often", **PLAN),
        "environment": _said(
            "the machine, and the versions of all that takes part; what is not known is null",
            type="object",
        ),
        "calibrations": _said(
            "how long the trials of each cell are, in the cells' order",
            type="array",
            items=CALIBRATION,
        ),
        "second_stage": _said("what the pilot has decided", **SECOND_STAGE),
    },
    "required": ["version", "state", "started", "plan", "environment"],
}

LATENCY = shape.of(
    Latency,
    {
        "mean": _said("of all requests"),
        "p50": _said("half of the requests took no longer"),
        "p90": _said("nine in ten took no longer"),
        "p99": _said("99 in 100 took no longer"),
        "max": _said("the slowest request"),
    },
)
TRIAL_MEMBERS: Mapping[str, Schema] = {
    "lane": _said("the lane's name"),
    "block": _said("the pass over all cells that it belongs to", **AT_LEAST_0),
    "position": _said("its place in the run's order", **AT_LEAST_0),
    "target": _said("path and query"),
    "load": _said("the load generator"),
    "concurrency": _said("clients at once", **AT_LEAST_1),
    "keep_alive": _said("whether the clients ask for it"),
    "requests": _said("that were sent, and count", **AT_LEAST_1),
    "warmup_requests": _said("that went before, and do not count", **AT_LEAST_0),
    "started": _said("when", **INSTANT),
    "share": _said("of what the lane can answer, at which requests came; null: a closed loop"),
    "slow": _said("clients beside the load, which send next to nothing; empty: none"),
    "failing": _said("whether failed requests are counted, and are no fault"),
    "rate_rps": _said("requests per second that were to come; null: a closed loop"),
    "offered_rps": _said("requests per second that came due; null: a closed loop"),
    "late_ms": _said(
        "milliseconds that the load itself sent its requests late, in the middle; null: a closed "
        "loop, or not to be told from the server's delays"
    ),
    "complete": _said("requests that were answered", **AT_LEAST_0),
    "failed": _said(
        "requests, by the load's own count; where they are no fault, each once", **AT_LEAST_0
    ),
    "failures": _said("failed requests by kind; of some loads a request may count more than once"),
    "load_user_s": _said("CPU seconds of the client by its own count, outside the kernel"),
    "load_system_s": _said("CPU seconds of the client by its own count, in the kernel"),
    "seconds": _said("that the load took"),
    "throughput_rps": _said("requests per second"),
    "latency_ms": _said(
        "milliseconds: to a reply from when its request was sent, or with a rate, was due",
        properties=LATENCY["properties"],
        required=LATENCY["required"],
    ),
    "cpu_us_per_request": _said(
        "microseconds of CPU time of the server, user and system, of all its processes"
    ),
    "worker_cpu_share": _said("each worker's part of the workers' CPU time"),
    "load_cores": _said("CPU that the load itself used, in cores"),
    "outside_cores": _said(
        "CPU that all others on the machine used, stolen time included, in cores"
    ),
    "serial_ms": _said("the middle latency of single requests before the load"),
    "memory_mib": _said("what the processes hold at the end, what they share counted once"),
    "startup_s": _said("seconds until every worker had answered"),
    "kept_alive": _said("replies after which the connection stayed open", **AT_LEAST_0),
    "document_bytes": _said("of a reply's body", **AT_LEAST_0),
    "listen_queue": _said("connections that may wait to be accepted, by the kernel", **AT_LEAST_0),
    "listen_overflows": _said(
        "connections that found no room there, each attempt counted", **AT_LEAST_0
    ),
    "aborted": _said("whether the load gave up, where failed requests are no fault"),
    "short": _said("whether it lasted less than four fifths of the time planned"),
    "invalid": _said("why it counts for nothing; null where it counts"),
    "log": _said("the end of what the server printed, where that says more"),
}


def trial(kind: type) -> dict[str, Any]:
    """Return the schema of a line of trials.jsonl. One that counts has what figures are made of."""
    figures = {"throughput_rps": POSITIVE, "cpu_us_per_request": POSITIVE}
    return {
        "$schema": DRAFT,
        "title": "A line of trials.jsonl: one measured run on a fresh server",
        **shape.of(kind, TRIAL_MEMBERS),
        "if": {"properties": {"invalid": {"type": "null"}}},
        "then": {"properties": figures, "required": list(figures)},
    }


def run_fault(description: Any) -> str | None:
    """Return what is wrong with a run's description, in words, or None."""
    found = shape.fault(description, RUN)
    if found:
        return found
    lanes, cells = description["plan"]["lanes"], description["plan"]["cells"]
    names = {lane["name"] for lane in lanes}
    for cell in cells:
        if cell["lane"] not in names:
            return f"plan.cells has the lane {cell['lane']!r}, which plan.lanes has not"
    if len(description.get("calibrations", cells)) != len(cells):
        return "calibrations has not as many members as plan.cells"
    return None
