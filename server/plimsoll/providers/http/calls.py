"""Tool calls put together from fragments, whatever ids and indices their host leaves out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plimsoll.context.log.messages import canonical
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import CallFinished, CallStarted
from plimsoll.providers.http.surrogates import mended


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one event says about one call."""

    index: int | None
    id: str
    name: str
    arguments: object
    """Text to add; some hosts send the whole object at once."""


@dataclass(slots=True, kw_only=True)
class _Draft:
    index: int | None
    given_id: str
    id: str
    name: str
    pieces: list[str]
    started: bool = False


class CallAssembly:
    """The calls of one answer, in the order in which they began."""

    def __init__(
        self, fresh_id: Callable[[int, frozenset[str]], str], used: frozenset[str]
    ) -> None:
        self._fresh_id = fresh_id
        self._used = used
        self._drafts: list[_Draft] = []

    def __len__(self) -> int:
        return len(self._drafts)

    def add(self, fragment: Fragment) -> Iterator[CallStarted]:
        """Take a fragment in; a call is announced once, when its name is known."""
        draft = self._draft_of(fragment)
        draft.name = draft.name or fragment.name
        if fragment.arguments not in (None, ""):
            text = fragment.arguments
            draft.pieces.append(text if isinstance(text, str) else canonical(text))
        if draft.name and not draft.started:
            draft.started = True
            yield CallStarted(draft.id, draft.name)

    def finished(self) -> Iterator[CallFinished]:
        """Every call, whole; to be asked only at the proper end of the stream.

        Raises:
            ProviderAnswer: A call never got a name.
        """
        for draft in self._drafts:
            if not draft.name:
                raise ProviderAnswer(
                    "The model made a tool call without a name.", remedy="Send the message again."
                )
            yield CallFinished(draft.id, draft.name, mended("".join(draft.pieces)))

    def _draft_of(self, fragment: Fragment) -> _Draft:
        for draft in reversed(self._drafts):
            if fragment.index is None or draft.index is None or fragment.index == draft.index:
                if not _begins_another(fragment, draft):
                    return draft
                break
        return self._begin(fragment)

    def _begin(self, fragment: Fragment) -> _Draft:
        taken = self._used | {draft.id for draft in self._drafts}
        known = fragment.id and fragment.id not in taken
        own = fragment.id if known else self._fresh_id(len(self._drafts), taken)
        draft = _Draft(index=fragment.index, given_id=fragment.id, id=own, name="", pieces=[])
        self._drafts.append(draft)
        return draft


def _begins_another(fragment: Fragment, draft: _Draft) -> bool:
    """Some hosts give every call the same index, or none; then id and name tell calls apart."""
    if fragment.id and draft.given_id:
        return fragment.id != draft.given_id
    if fragment.name and draft.name:
        return fragment.name != draft.name or fragment.index is None
    return False
