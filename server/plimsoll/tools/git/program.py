"""Runs git so that nothing of the repository is run with it.

A repository's own configuration can name programs: hooks, a watcher of files, pagers, external
diffs, text converters, content filters, transports. Each is switched off by name; filters, which
have names of their own, are listed first. Attributes of the tree only choose among those.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.search.halt import Halt

SECONDS = 10.0
"""For one question to git; a large repository with a cold disk takes some."""
MOST_BYTES = 4_000_000
"""Bytes of an answer that are read; what is beyond that no window holds."""
_MOST_SAID = 20_000
"""Bytes that are read of what it says of itself."""
_PIECE = 1024 * 1024
_OFF = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=false",
    "core.attributesFile=/dev/null",
    # The index that is refreshed is a copy, and all of it.
    "core.splitIndex=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "diff.external=",
    "log.showSignature=false",
    "submodule.recurse=false",
)
_FILTERS = ("config", "--null", "--name-only", "--get-regexp", r"^filter\.")
_INDEX = "GIT_INDEX_FILE"
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    # No protocol has this name, so that a lazy clone fetches nothing.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """The output of git."""

    output: str
    whole: bool
    """False: it wrote more than is read."""
    code: int = 0
    """Its exit code."""


class GitSilent(ToolFailed):
    """Git did not answer in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """Runs the machine's git in one folder."""

    root: Path
    environment: Mapping[str, str]
    """The environment of child processes, without secrets."""
    off: tuple[str, ...] = tuple(option for value in _OFF for option in ("-c", value))
    """Options that switch off what would run something."""
    folder: Path | None = None
    """Where it is run; none: in ``root``."""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables that we set for git itself, such as the index that it uses."""
    seconds: float = SECONDS
    most: int = MOST_BYTES

    def without_filters(self) -> "Git":
        """Return a git that runs no content filter; raises ToolFailed as ``ask``."""
        return replace(self, off=(*self.off, *self._filters()))

    @contextmanager
    def reading(self) -> Generator["Git"]:
        """Yield a git that runs no content filter and refreshes only a copy of the index.

        Raises:
            ToolFailed: As ``ask``.
        """
        filters = self._filters()
        index = self.root / self.ask("rev-parse", "--git-path", "index").output.rstrip("\n")
        with tempfile.TemporaryDirectory(prefix="plimsoll-git-") as folder:
            copy = Path(folder) / "index"
            copy_index(index, copy)
            own = {**self.variables, _INDEX: str(copy)}
            yield replace(self, variables=own, off=(*self.off, *filters))

    def ask(self, *arguments: str, failing: int | range | None = None) -> GitAnswer:
        """Run git and return its answer; ``failing``: exit codes that are no failure. Blocks.

        Raises:
            ToolFailed: Git is not installed, takes too long, or refuses; the message says why.
        """
        data, whole, code = self._answer(arguments, failing)
        return GitAnswer(data.decode("utf-8", "replace"), whole, code)

    def names(self, *arguments: str, failing: int | range | None = None) -> list[str]:
        """Run git and return the names in its answer, which end with a NUL each.

        Raises:
            ToolFailed: As ``ask``.
        """
        data, _, _ = self._answer(arguments, failing)
        return [os.fsdecode(name) for name in data.split(b"\0")[:-1]]

    def feed(self, given: bytes | IO[bytes], *arguments: str) -> bytes:
        """Run git with an input and return its whole output.

        Raises:
            ToolFailed: As ``ask``, or it wrote more than is read.
        """
        with tempfile.TemporaryFile() as own:
            if isinstance(given, bytes):
                own.write(given)
                own.seek(0)
            source = own if isinstance(given, bytes) else given
            data, whole, _ = self._answer(arguments, None, source.fileno())
        if not whole:
            raise ToolFailed("Git has written more than is read of it.")
        return data

    def _answer(
        self, arguments: Sequence[str], failing: int | range | None, given: int = subprocess.DEVNULL
    ) -> tuple[bytes, bool, int]:
        """Run git; return its output, whether that is complete, and the exit code."""
        halt = Halt(self.seconds)
        with tempfile.TemporaryFile() as errors:
            process = self._start(arguments, errors, given)
            with process, halt.ending(process.kill):
                data = _output(process).read(self.most + 1)
                if whole := len(data) <= self.most:
                    process.wait()
                else:
                    process.kill()
            errors.seek(0)
            said = errors.read(_MOST_SAID).decode("utf-8", "replace")
        if halt:
            raise GitSilent(f"Git has not answered in {self.seconds:.0f} seconds.")
        code = process.returncode
        fine = (0, *failing) if isinstance(failing, range) else (0, failing)
        if whole and code not in fine:
            raise ToolFailed(_refusal(said))
        return data[: self.most], whole, code

    def _start(
        self, arguments: Sequence[str], errors: IO[bytes], given: int
    ) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                [self._program(), "--no-pager", *self.off, *arguments],
                cwd=self.folder or self.root,
                env=self._all_variables(),
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors.fileno(),
                start_new_session=True,
            )
        except OSError as error:
            raise ToolFailed(f"Git cannot be started: {error.strerror}.") from error

    def _filters(self) -> list[str]:
        """Return options that switch off every content filter in git's configuration."""
        listed = self.ask(*_FILTERS, failing=1)
        drivers = {name[7:].rpartition(".")[0] for name in listed.output.split("\0") if name}
        odd = next((each for each in drivers if "=" in each or "\n" in each), None)
        if odd is not None:
            raise ToolFailed(
                "This repository has a content filter that cannot be switched off: "
                f"{visible_line(odd, 80)}. Git is not run."
            )
        return [
            option
            for driver in sorted(drivers)
            for value in ("clean=", "smudge=", "process=", "required=false")
            for option in ("-c", f"filter.{driver}.{value}")
        ]

    def _program(self) -> str:
        """Find git on the path, unless it lies in the folder."""
        found = shutil.which("git", path=self.environment.get("PATH", ""))
        program = None if found is None else Path(found)
        if program is None or not program.is_absolute():
            raise ToolFailed("Git is not installed, or not on the PATH of Plimsoll's server.")
        if any(path.is_relative_to(self.root) for path in (program, program.resolve())):
            raise ToolFailed("The first git on the PATH lies in this folder: it is not run.")
        return str(program)

    def _all_variables(self) -> dict[str, str]:
        given = self.environment.items()
        return {
            **{k: v for k, v in given if not k.startswith("GIT_")},
            **_ENVIRONMENT,
            **self.variables,
        }


def copy_index(index: Path, copy: Path) -> None:
    """Copy git's index, where there is one: a link or device in its place has no end. Blocks.

    Raises:
        ToolFailed: It is no plain file, or cannot be copied.
    """
    try:
        with (
            open_regular_file(index.parent.resolve() / index.name) as descriptor,
            open(descriptor, "rb", closefd=False) as file,
            copy.open("wb") as written,
        ):
            left = os.fstat(descriptor).st_size
            while piece := file.read(min(left, _PIECE)):
                left -= written.write(piece)
    except FileNotFoundError:
        # Before the first commit, or in a clone without a checkout, there may be none.
        return
    except OSError as error:
        raise ToolFailed(f"Git's index cannot be copied: {error.strerror}.") from error


def _output(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


def _refusal(said: str) -> str:
    if "not a git repository" in said:
        return "This folder is in no git repository."
    first = next((line for line in said.split("\n") if line.startswith("fatal: ")), "")
    return f"Git refuses: {visible_line(first.removeprefix('fatal: ') or said.strip(), 300)}"
