"""Assembles an answer from its pieces: text, reasoning inside of the text, sources.

Some hosts send an emoji as two escaped halves in separate events, and some leave the reasoning in
the text.
"""

from collections.abc import Iterable, Iterator

from plimsoll.providers.http.json_body import Json, object_at, text_at


def repair_unicode(text: str) -> str:
    """Return valid Unicode: surrogate pairs joined, lone halves replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Joiner:
    """Joins surrogate pairs that are split between two pieces of text."""

    def __init__(self) -> None:
        self._held = ""

    def join(self, piece: str) -> str:
        """Return the text that is valid so far."""
        text = self._held + piece
        self._held = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return repair_unicode(text.removesuffix(self._held) if self._held else text)

    def end(self) -> str:
        """Return the replacement for a first half whose second half never came."""
        rest, self._held = repair_unicode(self._held), ""
        return rest


TAGS = {"<think>": "</think>", "<thinking>": "</thinking>", "[THINK]": "[/THINK]"}
"""The tags with which models begin and end their reasoning, if their server leaves it in the
text."""
FENCE = "```"
_MARKS = (*TAGS, *TAGS.values(), FENCE)
LONGEST_MARK = max(map(len, _MARKS))
ALL_REASONING = True, ""
"""Yielded when an end of reasoning comes without a beginning: all text so far was reasoning."""


class ThinkTags:
    """Separates reasoning from text in a stream that mixes both, however it is cut.

    Only tags at the start of an answer count: later ones may be quotes. If a template has begun the
    reasoning for the model, its end alone reveals it: at the beginning of a line, before any other
    tag and any code. Text is not held back for that.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing: str | None = None
        """The tag that ends the present reasoning."""
        self._trims = False
        """Whether to drop blanks that come first in the present text or reasoning."""
        self._speaks = False
        """Whether any text has come."""
        self._unopened = True
        """Whether the text so far may be reasoning that the template began."""
        self._line = ""
        """The end of the unfinished line, at most as long as a mark."""

    def feed(self, piece: str) -> Iterator[tuple[bool, str]]:
        """Yield the words that are certain, with whether they are reasoning."""
        self._held += piece
        while self._held:
            if self._trims:
                self._held = self._held.lstrip()
            if self._speaks:
                yield from self._certain_text()
                if self._speaks:
                    return
                continue
            found = self._reasoning() if self._closing else self._beginning()
            if found is None:
                return
            if found:
                yield True, found

    def end(self) -> Iterator[tuple[bool, str]]:
        """Yield the text that was held back as a possible tag."""
        if self._held.strip():
            yield self._closing is not None, self._held
        self._held = ""

    def _certain_text(self) -> Iterator[tuple[bool, str]]:
        """Yield the text that is certain, while watching its lines for an end of reasoning."""
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
        """Return the closing tag if reasoning begins here; None if it cannot yet be told."""
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
        """Return the reasoning that is certain and remove it; None if there is none."""
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
    """Collects the sources of an answer while it arrives, each page once."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def add(self, annotations: Iterable[Json]) -> None:
        """Add the annotations of a text; those without a web page are ignored."""
        for annotation in annotations:
            # OpenRouter nests what OpenAI's responses say beside the type.
            page = object_at(annotation.get("url_citation")) or annotation
            url = text_at(page.get("url"))
            if url.startswith(("https://", "http://")) and len(self._titles) < MOST_PAGES:
                self._titles.setdefault(url, text_at(page.get("title")))

    def end(self) -> str:
        """Write the list of sources to append to the text; empty if there are none."""
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
