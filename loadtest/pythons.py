"""Further Pythons, each with the project's packages in an environment of its own.

`make pythons` makes them beside .venv, from the same lock: .venv-python3.13 for what is called
python3.13.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

from loadtest import environment
from loadtest.commands import interpreter

DESCRIBE = """
import json, platform, sys, sysconfig
from importlib.metadata import PackageNotFoundError, version
found = {}
for name in sys.argv[1:]:
    try: found[name] = version(name)
    except PackageNotFoundError: pass
python = f"{platform.python_implementation()} {platform.python_version()}"
optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
print(json.dumps({"python": python, "optimised": optimised, "packages": found}))
"""


class PythonMissingError(ValueError):
    """Pythons without the project's packages; the text says how to give them these."""

    def __init__(self, names: list[str], all_of: list[str]) -> None:
        super().__init__(
            f"{' and '.join(names)} cannot serve here yet; make pythons "
            f"PYTHONS={','.join(all_of)} gives each what it needs"
        )


def installed() -> list[str]:
    """Return the Pythons that have an environment."""
    found = Path(interpreter("*"))
    folders = found.parents[2].glob(found.parents[1].name)
    return [folder.name.removeprefix(".venv-") for folder in folders]


def check(names: list[str]) -> None:
    """Raise PythonMissingError unless each Python has its environment."""
    absent = [name for name in names if not Path(interpreter(name)).exists()]
    if absent:
        raise PythonMissingError(absent, names)


def described(name: str) -> dict[str, Any]:
    """Return the version of a Python, how it was built, and the packages that take part."""
    command = [interpreter(name), "-I", "-c", DESCRIBE, *environment.PACKAGES]
    try:
        said = subprocess.run(command, capture_output=True, check=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        raise PythonMissingError([name], [name]) from None
    found: dict[str, Any] = json.loads(said)
    return found
