"""Says what a command left where it was allowed to, and that may act where it could not."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.protection.links import follow, inside
from plimsoll.tools.process.confinement.protection.moving import PLACE_INSIDE
from plimsoll.tools.process.confinement.protection.protected_paths import ProtectedPaths

_MOST_NAMED = 5
_MOST_FOLLOWED = 1_000
_LONGEST = 100


def left_behind(root: Path, before: ProtectedPaths, after: ProtectedPaths) -> Iterator[str]:
    """Yield lines on changes in a workspace that may act outside of the sandbox; blocks."""
    changed = [
        path
        for path, program in after.programs.items()
        if program != before.programs.get(path) and os.path.lexists(root / path)
    ]
    if changed:
        yield (
            "programs are new or changed that PATH finds before others of their names: "
            f"{_join_names(changed)}"
        )
    links = [
        path
        for path, text in after.leading.items()
        # What was moved aside is said already.
        if before.leading.get(path) != text and not path.startswith(PLACE_INSIDE)
    ]
    out = [
        f"{path} -> {end}"
        for path in islice(links, _MOST_FOLLOWED)
        if (end := _outside(root, path)) is not None
    ]
    if out:
        names = _join_names(out)
        yield f"new links lead out of the folder: who writes to them writes there: {names}"


def _outside(root: Path, path: str) -> str | None:
    end = follow(root, f"{root}/{path}").end
    here = end is None or end == str(root) or inside(str(root), end) is not None
    return None if here or not os.path.lexists(root / path) else end


def _join_names(texts: Sequence[str]) -> str:
    more = len(texts) - _MOST_NAMED
    shown = ", ".join(visible_line(text, limit=_LONGEST) for text in texts[:_MOST_NAMED])
    return shown + (f" and {more} more" if more > 0 else "")
