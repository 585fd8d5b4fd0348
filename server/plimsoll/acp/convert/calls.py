"""Converts tool calls to ACP: their title, kind, places, exact effects and outcome."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plimsoll.acp.convert.diffs import diffs_of, diffs_of_arguments
from plimsoll.context.log.traits import ToolKind
from plimsoll.session.asking.spending import shown_amount
from plimsoll.session.ports.events import CallChanged, CallShown, CallStatus
from plimsoll.text.plain_patterns import plain_pattern
from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.intent import AnyIntent, Location

Update = dict[str, object]

KINDS: Mapping[ToolKind, str] = {
    "read": "read",
    "edit": "edit",
    "search": "search",
    "execute": "execute",
    "fetch": "fetch",
}
"""What is not listed is ``other``."""
STATUSES: Mapping[CallStatus, str] = {
    "pending": "pending",
    "waiting": "pending",
    "running": "in_progress",
    "completed": "completed",
    "failed": "failed",
    "rejected": "failed",
}
GREP = "grep"
_FIRST_DIFF = re.compile(r"^--- .*\n\+\+\+ .*\n@@ ", re.MULTILINE)
"""The heading of a diff, whole: a remark on a file may begin as one of its rows does."""
_NOTE = re.compile(r"^\+\+\+ b/(?P<name>.*)\n@@ -[0-9,]+ \+[0-9,]+ @@ (?P<note>.+)$", re.MULTILINE)
"""What is said of a file behind the heading of its diff, as that it is a link or can be run."""
_FENCES = re.compile(r"`{3,}")


def call_id(call: CallShown) -> str:
    """Return the id of a call for clients: unique in the session, as those of models are not."""
    return call.item or call.id


def tool_call(call: CallShown, root: Path, status: str = "pending") -> Update:
    """Convert a call, with all that it would do."""
    arguments = json.loads(call.arguments)
    intent = call.intent
    content = list(effects(call, root)) or past_diffs(call, root)
    subject = arguments.get(call.traits.subject or "")
    places = [_location(each) for each in intent.locations] if intent else []
    if intent is None and call.traits.kind in ("read", "edit") and isinstance(subject, str):
        places = [{"path": str(root / subject)}]
    return {
        "toolCallId": call_id(call),
        "title": _title(call, arguments),
        "kind": "switch_mode" if intent and intent.proposal else kind_of(call),
        "status": status,
        "content": content,
        "locations": places,
        "rawInput": arguments,
    }


def _title(call: CallShown, arguments: Mapping[str, object]) -> str:
    """Return the title of a call; of a search its words, since most people read no patterns."""
    pattern = arguments.get("pattern")
    if call.name != GREP or not isinstance(pattern, str) or not pattern:
        return call.title
    return f"{call.traits.verb} {visible_line(plain_pattern(pattern), limit=120)}"


def past_diffs(call: CallShown, root: Path) -> list[Update]:
    """Return the diffs of an edit in a replayed log, as far as its arguments tell."""
    if call.intent is not None or not call.traits.edits:
        return []
    return diffs_of_arguments(json.loads(call.arguments), root)


def kind_of(call: CallShown) -> str:
    """Return the kind of a call."""
    return KINDS.get(call.traits.kind, "other")


def effects(call: CallShown, root: Path) -> Iterator[Update]:
    """List what a call would do: the changes first, since some clients show no more than these."""
    intent = call.intent
    if intent is not None and intent.diff:
        yield from _changes(intent.diff, root)
    for file in call.made.files if call.made else ():
        yield from _changes(file.diff, root)
        whole = "" if file.whole else " Not all of it is shown."
        yield text_content(f"{file.name}: {file.moved.why}.{whole}")
    if intent is not None:
        yield from map(text_content, _words(call, intent))


def _changes(shown: str, root: Path) -> Iterator[Update]:
    """List the diffs, after remarks such as that a file is deleted or made executable."""
    first = _FIRST_DIFF.search(shown)
    start = first.start() if first else len(shown)
    if shown[:start].strip():
        yield text_content(fence(shown[:start]))
    notes = [f"{found['name']}: {found['note']}" for found in _NOTE.finditer(shown, start)]
    if notes:
        yield text_content(fence("\n".join(notes)))
    yield from diffs_of(shown[start:], root)


def _words(call: CallShown, intent: AnyIntent) -> Iterator[str]:
    if intent.command is not None:
        yield fence(intent.command, "sh")
    if intent.address is not None:
        yield fence(intent.address)
    if intent.proposal is not None:
        yield intent.proposal
    if call.address is not None:
        yield f"So far it went to {call.address.known}; now it would go to {call.address.now}."
    if (spend := call.spend) is not None:
        spent, limit = (shown_amount(each, spend.unit) for each in (spend.spent, spend.limit))
        yield f"{spent} of {limit} are spent."
    if intent.confinement is not None:
        yield intent.confinement.summary
    if intent.why_each_time is not None:
        yield f"Asked each time, because of {intent.why_each_time}."
    if call.asked_again is not None:
        yield call.asked_again


def _location(place: Location) -> Update:
    line = {"line": place.lines[0]} if place.lines else {}
    return {"path": str(place.path), **line}


def changed_call(event: CallChanged, call: CallShown, root: Path) -> Update:
    """Convert a change of a call that the client was shown.

    What is sent as content takes the place of what stood there: a change that was made keeps its
    diff, and one that failed gets the reason behind it.
    """
    update: Update = {"toolCallId": call_id(call), "status": STATUSES[event.status]}
    if event.output is None:
        return update
    shown = list(effects(call, root)) if call.traits.kind == "edit" else []
    failed = event.status != "completed"
    return update | outcome(event.output, event.exit_code, shown, failed=failed)


def outcome(output: str, exit_code: int | None, shown: Sequence[Update], *, failed: bool) -> Update:
    """Return the outcome of a call: its output in the card, or beside a card with a diff.

    ``shown``: what the card shows so far; why a change failed stands behind it.
    """
    code: Update = {} if exit_code is None else {"exitCode": exit_code}
    if shown and not failed:
        return {"rawOutput": {"output": output, **code}}
    text = [text_content(fence(output))] if output.strip() else []
    return {"content": [*shown, *text], **({"rawOutput": code} if code else {})}


def text_content(text: str) -> Update:
    """Make a piece of Markdown for the card of a call."""
    return {"type": "content", "content": {"type": "text", "text": text}}


def fence(text: str, language: str = "") -> str:
    """Put a text into a code block that nothing in it can end."""
    longest = max((len(found) for found in _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
