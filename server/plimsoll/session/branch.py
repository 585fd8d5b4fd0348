"""The branch that a folder is on, read from one small file; no program is started for it."""

import re
from pathlib import Path

_REF = re.compile(r"ref: refs/heads/([^\s\x00-\x1f]{1,200})\s*\Z")
_DETACHED = re.compile(r"([0-9a-f]{7})[0-9a-f]{33,57}\s*\Z")
LONGEST = 1_000
"""Characters that are read: a longer file is not what git writes."""


def branch_of(root: Path) -> str | None:
    """The branch, the short hash where none is checked out, or none outside of a repository."""
    head = _head(root / ".git" / "HEAD")
    found = _REF.match(head) or _DETACHED.match(head)
    return found[1] if found else None


def _head(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST)
    except OSError:
        # No repository, or one that cannot be read: the state block does without its branch.
        return ""
