"""A mend: another form of a request, for a server that refused the usual one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Way = Literal[
    "spell",
    "omit",
    "cap",
    "tool",
    "names",
    "ids",
    "turns",
    "system",
    "filled",
    "image",
    "images",
    "block",
    "reasoning",
    "give",
]
"""The ways to change a request; `SAID` describes each in a sentence."""
WAYS: frozenset[str] = frozenset(get_args(Way))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """One change to the form of a request; the log is not affected."""

    way: Way
    what: str = ""
    """What it changes: a field of the body, a tool, the hash of an image or block."""
    to: str = ""
    """The new value: another name, a number."""


SAID: Mapping[Way, str] = {
    "spell": "calls the field `{what}` `{to}`, so it is sent under that name",
    "omit": "does not take the field `{what}`, so it is left out",
    "cap": "takes answers of at most {to} tokens, so no longer one is asked for",
    "tool": "does not take the tool `{what}`, so the model has to do without it",
    "names": "takes fewer characters in names of tools, so names are spelled for it",
    "ids": "takes ids of calls in another form, so ids are spelled for it",
    "turns": "wants user and assistant to take turns, so `(read)` stands between messages in a row",
    "system": "takes no system text as such, so it is sent as the {to}'s",
    "filled": "takes no empty message, so `(empty)` stands in its place",
    "image": "refuses an image, so a note stands in its place; the image stays in the session",
    "images": "takes {limit}, so a note stands in their place; they stay in the session",
    "block": "refuses reasoning of earlier answers, so the model does not get it back",
    "reasoning": "refuses reasoning in a request, so the model does not get it back",
    "give": "wants `{what}` back with each call, so it is sent with all of them",
}
"""The end of the sentence about a mend for people, by way."""


def sentence(mend: Mend, model: str) -> str:
    """Describe in a sentence what a server refused, and what is done about it from now on."""
    newest = f"only the newest {mend.to} images, and none before them"
    limit = newest if int(mend.to or 0 if mend.way == "images" else 0) else "no images"
    return (
        f"The server of {model} {SAID[mend.way].format(what=mend.what, to=mend.to, limit=limit)}."
    )
