"""A copy of the checkout in which mutants are put, with a Python that loads the copy alone."""

import json
import os
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from mutation.reach import CHOSEN, WATCHED, Reach, files_of, read

SECONDS, TIMES = 120, 5
"""The longest that some tests may take beside what they take without a mutant, and how many times
that: a mutant that hangs them is noticed."""
ALONE = 3600
"""The longest that a room's tests may take without a mutant."""
PASSED, SOME_FAILED, NONE_FOUND = 0, 1, 5
"""What pytest ends with."""


class Tree:
    """The copy."""

    def __init__(self, root: Path, folder: Path, *, slow: bool) -> None:
        """``slow``: learn also what the tests marked slow reach, and ask them about it."""
        self._marked = "" if slow else "not slow"
        self._root = folder / "tree"
        self._home, self._temporary = folder / "home", folder / "tmp"
        self._log = folder / "log"
        self._home.mkdir()
        # Beside it: a sandbox shows of a home its tools alone, so what is in one is another matter.
        self._temporary.mkdir()
        _copy(root, self._root)
        self._python = _python(root, self._root)
        self._stamp = int(time.time())

    @property
    def package(self) -> Path:
        """The package in the copy."""
        return self._root / "server/plimsoll"

    @property
    def tests(self) -> Path:
        """Its tests."""
        return self._root / "tests"

    @contextmanager
    def put_in(self, file: Path, code: str) -> Iterator[None]:
        """Have another text in a file of the package for a time."""
        path = self.package / file
        before = path.read_text("utf-8")
        self._write(path, code)
        try:
            yield
        finally:
            self._write(path, before)

    def _write(self, path: Path, code: str) -> None:
        path.write_text(code, "utf-8")
        # Compiled modules go by seconds and size, and two mutants of a file may have both the same.
        self._stamp += 1
        os.utime(path, (self._stamp, self._stamp))

    def reach(self, tests: Path, room: str) -> Reach | None:
        """Learn which of some tests reach what of a room; None where they cannot be run."""
        to = self._home / "reach.json"
        watched = [[str(self.package / room / "*")], str(to)]
        arguments = ["-m", self._marked, str(tests)]
        ended = self._pytest(arguments, {WATCHED: json.dumps(watched)}, ALONE)
        return read(to) if ended in {PASSED, SOME_FAILED} else None

    def passes(self, tests: Sequence[str], reach: Reach) -> bool:
        """Tell whether some tests pass, one after the other."""
        chosen = self._home / "chosen.json"
        chosen.write_text(json.dumps(tests), "utf-8")
        own = {CHOSEN: str(chosen)}
        arguments = ["-x", "-m", self._marked, *files_of(tests)]
        seconds = SECONDS + TIMES * reach.took(tests)
        return self._pytest(arguments, own, seconds) in {PASSED, NONE_FOUND}

    def _pytest(self, arguments: Sequence[str], own: dict[str, str], seconds: float) -> int | None:
        plugins = ["-p", "no:cacheprovider", "-p", "mutation.plugin"]
        # Short and the same each time: some tests are about how long a path is.
        plugins += ["--basetemp", str(self._temporary / "t")]
        command = [str(self._python), "-m", "pytest", "-q", "-n0", *plugins, *arguments]
        return self._run(command, {"PYTHONPATH": str(self._root / "scripts"), **own}, seconds)

    def said(self) -> str:
        """Return the end of what the last tests wrote."""
        return "\n".join(self._log.read_text("utf-8", "replace").splitlines()[-20:])

    def _run(self, command: Sequence[str], own: dict[str, str], seconds: float) -> int | None:
        """Return what a command ends with; None where it takes too long."""
        places = {"HOME": str(self._home), "TMPDIR": str(self._temporary)}
        own = {**places, "HYPOTHESIS_PROFILE": "dev", **own}
        environment = {**os.environ, **own}
        # What is compiled once need not be for each mutant: four fifths of what a quick test takes.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=self._root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end_group(process)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End also what the tests of a mutant started and left."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        process.wait()


@contextmanager
def copied(root: Path, *, slow: bool) -> Iterator[Tree]:
    """Have a copy of the checkout, without what git ignores."""
    folder = Path(mkdtemp(prefix="mutants-")).resolve()
    try:
        # Some tests are run as another user, who has to come to their files.
        folder.chmod(0o755)
        yield Tree(root, folder, slow=slow)
    finally:
        # Some tests leave folders that are deeper than Python's own removal goes.
        subprocess.run(["rm", "-rf", folder], check=False)


def _copy(root: Path, to: Path) -> None:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)


def _python(root: Path, to: Path) -> Path:
    """Make an environment with the libraries of the checkout's own, and the package of the copy.

    Last come the tool's own libraries, for the plugin.
    """
    theirs = root / ".venv"
    made = to / ".venv"
    subprocess.run([theirs / "bin/python", "-m", "venv", "--without-pip", made], check=True)
    for tool in (theirs / "bin").iterdir():
        if tool.name != "plimsoll" and not (made / "bin" / tool.name).exists():
            (made / "bin" / tool.name).symlink_to(tool)
    (libraries,) = theirs.glob("lib/python*/site-packages")
    own = made / libraries.relative_to(theirs) / "copied.pth"
    tools = sysconfig.get_path("purelib")
    own.write_text(f"{to / 'server'}\n{libraries}\n{tools}\n", "utf-8")
    return made / "bin/python"
