"""What comes of an answer in pieces, put together: text, reasoning in it, sources.

Some hosts escape an emoji in two halves, one in each event, and some leave the reasoning in the
text.
"""

from collections.abc import Iterable, Iterator

from plimsoll.providers.http.json_body import Json, object_at, text_at


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
