"""A stored session as updates: of recorded ones each call, with its result and what it changed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acp import schema

from acp_door.schema import check
from plimsoll.acp.convert.diffs import diffs_of, diffs_of_arguments
from plimsoll.acp.convert.replay import BROUGHT_BACK, replay_updates
from plimsoll.context.log.entries import Rewound, Said, Undone
from plimsoll.context.log.messages import PartKind, Role, part_item
from plimsoll.context.view.fold import Fold
from plimsoll.session.transfer.incoming import entries_of
from plimsoll.terminal.commands.recorded.replay import read_recording
from plimsoll.tools import tool_traits
from recordings.beside import OWN_SESSIONS, of_others, session_of_others
from session.harness import LEDGER, CountedClock

ROOT = Path("/work")
OTHERS = (
    "claude-code-console__bookminder_day-009.jsonl",
    "sweagent-demo__function_calling_simple.jsonl",
    "mini-gemini3pro__django__django-15629.jsonl",
)
SESSIONS = [
    *(OWN_SESSIONS / f"{name}.jsonl" for name in ("scripted-repair", "scripted-reading")),
    *(pytest.param(session_of_others(name), marks=of_others) for name in OTHERS),
]


def fold_of(path: Path) -> Fold:
    fold = Fold(LEDGER, (), tool_traits())
    entries = entries_of(read_recording(path), fold, CountedClock(), system=True)
    return Fold(LEDGER, entries, tool_traits())


def parts(fold: Fold, kind: PartKind) -> Iterator[tuple[str, Any]]:
    for entry in fold.entries:
        if isinstance(entry, Said):
            for number, part in enumerate(entry.parts):
                if part.kind is kind:
                    yield part_item(entry.id, number), part


@pytest.mark.parametrize("path", SESSIONS)
def test_every_call_of_a_recorded_session_is_shown_in_its_place(path: Path):
    fold = fold_of(path)
    updates = list(replay_updates(fold, ROOT))
    calls = [each for each in updates if each["sessionUpdate"] == "tool_call"]
    wanted = list(parts(fold, PartKind.CALL))
    assert [each["toolCallId"] for each in calls] == [item for item, _ in wanted]
    answered = {part.call_id for _, part in parts(fold, PartKind.RESULT)}
    for update, (_, part) in zip(calls, wanted, strict=True):
        assert update["rawInput"] == json.loads(part.text)
        assert (update["status"] == "completed") == (part.call_id in answered), part
        if part.traits.edits and {"old_string", "content"} & update["rawInput"].keys():
            assert update["content"][0]["type"] == "diff"
    people = [
        part.text
        for entry in fold.entries
        if isinstance(entry, Said) and entry.role is Role.USER
        for part in entry.parts
    ]
    shown = [u["content"]["text"] for u in updates if u["sessionUpdate"] == "user_message_chunk"]
    assert shown == people
    for update in updates:
        check(schema.SessionNotification, {"sessionId": "s", "update": update})


def test_what_is_followed_shows_a_call_while_it_runs_and_then_what_came_of_it():
    whole = fold_of(OWN_SESSIONS / "scripted-reading.jsonl")
    asked = next(
        number
        for number, entry in enumerate(whole.entries)
        if isinstance(entry, Said) and any(p.kind is PartKind.CALL for p in entry.parts)
    )
    before = Fold(LEDGER, whole.entries[: asked + 1], tool_traits())
    (call, *_) = (
        u for u in replay_updates(before, ROOT, asked) if u["sessionUpdate"] == "tool_call"
    )
    assert call["status"] == "in_progress"
    (late, *_) = replay_updates(whole, ROOT, asked + 1)
    assert (late["sessionUpdate"], late["status"]) == ("tool_call_update", "completed")
    assert late["toolCallId"] == call["toolCallId"]


DIFF = """\
--- a/one.txt
+++ b/one.txt
@@ -1,3 +1,3 @@
 a
--- b/c
+++ c
 d
@@ -20,1 +20,1 @@
-x
\\ No newline at end of file
+y
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+1
+2"""


def test_a_unified_diff_becomes_one_place_each_in_its_order():
    one, new = str(ROOT / "one.txt"), str(ROOT / "new.txt")
    assert diffs_of(DIFF, ROOT) == [
        {"type": "diff", "path": one, "oldText": "a\n-- b/c\nd\n", "newText": "a\n++ c\nd\n"},
        {"type": "diff", "path": one, "oldText": "x", "newText": "y\n"},
        {"type": "diff", "path": new, "oldText": None, "newText": "1\n2\n"},
    ]


def test_each_edit_of_a_call_is_a_place_the_first_one_first():
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}]
    found = diffs_of_arguments({"path": "x", "edits": edits}, ROOT)
    assert [(each["oldText"], each["newText"]) for each in found] == [("a", "b"), ("c", "")]
    for odd in ({}, {"path": 1}, {"path": "x"}, {"path": "x", "edits": [1, {"new_string": 2}]}):
        assert diffs_of_arguments(odd, ROOT) == []


def test_what_is_taken_back_elsewhere_is_said_and_a_load_leaves_it_out():
    fold = fold_of(OWN_SESSIONS / "scripted-reading.jsonl")
    asked = next(each for each in fold.entries if isinstance(each, Said))
    back = Rewound("w1", asked.at, asked.id, before=True)
    again = Undone("u1", asked.at, back.id)
    count = len(fold.entries)
    followed = [
        update["content"]["text"].strip()
        for entries in ((back,), (back, again))
        for update in replay_updates(
            Fold(LEDGER, (*fold.entries, *entries), tool_traits()), ROOT, count + len(entries) - 1
        )
    ]
    beginning = " ".join(asked.parts[0].text.split())[:20]
    assert [text.split(":")[0] for text in followed] == [
        "The conversation was taken back elsewhere",
        BROUGHT_BACK,
    ]
    assert f"from “{beginning}" in followed[0]
    loaded = replay_updates(Fold(LEDGER, (*fold.entries, back), tool_traits()), ROOT)
    assert all(each["sessionUpdate"] == "plan" for each in loaded)
