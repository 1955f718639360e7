"""What docs/findings.md says is what its runs say: each sentence names one, each figure is its."""

import re
from pathlib import Path

import pytest

from tests.findings import BEGIN, DOCUMENT

ANSWERS, _, RUNS = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
SECTIONS = dict(
    part.split("\n", 1) for part in re.split(r"^### ", RUNS, flags=re.MULTILINE)[1:] if part
)
REFERENCE = re.compile(r"\(?\[(\w+)\]\(#(\w+)\)")


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\N{NO-BREAK SPACE}", " ").replace("**", ""))


def figures(text: str) -> set[str]:
    """Return the figures that have an interval, with it and without their unit."""
    bare = re.sub(r" (times|ms|%)(?= \()", "", plain(text))
    return set(re.findall(r"[+-]?\d[\d.,]* \([+-]?\d[^()]* to [^()]*\)", bare))


def sentences() -> list[str]:
    """Return the sentences of the answers, which stand in lists."""
    lists = re.findall(r"^- (.*(?:\n  .*)*)", ANSWERS, flags=re.MULTILINE)
    return [each for item in lists for each in re.split(r"(?<=\)\)\.) ", plain(item)) if each]


@pytest.mark.parametrize("sentence", sentences())
def test_sentence_names_the_run_that_shows_it(sentence: str) -> None:
    named = REFERENCE.findall(sentence)
    assert named
    assert all(name == place and name in SECTIONS for name, place in named)


@pytest.mark.parametrize("sentence", sentences())
def test_figures_are_those_of_the_run(sentence: str) -> None:
    shown = {
        figure for name, _ in REFERENCE.findall(sentence) for figure in figures(SECTIONS[name])
    }
    assert figures(sentence) <= shown


@pytest.mark.parametrize("name", SECTIONS)
def test_run_has_its_answer_and_its_command(name: str) -> None:
    assert "\n> " in SECTIONS[name]
    assert ".venv/bin/python -m loadtest " in SECTIONS[name]
    for picture in re.findall(r"\]\((findings/[^)]+)\)", SECTIONS[name]):
        assert (DOCUMENT.parent / Path(picture)).stat().st_size > 1000
