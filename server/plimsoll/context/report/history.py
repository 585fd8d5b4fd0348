"""The requests of a session as its log tells them: their size, the reductions before each, misses.

Nothing is asked and nothing is measured anew: an older log that lacks a figure has a gap there.
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
"""The newest of them are told; nobody looks at more points of a curve."""
LEAST_MISS = 1_024
"""Tokens; providers cache no shorter prefix, and in steps."""
LEAST_SHARE = 0.1
"""Of the earlier request; less is a matter of where a step of the cache ends."""


@dataclass(frozen=True, slots=True)
class CacheMiss:
    """Tokens that a provider's cache might have held, and that were sent anew."""

    cause: MissCause
    tokens: int
    edits: tuple[str, ...] = ()
    """What rewrote the prefix: reductions, undone ones, rewinds."""
    money: float | None = None
    """What sending them anew cost, in US dollars; none: it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRequest:
    """One request to the model."""

    turn: int
    at: str
    """When it was sent, as far as the log tells."""
    model: str
    tokens: int
    """Our own count, or what the provider read where that was not noted."""
    input: int | None = None
    """The provider's count."""
    cached: int | None = None
    output: int | None = None
    effective: int | None = None
    """What it could have carried."""
    reductions: tuple[str, ...] = ()
    """The ids of what was reduced since the request before it."""
    miss: CacheMiss | None = None


class RequestHistory:
    """Tells the requests of a log, of which it reads each entry once."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0
        """Entries of that log that were read."""
        self._reader = _Reader(cache_seconds=0)

    def newest(self, log: Sequence[Entry], cache_seconds: int) -> tuple[PastRequest, ...]:
        """Return the newest requests of a session, oldest first."""
        if log is not self._log or cache_seconds != self._reader.cache_seconds:
            self._log, self._known = log, 0
            self._reader = _Reader(cache_seconds=cache_seconds)
        for entry in log[self._known :]:
            self._reader.read(entry)
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
    """Reads a log from its beginning."""

    cache_seconds: int
    caching: set[str] = field(default_factory=set[str])
    """Models whose provider has reported a cache; of the others nothing can be missed."""
    found: list[PastRequest] = field(default_factory=list[PastRequest])
    turn: int = 0
    told: bool = True
    """Whether a request of this turn has been found."""
    before: str = ""
    """The time of the last entry."""
    sent: str = ""
    """The time of the last request."""
    reductions: list[str] = field(default_factory=list[str])
    rewrites: list[str] = field(default_factory=list[str])
    last: PastRequest | None = None
    """The last request of which the provider reported."""

    def read(self, entry: Entry) -> None:
        match entry:
            case Said():
                self._say(entry)
            case Edited() if entry.stage not in ON_ARRIVAL:
                self.reductions.append(entry.id)
                self.rewrites.append(entry.id)
            case Undone():
                self.rewrites.append(entry.target)
            case Rewound():
                self.rewrites.append(entry.id)
            case Noted():
                self._note(entry)
            case _:
                pass
        self.before = entry.at

    def _say(self, said: Said) -> None:
        if said.role is Role.USER:
            self.turn, self.told = self.turn + 1, False
        elif said.role is Role.ASSISTANT and said.origin in HELD_HERE:
            self.sent = self.before

    def _note(self, noted: Noted) -> None:
        note = note_fields(noted) if noted.what in (USAGE, UNREPORTED, TURN) else None
        if note is None:
            return
        if noted.what == USAGE:
            self._reported(note)
        elif noted.what == UNREPORTED:
            self._add(self._request(note.text("model"), note.count("input")))
        elif not self.told:
            self._add(self._request("", note.count("used")))

    def _request(self, model: str, tokens: int) -> PastRequest:
        return PastRequest(turn=self.turn, at=self.sent, model=model, tokens=tokens)

    def _reported(self, note: NoteFields) -> None:
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
        self._add(replace(request, miss=self._miss(request)))
        self.last, self.rewrites = request, []

    def _add(self, request: PastRequest) -> None:
        self.found.append(replace(request, reductions=tuple(self.reductions)))
        self.reductions, self.told = [], True

    def _miss(self, request: PastRequest) -> CacheMiss | None:
        """Compare a request with the one before it, whose text the cache could have held."""
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
    """Return the seconds between two times; 0 where one cannot be read."""
    try:
        return abs((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
