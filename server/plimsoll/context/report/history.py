"""The history of a session's requests, read from its log: sizes, reductions, cache misses.

Nothing is measured again: where an older log lacks a figure, the history has a gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from plimsoll.context.log.entries import (
    HELD_HERE,
    ON_ARRIVAL,
    Edited,
    Entry,
    Noted,
    Rewound,
    Said,
    Undone,
)
from plimsoll.context.log.messages import Role
from plimsoll.context.log.notes import TURN, UNREPORTED, USAGE, NoteFields, note_fields

MissCause = Literal["first", "model", "expired", "rewritten", "unknown"]
MOST_REQUESTS = 300
"""How many of the newest requests are returned; a chart needs no more points."""
LEAST_MISS = 1_024
"""Tokens; providers cache no shorter prefix, and in steps of some size."""
LEAST_SHARE = 0.1
"""The least share of the earlier request; smaller misses come from the cache's step size."""


@dataclass(frozen=True, slots=True)
class CacheMiss:
    """Tokens that a provider's cache could have held but that were sent again."""

    cause: MissCause
    tokens: int
    edits: tuple[str, ...] = ()
    """The ids of what rewrote the prefix: reductions, undos, rewinds."""
    money: float | None = None
    """The cost of sending them again in US dollars; none if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRequest:
    """One past request to the model."""

    turn: int
    at: str
    """When it was sent, as far as the log says."""
    model: str
    tokens: int
    """Our own count, or the provider's if that was not noted."""
    input: int | None = None
    """The provider's count."""
    cached: int | None = None
    output: int | None = None
    effective: int | None = None
    """The most tokens that it could have had."""
    reductions: tuple[str, ...] = ()
    """The ids of the reductions since the request before it."""
    miss: CacheMiss | None = None


class RequestHistory:
    """Collects the requests of a log, reading each entry once."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0
        """How many entries of the log were read."""
        self._reader = _Reader(cache_seconds=0)

    def newest(self, log: Sequence[Entry], cache_seconds: int) -> tuple[PastRequest, ...]:
        """Return the newest requests of a session, oldest first."""
        if log is not self._log or cache_seconds != self._reader.cache_seconds:
            self._log, self._known = log, 0
            self._reader = _Reader(cache_seconds=cache_seconds)
        for entry in log[self._known :]:
            self._reader.read_entry(entry)
        self._known = len(log)
        return tuple(
            request if request.model in self._reader.caching else replace(request, miss=None)
            for request in self._reader.found[-MOST_REQUESTS:]
        )


def past_requests(entries: Sequence[Entry], cache_seconds: int) -> tuple[PastRequest, ...]:
    """Return the newest requests of a session, oldest first."""
    return RequestHistory().newest(entries, cache_seconds)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Collects requests while reading a log from its beginning."""

    cache_seconds: int
    caching: set[str] = field(default_factory=set[str])
    """Models whose provider has reported a cache; others have no misses."""
    found: list[PastRequest] = field(default_factory=list[PastRequest])
    turn: int = 0
    told: bool = True
    """Whether a request of this turn was found."""
    before: str = ""
    """The time of the last entry."""
    sent: str = ""
    """The time of the last request."""
    reductions: list[str] = field(default_factory=list[str])
    rewrites: list[str] = field(default_factory=list[str])
    last: PastRequest | None = None
    """The last request with usage reported by the provider."""

    def read_entry(self, entry: Entry) -> None:
        match entry:
            case Said():
                self._read_message(entry)
            case Edited() if entry.stage not in ON_ARRIVAL:
                self.reductions.append(entry.id)
                self.rewrites.append(entry.id)
            case Undone():
                self.rewrites.append(entry.target)
            case Rewound():
                self.rewrites.append(entry.id)
            case Noted():
                self._read_note(entry)
            case _:
                pass
        self.before = entry.at

    def _read_message(self, said: Said) -> None:
        if said.role is Role.USER:
            self.turn, self.told = self.turn + 1, False
        elif said.role is Role.ASSISTANT and said.origin in HELD_HERE:
            self.sent = self.before

    def _read_note(self, noted: Noted) -> None:
        note = note_fields(noted) if noted.what in (USAGE, UNREPORTED, TURN) else None
        if note is None:
            return
        if noted.what == USAGE:
            self._read_usage(note)
        elif noted.what == UNREPORTED:
            self._add(self._request(note.text("model"), note.count("input")))
        elif not self.told:
            self._add(self._request("", note.count("used")))

    def _request(self, model: str, tokens: int) -> PastRequest:
        return PastRequest(turn=self.turn, at=self.sent, model=model, tokens=tokens)

    def _read_usage(self, note: NoteFields) -> None:
        if note.text("purpose") != "turn":
            return
        sent, model = note.count("input"), note.text("model")
        counted = note.maybe_count("counted")
        request = replace(
            self._request(model, sent if counted is None else counted),
            input=sent,
            cached=note.count("cached"),
            output=note.count("output"),
            effective=note.maybe_count("effective"),
        )
        if note.count("cached") or note.maybe_count("written"):
            self.caching.add(model)
        self._add(replace(request, miss=self._find_miss(request)))
        self.last, self.rewrites = request, []

    def _add(self, request: PastRequest) -> None:
        self.found.append(replace(request, reductions=tuple(self.reductions)))
        self.reductions, self.told = [], True

    def _find_miss(self, request: PastRequest) -> CacheMiss | None:
        """Compare a request with the one before it, whose text could have been cached."""
        sent, last = request.input or 0, self.last
        same = last is not None and last.model == request.model
        held = min(sent, last.input or 0) if last is not None and same else sent
        missed = held - (request.cached or 0)
        if missed < max(LEAST_MISS, LEAST_SHARE * held):
            return None
        if last is None:
            return CacheMiss("first", missed)
        if not same:
            return CacheMiss("model", missed)
        if _seconds(last.at, request.at) > self.cache_seconds:
            return CacheMiss("expired", missed)
        if self.rewrites:
            return CacheMiss("rewritten", missed, tuple(dict.fromkeys(self.rewrites)))
        return CacheMiss("unknown", missed)


def _seconds(start: str, end: str) -> float:
    """Return the seconds between two times; 0 if one is unreadable."""
    try:
        return abs((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
