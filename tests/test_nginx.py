"""nginx before a server: the same bytes, its CPU time counted, nothing left behind."""

import shutil
from pathlib import Path

import pytest

from loadtest import load, loads, nginx, processes, results, server
from loadtest.__main__ import main
from loadtest.interruption import Interruption
from loadtest.lanes import behind, lanes
from loadtest.plan import MARS
from loadtest.server import running

PLACES = f"{nginx.PLACES}:/usr/bin"
installed = pytest.mark.skipif(
    shutil.which("nginx") is None and shutil.which("nginx", path=PLACES) is None,
    reason="nginx is not installed: apt-get install nginx-light, or make test",
)


def test_lane_behind_a_proxy_keeps_connections_and_is_for_any_load() -> None:
    lane = behind(lanes()["flask-gunicorn"], nginx.NAME)
    assert lane.name == "flask-gunicorn+nginx"
    assert lane.keeps_alive is True
    assert lane.takes("ab")


def test_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *rest, **more: None)
    with pytest.raises(load.LoadMissingError, match="apt-get install nginx-light"):
        nginx.find()


@installed
def test_bytes_pass_unchanged_and_all_that_is_written_stays_in_the_folder(tmp_path: Path) -> None:
    lane = behind(lanes(2)["flask-gunicorn-2"], nginx.NAME)
    with running(lane, tmp_path, Interruption()) as served:
        plain = server.get(served.own_port, MARS)
        assert served.reply(MARS) == plain
        assert served.port != served.own_port
        assert len(served.workers()) == 2
        assert served.proxy is not None
        theirs = set(served.proxy.members())
        assert len(theirs) == 2  # its master and one worker
        assert theirs < served.usage().cpu_s.keys()
        assert not theirs & served.workers()
        group = served.proxy.group
    assert processes.group_members(group) == []
    assert {file.name for file in tmp_path.iterdir()} == {"server.log", "nginx"}


@installed
def test_proxy_that_ends_is_told(tmp_path: Path) -> None:
    with running(behind(lanes()["flask-dev"], nginx.NAME), tmp_path, Interruption()) as served:
        assert served.ended() is None
        assert served.proxy is not None
        served.proxy.stop(3)
        assert served.ended() == "nginx ended with exit status 0"


@installed
@pytest.mark.skipif("h2load" not in loads._installed(), reason="h2load is not installed")
def test_each_lane_is_measured_plain_and_behind_it(tmp_path: Path) -> None:
    options = "--lanes flask-gunicorn --behind nginx --loads h2load --blocks 1 --seconds 0.2"
    out = tmp_path / "run"
    with pytest.raises(SystemExit) as ended:
        main(["run", *options.split(), "--noisy", "--no-aa", "--out", str(out)])
    assert ended.value.code == 0
    trials = {trial.lane: trial for trial in results.load(out).trials}
    assert {name: trial.invalid for name, trial in trials.items()} == {
        "flask-gunicorn": None,
        "flask-gunicorn+nginx": None,
    }
    proxied = trials["flask-gunicorn+nginx"]
    assert proxied.kept_alive == proxied.requests
    assert trials["flask-gunicorn"].kept_alive in (0, None)
    assert results.load(out).description["environment"]["proxies"]["nginx"].startswith("nginx/")
