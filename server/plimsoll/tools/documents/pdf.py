"""PDF documents as text, read by a child process that a hostile document cannot leave.

The library ``pypdf`` is an extra of the package. It reads what anybody may have made, so it runs in
a process of its own, with bounds of time, memory and output and without our environment; in the
strongest sandbox of the machine, where it sees libraries alone and gets the bytes of the document.
"""

import importlib.util
import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.wording import how_to_install
from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.base import ReadOnly
from plimsoll.tools.process.confinement.confining import Confining

SECONDS = 30.0
"""How long the reading may take; a sound document of 200 pages takes a few seconds."""
CPU_SECONDS = 20
MEMORY_BYTES = 1_000_000_000
MOST_PAGES = 200
MOST_CHARACTERS = 2_000_000
CHILD = Path(__file__).with_name("pdf_child.py")
BEGUN = b"\0begun\n"
"""What the process writes when it is bounded and confined, before it reads anything."""
_OWN = (CHILD.parents[1] / "process/confinement", CHILD)

log = logging.getLogger(__name__)


def pdf_text(name: str, data: bytes, confining: Confining | None = None) -> str:
    """Read the text of a PDF document; blocks until it is read or its time is over.

    ``confining``: the sandbox of the child process; None: only its resources are bounded.

    Raises:
        ToolFailed: It cannot be read, holds no text, or the library is not installed.
    """
    library = importlib.util.find_spec("pypdf")
    if library is None or library.origin is None:
        raise ToolFailed(
            f"{visible_line(name)} is a PDF document. To read those, the user installs an extra: "
            f"{how_to_install('documents')}."
        )
    folders = _folders(Path(library.origin).parents[1])
    text = _read(name, data, folders, confining)
    if not text.strip():
        raise ToolFailed(
            f"{visible_line(name)} is a PDF document without text: its pages are pictures."
        )
    return text


def _folders(library: Path) -> tuple[Path, ...]:
    """Return the folders of Python and the PDF library, but none that lies in a workspace."""
    own = [Path(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    paths = [Path(entry) for entry in sys.path if entry]
    kept = [path for path in paths if any(path.is_relative_to(prefix) for prefix in own)]
    return tuple(dict.fromkeys((*kept, library)))


def _read(name: str, data: bytes, folders: Sequence[Path], confining: Confining | None) -> str:
    command = (sys.executable, "-I", "-S", str(CHILD))
    needed = (*map(Path, (sys.prefix, sys.base_prefix)), *folders, *_OWN)
    confined = confining.read_only(command, needed) if confining else None
    done = _run(name, data, confined, folders) if confined else None
    if done is None or (done.returncode and not done.stdout.startswith(BEGUN)):
        if confined is not None:
            # Nothing of the document was read yet: the sandbox does not suit this Python.
            log.warning("a document is read outside of the sandbox: its reader does not start")
        done = _run(name, data, ReadOnly(arguments=command), folders)
    if done.returncode:
        raise ToolFailed(
            f"{visible_line(name)} was not read: it is damaged, locked by a password, or takes "
            "more time or memory than a document may."
        )
    return done.stdout.removeprefix(BEGUN).decode("utf-8", "replace")


def _run(
    name: str, data: bytes, start: ReadOnly, folders: Sequence[Path]
) -> subprocess.CompletedProcess[bytes]:
    rules = {
        "path": [str(folder) for folder in folders],
        "pages": MOST_PAGES,
        "characters": MOST_CHARACTERS,
        "cpu": CPU_SECONDS,
        "memory": MEMORY_BYTES,
        "confined": start.rules,
    }
    try:
        return subprocess.run(
            [*start.arguments, json.dumps(rules)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(
            f"{visible_line(name)} was not read: it took more than {SECONDS:.0f} seconds."
        ) from error
    except OSError as error:
        raise ToolFailed(f"{visible_line(name)} was not read: {error.strerror}.") from error
