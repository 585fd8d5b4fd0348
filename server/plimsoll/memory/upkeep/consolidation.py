"""Consolidation of memories: expires old ones, merges equal ones, trims what is too much.

Pure: it plans changes, which the store applies and records. Nothing here removes a text; all of it
can be restored.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plimsoll.memory.changes import Change, Forget, Revise
from plimsoll.memory.ranking import days_between
from plimsoll.memory.types import SEARCHED, Action, Author, Memory, MemoryClass, MemoryState, Trust
from plimsoll.text.similarity import Words, claim_of, said_words, say_the_same

_COMPARED = 4
"""How many of its rarest words a note is compared by: notes that share none are not compared."""
_TRUST = {Trust.USER: 3, Trust.AGENT: 2, Trust.EXTRACTED: 1, Trust.TEAM: 0}
"""A colleague's words hide nothing that the person has here."""


@dataclass(frozen=True, slots=True)
class ConsolidationLimits:
    """The limits of consolidation."""

    working_days: int = 14
    """Days without use after which a working memory expires."""
    digests: int = 10


def consolidate(
    memories: Sequence[Memory],
    now: str,
    limits: ConsolidationLimits,
    *,
    believed: str | None = None,
) -> list[Change]:
    """Plan the changes of a consolidation; pinned memories always stay.

    ``believed``: the time used for expiry if the clock may have jumped ahead.
    """
    known = [memory for memory in memories if memory.state is not MemoryState.FORGOTTEN]
    gone: dict[str, Forget] = {}
    expired = _expire(known, believed or now, limits)
    for plan in (expired, _trim(known, now, limits), _merge(known)):
        for change in plan:
            gone.setdefault(change.id, change)
    left = [memory for memory in known if memory.id not in gone]
    return [*gone.values(), *_hide_contradicted(left)]


def in_turns(changes: Sequence[Change], most: int) -> Iterator[list[Change]]:
    """Split changes into batches of about ``most``, keeping a replacement with what it replaces."""
    part: list[Change] = []
    for change in changes:
        part.append(change)
        if len(part) >= most and not isinstance(change, Revise):
            yield part
            part = []
    if part:
        yield part


def _expire(known: Sequence[Memory], now: str, limits: ConsolidationLimits) -> Iterator[Forget]:
    for memory in known:
        if memory.pinned:
            continue
        if memory.expires_at is not None and days_between(memory.expires_at, now) >= 0:
            yield _forget(memory, Action.EXPIRED, f"expired on {memory.expires_at[:10]}")
        elif memory.class_ is MemoryClass.WORKING:
            idle = days_between(memory.alive_at, now)
            if idle >= limits.working_days:
                yield _forget(memory, Action.EXPIRED, f"not used for {int(idle)} days")


def _trim(known: Sequence[Memory], now: str, limits: ConsolidationLimits) -> Iterator[Forget]:
    digests = [memory for memory in known if memory.digest and not memory.pinned]
    if any(days_between(now, memory.created_at) > 1 for memory in digests):
        # The clock has jumped back: which of them are the newest is not known.
        return
    digests.sort(key=lambda memory: memory.created_at, reverse=True)
    for memory in digests[limits.digests :]:
        yield _forget(memory, Action.TRIMMED, f"older than the newest {limits.digests} sessions")


def _merge(known: Sequence[Memory]) -> Iterator[Forget]:
    """Forget all but the best of memories with the same meaning."""
    # Two removals may have one reason and yet be of two memories.
    notes = sorted((m for m in known if not m.digest | m.removal), key=_worth, reverse=True)
    said = [said_words(memory.text) for memory in notes]
    frequency = Counter(word for words in said for word in set(words))
    kept: dict[str, list[tuple[Words, Memory]]] = {}
    for memory, words in zip(notes, said, strict=True):
        # Notes that say the same share one of their rarest words, even if each has its own.
        keys = sorted(set(words), key=lambda word: (frequency[word], word))[:_COMPARED]
        twin = next(
            (m for key in keys for w, m in kept.get(key, ()) if say_the_same(w, words)), None
        )
        if twin is not None and not memory.pinned:
            yield _forget(memory, Action.MERGED, f"says the same as {twin.id}")
            continue
        for key in keys:
            kept.setdefault(key, []).append((words, memory))


def _hide_contradicted(known: Sequence[Memory]) -> Iterator[Change]:
    """Hide the older of two contradicting notes, if the newer has as much trust.

    A note that a person restored stays: the newer one already names it as replaced.
    """
    seen: dict[Words, Memory] = {}
    for memory in sorted(known, key=lambda memory: memory.created_at):
        if memory.digest or memory.state not in SEARCHED:
            continue
        claim, denied = claim_of(memory.text)
        old = seen.get(claim)
        if old is not None and denied != claim_of(old.text)[1] and _replaces(memory, old):
            yield Revise(id=memory.id, author=Author.EXTRACTION, supersedes=old.id)
            yield _forget(old, Action.SUPERSEDED, f"replaced by {memory.id}")
        if claim:
            seen[claim] = memory


def _replaces(memory: Memory, old: Memory) -> bool:
    return (
        _TRUST[memory.trust] >= _TRUST[old.trust] and memory.supersedes is None and not old.pinned
    )


def _worth(memory: Memory) -> tuple[bool, bool, int, int, bool, str]:
    return (
        memory.pinned,
        memory.state is not MemoryState.INBOX,
        _TRUST[memory.trust],
        memory.weight,
        memory.class_ is not MemoryClass.WORKING,
        memory.created_at,
    )


def _forget(memory: Memory, action: Action, reason: str) -> Forget:
    return Forget(memory.id, Author.EXTRACTION, action, reason)
