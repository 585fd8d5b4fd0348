"""Quotes texts of memories so that a model takes them for data, whatever they say.

A memory's text was written by somebody else at another time. It must not look like a section, a
placeholder, a summary, a message of another role, or the end of its block.
"""

import re

QUOTE = "> "
"""Begins each line of a memory, so that no line looks like a marker of ours."""

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]"
)
"""Controls, zero widths, directions, variation selectors and the tag characters."""
_BREAK = re.compile("\r\n?|[\u2028\u2029\u0085\v\f]")
_TAG = re.compile(
    r"<(?=\s*[/!?]?\s*[\w:|.-]*(?:system|remind|tool|result|memor|pin|summar|user|human|assistant"
    r"|instruct|important|information|function|invoke|prompt|context|conversation|message|admin"
    r"|developer|im_start|im_end|endoftext))",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\[(?=\s*(?:pinned|summary|truncated|stopped|interrupted|evicted|unchanged|redacted|image"
    r"|system|tool|cut|reduced|digest|memory|memories|inst|/inst)\b)",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")
_NOT_OF_ROLE = re.compile(r"[^\w.@-]+")
_LONGEST_ROLE = 63
"""Characters; what PostgreSQL keeps of a role's name."""


def quote_text(text: str) -> str:
    """Quote a text in lines that cannot be taken for our markers."""
    lines = [line.rstrip() for line in strip_markers(text).strip("\n").split("\n")]
    return "\n".join(f"{QUOTE}{line}".rstrip() for line in lines)


def quote_line(text: str, most: int = 200) -> str:
    """Put the text on one line of at most ``most`` characters, for titles."""
    line = _SPACES.sub(" ", strip_markers(text)).strip()
    # A title stands behind a mark of its own line, but not behind a quote mark.
    line = line.lstrip("#>-*=|~` ")
    return line if len(line) <= most else f"{line[: most - 1]}…"


def quote_role(name: str) -> str:
    """Spell a role of a team's server as one word, whatever its name is."""
    return _NOT_OF_ROLE.sub("_", name)[:_LONGEST_ROLE]


def strip_markers(text: str) -> str:
    """Remove invisible characters, and replace markers that carry authority by look-alikes."""
    visible = _INVISIBLE.sub("", _BREAK.sub("\n", text))
    return _PLACEHOLDER.sub("(", _TAG.sub("\u2039", visible))
