"""From trials to what a reader sees."""

import io
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from loadtest import article, figures, report, results, tables, verdict
from loadtest.lanes import Lane, lanes, twin
from loadtest.plan import Cell, Plan, Workload, described
from loadtest.results import Trial
from loadtest.summary import Summary, summarise
from loadtest.table import Table
from tests.test_results import a_trial

# Two blocks whose machine differs twofold; within each, the ratios are the same.
THROUGHPUT_RPS = {
    "aiohttp-dev": 4000.0,
    "flask-dev": 1000.0,
    "aiohttp-gunicorn": 6000.0,
    "flask-gunicorn": 1500.0,
    "aiohttp-gunicorn-4": 8000.0,
    "flask-gunicorn-4": 8000.0,
}
MARS = Workload("/planets/mars")
ENVIRONMENT = {
    "cpu": "a <CPU> [/that] :cat:",
    "packages": {"aiohttp": "3.14.5"},
    "cleared_variables": [],
}


def valid(lane: str, block: int, machine: float, **members: object) -> Trial:
    throughput_rps = THROUGHPUT_RPS[lane] * machine
    figures = {
        "lane": lane,
        "block": block,
        "throughput_rps": throughput_rps,
        "latency_ms": {"mean": 20 / machine, "p50": 18, "p90": 30, "p99": 44.44, "max": 50},
        "cpu_us_per_request": 1e6 / throughput_rps,
        "worker_cpu_share": (0.0, 1.0) if lane.endswith("-4") else (1.0,),
        "load_cores": 0.3,
        "memory_mib": 64.4,
        "startup_s": 0.456,
        "kept_alive": 1000 if lane.startswith("aiohttp") else 0,
    }
    return a_trial(**(figures | members))


def summary(folder: Path, trials: list[Trial], planned: list[Lane] | None = None) -> Summary:
    cells = tuple(Cell(lane, MARS) for lane in planned or lanes().values())
    description = {
        "state": "finished",
        "started": "2026-11-30T10:00:00+00:00",
        "plan": described(Plan(cells, blocks=2)),
        "environment": ENVIRONMENT,
    }
    run = folder / "run"
    results.create(run, description)
    for trial in trials:
        results.append(run, trial)
    return summarise(results.load(run))


@pytest.fixture
def whole(tmp_path: Path) -> Summary:
    blocks = ((1, 1.0), (2, 2.0))
    return summary(tmp_path, [valid(lane, *block) for block in blocks for lane in THROUGHPUT_RPS])


def plain(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row)


def row(table: Table, label: str) -> tuple[str, ...]:
    return next(plain(row) for row in table.rows if row[0] == label)


def test_throughput_is_the_geometric_mean_over_trials(whole: Summary) -> None:
    assert whole.throughput_rps("aiohttp-dev").estimate == pytest.approx(5657, abs=1)  # type: ignore[union-attr]


def test_differences_are_those_within_blocks(whole: Summary) -> None:
    table = tables.throughput(whole)
    assert row(table, "development server")[3] == "+300 % (+300 to +300)"
    assert row(table, "gunicorn")[3] == "+300 % (+300 to +300)"
    assert row(table, "gunicorn -w 4")[3].startswith("no difference shown")
    increase = row(table, "gunicorn: % increase over dev server")
    assert increase[1:3] == ("+50 % (+50 to +50)", "+50 % (+50 to +50)")
    assert row(table, "gunicorn -w 4: % increase over dev server")[1] == "+100 % (+100 to +100)"


def test_article_stands_beside_as_it_was_before_the_translation(whole: Summary) -> None:
    cells = [plain(row)[4] for row in tables.throughput(whole).rows]
    assert cells == [
        "2,023.08 / 721.92 (+180.24 %)",
        "2,396.24 / 1,041.30 (+130.12 %)",
        "2,541.97 / 1,729.17 (+47.01 %)",
        "+18.45 % / +44.24 %",
        "+25.65 % / +139.52 %",
    ]
    assert "1402.08" in article.CORRECTION


def test_costs_and_latencies_are_rounded_for_a_reader(whole: Summary) -> None:
    costs = row(tables.costs(whole), "aiohttp-dev")
    assert costs[2:] == ("64", "0.46", "100 %", "0.30", "2 of 2", "1,000")
    assert row(tables.latency(whole), "flask-dev")[1:] == (
        "15.00",
        "18.00",
        "30.00",
        "44.44",
        "50.00",
    )


def test_short_trials_are_counted(tmp_path: Path) -> None:
    trials = [valid("flask-dev", block, 1.0, short=block > 1) for block in (1, 2, 3)]
    assert "3 of 3, 2 short" in row(tables.costs(summary(tmp_path, trials)), "flask-dev")


def test_environment_says_how_long_a_trial_is(whole: Summary) -> None:
    assert row(tables.environment(whole.run), "a trial")[1] == "1.25 s"
    plan = whole.run.description["plan"] | {"requests": 500}
    fixed = summarise(replace(whole.run, description={**whole.run.description, "plan": plan}))
    assert row(tables.environment(fixed.run), "a trial")[1] == "500 requests"


def test_idle_workers_are_counted(whole: Summary) -> None:
    assert row(tables.workers(whole), "flask-gunicorn-4") == (
        "flask-gunicorn-4",
        "0 %",
        "100 %",
        "2 of 2",
    )


def test_invalid_trials_count_for_nothing_and_are_listed(tmp_path: Path) -> None:
    trials = [
        valid("flask-dev", 1, 1.0),
        valid("flask-dev", 2, 9.0, invalid="3 requests failed", log="a\nlast line"),
        valid("aiohttp-dev", 1, 1.0, invalid="did not start"),
    ]
    made = summary(tmp_path, trials)
    assert made.throughput_rps("flask-dev").estimate == pytest.approx(1000)  # type: ignore[union-attr]
    assert made.throughput_rps("aiohttp-dev") is None
    assert tables.invalid(made.run).rows == (
        ("flask-dev", "2", "3 requests failed | last line"),
        ("aiohttp-dev", "1", "did not start"),
    )
    assert "aiohttp-dev" in made.never_valid()
    assert "Without any valid trial: aiohttp-dev" in verdict.headline(made)[-1]
    assert row(tables.throughput(made), "development server")[1] == figures.NOTHING


def test_block_that_is_invalid_on_one_side_is_not_compared(tmp_path: Path) -> None:
    trials = [valid(lane, block, 1.0) for block in (1, 2) for lane in THROUGHPUT_RPS]
    trials.append(valid("aiohttp-dev", 3, 100.0))
    trials.append(valid("flask-dev", 3, 0.01, invalid="killed"))
    ratios = summary(tmp_path, trials).throughput_ratios()
    assert ratios["aiohttp-dev", "flask-dev"].estimate == pytest.approx(4)


def test_one_block_shows_no_difference(tmp_path: Path) -> None:
    made = summary(tmp_path, [valid(lane, 1, 1.0) for lane in THROUGHPUT_RPS])
    assert row(tables.throughput(made), "gunicorn")[3] == "no difference shown: +300 %"


def test_run_of_one_lane_is_reported(tmp_path: Path) -> None:
    made = summary(tmp_path, [valid("flask-gunicorn", 1, 1.0)], [lanes()["flask-gunicorn"]])
    assert "No two lanes of this run can be compared." in report.markdown(made.run)


def test_run_without_a_valid_trial_is_reported(tmp_path: Path) -> None:
    made = summary(tmp_path, [])
    text = report.markdown(made.run)
    assert "Without any valid trial: aiohttp-dev, flask-dev" in text
    assert "see the invalid trials" not in text  # there are none
    assert "<svg" not in report.html(made.run)


def test_twin_is_of_aiohttp_under_gunicorn_or_else_the_first() -> None:
    assert twin(list(lanes().values())).name == "aiohttp-gunicorn-twin"
    lane = lanes()["flask-dev"]
    assert twin([lane]).name == "flask-dev-twin"
    assert twin([lane]).command("python", "host", 1) == lane.command("python", "host", 1)


class Outline(HTMLParser):
    """The tags of a document, and whether each one that opens is closed in its turn."""

    VOID = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_file_with_nothing_from_elsewhere(whole: Summary) -> None:
    outline = Outline(report.html(whole.run))
    assert outline.open == []
    names = {tag for tag, _ in outline.tags}
    assert not names & {"script", "link", "img", "iframe"}
    assert not any(name in ("src", "href") for _, given in outline.tags for name in given)


def test_html_escapes_what_comes_from_outside(whole: Summary) -> None:
    text = report.html(whole.run)
    assert "a &lt;CPU&gt;" in text
    assert "<CPU>" not in text


def test_every_form_says_the_same(whole: Summary) -> None:
    terminal = Console(file=io.StringIO(), width=400)
    report.show(whole.run, terminal)
    shown = terminal.file.getvalue()  # type: ignore[attr-defined]
    html, markdown = report.html(whole.run), report.markdown(whole.run)
    for table in tables.tables(whole):
        for cell in (cell for row in table.rows for cell in row):
            assert cell in markdown
            assert cell.replace("<", "&lt;").replace(">", "&gt;") in html.replace("&#39;", "'")
            assert cell in shown


def test_markdown_tables_are_whole(tmp_path: Path) -> None:
    trial = valid("flask-dev", 1, 1.0, invalid="a | b\nc", log="")
    text = report.markdown(summary(tmp_path, [trial]).run)
    assert "| flask-dev | 1 | a \\| b c |" in text


def test_report_is_written_into_the_runs_folder(whole: Summary) -> None:
    written = report.write(whole.run)
    assert [path.name for path in written] == ["REPORT.md", "report.html", "summary.csv"]
    assert all(path.parent == whole.run.folder and path.read_text() for path in written)
