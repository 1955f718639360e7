"""README, and the documents that it leads to, say what the code says."""

import re
from pathlib import Path

import pytest
from fences import FENCES
from requests_table import INSIDE

from loadtest import asking, own_lane
from loadtest.__main__ import main as loadtest_command
from loadtest.lanes import EVERY, chosen, lanes
from loadtest.measuring import run
from loadtest.questions import QUESTIONS
from loadtest.reading import compare_runs, size_stacks
from planettracker.__main__ import main as planettracker_command
from planettracker.api.contract import FIELDS, PROBLEMS
from planettracker.api.routes import ROUTES
from planettracker.apps import FRAMEWORKS
from planettracker.sky import BODIES

ROOT = Path(__file__).parents[1]
README, EXPERIMENT, SERVING, CONTRIBUTING = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "docs/experiment.md", "docs/serving.md", "CONTRIBUTING.md")
)
TOLD = "\n".join((README, EXPERIMENT, SERVING, CONTRIBUTING))
DOCUMENTS = (*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def table(document: str, header: str) -> list[list[str]]:
    """Return the cells of the rows below a header line."""
    _, _, rest = document.partition(f"{header}\n")
    assert rest, f"there is no table {header}"
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def told_options(command: str) -> list[list[str]]:
    """Return the first cells of a command's table: each an option, and its value if it has one."""
    rows = table(EXPERIMENT, f"| option of `{command}` | |")
    return [row[0].replace("`", "").split() for row in rows]


def test_every_route_is_named() -> None:
    named = [row[0] for row in table(README, "| address | answer |")]
    described = ["`/openapi.json`, `/docs`", "`/`"]
    assert named == [f"`{route.path}`" for route in ROUTES] + described


def test_every_body_is_named() -> None:
    assert set(BODIES) <= set(re.findall(r"`(\w+)`", table(README, "| address | answer |")[0][1]))


def test_parameters_are_told_as_the_problems_tell_them() -> None:
    taken = dict.fromkeys(p for route in ROUTES for p in (route.parameters or {}).values())
    assert table(README, "| parameter | send |") == [[f"`{p.name}`", p.expected] for p in taken]


def test_fields_are_those_of_the_contract() -> None:
    assert table(README, "| field | unit | |") == [
        [f"`{field.name}`", field.unit or "", field.description] for field in FIELDS
    ]


def test_problems_are_those_of_the_contract() -> None:
    assert table(README, "| code | status | when |") == [
        [f"`{problem.code}`", str(problem.status), problem.when] for problem in PROBLEMS.values()
    ]


def test_number_of_requests_that_are_held_alike_is_told() -> None:
    assert f"holds some {round(len(INSIDE), -2):,} such requests" in " ".join(SERVING.split())


def test_what_make_can_serve_is_told() -> None:
    rows = table(README, "| `APP` | `SERVER` |")
    told = {row[0].strip("`"): re.findall(r"`(\w+)`", row[1]) for row in rows}
    served = re.findall(r"^SERVERS\.(\w+) = (.*)$", MAKEFILE, re.MULTILINE)
    assert told == {app: servers.split() for app, servers in served}
    assert list(told) == list(FRAMEWORKS)


def test_every_fence_is_told() -> None:
    told = table(SERVING, "| server | what it does |")
    assert len(told) == len(FENCES) - 1  # one row for Tornado's two


def test_lanes_are_those_of_the_experiment() -> None:
    rows = table(EXPERIMENT, "| lane | |")
    named = [name for row in rows for name in re.findall("`([^`]+)`", row[0])]
    assert named[: len(lanes())] == list(lanes())
    assert sorted(named) == sorted(lane.name for lane in chosen([EVERY], 4))


def test_options_of_run_are_all_told_with_their_defaults() -> None:
    told = told_options("run")
    options = {option.opts[0]: option for option in run.params}
    assert [words[0] for words in told] == list(options)
    for name, *value in told:
        default = options[name].default
        if value and value[0][0].isdigit():
            assert str(default) == value[0]


def test_options_of_compare_are_told() -> None:
    told = [words[0] for words in told_options("compare")]
    assert told == [o.opts[0] for o in compare_runs.params if o.opts[0].startswith("--")]


@pytest.mark.parametrize("name", ["rate", "io", "slow", "sweep", "clients"])
def test_options_of_a_question_are_told_with_their_defaults(name: str) -> None:
    told = told_options(name)
    options = {option.opts[0]: option for option in QUESTIONS[name].options}
    assert [words[0] for words in told] == list(options)
    for option, *value in told:
        if value and value[0][0].isdigit():
            assert str(options[option].default) == value[0]


def test_options_that_all_questions_share_are_told() -> None:
    _, _, rest = EXPERIMENT.partition("## Further questions\n\n")
    told = re.findall("`(--[a-z]+)`", rest.partition("\n\n")[0])
    for question in QUESTIONS.values():
        shared = asking.command(question).params[len(question.options) :]
        assert told == [option.opts[0] for option in shared]


def test_options_of_sizing_are_told_with_their_defaults() -> None:
    assert told_options("sizing") == [[o.opts[0], str(o.default)] for o in size_stacks.params[1:]]


def test_options_of_python_are_told() -> None:
    told = [words[0] for words in told_options("python")]
    assert told[0] == "--python"
    assert set(told) <= {option.opts[0] for option in loadtest_command.commands["python"].params}


def test_own_applications_of_the_example_are_lanes() -> None:
    texts = re.findall(r"--lane '([^']+app:app)'", README)
    mine = [own_lane.parse(text, ROOT, "/items/7", 2, lanes()) for text in texts]
    assert [lane.name for lane in mine] == ["shop", "store"]
    assert all(lane.workers == 2 for lane in mine)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"make ([a-z][a-z-]*)", TOLD))))
def test_make_has_the_target(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_command_of_each_framework_is_told(framework: str) -> None:
    assert framework in planettracker_command.commands
    assert f"python -m planettracker {framework}" in SERVING


@pytest.mark.parametrize("command", ["sky", "mars", "almanac", "identify"])
def test_commands_of_the_sky_are_told(command: str) -> None:
    assert command in planettracker_command.commands
    assert f"python -m planettracker {command}" in README


@pytest.mark.parametrize("command", loadtest_command.commands)
def test_commands_of_the_experiment_are_told(command: str) -> None:
    assert f"python -m loadtest {command}" in EXPERIMENT


def test_every_question_has_a_row_with_what_it_answers() -> None:
    rows = table(README, "| command | what it answers | minutes |")
    named = [name for row in rows for name in re.findall(r"-m loadtest (\w+)", row[0])]
    assert set(named) <= set(loadtest_command.commands)
    assert {*QUESTIONS, "run", "attribute", "sizing", "compare", "doctor"} == {*named, "python"}
    assert any(row[0].startswith("`make pythons ") for row in rows)


def test_library_example_runs() -> None:
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (example,) = (text for text in examples if "planettracker" in text)
    names: dict[str, object] = {}
    exec(example.replace("print(", "printed = ("), names)
    assert names["printed"][2] in (True, False)  # type: ignore[index]
    assert len(names["everything"]) == len(BODIES)  # type: ignore[arg-type]


def anchors(document: Path) -> set[str]:
    """Return what links may lead to within a document: its headings, as GitHub writes them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_relative_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)", document.read_text(encoding="utf-8")):
        if "://" not in link:
            name, _, anchor = link.partition("#")
            there = document.parent / name if name else document
            assert there.exists(), link
            assert not anchor or anchor in anchors(there), link


@pytest.mark.parametrize("name", ["experiment", "serving", "method", "accuracy"])
def test_readme_leads_to_each_document(name: str) -> None:
    assert f"](docs/{name}.md)" in README
