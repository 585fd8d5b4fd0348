"""A disk of the tests that is small enough to be filled."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from left_out import not_on_this_machine
from storage.postgres.rig.server import NOBODY


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Have a folder on a disk of its own in memory; it takes root to mount one."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        not_on_this_machine("a small disk is mounted by root alone")
    with tempfile.TemporaryDirectory(prefix="plimsoll-disk-") as name:
        options = f"size={megabytes}m,mode=755,uid={NOBODY},gid={NOBODY}"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", name])
        if mounted.returncode:
            not_on_this_machine("a small disk cannot be mounted here")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", name], check=True)
