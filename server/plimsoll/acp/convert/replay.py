"""A session's log as updates, in its order: messages, calls with their results, plans, notices."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from plimsoll.acp.convert import updates
from plimsoll.acp.convert.calls import Update, outcome, past_diffs, tool_call
from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.log.entries import Entry, Framed, Rewound, Said, Undone
from plimsoll.context.log.messages import ATTACHED, Part, PartKind, Role, part_item
from plimsoll.context.view.fold import Fold
from plimsoll.session.ports.events import CallShown, NoticeGiven
from plimsoll.session.state.shown import shown_earlier

SLOT = "tasks"
"""The slot of the task list."""
LONGEST = 80
"""Characters of a message that names a place."""
TAKEN_BACK = (
    "The conversation was taken back elsewhere: what stands here {place} is no part of it any "
    "more. Open the session again to see it as it is."
)
BROUGHT_BACK = (
    "What had been taken back of the conversation is part of it again. Open the session again to "
    "see it as it is."
)


def replay_updates(fold: Fold, root: Path, start: int = 0) -> Iterator[Update]:
    """Yield the updates that show a session as it is; what was rewound is left out.

    ``start``: the number of the first entry that is shown.
    """
    visible = {said.id for group in fold.groups for said in group.visible}
    results = _results(fold)
    notices = _notices(fold)
    yield from notices.get(None, ()) if start == 0 else ()
    shown = _calls_before(fold, start)
    for entry in fold.entries[start:]:
        if isinstance(entry, Said) and entry.id in visible:
            yield from _message(entry, results, root, is_followed=start > 0)
            yield from _late_results(entry, shown, root)
            yield from notices.get(entry.id, ())
        elif isinstance(entry, Framed) and entry.slot == SLOT and entry.tasks:
            yield updates.plan(entry.tasks)
        elif start > 0:
            yield from _rewinding(fold, entry)


def _rewinding(fold: Fold, entry: Entry) -> Iterator[Update]:
    """Yield a message about what was taken back, or brought back: ACP removes no message."""
    entries = {each.id: each for each in fold.entries}
    if isinstance(entry, Rewound):
        to = entries.get(entry.to)
        said = to.parts if isinstance(to, Said) else ()
        words = " ".join(" ".join(part.text for part in said).split())[:LONGEST]
        place = f"from “{words}” on" if entry.before else f"after “{words}”"
        yield updates.chunk("agent", f"\n\n{TAKEN_BACK.format(place=place)}\n\n", entry.id)
    elif isinstance(entry, Undone) and isinstance(entries.get(entry.target), Rewound):
        yield updates.chunk("agent", f"\n\n{BROUGHT_BACK}\n\n", entry.id)


def _results(fold: Fold) -> Mapping[tuple[str, str], Part]:
    """Return the results by their call's group and id: a model may use an id twice."""
    return {
        (said.group, part.call_id or ""): part
        for group in fold.groups
        for said in group.visible
        for part in said.parts
        if part.kind is PartKind.RESULT
    }


def _calls_before(fold: Fold, start: int) -> Mapping[tuple[str, str], tuple[str, Part]]:
    """Return the calls before an entry, by group and id, each with the id of its item."""
    return {
        (entry.group, part.call_id or ""): (part_item(entry.id, number), part)
        for entry in fold.entries[:start]
        if isinstance(entry, Said)
        for number, part in enumerate(entry.parts)
        if part.kind is PartKind.CALL
    }


def _late_results(
    said: Said, shown: Mapping[tuple[str, str], tuple[str, Part]], root: Path
) -> Iterator[Update]:
    """Yield the results of calls that the client was shown while they ran."""
    for part in said.parts:
        call = shown.get((said.group, part.call_id or ""))
        if part.kind is PartKind.RESULT and call is not None:
            item, asked = call
            update = _call(asked, item, part, root)
            yield {**update, "sessionUpdate": "tool_call_update"}


def _notices(fold: Fold) -> Mapping[str | None, list[Update]]:
    """Return the notices and answers of commands, by the message that they were shown after."""
    found: dict[str | None, list[Update]] = {}
    for number, shown in enumerate(shown_earlier(fold)):
        if isinstance(shown.event, NoticeGiven):
            text = f"\n\n{updates.notice_markdown(shown.event)}\n\n"
            made = updates.chunk("agent", text, f"shown-{number}")
            found.setdefault(shown.after, []).append(made)
    return found


def _message(
    said: Said, results: Mapping[tuple[str, str], Part], root: Path, *, is_followed: bool
) -> Iterator[Update]:
    for number, part in enumerate(said.parts):
        item = part_item(said.id, number)
        if part.kind is PartKind.CALL:
            result = results.get((said.group, part.call_id or ""))
            update = _call(part, item, result, root)
            runs = is_followed and result is None
            yield {**update, "status": "in_progress"} if runs else update
        elif said.role is Role.USER:
            yield _of_person(part, said.id)
        elif part.kind is PartKind.REASONING:
            yield updates.chunk("thought", part.text, said.id)
        elif part.kind is PartKind.TEXT and said.role is Role.ASSISTANT:
            yield updates.chunk("agent", part.text, said.id)


def _of_person(part: Part, message: str) -> Update:
    if part.kind is PartKind.IMAGE:
        image = {"type": "image", "mimeType": part.name or "image/png", "data": part.text}
        return {"sessionUpdate": "user_message_chunk", "messageId": message, "content": image}
    if part.kind in ATTACHED:
        name = part.attached or "attachment"
        uri = part.source.uri if part.source is not None else f"attachment:{name}"
        link = {"type": "resource_link", "name": name, "uri": uri}
        return {"sessionUpdate": "user_message_chunk", "messageId": message, "content": link}
    return updates.chunk("user", part.text, message)


def _call(part: Part, item: str, result: Part | None, root: Path) -> Update:
    call = CallShown(
        id=part.call_id or "",
        item=item,
        name=part.name or "",
        arguments=part.text if part.opaque is None else json.dumps({}),
        traits=part.traits,
    )
    status = _status(result)
    update: Update = {"sessionUpdate": "tool_call", **tool_call(call, root, status)}
    if result is None:
        return update
    diffs = past_diffs(call, root)
    return update | outcome(result.text, result.exit_code, diffs, failed=status == "failed")


def _status(result: Part | None) -> str:
    if result is None or result.failed or result.ended is not CallEnd.RAN:
        return "failed"
    return "completed"
