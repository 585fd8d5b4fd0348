"""What a subagent's caller gets of it: its last words, and pointers to what it read and changed."""

from collections.abc import Iterable, Mapping, Sequence

from plimsoll.context.index.calls import AnsweredCall, answered_calls
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.context.stages.work_done import changed_files, commands, newest
from plimsoll.session.ports.events import StopReason, TurnEnded
from plimsoll.tools.display import visible_path

MOST_PLACES = 40
MOST_COMMANDS = 10
GOOD = frozenset[StopReason]({"endTurn"})
ENDS: Mapping[StopReason, str] = {
    "maxTokens": "its last answer reached the most tokens that an answer may have",
    "cancelled": "it was stopped by the user",
    "contextLimit": "its context does not fit its window",
    "refusal": "its model refused to answer",
    "error": "it failed",
    "loop": "its model was in a loop",
    "stepLimit": "it has taken as many steps as it may (`subagent.max_steps`)",
    "spendLimit": "the spend limit is reached",
    "interrupted": "its process ended",
    "rejected": "the user did not let it go to the address of its model",
}


def report_text(said: Sequence[Said], ended: TurnEnded) -> str:
    """Write the report of a subagent whose turn is over."""
    calls, words = answered_calls(said), _last_words(said)
    parts = [words] if words else []
    if ended.reason not in GOOD:
        why = f": {ended.error.message}" if ended.error is not None else "."
        parts.insert(0, f"The agent did not finish, since {ENDS[ended.reason]}{why}")
    pointers = [
        *_line("Read", places_read(calls)),
        *_line(
            "Edited", dict.fromkeys(visible_path(path) for c in calls for path in changed_files(c))
        ),
        *_line("Ran", newest(commands(calls), MOST_COMMANDS)),
    ]
    return "\n\n".join([*parts, *(["\n".join(pointers)] if pointers else [])])


def places_read(calls: Iterable[AnsweredCall]) -> list[str]:
    """Return the lines of files that were read, as ``path:first-last``, each once."""
    places: dict[str, None] = {}
    for call in calls:
        if call.path is None or not call.traits.reads or call.result is None or call.failed:
            continue
        source = call.result.source
        lines = f":{source.lines[0]}-{source.lines[1]}" if source and source.lines else ""
        places[f"{call.path}{lines}"] = None
    return list(places)


def _line(verb: str, names: Iterable[str]) -> list[str]:
    shown = list(names)
    return [f"{verb}: {', '.join(newest(shown, MOST_PLACES))}"] if shown else []


def _last_words(said: Sequence[Said]) -> str:
    """Return the last text of the model."""
    for message in reversed(said):
        if message.role is Role.ASSISTANT:
            texts = [part.text for part in message.parts if part.kind is PartKind.TEXT]
            if texts:
                return "\n\n".join(texts)
    return ""
