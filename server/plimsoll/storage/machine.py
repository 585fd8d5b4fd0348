"""The id of this machine, stored with a loopback address, which means another host elsewhere.

It is made of a number in the user's data and the system's own id of the machine: a copy of the data
on another machine has another id there.
"""

import hashlib
import logging
import platform
import secrets
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import private_folder, replace_private

MACHINE_FILE = "machine"
SYSTEM_ID = Path("/etc/machine-id")
_LEAST = 32
"""Characters of the number; a shorter one was not written by us."""

log = logging.getLogger(__name__)


def machine_id(data: Path, system: Path = SYSTEM_ID) -> str:
    """Return the id of this machine for a data folder, where its number is stored; blocks.

    If it cannot be stored, it is valid for this process only: a person is then asked again.
    """
    named = f"{_number(data / MACHINE_FILE)}\0{_system_id(system)}"
    return hashlib.sha256(named.encode()).hexdigest()[:16]


def _number(path: Path) -> str:
    try:
        kept = path.read_text("utf-8", "replace").strip()
    except OSError:
        kept = ""
    if len(kept) >= _LEAST:
        return kept
    made = secrets.token_hex(_LEAST // 2)
    try:
        private_folder(path.parent)
        replace_private(path, made)
    except StoreUnavailable as error:
        log.warning("the number of this machine is not kept: %s", error.message)
    return made


def _system_id(system: Path) -> str:
    """Return the system's own id of the machine."""
    try:
        named = system.read_text("utf-8", "replace").strip()
    except OSError:
        named = ""
    return named or platform.node()
