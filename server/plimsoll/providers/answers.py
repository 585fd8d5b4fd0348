"""What comes of an answer in pieces, put together: text, reasoning in it, calls, sources.

Some hosts leave ids or indices of calls out, some escape an emoji in two halves, one in each event,
and some leave the reasoning in the text.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plimsoll.context.log.messages import canonical, object_in
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import ArgumentsDelta, CallFinished, CallStarted, Request, StopReason
from plimsoll.providers.http.endpoint import Json, object_at, text_at


def mended(text: str) -> str:
    """Return valid Unicode: surrogate pairs joined, lone halves replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Joiner:
    """Holds a first half back until the next piece brings the second."""

    def __init__(self) -> None:
        self._held = ""

    def join(self, piece: str) -> str:
        """Return the text that is valid so far."""
        text = self._held + piece
        self._held = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return mended(text.removesuffix(self._held) if self._held else text)

    def end(self) -> str:
        """Return what stands for a half that never got its other half."""
        rest, self._held = mended(self._held), ""
        return rest


def used_call_ids(request: Request) -> frozenset[str]:
    """Return the ids of every call in the request."""
    return frozenset(call.id for message in request.messages for call in message.calls)


def fresh_call_id(request: Request, number: int, taken: frozenset[str]) -> str:
    """Make an id from the request alone, so that the same request gives the same id.

    The newest message's id is unique in its session, and with it the id of every answer to it.
    """
    newest = request.messages[-1].id if request.messages else ""
    salt = 0
    while True:
        digest = hashlib.sha256(f"{newest}\0{number}\0{salt}".encode()).hexdigest()
        if (fresh := f"call_{digest[:16]}") not in taken:
            return fresh
        salt += 1


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
            given = fragment.arguments
            text = given if isinstance(given, str) else canonical(given)
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
            yield CallFinished(partial.id, partial.name, mended("".join(partial.pieces)))

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
        texts = ("".join(partial.pieces) or "{}" for partial in self._drafts)
        return all(object_in(text) is not None for text in texts)

    def stop_reason(self, told: StopReason) -> StopReason:
        """Return why the answer ended; hosts say that it calls, or does not, and what came counts.

        ``told``: what the host gave as the reason.
        """
        if told not in {"endTurn", "toolCalls"}:
            return told
        return "toolCalls" if self.begun else "endTurn"

    def _draft_of(self, fragment: Fragment) -> _PartialCall:
        for partial in reversed(self._drafts):
            if fragment.index is None or partial.index is None or fragment.index == partial.index:
                if not _begins_another(fragment, partial):
                    return partial
                break
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
    if fragment.id and partial.given_id:
        return fragment.id != partial.given_id
    if fragment.name and partial.name:
        return fragment.name != partial.name or fragment.index is None
    return False


TAGS = {"<think>": "</think>", "<thinking>": "</thinking>", "[THINK]": "[/THINK]"}
"""How models begin and end their reasoning, where their server leaves it in the text."""
FENCE = "```"
_MARKS = (*TAGS, *TAGS.values(), FENCE)
LONGEST_MARK = max(map(len, _MARKS))
ALL_REASONING = True, ""
"""Given out where reasoning ends that never began: all text before it was reasoning."""


class ThinkTags:
    """Tells reasoning from text where both come as text, whatever the pieces.

    Only what an answer begins with is taken for reasoning: later the tags may be quoted. Where a
    template has begun the reasoning for the model, its end alone shows that there was any: it
    stands at the beginning of a line, before any other tag and before any code. No text waits for
    it.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing: str | None = None
        """The tag that ends the reasoning in which we are."""
        self._trims = False
        """Whether blanks come before anything else that belongs to this place."""
        self._speaks = False
        """Whether text has come."""
        self._unopened = True
        """Whether the text so far may be reasoning that the template began."""
        self._line = ""
        """The end of the line that has come in part: as much as a mark can be long."""

    def feed(self, piece: str) -> Iterator[tuple[bool, str]]:
        """Yield what is sure by now: whether it is reasoning, and the words."""
        self._held += piece
        while self._held:
            if self._trims:
                self._held = self._held.lstrip()
            if self._speaks:
                yield from self._spoken()
                if self._speaks:
                    return
                continue
            found = self._reasoning() if self._closing else self._beginning()
            if found is None:
                return
            if found:
                yield True, found

    def end(self) -> Iterator[tuple[bool, str]]:
        """Yield what was held back, since it begins no tag after all."""
        if self._held.strip():
            yield self._closing is not None, self._held
        self._held = ""

    def _spoken(self) -> Iterator[tuple[bool, str]]:
        """Yield the text that is sure; its lines are looked at while it may be reasoning."""
        text, self._trims = "", False
        while self._held and self._unopened:
            closing = next((tag for tag in TAGS.values() if self._held.startswith(tag)), None)
            if not self._line and closing is not None:
                self._held = self._held.removeprefix(closing)
                self._unopened, self._speaks, self._trims = False, False, True
                yield from [(False, text)] if text else []
                yield ALL_REASONING
                return
            if not self._line and any(mark.startswith(self._held) for mark in _MARKS):
                break
            line, end, rest = self._held.partition("\n")
            self._line += line
            self._unopened = not any(mark in self._line for mark in _MARKS)
            self._line = "" if end else self._line[-LONGEST_MARK:]
            text, self._held = f"{text}{line}{end}", rest
        if not self._unopened:
            text, self._held = text + self._held, ""
        if text:
            yield False, text

    def _beginning(self) -> str | None:
        """Find out whether reasoning begins; none while that is open."""
        words = self._held.lstrip()
        tag = next((tag for tag in TAGS if words.startswith(tag)), None)
        if tag is not None:
            self._closing, self._held, self._trims = TAGS[tag], words.removeprefix(tag), True
            self._unopened = False
            return ""
        if any(tag.startswith(words) for tag in TAGS):
            return None
        self._speaks = True
        return ""

    def _reasoning(self) -> str | None:
        """Take out the reasoning that is sure; none while there is none."""
        closing = self._closing or ""
        before, tag, behind = self._held.partition(closing)
        if tag:
            self._closing, self._held, self._trims = None, behind, True
            return before
        shared = (n for n in range(len(closing) - 1, 0, -1) if before.endswith(closing[:n]))
        sure = before[: len(before) - next(shared, 0)]
        self._held = before[len(sure) :]
        self._trims = self._trims and not sure
        return sure or None


MOST_PAGES = 50
LONGEST_TITLE = 200


class Citations:
    """Gathers sources while an answer arrives, each page once."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def add(self, annotations: Iterable[Json]) -> None:
        """Take in the annotations of a text; those that name no web page mean nothing here."""
        for annotation in annotations:
            # OpenRouter nests what OpenAI's responses say beside the type.
            page = object_at(annotation.get("url_citation")) or annotation
            url = text_at(page.get("url"))
            if url.startswith(("https://", "http://")) and len(self._titles) < MOST_PAGES:
                self._titles.setdefault(url, text_at(page.get("title")))

    def end(self) -> str:
        """Write the sources as what follows the text; empty where there are none."""
        if not self._titles:
            return ""
        lines = [
            f"- {_plain(title) or 'Page'}: <{_address(url)}>" for url, title in self._titles.items()
        ]
        return "\n".join(["\n\nSources:", *lines])


def _plain(title: str) -> str:
    return " ".join(title.split())[:LONGEST_TITLE]


def _address(url: str) -> str:
    return "".join(character for character in url if character not in "<> \t\r\n")
