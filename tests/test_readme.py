"""README says what the code says."""

import re
from pathlib import Path

import pytest
from fences import FENCES
from requests_table import INSIDE

from loadtest import own_lane
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
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def table(header: str) -> list[list[str]]:
    """Return the cells of the rows below a header line."""
    _, _, rest = README.partition(f"{header}\n")
    assert rest, f"README has no table {header}"
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_route_is_named() -> None:
    named = [row[0] for row in table("| address | answer |")]
    described = ["`/openapi.json`, `/docs`", "`/`"]
    assert named == [f"`{route.path}`" for route in ROUTES] + described


def test_every_body_is_named() -> None:
    assert set(BODIES) <= set(re.findall(r"`(\w+)`", table("| address | answer |")[0][1]))


def test_parameters_are_told_as_the_problems_tell_them() -> None:
    taken = dict.fromkeys(p for route in ROUTES for p in (route.parameters or {}).values())
    assert table("| parameter | send |") == [[f"`{p.name}`", p.expected] for p in taken]


def test_fields_are_those_of_the_contract() -> None:
    assert table("| field | unit | |") == [
        [f"`{field.name}`", field.unit or "", field.description] for field in FIELDS
    ]


def test_problems_are_those_of_the_contract() -> None:
    assert table("| code | status | when |") == [
        [f"`{problem.code}`", str(problem.status), problem.when] for problem in PROBLEMS.values()
    ]


def test_number_of_requests_that_are_held_alike_is_told() -> None:
    assert f"holds some {round(len(INSIDE), -2):,} such requests" in " ".join(README.split())


def test_what_make_can_serve_is_told() -> None:
    told = {
        row[0].strip("`"): re.findall(r"`(\w+)`", row[1]) for row in table("| `APP` | `SERVER` |")
    }
    served = re.findall(r"^SERVERS\.(\w+) = (.*)$", MAKEFILE, re.MULTILINE)
    assert told == {app: servers.split() for app, servers in served}
    assert list(told) == list(FRAMEWORKS)


def test_every_fence_is_told() -> None:
    assert len(table("| server | what it does |")) == len(FENCES) - 1  # one row for Tornado's two


def test_lanes_are_those_of_the_experiment() -> None:
    named = [name for row in table("| lane | |") for name in re.findall("`([^`]+)`", row[0])]
    assert named[: len(lanes())] == list(lanes())
    assert sorted(named) == sorted(lane.name for lane in chosen([EVERY], 4))


def test_options_of_run_are_all_told_with_their_defaults() -> None:
    told = [row[0].replace("`", "").split() for row in table("| option of `run` | |")]
    options = {option.opts[0]: option for option in run.params}
    assert [words[0] for words in told] == list(options)
    for name, *value in told:
        default = options[name].default
        if value and value[0][0].isdigit():
            assert str(default) == value[0]


def test_options_of_compare_are_told() -> None:
    told = [row[0].replace("`", "").split()[0] for row in table("| option of `compare` | |")]
    assert told == [o.opts[0] for o in compare_runs.params if o.opts[0].startswith("--")]


@pytest.mark.parametrize("name", ["rate", "io", "slow", "sweep", "clients"])
def test_options_of_a_question_are_told_with_their_defaults(name: str) -> None:
    told = [row[0].replace("`", "").split() for row in table(f"| option of `{name}` | |")]
    options = {option.opts[0]: option for option in QUESTIONS[name].options}
    assert [words[0] for words in told] == list(options)
    for option, *value in told:
        if value and value[0][0].isdigit():
            assert str(options[option].default) == value[0]


def test_options_of_sizing_are_told_with_their_defaults() -> None:
    told = [row[0].replace("`", "").split() for row in table("| option of `sizing` | |")]
    assert told == [[o.opts[0], str(o.default)] for o in size_stacks.params[1:]]


def test_options_of_python_are_told() -> None:
    told = [row[0].replace("`", "").split()[0] for row in table("| option of `python` | |")]
    assert told[0] == "--python"
    assert set(told) <= {option.opts[0] for option in loadtest_command.commands["python"].params}


def test_own_applications_of_the_example_are_lanes() -> None:
    texts = re.findall(r"--lane '([^']+app:app)'", README)
    mine = [own_lane.parse(text, ROOT, "/items/7", 2, lanes()) for text in texts]
    assert [lane.name for lane in mine] == ["shop", "store"]
    assert all(lane.workers == 2 for lane in mine)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"make ([a-z][a-z-]*)", README))))
def test_make_has_the_target(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("command", [*FRAMEWORKS, "sky", "mars", "almanac", "identify"])
def test_commands_of_the_service_are_told(command: str) -> None:
    assert command in planettracker_command.commands
    assert f"python -m planettracker {command}" in README


COMMANDS = [
    "lanes",
    "run",
    "report",
    "doctor",
    "compare",
    "sizing",
    "rate",
    "sweep",
    "python",
    "clients",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_experiment_are_told(command: str) -> None:
    assert command in loadtest_command.commands
    assert f"python -m loadtest {command}" in README or f"`{command}`" in README


def test_library_example_runs() -> None:
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (example,) = (text for text in examples if "planettracker" in text)
    names: dict[str, object] = {}
    exec(example.replace("print(", "printed = ("), names)
    assert names["printed"][2] in (True, False)  # type: ignore[index]
    assert len(names["everything"]) == len(BODIES)  # type: ignore[arg-type]


def test_relative_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)", README):
        if "://" not in link:
            assert (ROOT / link).exists(), link
