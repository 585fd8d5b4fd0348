"""Items that a person takes out of the view, and that come back."""

from dataclasses import replace

import pytest

from builders import exchange, user
from plimsoll.context.log.call_end import Rejection
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.reduction.items import evict, restore
from session.harness import harness
from session.reduction.long_turn import filled


@pytest.mark.parametrize("act", [evict, restore])
async def test_what_names_no_item_is_refused_and_leaves_no_receipt(tmp_path, act):
    async with harness(tmp_path) as own:
        await filled(own)
        before = [*own.entries]
        with pytest.raises(InvalidInput, match=r"No item to (evict|restore) was named"):
            await act(own.session.state, [])
        assert own.entries == before


async def test_evicting_a_result_leaves_a_note_and_anything_else_takes_its_group(tmp_path):
    async with harness(tmp_path) as own:
        await filled(own)
        state = own.session.state
        await evict(state, ["r3.0"])
        shown = {each.item: each for each in state.log.fold.view.items()}
        assert shown["r3.0"].part.text.startswith("[removed: grep")
        await evict(state, ["a4.0"])
        left = {each.item for each in state.log.fold.view.items()}
        assert left == shown.keys() - {"a4.0", "a4.1", "r4.0"}
        await restore(state, ["r3.0", "r4.0"])
        back = {each.item: each for each in state.log.fold.view.items()}
        assert back.keys() == shown.keys()
        assert back["r3.0"].part.text.startswith("line 3 word")
        await own.consistent()


@pytest.mark.parametrize("item", ["frame.system", "r99.0", "nothing", "pin.p1"])
async def test_only_items_of_the_conversation_can_be_evicted(tmp_path, item):
    async with harness(tmp_path) as own:
        await filled(own, 2)
        entries = list(own.entries)
        for act in (evict, restore):
            with pytest.raises(NotFound):
                await act(own.session.state, ["r0.0", item])
        assert own.entries == entries


async def test_the_model_takes_out_neither_what_holds_nor_what_a_person_refused(tmp_path):
    async with harness(tmp_path) as own:
        state = own.session.state
        asked, answer = exchange(1, "No.")
        refused = replace(answer.parts[0], rejection=Rejection("person", "Not now."))
        rule = user("u1", "Never touch the tests.", "t1")
        await state.append(replace(rule, origin=state.origin), asked)
        await state.append(replace(answer, parts=(refused,)), *exchange(2, "found"))
        for item in ("u1.0", "r1.0", "a1.0"):
            with pytest.raises(InvalidInput, match="still holds"):
                await evict(state, [item], by_hand=False)
        await evict(state, ["u1.0", "r2.0"], by_hand=False)
        left = {each.item: each.part.text for each in state.log.fold.view.items()}
        assert left["u1.0"] == "Never touch the tests."
        assert left["r2.0"].startswith("[removed: grep")
        await evict(state, ["r1.0"])
        assert {i.item: i.part.text for i in state.log.fold.view.items()}["r1.0"] != "No."
