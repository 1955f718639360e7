"""What sets the project up and starts it: the Makefile, the Pipfile and its lock, the Procfile."""

import hashlib
import importlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError

import pytest

from loadtest.lanes import FIRST, FURTHER
from planettracker.apps import FRAMEWORKS

ROOT = Path(__file__).parents[1]
MAKE = shutil.which("make") or "make"
# In pieces, so that this file does not name them.
PYTHON_INDEX = ".".join(("pypi", "org"))
REGISTRIES = (
    PYTHON_INDEX,
    ".".join(("files", "pythonhosted", "org")),
    ".".join(("registry", "npmjs", "org")),
    ".".join(("deb", "debian", "org")),
)
# As if no other make were above, and nothing chosen in the environment.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON", "GUNICORN_CMD_ARGS"}
    and name not in {"APP", "SERVER", "WORKERS", "PORT", "WEB_CONCURRENCY"}
}
PATIENCE_S = 20


def make(*arguments: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [MAKE, "-f", str(ROOT / "Makefile"), *arguments],
        cwd=folder,
        env=ENVIRONMENT | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def ready(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Run make as if all were set up, so that it sets up nothing."""
    made = ("bench.done", "h2load.tried", "stacks.done")
    done = [word for name in made for word in ("-o", f".venv/{name}")]
    return make(*done, "-o", "need-ab", *arguments, **environment)


def lock() -> dict:
    return json.loads((ROOT / "Pipfile.lock").read_text())


def pipfile() -> dict:
    return tomllib.loads((ROOT / "Pipfile").read_text())


# The Pipfile and its lock


def test_neither_the_pipfile_nor_the_lock_names_an_index() -> None:
    categories = lock()
    assert "source" not in pipfile()
    assert categories.pop("_meta")["sources"] == []
    assert not [
        name for packages in categories.values() for name in packages.items() if "index" in name[1]
    ]


def test_every_locked_package_has_hashes() -> None:
    categories = lock()
    del categories["_meta"]
    packages = [package for packages in categories.values() for package in packages.values()]
    assert packages
    assert all(package["version"].startswith("==") and package["hashes"] for package in packages)


def test_the_lock_is_up_to_date_with_the_pipfile() -> None:
    """pipenv's own hash on a machine whose pip has no settings."""
    wanted = pipfile()
    index = {
        "name": "pypi",
        "url": "/".join(("https:", "", PYTHON_INDEX, "simple")),
        "verify_ssl": True,
    }
    hashed = {
        "_meta": {"sources": [index], "requires": {}},
        "default": wanted.pop("packages"),
        "develop": wanted.pop("dev-packages"),
        **wanted,
    }
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"))
    assert lock()["_meta"]["hash"]["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_no_tracked_file_names_a_registry() -> None:
    try:
        listing = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    files = [ROOT / name for name in listing.split("\0") if name]
    assert files
    for file in filter(Path.is_file, files):
        text = file.read_bytes()
        assert not [host for host in REGISTRIES if host.encode() in text], file


# The Makefile


def test_help_names_every_target_and_is_the_default() -> None:
    targets = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    listed = make("help").stdout
    assert set(re.findall(r"^make ([a-z-]+) +\S", listed, re.MULTILINE)) == set(targets) - {
        "need-ab"
    }
    assert make().stdout == listed


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ((), "planettracker aiohttp --host 127.0.0.1 --port 8000"),
        (("APP=flask", "PORT=8080"), "planettracker flask --host 127.0.0.1 --port 8080"),
        (
            ("SERVER=gunicorn",),
            "gunicorn planettracker.apps.aiohttp:create_app() -k aiohttp.GunicornWebWorker"
            " -w 4 -b 127.0.0.1:8000 --no-control-socket --forwarded-allow-ips=",
        ),
        (
            ("SERVER=gunicorn", "APP=flask", "WORKERS=2", "HOST=0.0.0.0"),
            "gunicorn planettracker.apps.flask:create_app() -k sync"
            " -w 2 -b 0.0.0.0:8000 --no-control-socket --forwarded-allow-ips=",
        ),
    ],
)
def test_serve_starts_the_chosen_server(options: tuple[str, ...], command: str) -> None:
    assert ready("serve", "RUN=echo", *options, HOST="a-shells-own").stdout == command + "\n"


def served() -> list[tuple[str, str]]:
    """Return each APP of the Makefile with each of its SERVERs."""
    table = re.findall(r"^SERVERS\.(\w+) = (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return [(app, server) for app, servers in table for server in servers.split()]


def test_serve_knows_every_framework() -> None:
    assert list(dict.fromkeys(app for app, _ in served())) == list(FRAMEWORKS)


# The lanes that have another name, or none, as a choice of `make serve`.
OTHER = {"starlette-dev": "starlette-uvicorn"}


@pytest.mark.parametrize(("app", "server"), served())
def test_serve_starts_what_the_experiment_measures(app: str, server: str) -> None:
    started = ready("serve", "RUN=echo", f"APP={app}", f"SERVER={server}", "WORKERS=1").stdout
    name = f"{app}-{server}"
    lane = {lane.name: lane for lane in (*FIRST, *FURTHER)}[OTHER.get(name, name)]
    if server != "dev":
        module = {"gunicorn": "gunicorn", "uvicorn": "uvicorn", "granian": "granian"}[lane.server]
        assert started.split()[0] == module
        assert lane.server == "uvicorn" or f" {lane.worker_class} " in started
    assert f"planettracker {app} " in started or f"planettracker.apps.{app}:create_app" in started


@pytest.mark.parametrize(
    ("option", "needs"),
    [("APP=flask", "bench"), ("APP=tornado", "stacks"), ("SERVER=uvloop", "stacks")],
)
def test_serve_installs_the_further_stacks_where_it_needs_them(
    option: str, needs: str, tmp_path: Path
) -> None:
    (tmp_path / "Pipfile.lock").touch()
    said = make("serve", "--dry-run", "RUN=echo", option, folder=tmp_path).stdout
    assert ("Installing the further stacks" in said) is (needs == "stacks")


@pytest.mark.parametrize("option", ["APP=django", "SERVER=uvicorn", "APP=", "SERVER="])
def test_serve_refuses_what_it_does_not_know(option: str) -> None:
    refused = ready("serve", "RUN=echo", option)
    name, value = option.split("=")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"{name} is ") and f"not '{value}'." in refused.stderr


@pytest.mark.parametrize("target", ["bench", "bench-quick", "bench-all"])
def test_what_chooses_a_server_does_not_reach_the_benchmark(target: str) -> None:
    chosen = {"APP": "flask", "SERVER": "gunicorn", "WORKERS": "7", "PORT": "9", "HOST": "here"}
    seen = ready(target, "RUN=env #", **chosen).stdout.splitlines()
    assert seen and not [line for line in seen if line.split("=")[0] in chosen]


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("bench", "loadtest run --seed 7"),
        ("bench-quick", "loadtest run --blocks 2 --seconds 0.2 --noisy --seed 7"),
        ("bench-all", "loadtest run --lanes all --attribute 4 --seed 7"),
        ("calibrate", "tests.calibration --seed 7"),
        ("planted", "tests.planted --seed 7"),
    ],
)
def test_arguments_reach_the_benchmark(target: str, command: str) -> None:
    assert ready(target, "RUN=echo", "ARGS=--seed 7").stdout == command + "\n"


def test_the_chosen_python_is_written_down_once(tmp_path: Path) -> None:
    chosen = tmp_path / ".tools" / "python"
    assert make(".tools/python", f"PYTHON={sys.executable}", folder=tmp_path).returncode == 0
    written = chosen.stat().st_mtime_ns
    path, version = chosen.read_text().split()
    assert Path(path).samefile(sys.executable)
    assert version == ".".join(map(str, sys.version_info[:3]))
    assert make(".tools/python", f"PYTHON={path}", folder=tmp_path).returncode == 0
    assert chosen.stat().st_mtime_ns == written


def test_an_old_or_missing_python_is_refused(tmp_path: Path) -> None:
    old = script(tmp_path / "python3.9", 'test "$1" = --version && echo Python 3.9.18')
    for python, answer in ((str(old), "Python 3.9.18."), ("no-such-python", "not found.")):
        refused = make(".tools/python", f"PYTHON={python}", folder=tmp_path)
        assert refused.returncode == 2
        assert refused.stderr.startswith(
            f"PlanetTracker needs Python 3.11 or newer, and {python} --version says: "
        )
        assert answer in refused.stderr
        assert not (tmp_path / ".tools" / "python").exists()


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder to be the whole PATH, without loads; its apt-get installs them, and keeps a log."""
    for command in ("chmod", "env", "mkdir", "touch"):
        (tmp_path / command).symlink_to(str(shutil.which(command)))
    script(tmp_path / "id", "echo 0")
    script(
        tmp_path / "apt-get",
        f'echo "$DEBIAN_FRONTEND $*" >> {tmp_path}/log\n'
        f'case "$*" in *apache2-utils) touch {tmp_path}/ab; chmod +x {tmp_path}/ab ;;\n'
        f"*nghttp2-client) touch {tmp_path}/h2load; chmod +x {tmp_path}/h2load ;; esac",
    )
    return tmp_path


def test_what_is_missing_is_installed_by_apt(bare: Path) -> None:
    assert make("need-ab", folder=bare, PATH=str(bare)).returncode == 0
    update, install = (bare / "log").read_text().splitlines()
    assert update.startswith("noninteractive ") and update.endswith(" update")
    assert install.startswith("noninteractive ")
    assert install.endswith(" install -y --no-install-recommends apache2-utils")


def test_what_is_there_is_not_installed_again(bare: Path) -> None:
    script(bare / "ab", "true")
    present = make("need-ab", folder=bare, PATH=str(bare))
    assert (present.returncode, (bare / "log").exists()) == (0, False)


@pytest.mark.parametrize("lacks", ["root", "apt-get", "the package"])
def test_where_apt_cannot_help_a_sentence_says_what_to_install(bare: Path, lacks: str) -> None:
    if lacks == "root":
        script(bare / "id", "echo 1000")
    elif lacks == "apt-get":
        (bare / "apt-get").unlink()
    else:
        script(bare / "apt-get", "exit 100")
    missing = make("need-ab", folder=bare, PATH=str(bare))
    assert missing.returncode == 2
    assert "apache2-utils is missing, and cannot be installed from here:" in missing.stderr
    assert "run 'apt-get install apache2-utils' as root, then make again." in missing.stderr
    assert not (bare / "log").exists()


def try_h2load(bare: Path) -> subprocess.CompletedProcess:
    (bare / ".venv").mkdir(exist_ok=True)
    (bare / ".venv" / "bench.done").touch()
    arguments = ("-o", ".venv/bench.done", ".venv/h2load.tried")
    return make(*arguments, folder=bare, PATH=str(bare))


def test_h2load_is_installed_by_apt(bare: Path) -> None:
    assert try_h2load(bare).returncode == 0
    _, install = (bare / "log").read_text().splitlines()
    assert install.endswith(" install -y --no-install-recommends nghttp2-client")


def test_h2load_is_not_installed_again(bare: Path) -> None:
    script(bare / "h2load", "true")
    assert (try_h2load(bare).returncode, (bare / "log").exists()) == (0, False)


def test_without_h2load_all_goes_on_and_is_not_tried_again(bare: Path) -> None:
    (bare / "apt-get").unlink()
    missing = try_h2load(bare)
    assert missing.returncode == 0
    assert "run 'apt-get install nghttp2-client' as root, then make again." in missing.stderr
    assert missing.stdout == "Without h2load the experiment runs with ab alone.\n"
    assert try_h2load(bare).stdout.count("Without h2load") == 0


@pytest.mark.parametrize("target", ["setup", "bench", "bench-quick", "bench-all", "test"])
def test_what_uses_loads_tries_h2load(target: str) -> None:
    line = re.search(rf"^{target}:(.*)##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line is not None
    assert {"need-ab", ".venv/h2load.tried"} <= set(line[1].split())


def test_tests_try_nginx() -> None:
    line = re.search(r"^test:(.*)##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line is not None and ".venv/nginx.tried" in line[1].split()


def test_pythons_to_compare_must_be_named() -> None:
    refused = ready("pythons")
    assert refused.returncode == 2
    assert "Which? PYTHONS=python3.11,python3.13 make pythons" in refused.stderr


@pytest.mark.parametrize("answer", ["exit 1", None], ids=["too old", "absent"])
def test_python_that_cannot_serve_is_told(bare: Path, answer: str | None) -> None:
    if answer:
        script(bare / "python3.9", answer)
    tools = re.search(r"^PIPENV_VERSION = (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert tools is not None
    (bare / "Pipfile.lock").touch()
    done = f".tools/pipenv-{tools[1]}/done"
    refused = make("-o", done, ".venv-python3.9/done", folder=bare, PATH=str(bare))
    assert refused.returncode == 2
    assert "python3.9 is no Python of 3.11 or newer on the PATH" in refused.stderr


# The Procfile


def processes() -> dict[str, str]:
    lines = (ROOT / "Procfile").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.parametrize("name", processes())
def test_the_procfile_names_apps(name: str) -> None:
    program, app, *options = shlex.split(processes()[name])
    module, factory = app.removesuffix("()").split(":")
    assert (program, app[-2:]) == ("gunicorn", "()")
    assert callable(getattr(importlib.import_module(module), factory))
    assert options[-4:-2] == ["-b", "0.0.0.0:${PORT:-8000}"]
    assert options[-2:] == ["--no-control-socket", "--forwarded-allow-ips="]


def test_honcho_runs_the_procfile_and_leaves_nothing(tmp_path: Path) -> None:
    port = two_free_ports()
    with honcho(port, tmp_path / "log") as pid:
        wait_for(lambda: healthy(port) and healthy(port + 100), tmp_path / "log")
        for app in ("planettracker.apps.aiohttp", "planettracker.apps.flask"):
            wait_for(lambda app=app: len(workers(pid, app)) == 2, tmp_path / "log")
        assert healthy(port + 100, SCRIPT_NAME="/elsewhere", **{"X-Forwarded-Ssl": "on"})
        started = tree(pid)
        assert len(started) >= 7  # honcho, and for each app a master and two workers
    assert not started & living().keys()


def two_free_ports() -> int:
    """Return a port that is free, as is the one that honcho gives to the next process."""
    for _ in range(100):
        with socket.socket() as first, socket.socket() as second, suppress(OSError, OverflowError):
            first.bind(("", 0))
            port = first.getsockname()[1]
            second.bind(("", port + 100))
            return port
    pytest.fail("no two free ports")


@contextmanager
def honcho(port: int, log: Path) -> Iterator[int]:
    """Start the Procfile with two workers each, and at the end stop it by its own pid."""
    command = [sys.executable, "-m", "honcho", "--env", os.devnull, "start"]
    environment = ENVIRONMENT | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PORT": str(port),
        "WEB_CONCURRENCY": "2",
    }
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
        ) as process,
    ):
        try:
            yield process.pid
        finally:
            started = tree(process.pid)
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            finally:
                for pid in started & living().keys():
                    os.kill(pid, 9)


def wait_for(condition: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)


def healthy(port: int, **headers: str) -> bool:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers=headers)
    with (
        suppress(URLError, ConnectionError),
        urllib.request.urlopen(request, timeout=5) as reply,
    ):
        return reply.status == 200
    return False


def living() -> dict[int, int]:
    """Return the parent of each process that has not ended."""
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = file.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(file.parent.name)] = int(parent)
    return parents


def tree(pid: int) -> set[int]:
    """Return a process and all that descend from it."""
    parents, found = living(), {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def workers(pid: int, app: str) -> set[int]:
    """Return those of a process's descendants that run an app and have no children themselves."""
    parents = set(living().values())
    found = set()
    for process in tree(pid) - parents:
        with suppress(OSError):
            if app in Path(f"/proc/{process}/cmdline").read_text():
                found.add(process)
    return found
