"""What a run leaves on disk: `run.json`, a line in `trials.jsonl` for each trial, raw output.

Each trial is on disk when it ends, so that a run which is interrupted keeps what it has.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from loadtest import schema, shape
from loadtest.plan import Workload
from loadtest.schema import VERSION

RUN_FILE = "run.json"
TRIALS_FILE = "trials.jsonl"
RAW_FOLDER = "raw"
RUN_SCHEMA_FILE = "run.schema.json"
TRIAL_SCHEMA_FILE = "trial.schema.json"


class RunFolderError(Exception):
    """A folder that is no run, or cannot become one; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One measured run on a fresh server; `schema.TRIAL_MEMBERS` says what its members mean.

    `invalid` is None, or why it counts for nothing. What an invalid trial did not get as far as
    measuring is None.
    """

    lane: str
    block: int
    position: int
    target: str
    load: str
    concurrency: int
    keep_alive: bool
    requests: int
    warmup_requests: int
    started: str
    share: float | None = None
    slow: str = ""
    failing: bool = False
    rate_rps: float | None = None
    offered_rps: float | None = None
    late_ms: float | None = None
    complete: int | None = None
    failed: int | None = None
    failures: Mapping[str, int] | None = None
    load_user_s: float | None = None
    load_system_s: float | None = None
    seconds: float | None = None
    throughput_rps: float | None = None
    latency_ms: Mapping[str, float] | None = None
    cpu_us_per_request: float | None = None
    worker_cpu_share: tuple[float, ...] | None = None
    load_cores: float | None = None
    outside_cores: float | None = None
    serial_ms: float | None = None
    memory_mib: float | None = None
    startup_s: float | None = None
    kept_alive: int | None = None
    document_bytes: int | None = None
    listen_queue: int | None = None
    listen_overflows: int | None = None
    aborted: bool = False
    short: bool = False
    invalid: str | None = None
    log: str | None = None

    @property
    def workload(self) -> Workload:
        """Return what was asked of the lane."""
        asked = (self.target, self.concurrency, self.keep_alive, self.load)
        return Workload(*asked, self.share, self.slow, self.failing)


TRIAL_SCHEMA = schema.trial(Trial)


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder: its description as run.json has it, and its trials."""

    folder: Path
    description: Mapping[str, Any]
    trials: tuple[Trial, ...]


def create(folder: Path, description: Mapping[str, Any]) -> None:
    """Make the folder a run, or raise RunFolderError if it is anything else already.

    The schemas go with it, for who gets the folder without the program.
    """
    make(folder)
    for name, content in ((RUN_SCHEMA_FILE, schema.RUN), (TRIAL_SCHEMA_FILE, TRIAL_SCHEMA)):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    describe(folder, description)


def make(folder: Path) -> None:
    """Make the folder, or raise RunFolderError if there is anything in it already."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise RunFolderError(
                f"{folder} exists and is not empty; name a new folder for the run with --out"
            )
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(
            f"cannot make {folder} ({error.strerror}); name another folder with --out"
        ) from None


def describe(folder: Path, description: Mapping[str, Any]) -> None:
    """Write run.json; a reader sees the old one or the new one, never half."""
    text = json.dumps({"version": VERSION, **description}, indent=2, ensure_ascii=False)
    new = folder / f"{RUN_FILE}.new"
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(folder / RUN_FILE)


def append(folder: Path, trial: Trial) -> None:
    """Add one line, and return when it is on the disk."""
    line = json.dumps(asdict(trial), ensure_ascii=False)
    with (folder / TRIALS_FILE).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())


def mend(folder: Path) -> None:
    """Remove a last line that was cut short, so that another can follow."""
    file = folder / TRIALS_FILE
    if file.exists():
        whole, newline, _ = file.read_bytes().rpartition(b"\n")
        os.truncate(file, len(whole) + len(newline))


def load(folder: Path) -> Run:
    """Return the run in the folder, or raise RunFolderError."""
    try:
        description = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
        version = description["version"]
    except (OSError, ValueError, KeyError, TypeError):
        raise RunFolderError(
            f"{folder} is not a run: it has no readable {RUN_FILE}; "
            "name a folder that `python -m loadtest run` has made"
        ) from None
    if version != VERSION:
        raise RunFolderError(
            f"{folder} was written by another version (format {version}, here {VERSION}); "
            "report it with the version that made it"
        )
    fault = schema.run_fault(description)
    if fault:
        raise RunFolderError(
            f"{folder / RUN_FILE} is not as a run writes it: {fault}; mend it, or measure again"
        )
    return Run(folder, description, tuple(_trials(folder / TRIALS_FILE)))


def _trials(file: Path) -> Iterator[Trial]:
    if not file.exists():
        return
    known = {field.name for field in fields(Trial)}
    # As bytes: a text's splitlines breaks at U+2028 and the like too, which a log may hold.
    for number, line in enumerate(file.read_bytes().splitlines(keepends=True), 1):
        try:
            members = json.loads(line)
            fault = shape.fault(members, TRIAL_SCHEMA)
        except ValueError:
            fault = "it is not JSON"
        if not line.endswith(b"\n"):
            return  # the disk was full, or the machine stopped, in the middle of this line
        if fault:
            raise RunFolderError(
                f"{file}, line {number}, is not a trial: {fault}; mend or remove it"
            )
        yield Trial(**{name: value for name, value in members.items() if name in known})


def never_valid(run: Run) -> list[str]:
    """Return the lanes of the run's plan that have no trial with an answer at all."""
    names = [lane["name"] for lane in run.description["plan"]["lanes"]]
    valid = {trial.lane for trial in run.trials if trial.invalid is None or trial.aborted}
    return [name for name in names if name not in valid]
