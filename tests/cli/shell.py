"""A person's shell: commands as real processes, and a terminal to type at."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from lsp import preloaded

SECONDS = 120
"""Longer than any command here takes; a hang ends the test."""
WHERE_IS_THE_CURSOR = b"\x1b[6n"
"""A question of programs to the terminal, which answers as if it were typed."""
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Shell:
    """A folder to work in, and the settings of a user of the test's own."""

    folder: Path
    variables: dict[str, str]

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "plimsoll", *arguments]

    def run(self, *arguments: str, typed: str = "", **variables: str):
        own = {**self.variables, **variables}
        return preloaded.run(self.command(*arguments), typed.encode(), self.folder, own, SECONDS)

    def run_from_nothing(self, *arguments: str, typed: str = "", **variables: str):
        """Run it as `run` does, in an interpreter that has loaded nothing."""
        return subprocess.run(
            self.command(*arguments),
            input=typed.encode(),
            capture_output=True,
            cwd=self.folder,
            env={**self.variables, **variables},
            timeout=SECONDS,
        )

    def script(self, *rules: dict[str, object]) -> dict[str, str]:
        """The variables that let a script answer."""
        path = self.folder.parent / "script.json"
        path.write_text(json.dumps({"rules": list(rules), "mode": "echo"}))
        return {"PLIMSOLL_MODEL__PROVIDER": "scripted", "PLIMSOLL_MODEL__NAME": str(path)}


def refused(done, *said: str, code: int = 1) -> None:
    """A clear message on standard error, no trace, and an exit code that says so."""
    told = done.stderr.decode()
    assert done.returncode == code, told
    assert "Traceback" not in told
    for words in said:
        assert words in told


def rows(done) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def wrote(path: str = "new.txt") -> dict[str, object]:
    arguments = {"path": path, "content": "line\n"}
    steps = [{"calls": [{"name": "file_write", "arguments": arguments}]}, {"text": ["Done."]}]
    return {"when": "write", "steps": steps}


def write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


class Person:
    """Somebody at a terminal, who reads what stands there and types."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self.read = ""
        self._keyboard = -1

    def start(self, *arguments: str, **variables: str) -> None:
        self._keyboard, program = pty.openpty()
        self.process = subprocess.Popen(
            self._shell.command(*arguments),
            stdin=program,
            stdout=program,
            stderr=program,
            cwd=self._shell.folder,
            env={"TERM": "xterm-256color", **self._shell.variables, **variables},
            start_new_session=True,
        )
        os.close(program)

    def sees(self, words: str) -> None:
        """Read until the words stand there."""
        self._reads_until(lambda: words in ESCAPE.sub("", self.read), repr(words))

    def _reads_until(self, holds: Callable[[], bool], what: str) -> None:
        while not holds():
            try:
                chunk = os.read(self._keyboard, 65_536)
            except OSError:
                chunk = b""
            assert chunk, f"{what} never came:\n{self.read}"
            self.read += chunk.decode("utf-8", "replace")
            for _ in range(chunk.count(WHERE_IS_THE_CURSOR)):
                self.types("\x1b[1;1R")

    def sees_again(self, words: str) -> None:
        """Forget what was read and read until the words stand there once more."""
        self.read = ""
        self.sees(words)

    def sees_the_next_prompt(self) -> None:
        """Read until another prompt has taken the keyboard: what is typed before it may be lost.

        Each asks once where the cursor is, and listens by then.
        """
        self.read = ""
        self._reads_until(lambda: WHERE_IS_THE_CURSOR.decode() in self.read, "another prompt")

    def again(self) -> None:
        """Take leave of a program that has ended, to start another."""
        self.leave()
        self._keyboard, self.read = -1, ""

    def pastes(self, text: str) -> None:
        """Paste as terminals do; the program may write before it has read everything."""
        pasted = f"\x1b[200~{text}\x1b[201~".encode()
        Thread(target=write_all, args=(self._keyboard, pasted), daemon=True).start()

    def types(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    def ends(self) -> int:
        self.sees_the_end()
        return self.process.wait(SECONDS)

    def sees_the_end(self) -> None:
        while True:
            try:
                chunk = os.read(self._keyboard, 65_536)
            except OSError:
                return
            if not chunk:
                return
            self.read += chunk.decode("utf-8", "replace")

    def leave(self) -> None:
        if self._keyboard >= 0:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait(SECONDS)
            os.close(self._keyboard)
