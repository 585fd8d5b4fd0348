"""A preview is what would be done, and nothing is done."""

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.session.reduction.previews import preview_stage
from session.harness import harness
from session.reduction.long_turn import filled, texts


@pytest.mark.parametrize("stage", [None, "digest", "compact", "prune", "trim"])
async def test_a_preview_is_the_receipt_and_changes_nothing(tmp_path, stage):
    async with harness(tmp_path, window=8_000) as own:
        await filled(own)
        entries, before = list(own.entries), texts(own)
        planned = preview_stage(own.session.state.load.next_request, stage)
        assert planned.status == "planned"
        assert planned.after < planned.before == own.session.state.log.fold.view.tokens
        assert (own.entries, texts(own)) == (entries, before)


async def test_a_preview_of_nothing_says_so(tmp_path):
    async with harness(tmp_path) as own:
        with pytest.raises(InvalidInput, match="The stage trim has nothing to do"):
            preview_stage(own.session.state.load.next_request, "trim")
