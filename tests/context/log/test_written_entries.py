"""How an entry stands in a log: a field that says nothing is left out, and an empty list of a frame
that lists something is there, so that no reader takes the frame for one of an earlier version.
"""

import json

import pytest

from plimsoll.context.log.entries import (
    Cover,
    Edited,
    Entry,
    Framed,
    ItemState,
    Noted,
    Passage,
    Pinned,
    Refer,
    Replace,
    Restore,
    Rewound,
    RulesImport,
    Slot,
    Stage,
    TaskItem,
    Undone,
)
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.serialization import decode, encode


def framed(kind: Slot = Slot.SYSTEM, **fields: object) -> Framed:
    return Framed(id="a", at="t", slot="s", kind=kind, text="x", **fields)


def edit(op: object, **fields: int) -> Edited:
    return Edited(
        id="a", at="t", stage=Stage.PRUNE, why="w", ops=(op,), before=9, after=1, **fields
    )


FRAME = {"id": "a", "at": "t", "type": "framed", "slot": "s", "text": "x"}
SYSTEM, MEMORIES = {**FRAME, "kind": "system"}, {**FRAME, "kind": "memories"}
EDIT = {"id": "a", "at": "t", "type": "edited", "stage": "prune", "why": "w"}
EDIT |= {"before": 9, "after": 1}
PIN = {"id": "a", "at": "t", "type": "pinned", "text": "x", "number": 1}
SUBTASK = TaskItem("b", "pending")
CASES: list[tuple[Entry, dict[str, object]]] = [
    (framed(), SYSTEM),
    (framed(place="tail", original=7), {**SYSTEM, "place": "tail", "original": 7}),
    (framed(Slot.MEMORIES), {**MEMORIES, "passages": []}),
    (
        framed(Slot.MEMORIES, passages=(Passage(1, None, True), Passage(2, "m1"))),
        {**MEMORIES, "passages": [{"lines": 1, "heading": True}, {"lines": 2, "memory": "m1"}]},
    ),
    (framed(Slot.TASKS), {**FRAME, "kind": "tasks", "tasks": []}),
    (
        framed(Slot.TASKS, tasks=(TaskItem("a", "completed", (SUBTASK,)),)),
        {
            **FRAME,
            "kind": "tasks",
            "tasks": [
                {
                    "title": "a",
                    "status": "completed",
                    "children": [{"title": "b", "status": "pending"}],
                }
            ],
        },
    ),
    (
        framed(imports=(RulesImport("a.md", "followed", 3), RulesImport("b.md", "missing"))),
        {
            **SYSTEM,
            "imports": [
                {"path": "a.md", "outcome": "followed", "tokens": 3},
                {"path": "b.md", "outcome": "missing"},
            ],
        },
    ),
    (Pinned(id="a", at="t", text="x", number=1), PIN),
    (
        Pinned(id="a", at="t", text="x", number=1, item="i", scope="workspace"),
        {**PIN, "item": "i", "scope": "workspace"},
    ),
    (
        edit(Replace("i", "x", ItemState.PRUNED)),
        {**EDIT, "ops": [{"type": "replace", "item": "i", "text": "x", "state": "pruned"}]},
    ),
    (
        edit(Replace("i", "x", ItemState.TRUNCATED)),
        {
            **EDIT,
            "ops": [
                {"type": "replace", "item": "i", "text": "x", "state": "truncated", "keptIn": None}
            ],
        },
    ),
    (
        edit(Refer("i", "b", "x"), spent=3, rewritten=4),
        {
            **EDIT,
            "spent": 3,
            "rewritten": 4,
            "ops": [{"type": "refer", "item": "i", "base": "b", "text": "x"}],
        },
    ),
    (edit(Cover(("g",), None)), {**EDIT, "ops": [{"type": "cover", "groups": ["g"]}]}),
    (
        edit(Cover(("g",), "x", standing=("always",), decisions="d")),
        {
            **EDIT,
            "ops": [
                {
                    "type": "cover",
                    "groups": ["g"],
                    "text": "x",
                    "standing": ["always"],
                    "decisions": "d",
                }
            ],
        },
    ),
    (edit(Restore(items=("i",))), {**EDIT, "ops": [{"type": "restore", "items": ["i"]}]}),
    (edit(Restore(groups=("g",))), {**EDIT, "ops": [{"type": "restore", "groups": ["g"]}]}),
    (Undone("a", "t", "e"), {"id": "a", "at": "t", "type": "undone", "target": "e"}),
    (Rewound("a", "t", "u"), {"id": "a", "at": "t", "type": "rewound", "to": "u"}),
    (
        Rewound("a", "t", "u", before=True),
        {"id": "a", "at": "t", "type": "rewound", "to": "u", "before": True},
    ),
    (Noted(id="a", at="t", what="w"), {"id": "a", "at": "t", "type": "noted", "what": "w"}),
    (
        Noted(id="a", at="t", what="w", item="i", data='{"n":1}'),
        {"id": "a", "at": "t", "type": "noted", "what": "w", "item": "i", "data": '{"n":1}'},
    ),
]


@pytest.mark.parametrize(("entry", "written"), CASES)
def test_an_entry_is_written_without_what_says_nothing(entry, written):
    assert json.loads(encode(entry)) == written
    assert decode(canonical(written)) == entry
