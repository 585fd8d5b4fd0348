"""Titles of items: in a few words for people, and for a model."""

from collections.abc import Mapping

from plimsoll.context.index.calls import arguments_of, target_of
from plimsoll.context.log.entries import ImportOutcome, ItemState, Said
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.log.traits import ToolTraits
from plimsoll.context.view.fold import Fold
from plimsoll.text.first_words import first_words
from plimsoll.text.lines import line_range

STATES: Mapping[ItemState, str] = {
    ItemState.VERBATIM: "whole",
    ItemState.TRUNCATED: "shortened",
    ItemState.REFERRED: "shown earlier",
    ItemState.SUPERSEDED: "outdated",
    ItemState.PRUNED: "removed",
    ItemState.SUMMARISED: "in the summary",
    ItemState.EVICTED: "removed",
    ItemState.TRIMMED: "removed",
}
"""The name of each item state for people."""
OUTCOMES: Mapping[ImportOutcome, str] = {
    "followed": "followed",
    "missing": "missing",
    "refused": "may not be read",
    "outside": "outside the folder",
    "met": "stands there already",
    "tooDeep": "too deep",
    "tooMany": "too many",
}
"""What became of an imported rules file, for people."""


def call_words(name: str, traits: ToolTraits, arguments: Mapping[str, object]) -> tuple[str, str]:
    """Describe a call by its verb and subject, or by its tool's name if the verb is unknown."""
    about = arguments.get(traits.subject)
    return (traits.verb, str(about)) if about else (name, "")


def item_title(part: Part, said: Said, fold: Fold) -> str:
    """Return a short title of an item for people: file and lines, call, or first words.

    A call is worded as in the chat.
    """
    if part.source is not None:
        return _file_title(part, _call_of(part, said, fold))
    if part.kind in (PartKind.CALL, PartKind.RESULT):
        call = _call_of(part, said, fold)
        words = call_words(part.name or "result", part.traits, arguments_of(call) if call else {})
        return " ".join(" ".join(words).split())[:80]
    return item_name(part, said, fold)


def item_name(part: Part, said: Said, fold: Fold) -> str:
    """Return a name of an item for a model: file and lines, call, or first words."""
    if part.source is not None:
        return _file_title(part, None)
    if part.kind in (PartKind.CALL, PartKind.RESULT):
        call = _call_of(part, said, fold)
        target = target_of(arguments_of(call)) if call else ""
        return f"{part.name or 'result'} {target}"[:80].strip()
    if part.kind is PartKind.IMAGE:
        return "image"
    return first_words(part.text, 60) or part.kind.value


def _file_title(part: Part, call: Part | None) -> str:
    """Title a file by the path in the call, if there is one, and the lines read."""
    if part.source is None:
        return ""
    path = arguments_of(call).get("path") if call else None
    named = isinstance(path, str) and part.source.uri.endswith(f"/{path}")
    name = path if named else part.source.uri.rpartition("/")[2]
    lines = f":{line_range(*part.source.lines)}" if part.source.lines else ""
    return f"{name}{lines}"


def _call_of(part: Part, said: Said, fold: Fold) -> Part | None:
    """Return the call that a part answers, or the part itself if it is a call."""
    if part.kind is PartKind.CALL:
        return part
    group = fold.group(said.group)
    calls = (p for s in group.said for p in s.parts if p.kind is PartKind.CALL) if group else ()
    return next((each for each in calls if each.call_id == part.call_id), None)
