"""What a fuller window changes besides the conversation."""

import json
from dataclasses import replace

import pytest

from builders import LEDGER, exchange, system, user
from plimsoll.context.budget import budget_for
from plimsoll.context.log.entries import Framed, Slot, Stage
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.frames import TOOL_CHOICE
from plimsoll.errors import Infeasible, ProviderOverflow
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.layers.framing import (
    stripped_schemas,
    tool_choice_change,
    without_descriptions,
)
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import MeterMoved
from plimsoll.session.turn.fitting import lighten
from plimsoll.session.turn.recovery import recover
from session.harness import harness, model
from session.reduction.compaction_rig import GOOD, Rig, rig, storm

SCHEMA = {
    "name": "grep",
    "description": "Search files.",
    "parameters": {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "A regular expression."},
            "description": {"type": "string", "description": "What for."},
        },
        "required": ["pattern"],
    },
}
DONE = [{"text": "Done."}] * 9


def schema(words: int = 0) -> Framed:
    """The schema of a tool, with a description of so many words more."""
    text = json.dumps(SCHEMA).replace(
        "A regular expression.", "A regular expression." + " so" * words
    )
    return Framed(id="f90", at="2000", slot="tools.grep", kind=Slot.TOOLS, text=text)


def held(own: Rig) -> dict:
    return json.loads(own.session.state.log.fold.frames["tools.grep"].text)


def stripped(own: Rig) -> bool:
    return "A regular expression." not in json.dumps(held(own))


async def turn(own: Rig, text: str = "go on") -> str:
    await own.session.prompt([PromptText(text)])
    return (await own.session.wait()).reason


def test_descriptions_go_and_a_property_of_that_name_stays():
    assert without_descriptions(SCHEMA["parameters"]) == {
        "type": "object",
        "properties": {"pattern": {"type": "string"}, "description": {"type": "string"}},
        "required": ["pattern"],
    }


async def test_schemas_are_stripped_once_with_the_big_step_and_never_before(tmp_path):
    own = await rig(tmp_path, window=4_250, chat=DONE)
    await own.said(schema(words=74), *storm(10))
    await turn(own)
    assert not stripped(own)
    await own.said(*storm(5, first=50))
    await turn(own)
    assert [e.stage for e in own.session.state.log.fold.edits.values()] == [Stage.DIGEST]
    assert stripped(own)
    assert held(own)["description"] == "Search files."
    frames = [
        e for e in own.session.state.log.fold.entries if getattr(e, "slot", "") == "tools.grep"
    ]
    await own.said(*storm(12, first=100))
    await turn(own)
    again = [
        e for e in own.session.state.log.fold.entries if getattr(e, "slot", "") == "tools.grep"
    ]
    assert len(own.session.state.log.fold.edits) == 2
    assert again == frames


@pytest.mark.parametrize(
    ("steps", "words", "expected"), [(11, 74, True), (11, 0, True), (5, 74, False)]
)
async def test_a_compaction_by_hand_is_a_big_step_too(tmp_path, steps, words, expected):
    own = await rig(tmp_path, {"text": GOOD}, window=4_250)
    await own.said(schema(words), *storm(steps))
    full, budget = own.session.state.log.fold.view.tokens, own.session.state.model.budget
    assert (full >= budget.strip_descriptions) is (steps == 11)
    await compact_in(own.session)
    assert stripped(own) is expected


@pytest.mark.parametrize("window", [12_000, 16_000, 24_000, 32_000, 64_000, 200_000])
async def test_the_real_tools_are_stripped_with_the_first_step_from_the_mark_on(tmp_path, window):
    """However little it frees: of the window, or beside what stands before the conversation."""
    async with harness(tmp_path, *[{"text": "Done."}] * 99, window=window) as own:
        state, size = own.session.state, window // 60
        alone = PipelineSettings(pruning=PruningSettings(enabled=False))
        await state.load.use_model(replace(state.model, settings=alone))
        full = state.log.fold.view.schemas
        number = 0
        while not state.log.fold.edits:
            assert state.log.fold.view.schemas == full
            await state.append(user(f"u{number}", "go on"), *exchange(number, "word " * size))
            await own.turn("go on")
            number += 1
        bare = state.log.fold.view.schemas
        assert {tool.name for tool in bare} == {tool.name for tool in full}
        assert all(tool.parameters == without_descriptions(tool.parameters) for tool in bare)
        assert own.provider.requests[-1].tools == bare != full


@pytest.mark.parametrize(
    ("before", "rewritten", "missing", "expected"),
    [(2_400, 700, 0, True), (2_400, 300, 0, False), (2_400, 300, 9, True), (700, 700, 0, False)],
)
def test_a_step_that_leaves_most_of_the_conversation_as_it_was_is_none_to_strip_with(
    before, rewritten, missing, expected
):
    fold, budget = Fold(LEDGER, [system(), schema()]), budget_for(4_250)
    head = fold.view.tokens
    step = Proposal(
        stage=Stage.PRUNE,
        why="",
        ops=(),
        before=before,
        after=head + 1_000,
        rewritten=rewritten,
    )
    frames = stripped_schemas(fold, budget, [step], CountedClock(), missing=missing)
    assert bool(frames) is expected


async def test_near_the_end_an_answer_is_forced_and_the_schemas_stay(tmp_path):
    own = await rig(tmp_path, chat=DONE, auto=False)
    await own.said(schema(), *storm(15))
    await own.said(user("u70", "word " * 60))
    budget = own.session.state.model.budget
    assert budget.force_final <= own.session.state.log.fold.view.tokens + 8 < budget.blocking
    assert await turn(own) == "endTurn"
    assert own.chat.requests[-1].tool_choice == "none"
    assert [tool.name for tool in own.chat.requests[-1].tools] == ["grep"]
    assert not stripped(own)
    await compact_in(own.session)
    assert await turn(own) == "endTurn"
    assert own.chat.requests[-1].tool_choice == "auto"


@pytest.mark.parametrize(
    ("share", "before", "choice"),
    [(0.89, "auto", "auto"), (0.91, "auto", "none"), (0.88, "none", "none"), (0.8, "none", "auto")],
)
async def test_the_choice_goes_back_only_below_where_it_changed(tmp_path, share, before, choice):
    own = await rig(tmp_path)
    fold, budget = own.session.state.log.fold, own.session.state.model.budget
    await own.said(Framed(id="f91", at="2000", slot=TOOL_CHOICE, kind=Slot.SYSTEM, text=before))
    room = int(budget.effective * share) - fold.view.tokens - 4
    await own.said(user("u1", "word " * room))
    frames = tool_choice_change(fold, budget, "edit", CountedClock())
    assert (frames[-1].text if frames else before) == choice


async def test_a_provider_that_counts_more_gets_a_lighter_request_once(tmp_path):
    """opencode #31005: one logical turn gets at most one recovery."""
    own = await rig(tmp_path, chat=[{"error": "overflow"}, {"error": "overflow"}, *DONE])
    await own.said(*storm(8))
    before = own.session.state.log.fold.view.tokens
    await own.session.prompt([PromptText("go on")])
    ended = await own.session.wait()
    assert isinstance(ended.error, ProviderOverflow)
    assert len(own.chat.requests) == 2
    assert own.session.state.log.fold.view.tokens <= before * 2 // 3
    assert len([notice for notice in own.notices if "Recovering" in notice]) == 1


async def test_recovery_is_the_one_path_that_reduces_with_automatic_compaction_off(tmp_path):
    """opencode #30664: the overflow path does not honour auto=false, and says nothing."""
    own = await rig(tmp_path, chat=[{"error": "overflow"}, *DONE], auto=False)
    await own.said(*storm(14))
    state = own.session.state
    assert state.log.fold.view.tokens > state.model.budget.compact
    assert preflight(state.load.next_request).proposals == ()
    assert await turn(own) == "endTurn"
    assert len(state.log.fold.edits) >= 1
    assert "although automatic compaction is off" in own.notices[0]


async def test_recovery_trims_where_a_digest_frees_too_little(tmp_path):
    own = await rig(tmp_path)
    await own.said(schema(), *storm(4, 100), *exchange(61, "word " * 1_500))
    before = own.session.state.log.fold.view.tokens
    await recover(own.session.state, "t1", ProviderOverflow("Too long."))
    stages = [edit.stage for edit in own.session.state.log.fold.edits.values()]
    assert stages == [Stage.DIGEST, Stage.TRIM]
    assert stripped(own)
    assert own.session.state.log.fold.view.tokens <= before * 2 // 3
    assert len(own.notices) == 1


async def test_a_limit_of_tokens_in_a_time_makes_the_request_smaller_and_not_the_window(tmp_path):
    own = await rig(tmp_path)
    await own.said(schema(), *storm(4, 100), *exchange(61, "word " * 1_500))
    state = own.session.state
    before, window = state.log.fold.view.tokens, state.model.budget.window
    rate = before * 3 // 4
    data = {"rate": rate, "requested": before}
    await recover(state, "t1", ProviderOverflow("Request too large.", data=data))
    # No more leaves than makes it fit: what a window of that size would lose is far more.
    assert before // 4 < state.log.fold.view.tokens <= rate
    assert (state.model.budget.window, state.model.window_source) == (window, "setting")
    assert f"no more than {rate:,} tokens at a time" in own.notices[0]


async def test_a_digest_that_does_not_last_is_not_made(tmp_path):
    """codex #20983, opencode #29450: what must stay passes the trigger, again and again."""
    own = await rig(tmp_path, chat=DONE * 5)
    await own.said(user("u1", "word " * 2_150))
    for number in range(40):
        await own.said(*exchange(number, "word " * 12))
        await lighten(own.session.state)
    edits = list(own.session.state.log.fold.edits.values())
    assert len(edits) <= 40 * 20 // 150 + 2
    least = 0.05 * own.session.state.model.budget.effective
    assert all(e.before - e.after >= least for e in edits if e.stage is Stage.DIGEST)


@pytest.mark.parametrize("window", [4_096, 5_000, 8_000, 32_000])
async def test_a_switch_to_a_smaller_model_fits_the_next_request_into_it(tmp_path, window):
    """zed #61373: the session is too large for the model it was switched to."""
    own = await rig(tmp_path, chat=DONE, window=64_000)
    await own.said(*storm(200))
    small = model("scripted/utility", own.chat, window, own.shelf.chat.settings)
    own.shelf.utility = small
    own.events.clear()
    await own.session.set_model(small.id)
    assert own.session.state.load.cache_expired
    meter = own.heard(MeterMoved)[-1].meter
    assert meter.budget == small.budget
    assert meter.used <= small.budget.effective
    assert await turn(own) == "endTurn"
    counted = sum(len(m.text.split()) for m in own.chat.requests[-1].messages)
    assert counted <= small.budget.effective
    assert own.session.state.log.fold.view.tokens <= small.budget.effective


async def test_where_nothing_helps_nothing_leaves(tmp_path):
    """What must stay is over the window: trimming the rest would be a loss in vain."""
    own = await rig(tmp_path, chat=DONE)
    await own.said(*storm(4), user("u5", "word " * 3_200))
    before = own.view()
    for _ in range(3):
        with pytest.raises(Infeasible):
            await lighten(own.session.state)
    assert own.view() == before
    assert list(own.session.state.log.fold.edits) == []


@pytest.mark.parametrize(("over", "fits"), [(60, True), (200, False)])
async def test_what_fits_with_thinner_schemas_is_sent(tmp_path, over, fits):
    own = await rig(tmp_path, chat=DONE)
    wordy = json.dumps(SCHEMA).replace("A regular expression.", "word " * 120)
    brief = Framed(id="f92", at="2000", slot="system", kind=Slot.SYSTEM, text="You are.")
    await own.said(brief, replace(schema(), text=wordy))
    state = own.session.state
    room = state.model.budget.effective - state.log.fold.view.tokens
    await own.said(*storm(2, 20))
    ended = await turn(own, "word " * (room + over - 4))
    assert ended == ("endTurn" if fits else "contextLimit")
    assert ("word word" not in json.dumps(held(own))) is fits
    assert len(own.chat.requests) == fits


async def test_what_cannot_fit_the_smaller_model_is_named_and_no_summary_is_asked_for(tmp_path):
    own = await rig(tmp_path, chat=DONE, window=64_000)
    own.shelf.utility = model("scripted/utility", own.chat, 1_024, own.shelf.chat.settings)
    await own.session.set_model("scripted/utility")
    await own.session.prompt([PromptText("word " * 2_000)])
    ended = await own.session.wait()
    assert isinstance(ended.error, Infeasible)
    assert ended.error.data["needsTokens"] > 0
    assert own.chat.requests == own.utility.requests == []


@pytest.mark.parametrize("window", [None, 0, 1, 4_096, 15_000])
async def test_an_unknown_a_tiny_and_a_window_below_the_reserve_work(tmp_path, window):
    own = await rig(tmp_path, chat=DONE)
    await own.session.state.load.use_model(replace(own.shelf.chat, budget=budget_for(window)))
    await own.said(*storm(5))
    assert await turn(own) == "endTurn"
    budget = own.session.state.model.budget
    assert own.session.state.log.fold.view.tokens <= budget.effective
    assert budget.reserve < budget.window
