"""What to say about a file that is not there."""

import difflib

from plimsoll.errors import ToolFailed
from plimsoll.tools.paths import Target, shown_name

_MOST_NAMES = 5


def missing(target: Target) -> ToolFailed:
    """A missing file, with names like it; outside the workspace no folder is listed."""
    names = _near_names(target) if target.inside else []
    advice = f"Near it: {', '.join(names)}." if names else "Use glob to find it."
    return ToolFailed(f"{target.shown} does not exist. {advice}")


def _near_names(target: Target) -> list[str]:
    folder = target.path.parent
    if not folder.is_dir():
        return []
    names = {entry.name.lower(): entry for entry in sorted(folder.iterdir())}
    near = difflib.get_close_matches(target.path.name.lower(), names, n=_MOST_NAMES)
    return [shown_name(names[name], folder) for name in near]
