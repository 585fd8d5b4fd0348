"""Whether the files that memories come from are still what they were."""

from collections.abc import Callable, Sequence

from plimsoll.memory.changes import Mark
from plimsoll.memory.types import Memory, MemoryState

HashOf = Callable[[str], str | None]
"""The SHA-256 of the file of a URI; none: it is not there."""


def source_marks(memories: Sequence[Memory], hash_of: HashOf) -> list[Mark]:
    """The marks for memories whose file has changed, is gone, or is again as it was."""
    known: dict[str, str | None] = {}
    marks: list[Mark] = []
    for memory in memories:
        source = memory.source
        if source is None or source.uri is None or source.sha256 is None:
            continue
        if source.uri not in known:
            known[source.uri] = hash_of(source.uri)
        now = known[source.uri]
        if now == source.sha256 and memory.state is MemoryState.STALE:
            marks.append(Mark(memory.id, stale=False, reason="its file is as it was"))
        elif now != source.sha256 and memory.state is MemoryState.ACTIVE:
            reason = "its file is gone" if now is None else "its file has changed"
            marks.append(Mark(memory.id, stale=True, reason=reason))
    return marks
