"""What the contract costs: CPU per request beside bare aiohttp handlers, in one interleaved run.

make overhead
"""

import sys
import tempfile
from pathlib import Path

from loadtest import experiment, loads, results, session, stats
from loadtest.figures import factor
from loadtest.interruption import Interruption
from loadtest.lanes import AIOHTTP_WORKER, Lane
from loadtest.plan import MARS, Cell, Plan, Workload
from tests.fakes import Watcher

OURS = Lane("aiohttp", "gunicorn", AIOHTTP_WORKER, keeps_alive=True)
BARE = Lane("bare", "gunicorn", AIOHTTP_WORKER, keeps_alive=True, app="tests.bare_app:create_app()")
TARGETS = {"/planets/mars": MARS, "/healthz": "/healthz"}


def main(blocks: int) -> None:
    """Print the ratio of the CPU time per request for each target, with its 95 % interval."""
    cells = tuple(Cell(lane, Workload(t)) for lane in (OURS, BARE) for t in TARGETS.values())
    with tempfile.TemporaryDirectory() as scratch, Interruption() as interruption:
        world = session.world(loads.chosen(["ab"]), interruption)
        folder = Path(scratch) / "run"
        experiment.run(Plan(cells, blocks), folder, {}, world, Watcher())
        trials = results.load(folder).trials
    for invalid in (one for one in trials if one.invalid):
        print(f"{invalid.lane} {invalid.target}: invalid: {invalid.invalid}")
    for name, target in TARGETS.items():
        ours, bare = (
            {
                one.block: one.cpu_us_per_request
                for one in trials
                if one.lane == lane.name and one.target == target and one.cpu_us_per_request
            }
            for lane in (OURS, BARE)
        )
        ratios = stats.block_ratios(ours, bare)
        if not ratios.values:
            sys.exit("no block has a valid trial on both sides")
        means = (stats.mean(stats.sample(side)).estimate for side in (ours, bare))
        figures = " against ".join(f"{mean:.0f} us" for mean in means)
        print(f"{name}: {factor(stats.geometric_mean(ratios))} times bare aiohttp ({figures})")


if __name__ == "__main__":
    main(blocks=int(sys.argv[1]) if len(sys.argv) > 1 else 10)
