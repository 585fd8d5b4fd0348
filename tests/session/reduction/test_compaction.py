"""A person compacts, and sees what came of it."""

import pytest

from builders import LEDGER, user
from plimsoll.context.log.entries import Stage
from plimsoll.context.view.fold import view_of
from plimsoll.errors import InvalidInput
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.ports.events import ReductionApplied
from plimsoll.session.reduction.undoing import undo
from session.harness import harness
from session.reduction.long_turn import filled, texts


async def test_compact_and_undo_also_after_more_was_said(tmp_path):
    async with harness(tmp_path, {"text": "Later."}) as own:
        await filled(own)
        receipt = await compact_in(own.session, strategy="digest")
        assert (receipt.stage, receipt.status) == (Stage.DIGEST, "completed")
        used = own.session.state.log.fold.view.tokens
        assert receipt.after == used < receipt.before
        assert any("Never touch the tests." in text for text in texts(own))
        await own.turn("And now?")
        taken_back = await undo(own.session.state, receipt.id)
        assert taken_back.undone
        others = [e for e in own.entries if receipt.id not in (e.id, getattr(e, "target", None))]
        assert view_of(others, LEDGER) == own.session.state.log.fold.view
        assert any(text.startswith("line 11 word") for text in texts(own))
        told = [
            event.receipt for event in own.heard(ReductionApplied) if event.receipt.id == receipt.id
        ]
        assert [each.undone for each in told] == [False, True]
        await own.consistent()


async def test_nothing_that_would_not_be_lighter_is_compacted(tmp_path):
    async with harness(tmp_path) as own:
        await own.session.state.append(user("u1", "hello"))
        entries = list(own.entries)
        with pytest.raises(InvalidInput):
            await compact_in(own.session, strategy="digest")
        assert own.entries == entries
        await own.consistent()
