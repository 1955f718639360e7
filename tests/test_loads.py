"""Which load generators a run has."""

from pathlib import Path

import pytest

from loadtest import loads
from loadtest.load import LoadMissingError
from loadtest.loads import UnknownLoadError


def install(folder: Path, *programs: str) -> None:
    for name in programs:
        program = folder / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_where_none_is_named_the_installed_ones_are_used(path: Path) -> None:
    install(path, "ab", "h2load")
    assert list(loads.chosen([])) == ["ab", "h2load"]


def test_ab_alone_is_enough(path: Path) -> None:
    install(path, "ab")
    assert list(loads.chosen([])) == ["ab"]


def test_without_ab_it_says_what_to_install(path: Path) -> None:
    install(path, "h2load")
    with pytest.raises(LoadMissingError, match="apache2-utils"):
        loads.chosen([])
    assert list(loads.chosen(["h2load"])) == ["h2load"]


def test_named_one_that_is_missing_says_what_to_install(path: Path) -> None:
    install(path, "ab")
    with pytest.raises(LoadMissingError, match="nghttp2-client"):
        loads.chosen(["ab", "h2load"])


def test_unknown_name_tells_the_known_ones(path: Path) -> None:
    with pytest.raises(UnknownLoadError, match="'wrk'; there are ab, h2load"):
        loads.chosen(["wrk"])
