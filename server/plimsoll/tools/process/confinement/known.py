"""Keeps which sandbox has worked on this machine, so that a weaker one is never used unsaid.

A small file beside the number of the machine, for its owner alone. Written by another machine, as
where a home is shared, it says nothing here; one that cannot be read says that something worked.
"""

import logging
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import private_folder, replace_private

SANDBOX_FILE = "sandbox"
UNKNOWN = "unknown"
"""What is said where the file is damaged."""
_LONGEST = 200

log = logging.getLogger(__name__)


def kept_sandbox(data: Path, machine: str) -> str | None:
    """Return the saved name of the sandbox that worked here, ``UNKNOWN``, or None if none is.

    Blocks. ``machine``: the id of this machine.
    """
    try:
        text = (data / SANDBOX_FILE).read_bytes()[:_LONGEST].decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError:
        return UNKNOWN
    named, _, sandbox = text.strip().partition(" ")
    if not sandbox.isalpha():
        return UNKNOWN
    return sandbox if named == machine else None


def keep_sandbox(data: Path, machine: str, sandbox: str) -> None:
    """Save the name of the sandbox that works on this machine; blocks.

    Raises:
        StoreUnavailable: The file cannot be written.
    """
    private_folder(data)
    replace_private(data / SANDBOX_FILE, f"{machine} {sandbox}\n")


def note_sandbox(data: Path, machine: str, sandbox: str) -> None:
    """Save the name of the sandbox; where that fails, only log the failure. Blocks."""
    try:
        keep_sandbox(data, machine, sandbox)
    except StoreUnavailable as error:
        log.warning("which sandbox works here is not kept: %s", error.message)
