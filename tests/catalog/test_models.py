"""What is known of models: the shipped table, matched by family and by version."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.catalog.models import catalog, find_row, model_facts
from plimsoll.catalog.names import NEUTRAL, ModelName

TODAY = {
    "gpt-5.4": 922_000,
    "gpt-5.5-2026-04-23": 922_000,
    "gpt-5.6-terra": 922_000,
    "gpt-6.1-sol": 922_000,
    "claude-sonnet-4-5-20250929": 200_000,
    "us.anthropic.claude-opus-4-8-v1:0": 1_000_000,
    "claude-haiku-5-5": 1_000_000,
    "models/gemini-4-argon": 1_048_576,
    "gemini-4": 1_048_576,
    "qwen3-coder:30b": 262_144,
    "deepseek-v4-pro": 1_000_000,
    "deepseek-v4": 1_000_000,
    "zai-org/GLM-4.7": 200_000,
    "moonshotai/Kimi-K2.6": 262_144,
    "kimi-k3": 1_048_576,
    "mistral-large-latest": 262_144,
    "llama3.3:70b": 128_000,
    "gpt-oss:20b": 131_072,
}
AS_BEFORE = {
    "gpt-4": 8_192,
    "gpt-4-32k": 32_768,
    "gpt-4-turbo-preview": 128_000,
    "gpt-3.5-turbo": 16_385,
    "gpt-4.1-mini": 1_047_576,
    "gpt-5": 272_000,
    "gpt-5.2": 272_000,
    "o1-mini": 128_000,
    "o3": 200_000,
    "gemini-2.5-pro": 1_048_576,
    "kimi-k2": 262_144,
    "grok-4": 256_000,
    "command-r": 128_000,
    "claude-next": 200_000,
}


def facts_of(name):
    found = model_facts(name)
    assert found is not None, name
    return found


@pytest.mark.parametrize("name", [*TODAY, *AS_BEFORE])
def test_todays_models_are_known(name):
    assert facts_of(name).window == {**TODAY, **AS_BEFORE}[name]


@pytest.mark.parametrize("name", ["", "o10", "o3x", "my-gpt-4o", "some-model", "gpt-7", "m"])
def test_others_are_not(name):
    assert model_facts(name) is None


def test_the_next_minor_version_has_what_the_one_before_it_has_but_no_price():
    known, later = facts_of("claude-opus-4-8"), facts_of("claude-opus-4-9")
    assert (later.window, later.max_output, later.vision) == (1_000_000, 128_000, True)
    assert (known.exact, later.exact) == (True, False)
    assert known.prices is not None
    assert later.prices is None
    assert facts_of("glm-4.8").window == facts_of("glm-4.7").window != facts_of("glm-5.3").window


def test_prices_are_those_of_the_vendor_and_higher_for_long_prompts():
    found = facts_of("gpt-5.6-sol")
    assert found.vendor == "api.openai.com"
    short, long = found.prices_for(272_000), found.prices_for(272_001)
    assert short is not None
    assert long is not None
    assert (short.input, short.output, long.input) == (4.0, 20.0, 8.0)
    hour = facts_of("claude-sonnet-4-5").prices
    assert hour is not None
    assert (hour.cache_read, hour.cache_write, hour.cache_write_hour) == (0.3, 3.75, 6.0)
    assert facts_of("llama3.3").prices is None
    assert facts_of("gpt-5.6-sol-unheard-of").prices is None


def test_each_row_of_the_table_is_found_by_its_name():
    table = catalog()
    for family, rows in table.families.items():
        for versions in rows:
            name = ModelName(tuple(family.split()), versions)
            assert find_row(name, table.families) == (family, versions)


def test_the_table_says_of_what_and_when_it_was_made():
    table = catalog()
    assert date.fromisoformat(table.date) >= date(2026, 11, 22)
    assert all(source.endswith(", MIT") for source in table.sources)
    assert len(table.families) < 400


WORDS = st.lists(st.sampled_from(["a", "b"]), max_size=3)
FAMILY = st.tuples(WORDS, WORDS).map(lambda parts: [*parts[0], "#", *parts[1]])
VERSION = st.lists(st.integers(0, 3), min_size=1, max_size=2).map(tuple)


@given(
    st.lists(st.tuples(FAMILY, VERSION), max_size=8),
    FAMILY,
    VERSION,
    st.sampled_from(sorted(NEUTRAL)),
)
def test_a_row_that_fits_is_of_the_family_and_never_of_a_later_version(rows, words, version, end):
    table = {}
    for family, known in rows:
        table.setdefault(" ".join(family), {})[known,] = None
    found = find_row(ModelName((*words, end), (version,)), table)
    if (version,) in table.get(" ".join(words), {}):
        assert found == (" ".join(words), (version,))
    if found:
        assert " ".join(words).startswith(found[0])
        assert found[1][0] <= version
        assert found[1][0][0] == version[0]
