"""Whether a memory may be kept: no secret, no empty or long text, tags that are words."""

import re
from dataclasses import replace

from plimsoll.context.log.messages import clean
from plimsoll.errors import InvalidInput, MemoryRefused
from plimsoll.memory.secrets import find_secret
from plimsoll.memory.types import (
    ALWAYS_PRIVATE,
    LEAST_IMPORTANT,
    MOST_IMPORTANT,
    Memory,
    MemoryScope,
)
from plimsoll.text.terms import content_words

LONGEST_TITLE = 200
LONGEST_CONTENT = 4_000
"""Characters; a memory is a note, not a document."""
MOST_TAGS = 8
_TAG = re.compile(r"[\w.-]{1,40}")
"""A tag is one word, so that none can look like a sentence or a marker of ours."""


def check_memory(memory: Memory) -> Memory:
    """Check a memory and return it normalised; some types are never for a team.

    Raises:
        InvalidInput: Its importance is not a valid one.
        MemoryRefused: It holds a secret, says nothing, is too long, or has an invalid tag.
    """
    title, content = clean(memory.title).strip(), clean(memory.content).strip()
    _require_short("title", title, LONGEST_TITLE)
    _require_short("content", content, LONGEST_CONTENT)
    tags = _check_tags(memory.tags)
    _require_importance(memory.importance)
    kind = find_secret(f"{title}\n{content}") or find_secret(" ".join([content, *tags]))
    if kind is not None:
        raise MemoryRefused(
            f"This was not remembered: it looks like it holds {kind}.",
            remedy="Leave the secret out and say where it is kept instead.",
            data={"reason": "secret"},
        )
    if not content_words(f"{title} {content}"):
        raise MemoryRefused(
            "This was not remembered: it says nothing.",
            remedy="Say in a sentence what is to be known.",
            data={"reason": "empty"},
        )
    never_shared = memory.scope is MemoryScope.TEAM and memory.type in ALWAYS_PRIVATE
    scope = MemoryScope.PRIVATE if never_shared else memory.scope
    return replace(memory, title=title, content=content, tags=tags, scope=scope)


def _require_short(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise MemoryRefused(
            f"This was not remembered: its {what} has {len(text):,} characters, "
            f"and at most {most:,} are kept.",
            remedy="Say it shorter, or keep it in a file and remember where it is.",
            data={"reason": "long"},
        )


def _check_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(clean(tag).strip().lstrip("#") for tag in tags))
    if len(named) > MOST_TAGS:
        raise MemoryRefused(
            f"This was not remembered: it has {len(named)} tags, and at most {MOST_TAGS} are kept.",
            remedy="Keep those by which you would look for it.",
            data={"reason": "tags"},
        )
    for tag in named:
        if not _TAG.fullmatch(tag):
            raise MemoryRefused(
                f"This was not remembered: {tag[:60]!r} is not a tag.",
                remedy="A tag is one word of letters, digits, _ . or -, of at most 40 characters.",
                data={"reason": "tags"},
            )
    return named


def _require_importance(importance: int | None) -> None:
    if importance is not None and not LEAST_IMPORTANT <= importance <= MOST_IMPORTANT:
        raise InvalidInput(
            f"An importance of {importance} is none.",
            remedy=f"Give one from {LEAST_IMPORTANT} to {MOST_IMPORTANT}.",
        )
