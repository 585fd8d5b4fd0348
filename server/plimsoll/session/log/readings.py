"""Keeps the counts and names that were read of a log's texts, for its next opening.

Nothing depends on it: what is missing, of another version or damaged is counted and read anew. A
text is known by its digest, and its names by where they stand in it, so no word of it is kept.
"""

import json
import logging
from collections.abc import Mapping, Sequence
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
    """The file that keeps the readings of one session."""

    def read(self) -> bytes | None:
        """Return the readings kept last; None if nothing can be read."""
        ...

    def keep(self, data: bytes) -> None:
        """Replace the kept readings.

        Raises:
            StoreUnavailable: It cannot be kept whole.
        """
        ...


class NoReadings:
    """Keeps nothing: for sessions that end with their process."""

    def read(self) -> None:
        """Return nothing."""

    def keep(self, data: bytes) -> None:
        """Keep nothing."""


def not_kept(_session_id: str) -> Readings:
    """Return readings that are never kept, for a session that ends with its process."""
    return NoReadings()


@dataclass(frozen=True, slots=True)
class KnownReadings:
    """Counts and names by the digests of their texts, as JSON had them: nothing is checked yet."""

    counts: dict[str, object] = field(default_factory=dict[str, object])
    names: dict[str, object] = field(default_factory=dict[str, object])


class KeptReading:
    """The reading of a log by a counter and an index of names, kept for the next opening."""

    def __init__(
        self, entries: Sequence[Entry], counter: Counter, names: NameIndex, kept: Readings
    ) -> None:
        self._counter = counter
        self._names = names
        self._kept = kept
        self._version = version_of_counter(counter)
        # With what each is known by: most texts are counted and read for names.
        self._counted = _digests(counted_texts(entries), {}) if self._version else {}
        self._named = _digests(named_texts(entries), self._counted) if self._version else {}

    def take_known(self) -> KnownReadings:
        """Fill the caches of counter and index with the kept readings; return the readings."""
        data = self._kept.read() if self._version else None
        known = _decode(data, self._version) if data else KnownReadings()
        for text, digest in self._counted.items() if known.counts else ():
            count = _count(known.counts.get(digest), text)
            if count is not None:
                self._counter.cache.put(text, count)
        for text, digest in self._named.items() if known.names else ():
            found = _names(known.names.get(digest), text)
            if found is not None:
                self._names.put(text, found)
        return known

    def keep_read(self, known: KnownReadings) -> None:
        """Keep the present readings of counter and index, if many are new."""
        if self._count_unread(known) < LEAST_UNREAD:
            return
        now = KnownReadings()
        for text, digest in self._counted.items():
            if (count := self._counter.cache.get(text)) is not None:
                now.counts[digest] = count
        for text, digest in self._named.items():
            if (found := self._names.find_cached(text)) is not None:
                now.names[digest] = [at for name in found for at in (text.find(name), len(name))]
        value = {"version": self._version, "counts": now.counts, "names": now.names}
        try:
            self._kept.keep(json.dumps(value, separators=(",", ":")).encode())
        except StoreUnavailable as error:
            log.warning("what was read of a session is not kept: %s", error.message)

    def _count_unread(self, known: KnownReadings) -> int:
        """Count the characters of the texts that had to be counted or read anew."""
        counted = (
            len(text)
            for text, digest in self._counted.items()
            if digest not in known.counts and self._counter.cache.get(text) is not None
        )
        named = (
            len(text)
            for text, digest in self._named.items()
            if digest not in known.names and self._names.find_cached(text) is not None
        )
        return sum(counted) + sum(named)


def version_of_counter(counter: Counter) -> str:
    """Name the version of a counter's readings; empty if they are not worth keeping."""
    vocabulary = VOCABULARIES.get(counter.name)
    return f"{READING} {counter.name} {vocabulary.dense_sha256}" if vocabulary else ""


def counted_texts(entries: Sequence[Entry]) -> list[str]:
    """Return the distinct texts of messages that are counted and long enough to be kept.

    Frames are left out, so that a text which a purge removes leaves not even its digest.
    """
    parts = (part for each in entries if isinstance(each, Said) for part in each.parts)
    texts = (text for part in parts for text in tokens_and_texts(part)[1])
    return list(dict.fromkeys(text for text in texts if len(text) >= LEAST_TEXT))


def named_texts(entries: Sequence[Entry]) -> list[str]:
    """Return the distinct texts of messages whose names are indexed; as ``counted_texts``."""
    parts = (part for each in entries if isinstance(each, Said) for part in each.parts)
    return list(dict.fromkeys(part.text for part in parts if len(part.text) >= LEAST_TEXT))


def digest_of(text: str) -> str:
    """Return the digest of a text, under which its readings are kept: 128 bits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _digests(texts: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    return {text: known.get(text) or digest_of(text) for text in texts}


def _decode(data: bytes, version: str) -> KnownReadings:
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
    """Check a stored count of a text; None if the text cannot have it."""
    numbers = _numbers(value)
    most = 4 * len(text)
    if numbers is None or len(numbers) != len(RawCount._fields) or max(numbers) > most:
        return None
    return RawCount(*numbers)


def _names(value: object, text: str) -> tuple[str, ...] | None:
    """Read a text's names by their stored places; None if the places are impossible."""
    numbers = _numbers(value)
    if numbers is None or len(numbers) % 2:
        return None
    lengths = numbers[1::2]
    if not 0 < min(lengths, default=1) <= max(lengths, default=1) <= LONGEST_NAME:
        return None
    spans = zip(numbers[::2], lengths, strict=True)
    found = tuple(text[start : start + length] for start, length in spans)
    return found if [*map(len, found)] == lengths else None


def _numbers(value: object) -> list[int] | None:
    """Return a stored list of non-negative integers; None if it is anything else."""
    if not isinstance(value, list):
        return None
    numbers = cast("list[int]", value)
    # As sets and by `min`: a long log has a hundred thousand of them.
    return numbers if {*map(type, numbers)} <= {int} and min(numbers, default=0) >= 0 else None
