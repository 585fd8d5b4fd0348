"""Names of models, read as family and version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.catalog.names import MARK, parse_name

NAMES = {
    "gpt-4o-mini-2024-07-18": ("gpt #o mini", "4"),
    "ft:gpt-4o-mini:team::id": ("gpt #o mini team id", "4"),
    "gpt-35-turbo": ("gpt # turbo", "3.5"),
    "gpt-4-32k": ("gpt # 32k", "4"),
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0": ("claude sonnet # v #", "4.5 1.0"),
    "claude-3-5-sonnet-20241022": ("claude # sonnet", "3.5"),
    "o3-mini": ("o # mini", "3"),
    "o3x": ("o #x", "3"),
    "qwen3:8b": ("qwen #", "3"),
    "Qwen/Qwen3-30B-A3B-Instruct-2507": ("qwen # instruct", "3"),
    "qwen3-coder:30b-a3b-q4_K_M": ("qwen # coder", "3"),
    "meta-llama/Meta-Llama-3.1-8B-Instruct": ("llama # instruct", "3.1"),
    "accounts/fireworks/models/glm-4p7": ("glm #", "4.7"),
    "deepseek-v4-1-flash": ("deepseek v # flash", "4.1"),
    "grok-4.20-0309-reasoning": ("grok # reasoning", "4.20"),
    "command-a-03-2025": ("command a", ""),
    "/models/SmolLM2-135M-Q4_K_M.gguf": ("smollm #", "2"),
    "": ("", ""),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_family_and_version(name):
    found = parse_name(name)
    versions = " ".join(".".join(map(str, one)) for one in found.versions)
    assert (" ".join(found.words), versions) == NAMES[name]


@given(st.text(max_size=40))
def test_any_text_is_read_and_each_version_has_its_mark(name):
    found = parse_name(name)
    assert sum(MARK in word for word in found.words) == len(found.versions)
    assert parse_name(name.upper() if name.isascii() else name) == found
