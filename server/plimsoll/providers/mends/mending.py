"""One request and what its server refuses of it: each mend is tried once, and then remembered."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from plimsoll.errors import ProviderError
from plimsoll.providers.base import CallFinished, CallStarted, Chunk, Mended, Request, Waiting
from plimsoll.providers.http.refusals import Refusal
from plimsoll.providers.mends.choosing import mends_for
from plimsoll.providers.mends.conversation import mended_rows
from plimsoll.providers.mends.fields import mended_body
from plimsoll.providers.mends.known import KnownMends
from plimsoll.providers.mends.mend import Mend, sentence
from plimsoll.providers.mends.places import item_at
from plimsoll.providers.mends.rendering import own_names, rendered

MOST_MENDS = 12
"""Mends that are tried for one request: more than that is no server that can be talked to."""
ONE_AT_A_TIME = frozenset({"cap", "names", "ids", "images"})
"""Ways of which a new one takes the place of the one that holds."""

ONE_OF_MANY = frozenset({"image", "block", "tool", "cap"})
"""Ways that help with one thing of several: the server may say the same of the next."""
NUMBER = re.compile(r"\d+")
"""Places and sizes, which differ where the words are the same."""


@dataclass(frozen=True, slots=True)
class Server:
    """Which model at which address is asked."""

    address: str
    model: str


class Mending:
    """How one request is rendered, from its first try to the answer."""

    def __init__(self, known: KnownMends, server: Server, request: Request) -> None:
        self._known = known
        self._server = server
        self._request = request
        self._mends = known.held(server.address, server.model)
        self._tried: set[Mend] = set()
        self._dropped: set[Mend] = set()
        self._fresh: list[Mend] = []
        self._vain: set[Mend] = set()
        """After which the server said the same again: they are not remembered."""
        self._newest: tuple[tuple[Mend, ...], str] = (), ""
        """The mends of the last try, and the words that they were for."""
        self._body: dict[str, object] = {}
        self._answered = False
        """Whether anything of an answer has come: then nothing is tried any more."""

    @property
    def request(self) -> Request:
        """The request as it is rendered now."""
        return rendered(self._request, self._mends)

    def body(self, body: dict[str, object]) -> dict[str, object]:
        """Return a dialect's body as it is sent now."""
        self._body = body = mended_rows(mended_body(body, self._mends), self._mends)
        return body

    def takes(self, error: ProviderError) -> bool:
        """Find what to try next after a refusal; false: nothing is left to try.

        Where nothing is, the error names the item that the server speaks of.
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
        self._hold(found)
        self._newest = found, words
        return True

    def _note_vain(self, words: str) -> None:
        mends, before = self._newest
        if words == before:
            self._vain.update(mend for mend in mends if mend.way not in ONE_OF_MANY)

    def with_told(self, chunk: Chunk) -> Iterator[Chunk]:
        """Yield a chunk, its tool by its own name; before the first what is told of the mends."""
        if not self._answered and not isinstance(chunk, Waiting):
            self._answered = True
            yield from map(Mended, self._settled())
        if isinstance(chunk, CallStarted | CallFinished):
            names = own_names(self._request, self._mends)
            chunk = replace(chunk, name=names.get(chunk.name, chunk.name))
        yield chunk

    def keep(self) -> None:
        """Remember what the server took, where the answer was stopped before its first chunk."""
        if not self._answered:
            self._answered = True
            self._settled()

    def _settled(self) -> tuple[str, ...]:
        """Remember what has helped, now that there is an answer; returns what is told of it."""
        fresh = [m for m in self._fresh if m in self._mends and m not in self._vain]
        if fresh or self._dropped:
            at = self._server
            self._known.change(at.address, at.model, hold=fresh, drop=self._dropped)
        return tuple(dict.fromkeys(sentence(mend, self._server.model) for mend in fresh))

    def _hold(self, found: tuple[Mend, ...]) -> None:
        """Take mends on; one of the same kind that has not helped is given up."""
        new = [mend for mend in found if mend not in self._tried]
        gone = {
            held
            for held in self._mends
            for mend in new
            if held.way == mend.way and (held.way in ONE_AT_A_TIME or _undone(held, mend))
        }
        self._dropped |= gone
        self._tried.update(new)
        self._fresh += new
        self._mends = (*(held for held in self._mends if held not in gone), *new)


def _undone(held: Mend, mend: Mend) -> bool:
    """Tell whether a mend is about what the other one has made."""
    return held.way == "spell" and held.to == mend.what
