"""Small windows: the slim profile, when it is chosen, and what works in it."""

from dataclasses import replace

import pytest

from plimsoll.context.log.entries import Framed, Noted
from plimsoll.context.log.messages import Role, ToolSchema
from plimsoll.session.layers.framing import MODE_TEXTS, schema_text
from plimsoll.session.model.profile import SLIM_BELOW, SLIM_TEXT
from plimsoll.session.model.window import learn_window
from plimsoll.session.state.held import held_profile
from plimsoll.tokens.counter import Counters
from plimsoll.tools.brief import BRIEF_SCHEMAS
from session.harness import harness

BRIEF = [schema.name for schema in BRIEF_SCHEMAS]
LEAST = SLIM_BELOW * 4 // 3
"""The least window of the full profile: a quarter is kept for the answer."""


def opened(own, number: int = -1) -> tuple[str, list[ToolSchema]]:
    """System text and tools of a request."""
    request = own.provider.requests[number]
    return request.messages[0].text, list(request.tools)


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4", "a-model-nobody-knows"])
def test_the_slim_opening_takes_under_six_hundred_tokens(model):
    counters = Counters()
    counters.load(model)
    counter = counters.of(model)
    texts = [SLIM_TEXT, MODE_TEXTS["edit"], *map(schema_text, BRIEF_SCHEMAS)]
    assert sum(map(counter.count, texts)) < 600


async def test_a_small_window_begins_slim_and_a_larger_one_as_ever(tmp_path):
    async with harness(tmp_path / "a", {"text": "Hello."}, window=4_096, brief=True) as own:
        await own.turn("Hello.")
        text, tools = opened(own)
        where = f"Linux 6.8, bash. Folder: {own.folder}. Branch: none. Agent: main, depth 0."
        assert text.startswith(f"{SLIM_TEXT}\n\n{where}\n\n")
        assert tools == list(BRIEF_SCHEMAS)
        await own.consistent()
    # In one folder each after the other, since its path stands in every request.
    async with harness(tmp_path / "b", {"text": "Hello."}, window=LEAST, brief=True) as own:
        first = [repr(e) for e in own.entries]
        await own.turn("Hello.")
        full = opened(own)
    async with harness(tmp_path / "b", {"text": "Hello."}, window=LEAST) as own:
        assert first == [repr(e) for e in own.entries]
        await own.turn("Hello.")
        assert full == opened(own)


@pytest.mark.slow
async def test_a_model_of_four_thousand_tokens_reads_edits_and_runs(tmp_path):
    calls = [
        {"name": "file_read", "arguments": {"path": "big.py"}},
        {"name": "grep", "arguments": {"pattern": "LOAD"}},
        {
            "name": "file_edit",
            "arguments": {"path": "big.py", "old_string": "LOAD = 7", "new_string": "LOAD = 8"},
        },
        {"name": "shell", "arguments": {"command": "grep -n LOAD big.py; seq 5000"}},
    ]
    steps = [{"calls": [call]} for call in calls]
    async with harness(tmp_path, *steps, {"text": "Done."}, window=4_096, brief=True) as own:
        lines = [f"VALUE_{number} = {number}" for number in range(900)]
        (own.folder / "big.py").write_text("\n".join([*lines, "LOAD = 7", *lines]))
        assert (await own.turn("Set LOAD to 8.")).reason == "endTurn"
        assert "LOAD = 8" in (own.folder / "big.py").read_text()
        results = [m for m in own.provider.requests[-1].messages if m.role is Role.TOOL]
        assert "LOAD = 8" in results[-1].text
        most = own.session.state.model.budget.effective // 4
        count = own.session.state.log.fold.ledger.bare
        assert all(count(result.text) <= most for result in results)
        await own.consistent()


async def test_four_large_results_at_once_still_fit(tmp_path):
    read = [{"name": "file_read", "arguments": {"path": f"{n}.txt"}} for n in range(6)]
    steps = [{"calls": read}, {"text": "Read."}, {"calls": read}, {"text": "Again."}]
    async with harness(tmp_path, *steps, window=4_096, brief=True) as own:
        for number in range(6):
            (own.folder / f"{number}.txt").write_text(
                "\n".join(f"{number} word {line}" for line in range(2_000))
            )
        assert (await own.turn("Read them.")).reason == "endTurn"
        assert (await own.turn("Read them again.")).reason == "endTurn"


async def test_the_window_that_becomes_known_before_the_first_answer_decides(tmp_path):
    steps = [{"text": "One."}, {"text": "Two."}]
    async with harness(tmp_path, *steps, window=4_096, brief=True) as own:
        state = own.session.state
        large = (await own.project.environment.models.open("scripted/large")).budget
        await state.load.use_model(replace(state.model, budget=large))
        await own.turn("Hello.")
        assert [tool.name for tool in opened(own)[1]] == list(own.project.environment.tools)
        assert held_profile(own.entries) == "full"
        small = (await own.project.environment.models.open("scripted/small")).budget
        # Later the prefix stays as it is (law 5).
        await state.load.use_model(replace(state.model, budget=small))
        await own.turn("Hello again.")
        assert opened(own, 0) == opened(own, 1)
        await own.consistent()


@pytest.mark.parametrize(
    ("learned", "held"), [(4_096, "slim"), (LEAST - 1_000, "slim"), (0, "full")]
)
async def test_a_small_window_that_is_learned_after_an_answer_slims_once(tmp_path, learned, held):
    steps = [{"text": str(number)} for number in range(3)]
    async with harness(tmp_path, *steps, window=LEAST, brief=True) as own:
        await own.turn("Hello.")
        await learn_window(own.session.state, learned, None)
        await own.turn("And now?")
        await own.turn("And then?")
        assert held_profile(own.entries) == held
        assert (opened(own)[1] == list(BRIEF_SCHEMAS)) is (held == "slim")
        assert opened(own, 1) == opened(own, 2)
        await own.consistent()


async def test_another_model_brings_its_own_profile(tmp_path):
    steps = [{"text": str(number)} for number in range(3)]
    async with harness(tmp_path, *steps, window=4_096, brief=True) as own:
        await own.turn("Hello.")
        await own.session.set_model("scripted/large")
        await own.turn("And now?")
        names = list(own.project.environment.tools)
        assert [tool.name for tool in opened(own)[1]] == names
        await own.session.set_model("scripted/small")
        await own.turn("And now?")
        assert opened(own, 0) == opened(own)
        await own.consistent()


async def test_a_slim_session_stays_slim_when_it_is_loaded_again(tmp_path):
    async with harness(tmp_path, *[{"text": "Yes."}] * 2, window=4_096, brief=True) as own:
        await own.turn("Hello.")
        framed = [entry for entry in own.entries if isinstance(entry, Framed)]
        await own.project.live.pop(own.session.id).close()
        own.session = await own.project.load(own.session.id)
        assert [entry for entry in own.entries if isinstance(entry, Framed)] == framed
        await own.turn("Still there?")
        assert [tool.name for tool in opened(own)[1]] == BRIEF


def test_a_note_of_a_profile_that_is_not_known_is_the_full_one():
    note = Noted(id="n1", at="", what="profile", data='{"name":"tiny"}')
    assert held_profile([note]) == "full"
