"""What the routes cost: CPU per request of each beside others, in one interleaved run.

make costs ARGS=REVISION also takes one body beside the same route of an older commit.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from loadtest import experiment, loads, results, session, stats
from loadtest.figures import factor, percent
from loadtest.interruption import Interruption
from loadtest.lanes import AIOHTTP_WORKER, Lane, lanes
from loadtest.plan import MARS, Cell, Plan, Workload
from loadtest.results import Trial
from loadtest.server import ROOT
from tests.fakes import Watcher

AIOHTTP = lanes()["aiohttp-gunicorn"]
FLASK = lanes()["flask-gunicorn"]
SKY = MARS.replace("/mars", "")
ALMANAC = "/almanac?lon=145.051&lat=-39.754&elevation=0&date=2018-09-22"
OLDER_MARS = f"{MARS}&"  # a target of its own, since its reply may be another
COMPARED = {
    "ten single bodies on aiohttp to the whole sky": ((AIOHTTP, MARS), (AIOHTTP, SKY)),
    "ten single bodies on Flask's sync worker to the whole sky": ((FLASK, MARS), (FLASK, SKY)),
}
BODIES = 10
BLOCKS = 8
SECONDS = 1.0
SLICES = 10


def cells(older: Lane | None) -> Iterator[Cell]:
    """Yield what is measured."""
    for lane, target in ((AIOHTTP, MARS), (AIOHTTP, SKY), (FLASK, MARS), (FLASK, SKY)):
        yield Cell(lane, Workload(target))
    yield Cell(AIOHTTP, Workload(ALMANAC))
    if older:
        yield Cell(older, Workload(OLDER_MARS))


def unpacked(revision: str, folder: Path) -> Lane:
    """Return a lane that serves the service as it was in a commit."""
    command = ["git", "archive", revision, "planettracker", "client"]
    archive = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    folder.mkdir()
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)
    app = f"tests.elsewhere:create_app({str(folder)!r})"
    return Lane("older", "gunicorn", AIOHTTP_WORKER, keeps_alive=True, app=app)


def cpu_us(trials: tuple[Trial, ...], lane: Lane, target: str) -> dict[int, float]:
    """Return the CPU microseconds per request of the valid trials by block."""
    return {
        one.block: one.cpu_us_per_request
        for one in trials
        if (one.lane, one.target) == (lane.name, target)
        if one.cpu_us_per_request and not one.invalid
    }


def main(revision: str | None) -> None:
    """Print each comparison with its 95 % interval."""
    with tempfile.TemporaryDirectory() as scratch, Interruption() as interruption:
        older = unpacked(revision, Path(scratch) / "older") if revision else None
        world = session.world(loads.chosen(["ab"]), interruption)
        folder = Path(scratch) / "run"
        planned = Plan(tuple(cells(older)), BLOCKS, SECONDS, slices=SLICES)
        experiment.run(planned, folder, {}, world, Watcher())
        trials = results.load(folder).trials
    for invalid in (one for one in trials if one.invalid):
        print(f"{invalid.lane} {invalid.target}: invalid: {invalid.invalid}")
    for name, (single, sky) in COMPARED.items():
        ratio = stats.block_ratios(cpu_us(trials, *sky), cpu_us(trials, *single))
        share = stats.geometric_mean(ratio).map(lambda value: value / BODIES)
        print(f"{name}: 1 to {factor(share)}")
    if older:
        ratio = stats.block_ratios(cpu_us(trials, AIOHTTP, MARS), cpu_us(trials, older, OLDER_MARS))
        print(f"one body, beside {revision}: {percent(stats.geometric_mean(ratio))}")
    almanacs = stats.sample(cpu_us(trials, AIOHTTP, ALMANAC))
    took_ms = stats.geometric_mean(almanacs).map(lambda value: value / 1000)
    print(f"an almanac: {took_ms.estimate:.1f} ms ({took_ms.low:.1f} to {took_ms.high:.1f})")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
