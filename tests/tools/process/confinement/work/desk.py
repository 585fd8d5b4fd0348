"""A home folder with a workspace in it, in which commands run in bubblewrap."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Processes

PERSON = "-c user.name=A -c user.email=a@example.org -c protocol.file.allow=always"


class Desk:
    """A home folder with a workspace in it, and a sandbox to run commands there."""

    def __init__(
        self, home: Path, program: Path, context: CallContext, processes: Processes
    ) -> None:
        self.home, self.root = home, home / "work"
        self.root.mkdir()
        # Where the toolchain of the tests is; another home has none.
        rustup = os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup"))
        environment = child_environment({**os.environ, "HOME": str(home), "RUSTUP_HOME": rustup})
        self._sandbox = Bubblewrap(program=program, environment=environment)
        self._context = replace(context, environment=environment)
        self._processes = processes

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def git(self, command: str, folder: Path | None = None) -> None:
        """Run git as the person does, without a sandbox."""
        words = ["git", *PERSON.split(), *command.split()]
        subprocess.run(words, cwd=folder or self.root, check=True, capture_output=True)

    def commit_all(self) -> None:
        self.git("init -q -b main")
        self.git("add -A")
        self.git("commit -q -m first")

    async def run(
        self,
        command: str,
        root: Path | None = None,
        *,
        commits: bool = True,
        readable: Sequence[Path] = (),
        registries: Registries | None = None,
        unix_sockets: bool = False,
    ) -> tuple[int, str]:
        """Run a command in the sandbox; return its exit code and its output."""
        root = root or self.root
        caches = self.home / ".local" / "share" / "plimsoll" / "caches"
        access = Access(
            root=root,
            home=self.home,
            caches=caches,
            hidden=(caches.parent,),
            commits=commits,
            readable=tuple(readable),
            registries=registries,
            unix_sockets=unix_sockets,
        )
        confine = partial(self._sandbox.confine, access=access)
        context = replace(self._context, root=root)
        running = await self._processes.start(command, context, confine)
        ended = await running.wait(120) or await running.end()
        return ended.code, await running.new_output()


def _works(program: str) -> bool:
    """Tell whether it is here; a stand-in of rustup is none without a toolchain behind it."""
    if program != "cargo":
        return shutil.which(program) is not None
    try:
        return not subprocess.run([program, "--version"], capture_output=True).returncode
    except FileNotFoundError:
        return False


def needs(*programs: str) -> None:
    for program in programs:
        if not _works(program):
            # Node and git are what the whole suite needs; a compiler is what a machine may have.
            leave_out = pytest.skip if program in {"git", "node", "npm"} else not_on_this_machine
            leave_out(f"no {program} here")
