"""The tool calls of an answer, put together of what comes in pieces.

Hosts leave ids or indices out, give all calls one of them, or one call several, and models write
fences around their arguments or all of them twice.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.messages import canonical, object_in
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.answers import mended
from plimsoll.providers.base import (
    ArgumentsDelta,
    CallFinished,
    CallStarted,
    Finished,
    Request,
    StopReason,
)
from plimsoll.providers.reading.call_ids import fresh_call_id, used_call_ids
from plimsoll.providers.reading.ends import REASONS, named

LONGEST_WORD = 60
"""Characters of a host's word for an end that are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """What one event says about one call."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: object = None
    """Text to add; some hosts send the whole object at once."""
    beside: object = None
    """What the host wants back beside the call, such as a signature."""


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
        """Whether its arguments are an object by now."""
        return object_in("".join(self.pieces)) is not None


class CallAssembly:
    """The calls of one answer, in the order in which they began."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._used = used_call_ids(request)
        self._drafts: list[_PartialCall] = []

    def add(self, fragment: Fragment) -> Iterator[CallStarted | ArgumentsDelta]:
        """Take a fragment in; a call is announced once, when its name is known."""
        partial = self._draft_of(fragment)
        partial.name = partial.name or fragment.name
        partial.beside = fragment.beside or partial.beside
        if partial.name and not partial.started:
            partial.started = True
            yield CallStarted(partial.id, partial.name)
        if fragment.arguments not in (None, ""):
            text = _text(fragment.arguments)
            partial.pieces.append(text)
            yield ArgumentsDelta(mended(text))

    def finished(self) -> Iterator[CallFinished]:
        """Yield every call, whole; to be asked only at the proper end of the stream.

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
        """Return the id of the newest call of this index, as it is given out."""
        return next(each.id for each in reversed(self._drafts) if each.index == index)

    @property
    def begun(self) -> bool:
        """Whether there is a call."""
        return bool(self._drafts)

    @property
    def beside(self) -> dict[str, object]:
        """What goes back beside calls, by their ids."""
        return {partial.id: partial.beside for partial in self._drafts if partial.beside}

    @property
    def whole(self) -> bool:
        """Whether the arguments of every call are an object, so that none was cut."""
        texts = (_arguments(partial) or "{}" for partial in self._drafts)
        return all(object_in(text) is not None for text in texts)

    def ended(self, said: str, told: StopReason | None = None) -> Finished:
        """Return why the answer ended; hosts say that it calls, or does not, and what came counts.

        ``said``: the word of the host, which is kept where it is unknown or of an answer that was
        cut; ``told``: what it means, where that is known besides.
        """
        reason = told or REASONS.get(named(said))
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
    """Tell whether a fragment begins another call; hosts may give all calls one index, or none."""
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
    """Tell whether a fragment of a new index goes on with the newest call: some count pieces."""
    if fragment.name or partial.is_whole or not partial.name:
        return False
    return fragment.id in {"", partial.given_id}


def _arguments(partial: _PartialCall) -> str:
    return mended_arguments(mended("".join(partial.pieces)))


def _text(arguments: object) -> str:
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else canonical(arguments)


FENCED = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL)
BETWEEN = re.compile(r"[\s,]*")
NOTHING = frozenset({"null", "None", "undefined", '""'})


def mended_arguments(text: str) -> str:
    """Return the arguments of a call as one object, where it is certain which is meant.

    Fences around it, an object that comes twice or behind an empty one, an object in a text or
    alone in a list, and none at all. What is not certain stays as it is, for the model to read.
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
    """Return the objects of which a text is made, one behind the other; none if it is not."""
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
    """Return the text of the one object that a value is or holds."""
    if isinstance(value, str):
        return value
    items = cast("list[object]", value) if isinstance(value, list) else []
    return canonical(items[0]) if len(items) == 1 else written
