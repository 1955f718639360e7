"""Write the runs of a folder into docs/findings.md: `make findings RUNS=FOLDER`."""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser

from loadtest import repeat, report, results
from loadtest.content import Content
from loadtest.results import Run
from loadtest.table import Table
from tests import browser as browsers

DOCUMENT = Path(__file__).parents[1] / "docs" / "findings.md"
PICTURES = DOCUMENT.with_name("findings")
BEGIN = "<!-- The runs: written by `make findings`, from their files. -->"
WIDTH = 760
QUOTED = 2  # paragraphs
ELSEWHERE = ("Environment", "Invalid trials")


def section(run: Run, name: str) -> str:
    """Return what a run's report says first, the picture of its first plot, and its command."""
    made = report.content(run)
    lines = [f"### {name}", ""]
    for sentences in made.paragraphs[:QUOTED]:
        lines += [f"> {' '.join(sentences)}", ""]
    if made.plots:
        lines += [f"![{made.plots[0].title}]({PICTURES.name}/{name}.png)", "", caption(run), ""]
    return "\n".join([*lines, "```sh", repeat.commands(run)[-1], "```", "", *folded(made), ""])


def folded(made: Content) -> list[str]:
    """Return the report's tables, to be opened by who wants to see them."""
    found = [table for table in made.tables if table.title not in ELSEWHERE]
    if not found:
        return []
    return ["<details><summary>Tables</summary>", *lines_of(found), "", "</details>"]


def lines_of(found: list[Table]) -> list[str]:
    # A level below the run's own heading.
    lines = report.markdown_tables(found)
    return [f"##{line}" if line.startswith("## ") else line for line in lines]


def caption(run: Run) -> str:
    """Return what the run was: when, of which commit, and how many trials counted."""
    found = run.description
    valid = sum(trial.invalid is None for trial in run.trials)
    return (
        f"{found['started'][:10]}, commit {found['environment']['commit']}, "
        f"{found['environment']['python']}, {found['plan']['blocks']} blocks: "
        f"{valid} of {len(run.trials)} trials counted."
    )


def picture(browser: Browser, run: Run, name: str) -> None:
    """Write the picture of the run's first plot, if it has one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(browser.new_context(viewport={"width": WIDTH, "height": 900})) as context,
    ):
        file = Path(folder) / "report.html"
        file.write_text(report.html(run), encoding="utf-8")
        page = context.new_page()
        page.goto(file.as_uri())
        figures = page.locator("figure")
        if figures.count():
            figures.first.screenshot(path=PICTURES / f"{name}.png")


def runs(folder: Path) -> Iterator[tuple[str, Run]]:
    """Yield the runs in a folder by their names, in the document's order where it has one."""
    order = re.findall(r"^### (\S+)$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    places = {name: place for place, name in enumerate(order)}
    found = [path for path in folder.iterdir() if (path / results.RUN_FILE).exists()]
    for path in sorted(found, key=lambda path: (places.get(path.name, len(places)), path.name)):
        yield path.name, results.load(path)


def write(folder: Path) -> None:
    """Write the document's last part and its pictures."""
    found = dict(runs(folder))
    text, begin, _ = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir()
    with browsers.running() as browser:
        for name, run in found.items():
            picture(browser, run, name)
    sections = [section(run, name) for name, run in found.items()]
    DOCUMENT.write_text("\n".join([f"{text}{begin}", "", *sections]), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
