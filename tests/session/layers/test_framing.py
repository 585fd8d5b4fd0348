"""What a session opens with, and what a mode and new tools change of it."""

import json
from dataclasses import replace

from builders import LEDGER, user
from plimsoll.context.log.entries import Framed, Slot
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.request_messages import render
from plimsoll.session.layers.framing import (
    MODE_TEXTS,
    OpeningTexts,
    changed_frames,
    mode_frames,
    opening_entries,
    schema_text,
    tool_frames,
)
from plimsoll.session.ports.clock import CountedClock

NOW = CountedClock().now()
GREP = ToolSchema("grep", "Search.", {"type": "object", "properties": {}})
GLOB = ToolSchema("glob", "Find.", {"type": "object", "properties": {}})


TEXTS = OpeningTexts(base="The base.", environment="The environment.", date="The date.")


def test_the_opening_is_a_request_of_its_own():
    fold = Fold(LEDGER, opening_entries(TEXTS, "edit", [GREP, GLOB], CountedClock()))
    (message,) = render(fold.view)
    layers = ("The base.", "The environment.", MODE_TEXTS["edit"], "The date.")
    assert message.text == "\n\n".join(layers)
    assert fold.view.schemas == (GREP, GLOB)
    assert fold.view.tool_choice == "auto"
    assert set(fold.view.by_slot) == {Slot.SYSTEM, Slot.TOOLS}


def test_what_a_parent_tells_stands_before_all_that_changes():
    texts = replace(TEXTS, brief="The brief.")
    (message,) = render(Fold(LEDGER, opening_entries(texts, "edit", [], CountedClock())).view)
    layers = ("The base.", "The environment.", "The brief.", MODE_TEXTS["edit"], "The date.")
    assert message.text == "\n\n".join(layers)


def test_a_schema_is_one_json_text_that_is_the_same_each_time():
    shuffled = ToolSchema("grep", "Search.", {"properties": {}, "type": "object"})
    assert schema_text(GREP) == schema_text(shuffled)
    assert json.loads(schema_text(GREP)) == {
        "name": "grep",
        "description": "Search.",
        "parameters": {"type": "object", "properties": {}},
    }


def test_a_mode_changes_the_choice_and_never_the_schemas():
    clock = CountedClock()
    fold = Fold(LEDGER, opening_entries(TEXTS, "edit", [GREP], clock))
    fold.append(user("u1", "hello"))
    before = render(fold.view), fold.view.schemas
    fold.extend(mode_frames("ask", clock))
    after = render(fold.view), fold.view.schemas
    assert fold.view.tool_choice == "none"
    assert after[1] == before[1]
    assert MODE_TEXTS["ask"] in after[0][-1].text
    assert MODE_TEXTS["ask"] not in after[0][0].text


def test_a_mode_in_whole_values():
    assert mode_frames("plan", CountedClock()) == (
        Framed(
            id="f1", at=NOW, slot="mode", kind=Slot.SYSTEM, text=MODE_TEXTS["plan"], place="tail"
        ),
        Framed(id="f2", at=NOW, slot="toolChoice", kind=Slot.SYSTEM, text="auto"),
    )


def test_only_tools_that_are_new_are_added_to_a_resumed_session():
    clock = CountedClock()
    (held,) = tool_frames([GREP], clock)
    changed = ToolSchema("grep", "Search better.", {})
    (fresh,) = changed_frames({"tools.grep": held}, [changed, GLOB], clock)
    assert (fresh.slot, fresh.text) == ("tools.glob", schema_text(GLOB))
