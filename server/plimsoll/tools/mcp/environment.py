"""Builds the request that starts a server: its program, environment and folder."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.supervision.command_request import CommandRequest

FOLDER_WORD = "${workspaceFolder}"
"""In an argument or a variable it stands for the folder, as in the files of editors."""
_GIVEN = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG")


def command_of(server: McpServer, root: Path, rules: str) -> CommandRequest:
    """Return the request for a server's process.

    It runs in the person's home folder: in the folder that is worked on, programs such as ``npx``
    and ``python -m`` would run code of the repository.

    Raises:
        ToolFailed: Its program is not there.
    """
    environment = {name: os.environ[name] for name in _GIVEN if name in os.environ}
    configured = server.environment.items()
    environment |= {name: value.replace(FOLDER_WORD, str(root)) for name, value in configured}
    home = Path.home()
    program, *arguments = [part.replace(FOLDER_WORD, str(root)) for part in server.command]
    found = _find(program, home, environment)
    return CommandRequest(
        (found, *arguments), environment, str(home) if home.is_dir() else os.sep, rules
    )


def _find(program: str, home: Path, environment: Mapping[str, str]) -> str:
    named = str(home / program[2:]) if program.startswith("~/") else program
    path = environment.get("PATH", os.defpath)
    absolute = os.pathsep.join(part for part in path.split(os.pathsep) if Path(part).is_absolute())
    found = shutil.which(named, path=absolute) if os.sep not in named else named
    if found is None:
        raise ToolFailed(f"the program {program} is not on the PATH")
    if not Path(found).is_absolute():
        raise ToolFailed(f"the program {program} must be given by its whole path, or by its name")
    if not os.access(found, os.X_OK) or not Path(found).is_file():
        raise ToolFailed(f"there is no program {program}")
    return found
