"""Reads documents in a child process that a hostile document cannot leave.

The libraries read what anybody may have made, so they run in a process of their own, with bounds of
time, memory and output and without our environment; in the strongest sandbox of the machine, where
it sees libraries alone and gets the bytes of the document.
"""

import importlib.util
import json
import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.base import ReadOnly
from plimsoll.tools.process.confinement.confining import Confining

CHILD = Path(__file__).with_name("document_child.py")
BEGUN = b"\0begun\n"
"""What the process writes when it is bounded and confined, before it reads anything."""
_OWN = (CHILD.parents[1] / "process/confinement", CHILD)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildReading:
    """How a child process reads a document, and the bounds of the process."""

    reader: Literal["pdf", "main", "whole"]
    libraries: tuple[str, ...]
    """The modules that it needs, each by the name of its package."""
    seconds: float
    """How long it may take in all."""
    cpu: int
    """Seconds of the processor."""
    memory: int = 1_000_000_000
    """Bytes."""
    characters: int = 2_000_000
    """Of the text that it may write."""
    options: Mapping[str, object] = field(default_factory=dict[str, object])


def are_installed(libraries: Sequence[str]) -> bool:
    """Tell whether the libraries are there, without loading them."""
    return all(importlib.util.find_spec(library) is not None for library in libraries)


def read_in_child(
    name: str, data: bytes, reading: ChildReading, confining: Confining | None = None
) -> str:
    """Read the text of a document; blocks until it is read or its time is over.

    ``name``: the document in messages. ``confining``: the sandbox of the child process; None: only
    its resources are bounded. The libraries must be installed.

    Raises:
        ToolFailed: It cannot be read.
    """
    folders = _folders(reading.libraries)
    command = (sys.executable, "-I", "-S", str(CHILD))
    needed = (*map(Path, (sys.prefix, sys.base_prefix)), *folders, *_OWN)
    confined = confining.read_only(command, needed) if confining else None
    run = partial(_run, name, data, folders=folders, reading=reading)
    done = run(confined) if confined else None
    if done is None or (done.returncode and not done.stdout.startswith(BEGUN)):
        if confined is not None:
            # Nothing of the document was read yet: the sandbox does not suit this Python.
            log.warning("a document is read outside of the sandbox: its reader does not start")
        done = run(ReadOnly(arguments=command))
    if done.returncode:
        raise ToolFailed(
            f"{visible_line(name)} was not read: it is damaged, locked by a password, or takes "
            "more time or memory than a document may."
        )
    return done.stdout.removeprefix(BEGUN).decode("utf-8", "replace")


def _folders(libraries: Sequence[str]) -> tuple[Path, ...]:
    """Return the folders of Python and the libraries, but none that lies in a workspace."""
    own = [Path(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    paths = [Path(entry) for entry in sys.path if entry]
    kept = [path for path in paths if any(path.is_relative_to(prefix) for prefix in own)]
    found = [importlib.util.find_spec(library) for library in libraries]
    origins = [Path(spec.origin).parents[1] for spec in found if spec and spec.origin]
    return tuple(dict.fromkeys((*kept, *origins)))


def _run(
    name: str, data: bytes, start: ReadOnly, folders: Sequence[Path], reading: ChildReading
) -> subprocess.CompletedProcess[bytes]:
    rules = {
        "path": [str(folder) for folder in folders],
        "libraries": reading.libraries,
        "reader": reading.reader,
        "options": reading.options,
        "characters": reading.characters,
        "cpu": reading.cpu,
        "memory": reading.memory,
        "confined": start.rules,
    }
    try:
        return subprocess.run(
            [*start.arguments, json.dumps(rules)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=reading.seconds,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(
            f"{visible_line(name)} was not read: it took more than {reading.seconds:.0f} seconds."
        ) from error
    except OSError as error:
        raise ToolFailed(f"{visible_line(name)} was not read: {error.strerror}.") from error
