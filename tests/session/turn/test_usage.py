"""Reported usage that cannot be right, tools that are dropped, and prompts that Ollama cuts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.session.turn.usage import are_tools_dropped
from providers.model_server import said, serving
from session.model.test_window import CHAT, folder, turn, window_of

OLLAMA = {"data": [{"id": "m", "owned_by": "library"}]}


@pytest.mark.parametrize(
    ("counted", "reported", "tools", "dropped"),
    [
        (1_500, 319, 1_180, True),
        (1_500, 1_400, 1_180, False),
        (1_500, 1, 1_180, False),
        (10_000, 4_096, 1_200, False),
        (1_500, 319, 0, False),
        # The tools have to be a quarter of the request.
        (1_000, 700, 250, True),
        (1_000, 700, 249, False),
        # What is missing is at least a quarter of it.
        (1_000, 749, 260, True),
        (1_000, 750, 260, False),
        # What was read is about the rest, give or take a quarter.
        (1_000, 374, 500, False),
        (1_000, 375, 500, True),
        (1_000, 625, 500, True),
        (1_000, 626, 500, False),
        # A server that reports nothing tells nothing.
        (1_000, 0, 1_000, False),
    ],
)
def test_tools_that_a_template_drops_are_noticed(counted, reported, tools, dropped):
    assert are_tools_dropped(counted, reported, tools) is dropped


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_report_of_the_whole_request_never_lacks_the_tools(counted, tools):
    assert not are_tools_dropped(counted, counted, min(tools, counted))


async def test_usage_that_cannot_be_right_changes_no_factor_and_is_said_once(tmp_path):
    answers = {CHAT: [said("Yes.", 1), said("Yes.", 1)]}
    async with (
        serving(answers) as server,
        folder(tmp_path, server.url, context_window=20_000) as own,
    ):
        session = await own.project.new()
        before = session.state.model.correction
        await turn(session, "word " * 500)
        await turn(session, "word " * 500)
        after = session.state.model.correction
        assert after.weights == before.weights
        assert after.band > before.band
        (told,) = own.notices()
        assert "cannot be right" in told


async def test_a_prompt_that_ollama_cut_is_noticed_and_the_window_learned(tmp_path):
    loaded = {"models": [{"name": "m", "context_length": 4_096}]}
    answers = {"/v1/models": OLLAMA, "/api/ps": loaded, CHAT: said("Yes.", 4_000)}
    async with (
        serving(answers) as server,
        folder(tmp_path, server.url, context_window=32_768) as own,
    ):
        session = await own.project.new()
        weights = session.state.model.correction.weights
        await turn(session, "word " * 9_000)
        assert window_of(session) == (4_096, "learned")
        assert session.state.model.correction.weights == weights
        (told,) = own.notices()
        assert "Ollama cut the prompt" in told
        assert "num_ctx 32768" in told
