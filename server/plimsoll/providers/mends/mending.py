"""The mends of one request: each is tried once, and stored if it helped."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from plimsoll.errors import ProviderError
from plimsoll.providers.base import CallFinished, CallStarted, Chunk, Mended, Request, Waiting
from plimsoll.providers.http.refusals import Refusal
from plimsoll.providers.mends.choosing import mends_for
from plimsoll.providers.mends.conversation import mend_rows
from plimsoll.providers.mends.fields import mend_body
from plimsoll.providers.mends.known import KnownMends
from plimsoll.providers.mends.mend import Mend, sentence
from plimsoll.providers.mends.places import item_at
from plimsoll.providers.mends.rendering import apply_mends, own_names

MOST_MENDS = 12
"""Most mends that are tried for one request."""
ONE_AT_A_TIME = frozenset({"cap", "names", "ids", "images"})
"""Ways of which a new mend replaces the one in force."""

ONE_OF_MANY = frozenset({"image", "block", "tool", "cap"})
"""Ways that fix one of several things: the server may say the same about the next."""
NUMBER = re.compile(r"\d+")
"""Positions and sizes, which are ignored when refusals are compared."""


@dataclass(frozen=True, slots=True)
class Server:
    """The address and model of a request."""

    address: str
    model: str


class Mending:
    """The form of one request, from its first attempt to the answer."""

    def __init__(self, known: KnownMends, server: Server, request: Request) -> None:
        self._known = known
        self._server = server
        self._request = request
        self._mends = known.mends_for(server.address, server.model)
        self._tried: set[Mend] = set()
        self._dropped: set[Mend] = set()
        self._fresh: list[Mend] = []
        self._vain: set[Mend] = set()
        """Mends after which the server repeated its refusal: they are not stored."""
        self._newest: tuple[tuple[Mend, ...], str] = (), ""
        """The mends of the last attempt, and the refusal that they answered."""
        self._body: dict[str, object] = {}
        self._answered = False
        """Whether any of an answer has come, after which no mend is tried."""

    @property
    def request(self) -> Request:
        """The request in its present form."""
        return apply_mends(self._request, self._mends)

    def body(self, body: dict[str, object]) -> dict[str, object]:
        """Apply the mends to a dialect's body."""
        self._body = body = mend_rows(mend_body(body, self._mends), self._mends)
        return body

    def try_mends(self, error: ProviderError) -> bool:
        """Choose the mends to try after a refusal; false: none is left.

        If none is left, the error names the item that the server complained about.
        """
        refusal = error.refusal
        if self._answered or not isinstance(refusal, Refusal):
            return False
        self._note_vain(words := NUMBER.sub("", f"{refusal.field} {refusal.message}"))
        known = self._tried.union(self._mends)
        found = mends_for(refusal, self._request, self._body, known)
        if not found or len(self._tried) >= MOST_MENDS:
            if item := item_at(refusal, self._body, self._request, self._mends):
                error.data["item"] = item
            return False
        self._add_mends(found)
        self._newest = found, words
        return True

    def _note_vain(self, words: str) -> None:
        mends, before = self._newest
        if words == before:
            self._vain.update(mend for mend in mends if mend.way not in ONE_OF_MANY)

    def with_report(self, chunk: Chunk) -> Iterator[Chunk]:
        """Yield a chunk with its tool's own name; before the first, the report of the mends."""
        if not self._answered and not isinstance(chunk, Waiting):
            self._answered = True
            yield from map(Mended, self._store_helpful())
        if isinstance(chunk, CallStarted | CallFinished):
            names = own_names(self._request, self._mends)
            chunk = replace(chunk, name=names.get(chunk.name, chunk.name))
        yield chunk

    def keep(self) -> None:
        """Store the mends that the server accepted, if the answer was stopped before any chunk."""
        if not self._answered:
            self._answered = True
            self._store_helpful()

    def _store_helpful(self) -> tuple[str, ...]:
        """Store the mends that helped, once there is an answer; return a sentence for each."""
        fresh = [m for m in self._fresh if m in self._mends and m not in self._vain]
        if fresh or self._dropped:
            at = self._server
            self._known.change(at.address, at.model, hold=fresh, drop=self._dropped)
        return tuple(dict.fromkeys(sentence(mend, self._server.model) for mend in fresh))

    def _add_mends(self, found: tuple[Mend, ...]) -> None:
        """Add mends; one of the same kind that has not helped is dropped."""
        new = [mend for mend in found if mend not in self._tried]
        gone = {
            held
            for held in self._mends
            for mend in new
            if held.way == mend.way and (held.way in ONE_AT_A_TIME or _is_about_result(held, mend))
        }
        self._dropped |= gone
        self._tried.update(new)
        self._fresh += new
        self._mends = (*(held for held in self._mends if held not in gone), *new)


def _is_about_result(held: Mend, mend: Mend) -> bool:
    """Tell whether a mend concerns the field name that the earlier mend ``held`` introduced."""
    return held.way == "spell" and held.to == mend.what
