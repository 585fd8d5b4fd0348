"""PDF documents as text, read by a child process that a hostile document cannot leave.

The library ``pypdf`` is an extra of the package. It reads what anybody may have made, so it runs in
a process of its own, with bounds of time, memory and output and without our environment.
"""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line

INSTALL = "pip install 'plimsoll-lsp[documents]'"
SECONDS = 30.0
"""How long the reading may take; a sound document of 200 pages takes a few seconds."""
CPU_SECONDS = 20
MEMORY_BYTES = 1_000_000_000
MOST_PAGES = 200
MOST_CHARACTERS = 2_000_000
CHILD = Path(__file__).with_name("pdf_child.py")


def pdf_text(name: str, data: bytes) -> str:
    """Read the text of a PDF document; blocks until it is read or its time is over.

    Raises:
        ToolFailed: It cannot be read, holds no text, or the library is not installed.
    """
    if importlib.util.find_spec("pypdf") is None:
        raise ToolFailed(
            f"{visible_line(name)} is a PDF document. To read those, the user installs the extra "
            f"`documents` of Plimsoll: {INSTALL}."
        )
    text = _read(name, data)
    if not text.strip():
        raise ToolFailed(
            f"{visible_line(name)} is a PDF document without text: its pages are pictures."
        )
    return text


def _read(name: str, data: bytes) -> str:
    rules = {
        "path": sys.path,
        "pages": MOST_PAGES,
        "characters": MOST_CHARACTERS,
        "cpu": CPU_SECONDS,
        "memory": MEMORY_BYTES,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(CHILD), json.dumps(rules)],
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
    if done.returncode:
        raise ToolFailed(
            f"{visible_line(name)} was not read: it is damaged, locked by a password, or takes "
            "more time or memory than a document may."
        )
    return done.stdout.decode("utf-8", "replace")
