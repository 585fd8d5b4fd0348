import pytest

from plimsoll.errors import VocabularyDamaged
from plimsoll.tokens.correction import EXACT, UNKNOWN
from plimsoll.tokens.counter import Counters, vocabulary_of
from plimsoll.tokens.vocabulary import Vocabularies

MODELS = {
    "gpt-4o": "o200k_base",
    "gpt-4o-mini-2024-07-18": "o200k_base",
    "chatgpt-4o-latest": "o200k_base",
    "gpt-4.1-nano": "o200k_base",
    "gpt-5": "o200k_base",
    "gpt-5.1-codex": "o200k_base",
    "o1": "o200k_base",
    "o3-mini": "o200k_base",
    "o4-mini": "o200k_base",
    "gpt-oss:20b": "o200k_base",
    "openai/gpt-oss-120b": "o200k_base",
    "openrouter/openai/GPT-4o": "o200k_base",
    "ft:gpt-4o-mini:team::id": "o200k_base",
    "gpt-4": "cl100k_base",
    "gpt-4-turbo": "cl100k_base",
    "gpt-3.5-turbo": "cl100k_base",
    "gpt-35-turbo": "cl100k_base",
    "gpt-5.9": "o200k_base",
    "gpt-6": None,
    "embedded": "o200k_base",
    "scripted": "o200k_base",
    "claude-sonnet-4-5": None,
    "gemini-3-pro": None,
    "qwen3:8b": None,
    "o10": None,
    "o1x-large": None,
    "my-gpt-4o": None,
    "": None,
}


@pytest.mark.parametrize("model", MODELS)
def test_the_vocabulary_follows_from_the_name(model):
    assert vocabulary_of(model) == MODELS[model]


def test_a_known_tokenizer_counts_and_any_other_model_is_estimated(vocabularies):
    counters = Counters(vocabularies)
    known, unknown = counters.of("gpt-4"), counters.of("llama3.3")
    assert (known.name, known.basis, known.correction) == ("cl100k_base", "counted", EXACT)
    assert (unknown.name, unknown.basis) == ("o200k_base", "estimated")
    assert unknown.correction == UNKNOWN
    text = "how deep may she lie? " * 100
    assert unknown.count(text) == round(1.15 * counters.of("gpt-5").count(text))
    assert unknown.margin(1000) == 150


def test_models_of_one_vocabulary_share_what_was_counted(vocabularies):
    counters = Counters(vocabularies)
    assert counters.of("gpt-4o").cache is counters.of("claude-sonnet-4-5").cache
    assert counters.of("gpt-4o").cache is not counters.of("gpt-4").cache


def test_asking_for_a_counter_loads_nothing(tmp_path):
    counters = Counters(Vocabularies(tmp_path))
    counter = counters.of("gpt-4o")
    with pytest.raises(VocabularyDamaged):
        counters.load("gpt-4o")
    with pytest.raises(VocabularyDamaged):
        counter.count("text")


def test_without_a_vocabulary_tokens_are_still_estimated(tmp_path):
    counter = Counters(Vocabularies(tmp_path)).without_vocabulary()
    assert counter.basis == "estimated"
    assert counter.count("how deep may she lie?") > 0
    assert counter.margin(1000) == 300
