"""A copy of the checkout in which mutants are put, with a Python that loads the copy alone."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SECONDS = 600
"""The longest that some tests may take; a mutant that hangs them is noticed."""
PASSED, NONE_FOUND = 0, 5
"""What pytest ends with."""


class Tree:
    """The copy."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = folder / "tree"
        self._home = folder / "home"
        self._log = folder / "log"
        self._home.mkdir()
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

    def passes(self, tests: Path, marked: str) -> bool:
        """Tell whether some tests pass, or there are none."""
        command = [str(self._python), "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
        return self._run([*command, "-m", marked, str(tests)]) in {PASSED, NONE_FOUND}

    def said(self) -> str:
        """Return the end of what the last tests wrote."""
        return "\n".join(self._log.read_text("utf-8", "replace").splitlines()[-20:])

    def _run(self, command: Sequence[str]) -> int | None:
        """Return what a command ends with; None where it takes too long."""
        own = {"HOME": str(self._home), "TMPDIR": str(self._home), "HYPOTHESIS_PROFILE": "dev"}
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=self._root,
                env={**os.environ, **own},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            return process.wait(SECONDS)
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
def copied(root: Path) -> Iterator[Tree]:
    """Have a copy of the checkout, without what git ignores."""
    with TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        # Some tests are run as another user, who has to come to their files.
        Path(folder).chmod(0o755)
        yield Tree(root, Path(folder))


def _copy(root: Path, to: Path) -> None:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)


def _python(root: Path, to: Path) -> Path:
    """Make an environment with the libraries of the checkout's own, and the package of the copy."""
    theirs = root / ".venv"
    made = to / ".venv"
    subprocess.run([theirs / "bin/python", "-m", "venv", "--without-pip", made], check=True)
    for tool in (theirs / "bin").iterdir():
        if tool.name != "plimsoll" and not (made / "bin" / tool.name).exists():
            (made / "bin" / tool.name).symlink_to(tool)
    (libraries,) = theirs.glob("lib/python*/site-packages")
    own = made / libraries.relative_to(theirs) / "copied.pth"
    own.write_text(f"{to / 'server'}\n{libraries}\n", "utf-8")
    return made / "bin/python"
