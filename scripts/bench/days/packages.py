"""The repositories that are worked on: pinned releases of public packages, unpacked with a log.

Nothing of them stands here. They are fetched into ``build/bench`` once; what cannot be fetched, or
has another hash than the pinned one, is said and left out.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "bench"
PYTHON = BUILD / "python"
"""An environment of its own for the tests of the packages: old releases want an old pytest."""
NEEDED = (
    *("pytest==8.2.2", "pretend==1.0.9", "hypothesis==6.104.2", "markupsafe==2.1.5"),
    *("werkzeug==3.0.3", "itsdangerous==2.2.0", "blinker==1.8.2", "click==8.1.7"),
)
CHECK = """#!/bin/sh
export PYTHONPATH=src PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 COLUMNS=80
exec "{python}" -m pytest -p no:cacheprovider "$@"
"""
"""The command of the repositories that runs their tests, the same way each time."""
FETCH_SECONDS = 300


class UnavailableError(Exception):
    """A package cannot be had here."""


@dataclass(frozen=True, slots=True)
class Package:
    """A release, as its registry has it."""

    name: str
    version: str
    sha256: str
    npm: bool = False

    @property
    def archive(self) -> str:
        """The name of its file."""
        flat = self.name.removeprefix("@").replace("/", "-")
        return f"{flat}-{self.version}{'.tgz' if self.npm else '.tar.gz'}"


CLICK = Package(
    "click", "8.1.7", "ca9853ad459e787e2192211578cc907e7594e294c7ccc834310722b41b9ca6de"
)
JINJA = Package(
    "jinja2", "3.1.4", "4a3aee7acbbe7303aede8e9648d13b8bf88a429282aa6122a993f0ac800cb369"
)
FLASK = Package(
    "flask", "3.0.3", "ceb27b0af3823ea2737928a4d99d125a06175b8512c445cbd9a9ce200ef76842"
)
ATTRS = Package(
    "attrs", "23.2.0", "935dc3b529c262f6cf76e50877d35a4bd3c1de194fd41f47a2b7ae8f19971f30"
)
PACKAGING = Package(
    "packaging", "24.0", "eb82c5e3e56209074766e6885bb04b8c38a0c015d0a30036ebe7ece34c9989e9"
)
EXPRESS = Package(
    "express",
    "4.19.2",
    "1b18c90e7e9fc4cb3e4dfe6b5f11c21b85509162e88ca5c6b63b9c6b5ca085bf",
    npm=True,
)


def fetched(package: Package) -> Path:
    """Return the archive of a release.

    Raises:
        UnavailableError: It cannot be fetched, or is not the pinned one.
    """
    path = BUILD / "archives" / package.archive
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        _run(_fetching(package, path.parent), path.parent)
    found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "no file"
    if found != package.sha256:
        raise UnavailableError(f"{package.archive}: expected {package.sha256}, found {found}.")
    return path


def _fetching(package: Package, folder: Path) -> Sequence[str]:
    if package.npm:
        release = f"{package.name}@{package.version}"
        return ("npm", "pack", "--silent", "--ignore-scripts", release)
    release = f"{package.name}=={package.version}"
    only = ("--no-deps", "--no-binary", package.name, "--dest", str(folder))
    return (sys.executable, "-m", "pip", "download", "--quiet", *only, release)


def unpacked(package: Package, folder: Path) -> None:
    """Make the repository of a release in a folder, with one commit and the command for its tests.

    Raises:
        UnavailableError: The release, or what its tests need, cannot be had.
    """
    with tarfile.open(fetched(package)) as archive:
        archive.extractall(folder.parent / "unpacked", filter="data")
    (only,) = (folder.parent / "unpacked").iterdir()
    shutil.move(only, folder)
    if not package.npm:
        check = folder / "check"
        check.write_text(CHECK.format(python=_python()), "utf-8")
        check.chmod(0o755)
    _git(folder, "init", "--quiet", "--initial-branch", "main")
    committed(folder, f"{package.name} {package.version}")


def committed(folder: Path, message: str) -> None:
    """Commit all that stands in a repository."""
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", message)


def _python() -> Path:
    """Return the interpreter for the tests of packages; its environment is made once."""
    python = PYTHON / "bin" / "python"
    stamp = PYTHON / "needed"
    if not stamp.is_file() or stamp.read_text("utf-8") != " ".join(NEEDED):
        PYTHON.parent.mkdir(parents=True, exist_ok=True)
        _run((sys.executable, "-m", "venv", "--clear", str(PYTHON)), PYTHON.parent)
        _run((str(python), "-m", "pip", "install", "--quiet", *NEEDED), PYTHON.parent)
        stamp.write_text(" ".join(NEEDED), "utf-8")
    return python


def _git(folder: Path, *command: str) -> None:
    who = [f"GIT_{role}_{what}" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
    when = {f"GIT_{role}_DATE": "2026-01-05T09:00:00Z" for role in ("AUTHOR", "COMMITTER")}
    _run(("git", *command), folder, {**dict.fromkeys(who, "bench"), **when})


def _run(command: Sequence[str], folder: Path, variables: dict[str, str] | None = None) -> None:
    try:
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(variables or {})},
            check=True,
            capture_output=True,
            timeout=FETCH_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UnavailableError(f"{' '.join(command)}: {error}") from error
