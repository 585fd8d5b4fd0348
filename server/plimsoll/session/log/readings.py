"""What was counted and read of a log's texts, kept beside it so that the next opening need not.

Nothing depends on it: what is missing, of another version or damaged is counted and read anew. A
text is known by its digest, and its names by where they stand in it, so no word of it is kept.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol, cast

from plimsoll.context.index.names import LONGEST_NAME, NameIndex
from plimsoll.context.log.entries import Entry, Said
from plimsoll.context.view.ledger import tokens_and_texts
from plimsoll.errors import StoreUnavailable
from plimsoll.tokens.correction import RawCount
from plimsoll.tokens.counter import Counter
from plimsoll.tokens.vocabulary import VOCABULARIES

log = logging.getLogger(__name__)

READING = 1
"""Raised whenever a text is counted, or its names are read, otherwise than before."""
LEAST_TEXT = 100
"""Characters; a shorter text is read as soon as looked up."""
LEAST_UNREAD = 200_000
"""Characters that had to be read, in about 40 ms, before what was read is kept."""


class Readings(Protocol):
    """Where the readings of one session are kept."""

    def read(self) -> bytes | None:
        """Return what was kept last; none where nothing can be read."""
        ...

    def keep(self, data: bytes) -> None:
        """Keep this in the place of what was kept.

        Raises:
            StoreUnavailable: It cannot be kept whole.
        """
        ...


class NoReadings:
    """Keeps nothing: for sessions that end with their process."""

    def read(self) -> None:
        """Return nothing."""

    def keep(self, data: bytes) -> None:
        """Let go of it."""


def not_kept(_session_id: str) -> Readings:
    """Return where the readings of a session go that ends with its process."""
    return NoReadings()


@dataclass(frozen=True, slots=True)
class KnownReadings:
    """Counts and names by the digests of their texts, as JSON had them: nothing is checked yet."""

    counts: dict[str, object] = field(default_factory=dict[str, object])
    names: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class KeptReading:
    """The reading of a log by a counter and an index of names, kept for the next opening."""

    entries: Sequence[Entry]
    counter: Counter
    names: NameIndex
    kept: Readings

    def take_known(self) -> KnownReadings:
        """Let counter and index know what is kept of the texts; return all that is kept."""
        version = version_of_counter(self.counter)
        data = self.kept.read() if version else None
        known = _decoded(data, version) if data else KnownReadings()
        for text in counted_texts(self.entries) if known.counts else ():
            count = _count(known.counts.get(digest_of(text)), text)
            if count is not None:
                self.counter.cache.put(text, count)
        for text in named_texts(self.entries) if known.names else ():
            found = _names(known.names.get(digest_of(text)), text)
            if found is not None:
                self.names.put(text, found)
        return known

    def keep_read(self, known: KnownReadings) -> None:
        """Keep what counter and index know by now, where that is much more than was known."""
        version = version_of_counter(self.counter)
        if not version:
            return
        now, unread = KnownReadings(), 0
        for text in counted_texts(self.entries):
            if (count := self.counter.cache.get(text)) is not None:
                digest = digest_of(text)
                now.counts[digest] = count
                unread += len(text) * (digest not in known.counts)
        for text in named_texts(self.entries):
            if (found := self.names.known(text)) is not None:
                digest = digest_of(text)
                now.names[digest] = [at for name in found for at in (text.find(name), len(name))]
                unread += len(text) * (digest not in known.names)
        if unread < LEAST_UNREAD:
            return
        value = {"version": version, "counts": now.counts, "names": now.names}
        try:
            self.kept.keep(json.dumps(value, separators=(",", ":")).encode())
        except StoreUnavailable as error:
            log.warning("what was read of a session is not kept: %s", error.message)


def version_of_counter(counter: Counter) -> str:
    """Name what counts and reads; empty where what it counts is not worth keeping."""
    vocabulary = VOCABULARIES.get(counter.name)
    return f"{READING} {counter.name} {vocabulary.dense_sha256}" if vocabulary else ""


def counted_texts(entries: Sequence[Entry]) -> list[str]:
    """Return the texts of what was said that are counted and long enough to be kept, each once.

    No frame is among them: what a purge takes out of one leaves not even its digest.
    """
    parts = (part for each in entries if isinstance(each, Said) for part in each.parts)
    texts = (text for part in parts for text in tokens_and_texts(part)[1])
    return list(dict.fromkeys(text for text in texts if len(text) >= LEAST_TEXT))


def named_texts(entries: Sequence[Entry]) -> list[str]:
    """Return the texts of what was said of which names are read; as ``counted_texts``."""
    parts = (part for each in entries if isinstance(each, Said) for part in each.parts)
    return list(dict.fromkeys(part.text for part in parts if len(part.text) >= LEAST_TEXT))


def digest_of(text: str) -> str:
    """Return what a text is known by: 128 bits, which no text that a model makes has by chance."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _decoded(data: bytes, version: str) -> KnownReadings:
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        return KnownReadings()
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    counts, names = fields.get("counts"), fields.get("names")
    right = fields.get("version") == version
    if not (right and isinstance(counts, dict) and isinstance(names, dict)):
        return KnownReadings()
    return KnownReadings(cast("dict[str, object]", counts), cast("dict[str, object]", names))


def _count(value: object, text: str) -> RawCount | None:
    """Return a count that a text may have; none where it is no such count."""
    numbers = _numbers(value)
    most = 4 * len(text)
    if numbers is None or len(numbers) != len(RawCount._fields) or max(numbers) > most:
        return None
    return RawCount(*numbers)


def _names(value: object, text: str) -> tuple[str, ...] | None:
    """Return the names that stand in a text at these places; none where none can stand there."""
    numbers = _numbers(value)
    if numbers is None or len(numbers) % 2:
        return None
    spans = zip(numbers[::2], numbers[1::2], strict=True)
    found = tuple(text[start : start + length] for start, length in spans)
    whole = all(map(int.__eq__, map(len, found), numbers[1::2]))
    return found if whole and all(0 < len(name) <= LONGEST_NAME for name in found) else None


def _numbers(value: object) -> list[int] | None:
    """Return a list of numbers that are not negative; none where it is anything else."""
    if not isinstance(value, list):
        return None
    numbers = cast("list[object]", value)
    if not all(type(number) is int and number >= 0 for number in numbers):
        return None
    return cast("list[int]", numbers)
