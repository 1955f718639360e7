"""summary.csv: plain numbers, a row for each lane under each workload."""

import csv
import io
from dataclasses import asdict, replace
from pathlib import Path

from loadtest import results, summary_csv
from loadtest.lanes import all_lanes, behind, lanes
from loadtest.plan import Cell, Plan, described
from loadtest.results import Run
from tests.test_report import ENVIRONMENT, MARS, THROUGHPUT_RPS, summary, valid
from tests.test_results import DESCRIPTION, a_trial


def read(run: Run) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(summary_csv.text(run), newline=""), strict=True))


def test_figures_are_plain_numbers(tmp_path: Path) -> None:
    blocks = ((1, 1.0), (2, 2.0))
    trials = [valid(lane, *block) for block in blocks for lane in THROUGHPUT_RPS]
    rows = read(summary(tmp_path, trials).run)
    assert [row["lane"] for row in rows] == list(THROUGHPUT_RPS)
    # The geometric mean of 4,000 and 8,000; 12.706 is Student's t for 95 % and one degree, and the
    # error of the logarithms is ln(2) / 2: 5656.85 x exp(4.404) = 462,450.
    expected = {
        "framework": "aiohttp",
        "server": "dev",
        "worker_class": "",
        "workers": "1",
        "load": "ab",
        "target": "/planets/mars",
        "concurrency": "20",
        "keep_alive": "true",
        "trials": "2",
        "valid": "2",
        "throughput_rps": "5656.854249",
        "cpu_us": "176.776695",  # 1e6 / 5656.85
        "latency_p99_ms": "44.44",
        "latency_max_ms": "50",
        "memory_mib": "64.4",
        "startup_s": "0.456",
        "kept_alive": "1000",
        "outside_cores": "",
    }
    assert {name: rows[0][name] for name in expected} == expected
    assert 462_000 < float(rows[0]["throughput_high_rps"]) < 463_000


def test_what_was_not_measured_is_an_empty_cell(tmp_path: Path) -> None:
    trials = [valid("flask-dev", 1, 1.0), valid("aiohttp-dev", 1, 1.0, invalid="killed")]
    rows = {row["lane"]: row for row in read(summary(tmp_path, trials).run)}
    one, none = rows["flask-dev"], rows["aiohttp-dev"]
    assert (one["throughput_rps"], one["throughput_low_rps"]) == ("1000", "")
    assert (none["trials"], none["valid"], none["throughput_rps"]) == ("1", "0", "")


def test_each_workload_has_its_row(tmp_path: Path) -> None:
    lane = lanes()["aiohttp-gunicorn"]
    loads = (MARS, replace(MARS, load="h2load"), replace(MARS, keep_alive=False))
    plan = described(Plan(tuple(Cell(lane, workload) for workload in loads)))
    folder = tmp_path / "run"
    results.create(folder, DESCRIPTION | {"plan": plan, "environment": ENVIRONMENT})
    for number, workload in enumerate(loads, 1):
        members = {"load": workload.load, "keep_alive": workload.keep_alive}
        results.append(folder, valid(lane.name, 1, float(number), **members))
    rows = read(results.load(folder))
    assert [(row["load"], row["keep_alive"]) for row in rows] == [
        ("ab", "true"),
        ("h2load", "true"),
        ("ab", "false"),
    ]
    assert [row["throughput_rps"] for row in rows] == ["6000", "12000", "18000"]


def test_further_lanes_and_workloads_are_told(tmp_path: Path) -> None:
    lane = behind(all_lanes()["flask-gthread32"], "nginx")
    asked = replace(MARS, load="h2load", share=0.5, slow="idle-50", failing=True)
    plan = described(Plan((Cell(lane, asked),)))
    results.create(tmp_path / "run", DESCRIPTION | {"plan": plan})
    figures = {"rate_rps": 500.0, "complete": 900, "failed": 100, "load_user_s": 0.25}
    members = asdict(asked) | figures | {"lane": lane.name, "throughput_rps": 450.0}
    results.append(tmp_path / "run", a_trial(**members))
    (row,) = read(results.load(tmp_path / "run"))
    expected = {
        "lane": "flask-gthread32+nginx",
        "variant": "gthread32",
        "threads": "32",
        "behind": "nginx",
        "python": "",
        "share": "0.5",
        "slow": "idle-50",
        "failing": "true",
        "rate_rps": "500",
        "complete": "900",
        "failed": "100",
        "load_user_s": "0.25",
        "load_system_s": "",
    }
    assert {name: row[name] for name in expected} == expected


def test_no_cell_is_a_formula_and_any_text_comes_back(tmp_path: Path) -> None:
    odd = replace(lanes()["flask-dev"], framework='=1+1,"a"\n')
    plan = described(Plan((Cell(odd, replace(MARS, target="@SUM(A1)")),)))
    results.create(tmp_path / "run", DESCRIPTION | {"plan": plan})
    run = results.load(tmp_path / "run")
    (row,) = read(run)
    assert row["framework"] == '\'=1+1,"a"\n'
    assert row["target"] == "'@SUM(A1)"
    header, *_ = summary_csv.text(run).split("\r\n")
    assert header.split(",") == list(summary_csv.COLUMNS)
