"""Generated requests are answered alike by every server, and outside the boundary never falsely.

`make fuzz` asks 10,000 new ones; without FUZZ in the environment the same few hundred each time.
"""

import os
from collections import Counter
from collections.abc import Iterator

import generated
import pytest
from fleet import Fleet, running
from hypothesis import HealthCheck, Phase, given, note, settings
from requests_table import ASKED, Row

REQUESTS = int(os.environ.get("FUZZ", "0"))
OUTSIDE_PART = 5  # of so many requests one is outside
# Without a database, which would remember in a folder here; the blob of a failure says enough.
FUZZING = settings(
    max_examples=REQUESTS or 400,
    derandomize=not REQUESTS,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)
FUZZING_OUTSIDE = settings(FUZZING, max_examples=FUZZING.max_examples // OUTSIDE_PART)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with running(tmp_path_factory) as servers:
        yield servers


@pytest.fixture(scope="module")
def statuses() -> Iterator[Counter[int]]:
    """Return a count of the statuses that were answered, which is printed in the end."""
    counted: Counter[int] = Counter()
    yield counted
    print(f"\n{counted.total():,} requests, by status: {dict(counted.most_common())}")


@given(row=generated.INSIDE)
@FUZZING
def test_generated_requests_are_answered_alike(
    fleet: Fleet, statuses: Counter[int], row: Row
) -> None:
    note(row.message().decode())
    replies = fleet.ask(row)
    fleet.check(row, replies)
    reply = next(iter(replies.values()))
    assert reply is not None
    assert reply.status < 500
    statuses[reply.status] += 1


@given(message=generated.OUTSIDE)
@FUZZING_OUTSIDE
def test_outside_no_server_fails_or_answers_for_another_place(fleet: Fleet, message: bytes) -> None:
    for name, reply in fleet.send(message).items():
        if reply is None:
            continue
        assert reply.status < 500, name
        if b'"observer"' in reply.body:
            assert ASKED.encode() in reply.body, name


def test_generated_requests_reach_the_sky_and_each_kind_of_error(statuses: Counter[int]) -> None:
    """Else the tests above would prove little."""
    assert statuses[200] > statuses.total() / 4
    assert {204, 400, 404, 405} <= set(statuses)
