"""Assembles the tool calls of an answer from its pieces.

Hosts leave ids or indices out, give all calls one of them, or one call several, and models put
fences around their arguments or repeat them.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.messages import canonical, object_in
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.answers import repair_unicode
from plimsoll.providers.base import (
    ArgumentsDelta,
    CallFinished,
    CallStarted,
    Finished,
    Request,
    StopReason,
)
from plimsoll.providers.reading.call_ids import fresh_call_id, used_call_ids
from plimsoll.providers.reading.ends import REASONS, normalise_reason

LONGEST_WORD = 60
"""Characters of a host's stop reason that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """The piece of one call that one event of the stream brings."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: object = None
    """Text to append; some hosts send the whole object at once."""
    beside: object = None
    """Data that the host needs back with the call, such as a signature."""


@dataclass(slots=True, kw_only=True)
class _PartialCall:
    index: int | None
    given_id: str
    id: str
    name: str
    pieces: list[str]
    started: bool = False
    beside: object = None

    @property
    def is_whole(self) -> bool:
        """Whether its arguments are a complete object."""
        return object_in("".join(self.pieces)) is not None


class CallAssembly:
    """The calls of one answer, in the order in which they began."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._used = used_call_ids(request)
        self._drafts: list[_PartialCall] = []

    def add(self, fragment: Fragment) -> Iterator[CallStarted | ArgumentsDelta]:
        """Add a fragment; a call is announced once, when its name is known."""
        partial = self._draft_of(fragment)
        partial.name = partial.name or fragment.name
        partial.beside = fragment.beside or partial.beside
        if partial.name and not partial.started:
            partial.started = True
            yield CallStarted(partial.id, partial.name)
        if fragment.arguments not in (None, ""):
            text = _text(fragment.arguments)
            partial.pieces.append(text)
            yield ArgumentsDelta(repair_unicode(text))

    def finish(self) -> Iterator[CallFinished]:
        """Yield every complete call; only at the proper end of the stream.

        Raises:
            ProviderAnswer: A call never got a name.
        """
        for partial in self._drafts:
            if not partial.name:
                raise ProviderAnswer(
                    "The model made a tool call without a name.", remedy="Send the message again."
                )
            yield CallFinished(partial.id, partial.name, _arguments(partial))

    def id_at(self, index: int) -> str:
        """Return the id of the newest call with this index, as announced."""
        return next(each.id for each in reversed(self._drafts) if each.index == index)

    @property
    def begun(self) -> bool:
        """Whether any call of the answer has begun."""
        return bool(self._drafts)

    @property
    def beside(self) -> dict[str, object]:
        """The data to send back beside calls, by their ids."""
        return {partial.id: partial.beside for partial in self._drafts if partial.beside}

    @property
    def whole(self) -> bool:
        """Whether the arguments of every call are complete objects."""
        texts = (_arguments(partial) or "{}" for partial in self._drafts)
        return all(object_in(text) is not None for text in texts)

    def stop_reason(self, said: str, told: StopReason | None = None) -> Finished:
        """Return why the answer ended; the calls that came outweigh the host's word.

        ``said``: the host's stop reason, kept if it is unknown or the answer was cut; ``told``: its
        meaning, if that is known otherwise.
        """
        reason = told or REASONS.get(normalise_reason(said))
        if reason is None:
            return Finished(self._by_calls() if self.whole else "cut", said[:LONGEST_WORD])
        if reason == "cut":
            return Finished(reason, said[:LONGEST_WORD])
        return Finished(self._by_calls() if reason in {"endTurn", "toolCalls"} else reason)

    def _by_calls(self) -> StopReason:
        return "toolCalls" if self.begun else "endTurn"

    def _draft_of(self, fragment: Fragment) -> _PartialCall:
        for partial in reversed(self._drafts):
            if fragment.index is None or partial.index is None or fragment.index == partial.index:
                if not _begins_another(fragment, partial):
                    return partial
                return self._begin(fragment)
        newest = self._drafts[-1] if self._drafts else None
        if newest is not None and _goes_on(fragment, newest):
            return newest
        return self._begin(fragment)

    def _begin(self, fragment: Fragment) -> _PartialCall:
        taken = self._used | {partial.id for partial in self._drafts}
        known = fragment.id and fragment.id not in taken
        number = len(self._drafts)
        own = fragment.id if known else fresh_call_id(self._request, number, taken)
        partial = _PartialCall(
            index=fragment.index, given_id=fragment.id, id=own, name="", pieces=[]
        )
        self._drafts.append(partial)
        return partial


def _begins_another(fragment: Fragment, partial: _PartialCall) -> bool:
    """Tell whether a fragment begins another call; hosts may give all one index or no index."""
    whole = partial.is_whole
    if fragment.id and partial.given_id and fragment.id != partial.given_id:
        # Some give each piece an id of its own: then no name comes before the call is whole.
        return bool(fragment.name) or whole or not partial.pieces
    if not fragment.name or not partial.name:
        return False
    if fragment.name != partial.name:
        return True
    if fragment.index is None and not fragment.id:
        return True
    # The name may come with every piece, and a whole call twice.
    given = _text(fragment.arguments)
    return whole and object_in(given) is not None and given != "".join(partial.pieces)


def _goes_on(fragment: Fragment, partial: _PartialCall) -> bool:
    """Tell whether a fragment of a new index continues the newest call: some hosts count pieces."""
    if fragment.name or partial.is_whole or not partial.name:
        return False
    return fragment.id in {"", partial.given_id}


def _arguments(partial: _PartialCall) -> str:
    return repair_arguments(repair_unicode("".join(partial.pieces)))


def _text(arguments: object) -> str:
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else canonical(arguments)


FENCED = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL)
BETWEEN = re.compile(r"[\s,]*")
NOTHING = frozenset({"null", "None", "undefined", '""'})


def repair_arguments(text: str) -> str:
    """Return the arguments of a call as one object, if it is certain which is meant.

    Handles fences, an object that is repeated or follows an empty one, an object in a text or alone
    in a list, and no text at all. Anything else stays as it is, for the model to read.
    """
    bare = text.strip()
    if not bare or object_in(bare) is not None:
        return text
    if fenced := FENCED.fullmatch(bare):
        bare = fenced[1]
    if bare in NOTHING:
        return "{}"
    found = {canonical(each): None for each in _objects(bare)}
    meant = [each for each in found if each != "{}"] or [*found]
    return meant[0] if len(meant) == 1 else text


def _objects(text: str) -> list[dict[str, object]]:
    """Parse a text that consists of consecutive objects; empty if it does not."""
    decoder, at, found = json.JSONDecoder(), 0, list[dict[str, object]]()
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        inner = object_in(_inner(value, text[at:end]))
        if inner is None:
            return []
        found.append(inner)
        between = BETWEEN.match(text, end)
        at = between.end() if between else end
    return found


def _inner(value: object, written: str) -> str:
    """Return the JSON text of the one object that a value is or contains."""
    if isinstance(value, str):
        return value
    items = cast("list[object]", value) if isinstance(value, list) else []
    return canonical(items[0]) if len(items) == 1 else written
