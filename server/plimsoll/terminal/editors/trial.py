"""Starts what an editor would start by its line, and sees whether it answers."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plimsoll.terminal.editors.machine import Editor
from plimsoll.terminal.editors.plugins import PLUGINS
from plimsoll.text.lines import lines_of

ServerDoor = Literal["lsp", "acp"]

SECONDS = 30
"""How long anything may take to answer here; a machine that is busy needs some of it."""
EXTENSION = "plimsoll.plimsoll"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of trying an editor."""

    state: Literal["ok", "note", "wrong"]
    said: str


class Trials:
    """Trials in a folder of their own, in which nothing of the person's is opened or kept."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._known: dict[str, TrialResult] = {}

    def of(self, editor: Editor, program: str) -> TrialResult:
        """Try an editor that is here; its ``program`` is run where the line is its own."""
        match editor.door:
            case "plugin":
                return self._plugin(editor.plugin or "", program)
            case "extension":
                return self._extension(program)
            case door:
                return self.of_server(door)

    def of_server(self, door: ServerDoor) -> TrialResult:
        """Try our server for LSP or ACP, once for all editors that use it."""
        if door not in self._known:
            self._known[door] = self._server(door)
        return self._known[door]

    def _server(self, door: ServerDoor) -> TrialResult:
        program = shutil.which("plimsoll", path=self._environment.get("PATH", ""))
        if program is None:
            return TrialResult(
                "wrong", "plimsoll is not on PATH: write its whole path into the line"
            )
        argument, asked = ("acp", _acp_message()) if door == "acp" else ("serve", _lsp_messages())
        done = self._run((program, argument), asked)
        # What only an answer to `initialize` has, in either protocol.
        if done is not None and b'"result"' in done.stdout:
            return TrialResult(
                "ok", f"plimsoll {argument} answered; the editor itself was not tried"
            )
        return TrialResult("wrong", f"plimsoll {argument} did not answer: {_last_line(done)}")

    def _plugin(self, name: str, program: str) -> TrialResult:
        plugin = PLUGINS.get(name)
        if plugin is None or not plugin.trial:
            return TrialResult("note", "not tried")
        arguments = (one.format(code=plugin.code) for one in plugin.trial)
        done = self._run((program, *arguments), b"")
        if done is None or done.returncode != 0:
            return TrialResult("wrong", f"the plugin did not reach the server: {_last_line(done)}")
        file = plugin.find_file(self._environment)
        is_loaded = file.is_file() and plugin.code in lines_of(file.read_text("utf-8"))
        where = f"loaded by {file}" if is_loaded else "not installed yet"
        return TrialResult("ok" if is_loaded else "note", f"the server answered in it; {where}")

    def _extension(self, program: str) -> TrialResult:
        done = self._run((program, "--list-extensions", "--show-versions"), b"")
        if done is None or done.returncode != 0:
            return TrialResult("note", f"it did not list its extensions: {_last_line(done)}")
        lines = done.stdout.decode("utf-8", "replace").split()
        found = next((line for line in lines if line.startswith(EXTENSION)), None)
        if found is None:
            return TrialResult("note", "the extension is not installed")
        return TrialResult("ok", f"{found} is installed; it has a server of its own, not tried")

    def _run(
        self, command: Sequence[str], typed: bytes
    ) -> subprocess.CompletedProcess[bytes] | None:
        """Run a command in a folder of its own; None if it did not end in time."""
        with tempfile.TemporaryDirectory() as folder:
            own = {"PLIMSOLL_DATA_DIR": str(Path(folder, "data"))}
            try:
                return subprocess.run(
                    command,
                    input=typed,
                    capture_output=True,
                    cwd=folder,
                    env={**self._environment, **own},
                    timeout=SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return None


def _lsp_messages() -> bytes:
    bodies = (_initialize({"capabilities": {}}), '{"jsonrpc": "2.0", "method": "exit"}')
    return "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies).encode()


def _acp_message() -> bytes:
    return f"{_initialize({'protocolVersion': 1, 'clientCapabilities': {}})}\n".encode()


def _initialize(params: Mapping[str, object]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})


def _last_line(done: subprocess.CompletedProcess[bytes] | None) -> str:
    if done is None:
        return f"nothing came within {SECONDS} seconds"
    lines = list(lines_of(done.stderr.decode("utf-8", "replace").strip()))
    return lines[-1] if lines else f"it ended with {done.returncode}"
