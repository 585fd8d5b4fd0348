"""Whether the summary that a model wrote may be used; judged by its raw text alone."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

NEEDED = ("Goal", "Next steps")
"""Headings without which work cannot go on; one that is cut off silently lacks the second."""
OURS = ("Current state", "The user's words")
"""Headings of what no model writes: under them it could put words into the user's mouth."""
_ANALYSIS = re.compile(r"<analysis>.*?(?:</analysis>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```(?:markdown|md)?[ \t]*\n(.*)\n```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """What a model sent when it was asked for a summary."""

    text: str
    """As it came."""
    finished: bool
    """It came to its own end."""
    called: bool
    """It called a tool."""


@dataclass(frozen=True, slots=True)
class SummaryDemands:
    """What a summary must be."""

    required: Sequence[str]
    """Identifiers that it must name."""
    headings: Sequence[str]
    """Headings that it must have; none where the prompt is the user's own."""
    target: int
    """Most tokens."""
    replaced: int
    """Tokens that it takes the place of."""


def summary_in(text: str) -> str:
    """The summary in an answer: without thoughts before it, and without a fence around it."""
    bare = _ANALYSIS.sub("", text).strip()
    fenced = _FENCED.match(bare)
    return fenced[1].strip() if fenced else bare


def refusal(
    answer: SummaryAnswer, demands: SummaryDemands, count: Callable[[str], int]
) -> str | None:
    """Why a summary may not be used, in words that the model can act upon; none when it may.

    The identifiers are searched in what the model wrote: merging them in first would make the
    check vacuous.
    """
    text = summary_in(answer.text)
    if answer.called:
        return "it called a tool"
    if not text:
        return "it held nothing but an analysis" if answer.text.strip() else "it was empty"
    if not answer.finished:
        return "it was cut off"
    return _shape(text, demands.headings) or _size(count(text), demands) or _lost(text, demands)


def _shape(text: str, headings: Sequence[str]) -> str | None:
    absent = [heading for heading in headings if not _has(text, heading)]
    if absent:
        return f"it lacks the headings {', '.join(absent)}"
    forged = [heading for heading in OURS if _has(text, heading)]
    return f"it has the heading {forged[0]}, which is kept from the log" if forged else None


def _has(text: str, heading: str) -> bool:
    return (
        re.search(rf"^#+ *{re.escape(heading)}\b", text, re.MULTILINE | re.IGNORECASE) is not None
    )


def _size(size: int, demands: SummaryDemands) -> str | None:
    if size >= demands.replaced:
        return f"it has {size:,} tokens, no fewer than what it replaces"
    if size > demands.target:
        return f"it has {size:,} tokens, more than {demands.target:,}"
    return None


def _lost(text: str, demands: SummaryDemands) -> str | None:
    missing = [name for name in demands.required if not names_it(text, name)]
    return f"it does not name {', '.join(missing)}" if missing else None


def names_it(text: str, name: str) -> bool:
    """Whether a text holds a name as a name, not as a piece of a longer one."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
