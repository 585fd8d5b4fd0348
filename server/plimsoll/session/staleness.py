"""What the model read of a file is stale as soon as somebody changes the file."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlparse

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import STALE
from plimsoll.context.stages.visible_results import stale_items
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedItem
from plimsoll.session.session_state import SessionState


def held_of(fold: Fold, path: Path) -> list[RenderedItem]:
    """Return the items of the next request that stem from a file, in the order of the request."""
    return [
        shown
        for shown in fold.view.items()
        if shown.part.source is not None and _path_of(shown.part.source.uri) == path
    ]


async def mark_stale(state: SessionState, path: Path, line: int) -> Sequence[str]:
    """Note that a file was changed at a line, from 1; returns the items that became stale.

    Nothing is taken out: a person's edit alone is no reason to drop what the model has seen.
    """
    known = stale_items(state.log.fold.entries)
    items = [s.item for s in held_of(state.log.fold, path) if s.item not in known]
    clock = state.environment.clock
    data = canonical({"line": line})
    notes = [
        Noted(id=clock.new_id("n"), at=clock.now(), what=STALE, item=item, data=data)
        for item in items
    ]
    if notes:
        await state.append(*notes)
    return items


def _path_of(uri: str) -> Path | None:
    parsed = urlparse(uri)
    return Path(unquote(parsed.path)) if parsed.scheme == "file" else None
