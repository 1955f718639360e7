"""Applications of a person's own, measured by a command and without touching their code."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loadtest import experiment, own_lane, results, server
from loadtest import plan as plans
from loadtest.interruption import Interruption
from loadtest.lanes import Lane, all_lanes, behind
from loadtest.own_lane import OwnLaneError
from loadtest.plan import Cell, Expected, Plan, Workload
from loadtest.results import Trial
from loadtest.rules import Size, fault
from loadtest.server import Reply, ServerError
from loadtest.trial import order as ordered
from tests.fakes import BODY, FakeWorld, Watcher, measurement

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
HELLO = "shop=serve {port}"


def lane(text: str, folder: Path = ROOT, target: str = "/", workers: int = 3) -> Lane:
    return own_lane.parse(text, folder, target, workers, all_lanes(workers))


def test_command_is_filled_in_and_split_as_a_shell_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    mine = lane("shop=~/shop/serve 'two words' -b {host}:{port} -w {workers} {} ${HOME} {\"a\":1}")
    assert mine.command("python", "127.0.0.1", 8000) == [
        *("/home/me/shop/serve", "two words", "-b", "127.0.0.1:8000", "-w", "3"),
        *("{}", "${HOME}", "{a:1}"),
    ]


def test_lane_has_its_name_and_as_many_workers_as_its_command_is_told() -> None:
    assert lane("shop-2=serve -b {host}:{port}").name == "shop-2"
    assert lane("shop=serve {port}").workers == 1
    assert lane("shop=serve {port} {workers}").workers == 3
    assert behind(lane(HELLO), "nginx").name == "shop+nginx"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("serve {port}", "--lane is NAME=COMMAND, such as"),
        ("shop=", "--lane is NAME=COMMAND, such as"),
        ("my shop=serve {port}", "a name has letters, digits, - and _"),
        ("shop-twin=serve {port}", "does not end in -twin"),
        ("flask-dev=serve {port}", "flask-dev is another lane's name"),
        ("shop=serve", "the command must have {port}"),
        ("shop=serve {port} {worker}", "{worker} is none of {host}, {port}, {workers}"),
        ("shop=serve '{port}", "No closing quotation in the command"),
    ],
)
def test_lane_that_cannot_be_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(OwnLaneError) as caught:
        lane(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("kept", "faulty"), [(100, False), (0, False), (None, False), (99, True)])
def test_keep_alive_of_an_own_lane_is_all_or_none(
    tmp_path: Path, kept: int | None, faulty: bool
) -> None:
    order = ordered(Cell(lane(HELLO), Workload()), FakeServing(), 100, tmp_path / "load")
    found = fault(
        measurement(order, kept_alive=kept),
        Cell(lane(HELLO), Workload(concurrency=20)),
        Size(100, 0, 1.0, BODY),
    )
    assert (found is not None and "neither all nor none" in found) == faulty


class FakeServing:
    """As much of a server as an order needs."""

    def url(self, target: str) -> str:
        return f"http://127.0.0.1{target}"


def ran(tmp_path: Path, world: FakeWorld, expected: Expected | None = None) -> list[Trial]:
    cells = tuple(Cell(lane(text), Workload("/")) for text in (HELLO, "store=serve {port}"))
    plan = Plan(cells, blocks=1, expected=expected)
    experiment.run(plan, tmp_path / "run", {}, world.world(), Watcher())
    return list(results.load(tmp_path / "run").trials)


def test_what_is_expected_decides_and_not_what_lanes_answer(tmp_path: Path) -> None:
    world = FakeWorld(reply=lambda lane: Reply(200, b"same as all"))
    for trial in ran(tmp_path, world, Expected("/home/me/reply.json", "same as none")):
        assert trial.invalid is not None
        assert "other bytes than /home/me/reply.json" in trial.invalid
        assert "the first difference is at byte 8" in trial.invalid


def test_reply_that_changes_with_each_request_is_told_with_what_to_do(tmp_path: Path) -> None:
    numbers = iter(range(100, 1000))
    world = FakeWorld(reply=lambda lane: Reply(200, str(next(numbers)).encode()))
    for trial in ran(tmp_path, world):
        assert trial.invalid is not None
        assert "ask for a --target whose reply stays the same" in trial.invalid


def test_plan_of_own_lanes_stands_whole_in_its_description() -> None:
    cells = tuple(Cell(one, Workload("/")) for one in (lane(HELLO), behind(lane(HELLO), "nginx")))
    plan = Plan(cells, expected=Expected("reply.json", "\xe9"))
    described = json.loads(json.dumps(plans.described(plan)))
    assert plans.from_description(described) == plan


def started(text: str, folder: Path, target: str = "/") -> ServerError:
    (folder / "out").mkdir()
    mine = lane(text, folder, target)
    with (
        pytest.raises(ServerError) as caught,
        server.running(mine, folder / "out", Interruption()),
    ):
        pass
    return caught.value


def test_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert started("shop=./serve {port}", tmp_path).reason == (
        "did not start: No such file or directory: ./serve"
    )


def test_command_that_ends_shows_what_it_printed(tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text("print('no database'); raise SystemExit(3)")
    error = started(f"shop={sys.executable} serve.py {{port}}", tmp_path)
    assert error.reason == "did not start (exit status 3)"
    assert error.log == "no database"


SERVE = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(sys.argv[2]))
        self.end_headers()
        self.wfile.write(b"hello")
    def log_message(self, *rest): pass
if "daemon" in sys.argv and os.fork(): sys.exit()
if "elsewhere" in sys.argv and os.fork(): os.wait()
if len(sys.argv) > 3: os.setsid()
HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("200 daemon", "did not start (exit status 0): the command must stay in the foreground"),
        ("200 elsewhere", "what answers is not among the processes"),
        ("404", "/ answered status 404, not status 200"),
    ],
)
def test_command_that_cannot_be_measured_is_refused_and_ended(
    tmp_path: Path, arguments: str, reason: str
) -> None:
    (tmp_path / "serve.py").write_text(SERVE)
    error = started(f"shop={sys.executable} serve.py {{port}} {arguments}", tmp_path)
    assert reason in error.reason


FLASK = """
import json
from flask import Flask, Response
app = Flask(__name__)
@app.get("/items/<int:number>")
def item(number):
    text = json.dumps({"number": number}, separators=(",", ":"))
    return Response(text, mimetype="application/json")
"""
STARLETTE = """
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
async def item(request):
    return JSONResponse({"number": request.path_params["number"]})
app = Starlette(routes=[Route("/items/{number:int}", item)])
"""
GUNICORN = "shop={bin}/gunicorn --chdir shop -b {{host}}:{{port}} -w {{workers}} app:app"
UVICORN = (
    "store={bin}/uvicorn --app-dir store --host {{host}} --port {{port}} "
    "--workers {{workers}} --no-access-log app:app"
)


def run(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "loadtest", "run", *options],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin:/usr/sbin", "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


@pytest.mark.skipif(shutil.which("h2load") is None, reason="h2load is not installed")
def test_two_own_applications_are_compared_from_their_folder(tmp_path: Path) -> None:
    for name, text in (("shop", FLASK), ("store", STARLETTE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(text)
    (tmp_path / "reply.json").write_text('{"number":7}')
    mine = [
        *("--lane", GUNICORN.format(bin=BIN), "--lane", UVICORN.format(bin=BIN)),
        *("--target", "/items/7", "--expect", "reply.json", "--workers", "2"),
    ]
    done = run(tmp_path, *mine, *shlex.split("--blocks 1 --seconds 0.1 --noisy --no-aa --out run"))
    assert done.returncode == 0, done.stdout + done.stderr
    trials = {trial.lane: trial for trial in results.load(tmp_path / "run").trials}
    assert {name: trial.invalid for name, trial in trials.items()} == {"shop": None, "store": None}
    assert all(len(trial.worker_cpu_share or ()) == 2 for trial in trials.values())
    assert trials["store"].kept_alive == trials["store"].requests
    assert f"cd {tmp_path}" in done.stdout
    assert "--lane 'shop=" in done.stdout
    described = json.loads((tmp_path / "run" / "run.json").read_text())["plan"]
    assert {row["folder"] for row in described["lanes"]} == {str(tmp_path)}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--lane needs --target"),
        (["--target", "/", "--expect", "absent.json"], "absent.json cannot be read"),
        (["--target", "/", "--lane", HELLO], "shop is another lane's name"),
    ],
)
def test_what_a_person_can_mend_is_a_sentence(
    tmp_path: Path, options: list[str], sentence: str
) -> None:
    done = run(tmp_path, "--lane", HELLO, *options)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.split())
