"""Reasoning of models: found in an answer's text, and who wants what of it back.

Most hosts refuse or ignore reasoning in a request, so it is shown and stays behind. Whoever wants
some back stands here. What a host wants back untouched is kept beside the reasoning, with the name
of the host and of the model: no other can read it, and some refuse it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from plimsoll.context.log.messages import Message, canonical
from plimsoll.providers.http.endpoint import EMPTY, Json, object_at
from plimsoll.providers.http.site import Site

WANT_TEXT = (".api.deepseek.com", ".moonshot.ai", ".moonshot.cn", ".opencode.ai")
"""Hosts that refuse a message with calls unless its reasoning stands beside them, empty or not.
In a message without calls they ignore it or refuse it, so there it does not stand."""
WANT_SIGNATURES = (".openrouter.ai", ".googleapis.com")
"""Hosts that want back what they signed: ``reasoning_details``, and what stands beside a call."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model of which host is asked, in which dialect."""

    dialect: str
    host: str
    model: str

    @property
    def wants_text(self) -> bool:
        """Whether reasoning goes back as text beside calls."""
        return f".{self.host}".endswith(WANT_TEXT)

    @property
    def wants_signatures(self) -> bool:
        """Whether signed pieces go back."""
        return f".{self.host}".endswith(WANT_SIGNATURES)

    def keep(self, what: Json) -> str:
        """Write what later requests to this model carry."""
        return canonical({"for": [self.dialect, self.host, self.model], **what})

    def kept(self, message: Message) -> Json:
        """Read what this model left with a message; nothing where another one answered."""
        # Anthropic's signatures are base64 or a list; only what is kept here is an object.
        if message.signature is None or not message.signature.startswith("{"):
            return EMPTY
        try:
            found = object_at(json.loads(message.signature))
        except ValueError:
            # A secret was taken out of it: what is not as it came is of no use.
            return EMPTY
        return found if found.get("for") == [self.dialect, self.host, self.model] else EMPTY


def asked_at(site: Site, dialect: str) -> Asked:
    """Say who is asked at a site."""
    return Asked(dialect, urlsplit(site.url).hostname or "", site.model)


TAGS = {"<think>": "</think>", "<thinking>": "</thinking>", "[THINK]": "[/THINK]"}
"""How models begin and end their reasoning, where their server leaves it in the text."""


class ThinkTags:
    """Tells reasoning from text where both come as text, whatever the pieces.

    Only what an answer begins with is taken for reasoning: later the tags may be quoted.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing: str | None = None
        """The tag that ends the reasoning in which we are."""
        self._trims = False
        """Whether blanks come before anything else that belongs to this place."""
        self._speaks = False
        """Whether text has come; from then on all is text."""

    def feed(self, piece: str) -> Iterator[tuple[bool, str]]:
        """Yield what is sure by now: whether it is reasoning, and the words."""
        self._held += piece
        while self._held and not self._speaks:
            if self._trims:
                self._held = self._held.lstrip()
            found = self._reasoning() if self._closing else self._beginning()
            if found is None:
                return
            if found:
                yield True, found
        if self._held:
            yield False, self._held
            self._held = ""

    def end(self) -> Iterator[tuple[bool, str]]:
        """Yield what was held back, since it begins no tag after all."""
        if self._held.strip():
            yield self._closing is not None, self._held
        self._held = ""

    def _beginning(self) -> str | None:
        """Find out whether reasoning begins; none while that is open."""
        words = self._held.lstrip()
        tag = next((tag for tag in TAGS if words.startswith(tag)), None)
        if tag is not None:
            self._closing, self._held, self._trims = TAGS[tag], words.removeprefix(tag), True
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
