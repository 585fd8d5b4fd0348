"""Describes regular expressions for people who do not read them."""

import re

_SIGNS = re.compile(r"[\\()\[\]|^$*+?{}]")
_CLASSES = re.compile(r"\\[a-zA-Z]")
_WORD = re.compile(r"[^\W\d][\w.-]*")
_BEGINS = re.compile(r"\)?\\w\*")
_DEFINERS = frozenset(
    {
        *("def", "class", "function", "func", "fn", "const", "let", "var", "type"),
        *("interface", "enum", "struct", "trait", "impl", "namespace"),
    }
)
"""Keywords that define something, so that the name after them is looked for."""


def plain_pattern(pattern: str) -> str:
    """Return the words that a pattern looks for; the start of a word ends with an ellipsis.

    The extension formats them the same way: ``plainPattern`` in ``session/labels.ts``.
    """
    if not _SIGNS.search(pattern):
        return pattern
    found = (word.rstrip(".-") for word in _WORD.findall(_CLASSES.sub(" ", pattern)))
    end = "…" if _BEGINS.search(pattern) else ""
    words = dict.fromkeys(f"{word}{end}" for word in found if word not in _DEFINERS)
    return ", ".join(words) or pattern
