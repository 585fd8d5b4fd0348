"""What to say about a file that is not there."""

import difflib
import os

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.opening import listable
from plimsoll.tools.paths import Target

_MOST_NAMES = 5


def missing(target: Target) -> ToolFailed:
    """A missing file, with names like it; outside the workspace no folder is listed."""
    names = _near_names(target) if target.inside else []
    advice = f"Near it: {', '.join(names)}." if names else "Use glob to find it."
    return ToolFailed(f"{target.shown} does not exist. {advice}")


def _near_names(target: Target) -> list[str]:
    folder = target.path.parent
    try:
        with listable(folder) as listed, os.scandir(listed) as entries:
            names = {name.lower(): name for name in sorted(entry.name for entry in entries)}
    except OSError:
        return []
    near = difflib.get_close_matches(target.path.name.lower(), names, n=_MOST_NAMES)
    return [visible_line(names[name]) for name in near]
