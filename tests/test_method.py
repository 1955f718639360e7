"""docs/method.md says what the code says."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import pytest

from loadtest import (
    attribution,
    calibration,
    experiment,
    open_loop,
    outside,
    plan,
    readiness,
    replies,
    results,
    rules,
    server,
    stats,
    supervised,
    trial,
)
from loadtest.__main__ import main as loadtest_command
from loadtest.ab import PERCENTILES, ApacheBench
from loadtest.article import THROUGHPUT_RPS
from loadtest.h2load import LOG, H2Load
from loadtest.lanes import AIOHTTP_WORKER, Lane, lanes
from loadtest.load import Load, Order
from loadtest.loads import LOADS
from loadtest.measuring import BLOCKS
from loadtest.outside import Snapshot
from loadtest.plan import Cell, Plan, Workload
from loadtest.questions import QUESTIONS, rates, slow_words
from loadtest.server import Reply
from loadtest.summary import VERDICT_LOADS, summarise
from tests import planted
from tests.fakes import BODY, FakeWorld, Watcher
from tests.runs import a_run
from tests.test_readme import MAKEFILE, README, ROOT

METHOD = (ROOT / "docs/method.md").read_text(encoding="utf-8")
TEXT = " ".join(METHOD.split())
LOCK = json.loads((ROOT / "Pipfile.lock").read_text(encoding="utf-8"))
COMMANDS = loadtest_command.commands
DEFAULTS = {
    command: {option.opts[0]: option.default for option in COMMANDS[command].params}
    for command in ("run", "attribute")
}


def table(header: str) -> list[list[str]]:
    """Return the cells of the rows below a header line."""
    _, _, rest = METHOD.partition(f"{header}\n")
    assert rest, f"no table {header}"
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


PAIRS = tuple(Workload(load=load) for load in ("ab", "h2load"))
CELLS = plan.cells(list(lanes().values()), PAIRS, PAIRS[1], aa=True)


@pytest.mark.parametrize(
    "told",
    [
        f"gunicorn with {DEFAULTS['run']['--workers']}.",
        f"It lasts about {DEFAULTS['run']['--seconds']} s",
        f"from its speed follow the requests of {Plan(()).seconds} s",
        f"At most {readiness.START_TIMEOUT_S:g} s.",
        f"at least {plan.WARM_REQUESTS:,} for each worker or what {plan.WARM_S} s hold",
        f"fewer than {plan.SETTLED_REQUESTS} for each worker or what {plan.SETTLING_S:g} s holds",
        f"send {trial.SERIAL_REQUESTS} single requests",
        f"first with {calibration.FIRST_PROBE} requests, then, unless these took as long, for some "
        f"{calibration.PROBE_S} s",
        f"less than {trial.SHORT} of the time planned",
        f"{readiness.START_TIMEOUT_S:g} s, all workers",
        f"`no reply to …` | {replies.REPLY_TIMEOUT_S:g} s",
        f"| {trial.DELAYED_ACK_MS:g} ms, below {trial.IDLE_CORES} of a core |",
        f"| {trial.TIMEOUT_FACTOR} times the trial, and {trial.TIMEOUT_S:g} s |",
        f"ab ends itself after {ApacheBench().timeout_s} s",
        f"| {rules.LITTLE_TOLERANCE:.0%} | concurrency".replace("%", " %"),
        f"| {rules.MOST_LOAD_CORES:.0%} of a core |".replace("%", " %"),
        f"| {outside.QUIET_CORES} cores, and {outside.CHANCE_S} s of ticks: "
        f"{outside.bound_cores(1.25):.2f} in 1.25 s |",
        f"| {server.STOP_TIMEOUT_S:g} s after SIGTERM, "
        f"{supervised.END_TIMEOUT_S:g} s after SIGKILL |",
        f"it looks for {outside.LOOK_S:g} s at",
        f"until `--patience` ({DEFAULTS['run']['--patience']}) is over",
        f"`--patience` ({DEFAULTS['run']['--patience']}) bounds the second stage",
        f"`make bench` measures {BLOCKS} blocks of {len(CELLS)} trials",
        f"its {stats.CONFIDENCE:.0%} interval".replace("%", " %"),
        f"gets an interval of 1 - {1 - stats.CONFIDENCE:.2g}/m",
        f"A pilot of {plan.LEAST_PILOT} blocks",
        f"({DEFAULTS['attribute']['--blocks']} blocks of trials of "
        f"{DEFAULTS['attribute']['--seconds']} s, by {attribution.ONE_BODY.load})",
        f"{DEFAULTS['run']['--concurrency']} connections. How a server does",
        f"at most {open_loop.MOST_RPS:g} requests a second each",
        f"| {rules.RATE_TOLERANCE:.0%} | h2load".replace("%", " %"),
        f"| {rules.MOST_LATE_MS:g} ms, in the middle",
        f"a closed loop of {calibration.CAPACITY_S:g} s",
        f"later than {100 * rates.OVERDUE:g} % of the load's time, and {rates.OVERDUE_MS:g} ms,",
        f"a warm-up is bounded by {plan.SETTLING_S:g} s",
        f"Each client has at least {QUESTIONS['io'].rounds} requests on average",
        f"has no reply after {trial.SLOW_TIMEOUT_S} s gives up",
        f"p99 is more than {slow_words.SLOWED:g} times",
        f"A trial of {DEFAULTS['run']['--seconds']} s sees no leak",
        f"With `-k {AIOHTTP_WORKER}` all 20 were 200",
        f"(`not run: 0 of 4 workers answered within {readiness.START_TIMEOUT_S:g} s`)",
    ],
)
def test_constant_is_the_codes(told: str) -> None:
    assert told in TEXT


def invalid(folder: Path, lane: Lane, fake: FakeWorld) -> str:
    """Return why the lane's trial, beside two others', counts for nothing in such a world.

    Where the world says something of a rate, the load has one.
    """
    beside = (Lane("first", "gunicorn"), Lane("second", "gunicorn"), lane)
    load = Workload(share=0.5) if fake.changes.keys() & {"offered_rps", "late_ms"} else Workload()
    planned = Plan(tuple(Cell(one, load) for one in beside), blocks=1)
    experiment.run(planned, folder / "run", {}, fake.world(), Watcher())
    (found,) = (t for t in results.load(folder / "run").trials if t.lane == lane.name)
    assert found.invalid is not None
    return found.invalid


FLASK = Lane("flask", "gunicorn")
AIOHTTP = Lane("aiohttp", "gunicorn", keeps_alive=True)
OTHER = Reply(200, BODY.replace(b"mars", b"moon"))

# A world for each reason that a fake one can give. What is left are a real server's, below.
WORLDS = {
    "not run": (FLASK, lambda: FakeWorld(not_starting={FLASK.name})),
    "status": (FLASK, lambda: FakeWorld(reply=lambda lane: Reply(500, b""))),
    "other bytes than most": (
        FLASK,
        lambda: FakeWorld(reply=lambda lane: OTHER if lane == FLASK.name else Reply(200, BODY)),
    ),
    "delayed acknowledgements": (AIOHTTP, lambda: FakeWorld(serial_s=0.041, cpu_step_s=1e-6)),
    "load": (FLASK, lambda: FakeWorld(load_error="ab: connection reset (exit 104)")),
    "incomplete": (FLASK, lambda: FakeWorld(changes={"complete": 1})),
    "failed": (FLASK, lambda: FakeWorld(changes={"failed": 1, "failures": {"length": 1}})),
    "not 2xx": (FLASK, lambda: FakeWorld(changes={"non_2xx": 1})),
    "length": (FLASK, lambda: FakeWorld(changes={"document_bytes": 1})),
    "kept alive": (FLASK, lambda: FakeWorld(changes={"kept_alive": 1})),
    "untold": (AIOHTTP, lambda: FakeWorld(changes={"kept_alive": None})),
    "Little": (FLASK, lambda: FakeWorld(changes={"throughput_rps": 1200.0})),
    "no latencies": (FLASK, lambda: FakeWorld(changes={"latency_ms": None})),
    "no rate": (FLASK, lambda: FakeWorld(changes={"offered_rps": None})),
    "another rate": (FLASK, lambda: FakeWorld(changes={"offered_rps": 1.0})),
    "late": (FLASK, lambda: FakeWorld(changes={"late_ms": 9.0})),
    "busy load": (FLASK, lambda: FakeWorld(load_cpu_s=2.0)),
    "outside": (
        FLASK,
        lambda: FakeWorld(looks=iter([Snapshot(0, 0, 0), Snapshot(1, 9, 0)] * 3)),
    ),
    "workers": (FLASK, lambda: FakeWorld(replacing={102})),
}
REAL = (
    *("did not start (exit status …)", "… of … workers answered within … s", "no reply to …"),
    *("the server was killed by …", "the server ended with exit status …"),
    "port … is still taken after the server was ended",
    "…: not done after … s",
)


def reasons() -> list[str]:
    """Return the reasons that are told, with … for what differs."""
    rows = table("| reason | bound | why |")
    return list(chain.from_iterable(re.findall("`([^`]+)`", row[0]) for row in rows))


def matching(reason: str) -> list[str]:
    """Return which of the reasons told a trial's reason is."""
    as_patterns = {told: re.escape(told).replace("…", ".+") for told in reasons()}
    return [told for told, pattern in as_patterns.items() if re.fullmatch(pattern, reason)]


@pytest.mark.parametrize("name", WORLDS)
def test_reason_of_an_invalid_trial_is_told(tmp_path: Path, name: str) -> None:
    lane, world = WORLDS[name]
    assert len(matching(invalid(tmp_path, lane, world()))) == 1


def test_no_reason_is_told_that_the_code_does_not_give(tmp_path: Path) -> None:
    given = set()
    for name, (lane, world) in WORLDS.items():
        (tmp_path / name).mkdir()
        given |= set(matching(invalid(tmp_path / name, lane, world())))
    before = (Reply(200, b"%d" % number) for number in range(99))
    unfixed = FakeWorld(reply=lambda lane: next(before))
    (tmp_path / "unfixed").mkdir()
    given |= set(matching(invalid(tmp_path / "unfixed", FLASK, unfixed)))
    assert set(reasons()) == given | set(REAL)


@pytest.mark.parametrize("told", REAL)
def test_reason_of_a_real_server_or_load_is_in_the_code(told: str) -> None:
    source = "".join(
        Path(module.__file__ or "").read_text() for module in (readiness, server, trial)
    )
    # What is behind a proxy, or the proxy, is named before it.
    pattern = re.escape(told.removeprefix("the server ")).replace("…", r"[^\n]+")
    assert re.search(rf'f"{pattern}|"{pattern}', source)


def test_every_rule_has_its_reason() -> None:
    """So that a new rule is missed: as many of a measurement are told as there are rules."""
    of_rules = {"incomplete", "failed", "not 2xx", "length", "kept alive", "Little", "late"}
    assert len(rules.RULES) == len(of_rules)
    assert of_rules <= set(WORLDS)


def options(command: str) -> set[str]:
    parameters = COMMANDS[command].params
    return {name for option in parameters for name in (*option.opts, *option.secondary_opts)}


@pytest.mark.parametrize("target", sorted(set(re.findall("`make ([a-z-]+)", METHOD))))
def test_make_has_the_target(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("command", sorted(set(re.findall(r"-m loadtest ([a-z]+)", TEXT))))
def test_command_is_there(command: str) -> None:
    assert command in COMMANDS


# Of gunicorn and of h2load.
FOREIGN = {
    *("--http-parser", "--no-control-socket", "--h1", "--log-file", "--rps", "--rate-period"),
    *("--backlog", "--keep-alive"),  # gunicorn's
}


@pytest.mark.parametrize(
    "option", sorted(set(re.findall(r"`[^`\n]*?(--[a-z0-9-]+)", METHOD)) - FOREIGN)
)
def test_option_is_there(option: str) -> None:
    planted_ones = {each.opts[0] for each in planted.main.params}
    assert option in options("attribute" if option == "--profile" else "run") | planted_ones


def test_gunicorns_options_are_the_lanes() -> None:
    command = lanes()["flask-gunicorn"].command("python", server.HOST, 8000)
    for told in re.findall("`(--http-parser [a-z]+|--no-control-socket)`", METHOD):
        assert told in " ".join(command)
    words = (word for lane in lanes().values() for word in lane.command("", "", 0))
    assert not any("access" in word for word in words)


@pytest.mark.parametrize(("load", "scratch"), [(ApacheBench(), PERCENTILES), (H2Load(), LOG)])
def test_loads_are_called_as_told(load: Load, scratch: str) -> None:
    order = Order("URL", 1250, 20, True, Path("scratch"))
    assert f"`{' '.join(load.command(order)).replace('scratch/', '')}`" in METHOD
    assert scratch in METHOD


@pytest.mark.parametrize("keep_alive", [True, False])
def test_rates_are_asked_for_as_told(keep_alive: bool) -> None:
    order = Order("URL", 1500, 20, keep_alive, Path(), rate_rps=750.0)
    told = " ".join(H2Load().command(order)).split(" -n 1500 ")[1].split(" -N ")[0]
    assert f"`{told.replace('37.500000', '37.5')}`" in METHOD


def test_loads_are_those_of_the_experiment() -> None:
    two = [name for name, row in LOADS.items() if row.default]
    assert METHOD.count("| | " + " | ".join(two) + " |\n") == 1
    assert VERDICT_LOADS[0] == "h2load"  # "whose figures lead where both are there"


def test_parts_are_those_of_the_attribution() -> None:
    named = [row[0] for row in table("| part | difference |")]
    assert named == [
        *(attribution.CONNECTION, attribution.SERVER),
        *(attribution.BODY, attribution.OTHER_BODIES),
    ]


def test_seven_comparisons_are_planned(tmp_path: Path) -> None:
    cells = tuple(Cell(replace(lane, keeps_alive=False), Workload()) for lane in lanes().values())
    experiment.run(Plan(cells, 1), tmp_path / "run", {}, FakeWorld().world(), Watcher())
    assert len(summarise(results.load(tmp_path / "run")).throughput_ratios()) == 7
    assert "**Planned comparisons.** Seven are made" in METHOD


def change(a: str, b: str) -> float:
    return 100 * (THROUGHPUT_RPS[a] / THROUGHPUT_RPS[b] - 1)


def test_article_is_told_as_it_is_known(tmp_path: Path) -> None:
    rows = table("| server | aiohttp | Flask | difference |")
    for (_, *told), suffix in zip(rows, ("dev", "gunicorn", "gunicorn-4"), strict=True):
        a, b = (f"{framework}-{suffix}" for framework in ("aiohttp", "flask"))
        figures = [f"{THROUGHPUT_RPS[lane]:,.2f}" for lane in (a, b)]
        assert told == [*figures, f"+{change(a, b):.2f} %"]
    claims = " ".join(row[0] for row in table("| claim | on today's versions | how to see it |"))
    planned = list(summarise(a_run(tmp_path / "run", blocks=1)).planned())
    assert len(planned) == 7
    assert all(f"{change(a, b):.2f}" in claims for a, b in planned)


def test_todays_versions_are_those_of_the_lock() -> None:
    for name in ("aiohttp", "Flask", "Werkzeug", "gunicorn"):
        locked = LOCK["default"][name.lower()]["version"].removeprefix("==")
        assert f"{name} {locked}" in TEXT
        assert version(name) == locked


def test_threads_in_a_generator_are_not_joined() -> None:
    (program,) = re.findall(r"python3 -c '(.*?)'", METHOD, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_links_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", METHOD, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in headings}
    for link in re.findall(r"\]\(([^)]+)\)", METHOD):
        assert "://" in link or link.removeprefix("#") in anchors, link
    assert "](docs/method.md)" in README
