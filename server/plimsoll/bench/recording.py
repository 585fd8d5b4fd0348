"""A recorded session, looked through once: what its answers need of what came before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from plimsoll.bench.evidence import UsedText, quotes, uses
from plimsoll.bench.spans import OldText, VerbatimSpan, old_texts, spans_of
from plimsoll.context.log.messages import Role
from plimsoll.session.transfer.incoming import Incoming


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded session, with what its answers need, by the request that produced them."""

    name: str
    messages: tuple[Incoming, ...]
    requests: int
    spans: Mapping[int, tuple[VerbatimSpan, ...]]
    edits: Mapping[int, tuple[OldText, ...]]
    names: Mapping[int, tuple[UsedText, ...]]
    """Distinctive names at their first use that results alone had shown."""
    lines: Mapping[int, tuple[UsedText, ...]]
    """Whole lines, likewise."""
    tokens: Mapping[str, int]
    """Of each span."""
    sizes: Mapping[int, int]
    """Tokens of each message that holds something needed."""

    @property
    def last_text_uses(self) -> Mapping[str, int]:
        """The last request that needs a message word for word, by the message's text."""
        used: dict[str, int] = {}
        for found in (self.spans, self.edits):
            for request, needed in found.items():
                for text in {_join_text(self.messages[each.source]) for each in needed}:
                    used[text] = max(request, used.get(text, 0))
        return used


def recording(name: str, messages: Sequence[Incoming], count: Callable[[str], int]) -> Recording:
    """Index a session once, for all policies; ``count`` counts the tokens of a text."""
    kept = tuple(messages)
    spans, edits = tuple(spans_of(kept)), tuple(old_texts(kept))
    sources = {each.source for each in (*spans, *edits)}
    texts = {number: _join_text(kept[number]) for number in sources}
    return Recording(
        name=name,
        messages=kept,
        requests=sum(message.role is Role.ASSISTANT for message in kept),
        spans=_by_request(spans),
        edits=_by_request(edits),
        names=_by_request(tuple(uses(kept))),
        lines=_by_request(tuple(quotes(kept))),
        tokens={text: count(text) for text in {span.text for span in spans}},
        sizes={number: count(text) for number, text in texts.items()},
    )


def _join_text(message: Incoming) -> str:
    return "\n".join(part.text for part in message.parts)


_Needed = TypeVar("_Needed", VerbatimSpan, OldText, UsedText)


def _by_request(found: Sequence[_Needed]) -> dict[int, tuple[_Needed, ...]]:
    grouped: dict[int, tuple[_Needed, ...]] = {}
    for each in found:
        grouped[each.request] = (*grouped.get(each.request, ()), each)
    return grouped
