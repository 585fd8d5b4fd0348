"""The window of the model that writes summaries, where nobody has set one."""

from dataclasses import replace

import pytest

from plimsoll.context.budget import budget_for
from plimsoll.context.log.entries import Stage
from plimsoll.errors import PlimsollError
from plimsoll.providers.base import ServedWindow
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.ports.model import Model
from plimsoll.session.reduction.utility_model import utility_of
from session.reduction.compaction_rig import GOOD, Rig, Shelf, rig, storm

HERE, THERE = "http://127.0.0.1:8080", "https://models.example"


class Asked(Shelf):
    """Models whose server says what a test has it say."""

    answer: ServedWindow | None = None

    async def ask_window(self, model: Model, *, keyed: bool = False) -> ServedWindow | None:
        return self.answer


async def unknown(tmp_path, *steps, answer: ServedWindow | None = None, at: str = THERE) -> Rig:
    """A session of a model at one address with a utility model of unknown window at another."""
    own = await rig(tmp_path, *steps, window=64_000)
    own.shelf.__class__ = Asked
    own.shelf.answer = answer
    await own.session.state.load.use_model(replace(own.shelf.chat, address=THERE))
    utility = own.shelf.utility
    assert not isinstance(utility, PlimsollError)
    small = budget_for(4_096, utility.settings.budget)
    own.shelf.utility = replace(utility, budget=small, window_source="assumed", address=at)
    return own


@pytest.mark.parametrize(
    ("answer", "at", "window", "source"),
    [
        (ServedWindow(20_000), HERE, 20_000, "server"),
        (ServedWindow(20_000), THERE, 20_000, "server"),
        (None, THERE, 64_000, "assumed"),
        (ServedWindow(None), THERE, 64_000, "assumed"),
        (None, HERE, 32_768, "assumed"),
        (ServedWindow(None, ollama=True), HERE, 4_096, "assumed"),
    ],
    ids=["its server", "its server first", "one address", "silent", "nobody", "ollama's own"],
)
async def test_it_is_what_the_server_says_else_the_other_models_else_assumed(
    tmp_path, answer, at, window, source
):
    own = await unknown(tmp_path, answer=answer, at=at)
    utility = await utility_of(
        own.session.state.model, own.session.state.models, own.session.state.voice
    )
    assert (utility.budget.window, utility.window_source) == (window, source)
    told = [notice for notice in own.notices if f"{window:,} tokens are assumed" in notice]
    assert len(told) == (source == "assumed")


async def test_a_compact_asks_once_or_twice_and_says_what_is_assumed_once(tmp_path):
    """It was taken for one of 4,096 tokens, and one /compact made 18 requests."""
    own = await unknown(tmp_path, *[{"text": GOOD}] * 20, at=HERE)
    for first in (0, 200):
        await own.said(*storm(120, first=first))
        assert (await compact_in(own.session)).stage is Stage.COMPACT
    assert len(own.utility.requests) <= 4
    assert len([notice for notice in own.notices if "are assumed" in notice]) == 1


async def test_the_sessions_own_model_is_no_smaller_as_a_summariser(tmp_path):
    own = await rig(tmp_path, window=64_000)
    state = own.session.state
    small = budget_for(4_096, state.model.settings.budget)
    own.shelf.utility = replace(state.model, budget=small, window_source="assumed")
    assert (await utility_of(state.model, state.models, state.voice)).budget == state.model.budget
    assert own.notices == []
