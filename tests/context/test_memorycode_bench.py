"""A piece of the bench `memorycode`: it counts what holds, what is stale, and what is heard."""

import importlib.util
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "scripts" / "bench"


@pytest.fixture(name="bench")
def _bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    spec = importlib.util.spec_from_file_location(
        "bench_of_memorycode", BENCH / "memorycode" / "__main__.py"
    )
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


DIALOGUE = {
    "context": {"mentor": "Ada", "mentee": "Bob"},
    "instructions": [[[1, 0]], [-1], [[1, 1], [2, 0]]],
    "sessions": [
        {
            "type": ["instruction-add"],
            "topic": ["always start variable names with 'x_'"],
            "text": "Ada: Hi! Please start variable names with 'x_'.\n\nBob: I never forget.",
        },
        {"type": ["filler-add"], "topic": ["the garden"], "text": "Ada: Nice.\n\nBob: Yes."},
        {
            "type": ["filler-add", "instruction-update", "instruction-add"],
            "topic": [
                "lunch",
                "always start variable names with 'y_'",
                "always end class names with '_c'",
            ],
            "text": "Ada: As for 'y_', you know. Always eat.\n\nBob: Ok.",
        },
    ],
}


def test_a_dialogue_is_read_and_counted(bench):
    holding, hearing = bench.memorycode([DIALOGUE])
    assert vars(holding) == {
        "said": 3,
        "things": 2,
        "newest": 2,
        "standing": 2,
        "stale": 0,
        "wrong": 0,
    }
    assert vars(hearing) == {"rules": 2, "heard": 1, "others": 3, "taken": 1}
    assert not bench.reached(holding, hearing)


def test_what_is_stale_or_ended_wrongly_is_seen(bench):
    rules = [
        bench.Rule("same", "Never push."),
        bench.Rule("same", "Never commit."),
        bench.Rule("one", "Use tabs."),
        bench.Rule("other", "Use spaces."),
    ]
    holding = bench.held(rules)
    assert (holding.newest, holding.stale, holding.wrong) == (2, 1, 1)


@pytest.mark.parametrize("language", ["English", "German", "Japanese"])
def test_own_dialogues_reach_what_must_be_reached(bench, language):
    assert bench.reached(*bench.own(language))
