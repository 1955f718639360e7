"""A profile by the real py-spy, of a real lane."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from loadtest import profile
from loadtest.interruption import Interruption
from loadtest.lanes import lanes
from loadtest.plan import Cell, Workload
from loadtest.profile import ProfileError, Spy
from loadtest.rules import Size
from tests.fakes import FakeWorld
from tests.test_loadtest import real_world

SIZE = Size(requests=6000, warmup_requests=200, seconds=4.0, body=None)


CAP_SYS_PTRACE = 1 << 19  # of <linux/capability.h>


def may_trace() -> bool:
    """Return whether this process may look into any other."""
    status = Path("/proc/self/status").read_text()
    effective = re.search(r"^CapEff:\s+(\w+)$", status, re.MULTILINE)
    return bool(effective and int(effective[1], 16) & CAP_SYS_PTRACE)


@pytest.mark.skipif(
    (shutil.which("ab") is None and "CI" not in os.environ) or not may_trace(),
    reason="takes ab, and a process that may look into another",
)
@pytest.mark.parametrize("lane", ["aiohttp-gunicorn", "flask-dev"])
def test_profile_names_the_lines_that_the_time_goes_to(tmp_path: Path, lane: str) -> None:
    with Interruption() as interruption:
        spy = Spy(profile.find(), interruption)
        cell = Cell(lanes()[lane], Workload())
        file = profile.profile(cell, SIZE, real_world(interruption), spy, tmp_path)
    assert file == tmp_path / f"{lane}.speedscope.json"
    frames = json.loads(file.read_text())["shared"]["frames"]
    assert any("planettracker/api/respond.py" in frame["file"] for frame in frames)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_py_spy_that_cannot_look_is_said_in_its_words(tmp_path: Path) -> None:
    program = tmp_path / "py-spy"
    program.write_text("#!/bin/sh\necho 'Permission Denied: Try running again with sudo'\nexit 1\n")
    program.chmod(0o755)
    cell = Cell(lanes()["flask-dev"], Workload())
    with (
        Interruption() as interruption,
        pytest.raises(ProfileError, match="did not start: Permission Denied: Try"),
    ):
        spy = Spy(str(program), interruption)
        profile.profile(cell, SIZE, FakeWorld().world(), spy, tmp_path / "profiles")
