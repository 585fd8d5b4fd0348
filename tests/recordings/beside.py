"""Which recordings there are: our own, in this folder, and those of others, beside the repository.

Those of others are wilder than ours, and not ours to hand on. This is the one place that knows what
they are called and where they are. A test that plays one is marked with ``others``; where they are
missing it is left out, and where ``CI=true`` it fails (see ``plugin.py``).
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

OWN_SESSIONS = Path(__file__).with_name("sessions")
OTHERS = Path(__file__).parents[3] / "shared" / "data"
MISSING = "recordings of others are not here: ../shared/data"
of_others = pytest.mark.others

SESSIONS_OF_OTHERS = (
    "claude-code-console__bookminder_day-009.jsonl",
    "claude-code-console__bookminder_day-020.jsonl.gz",
    "mini-gemini3pro__django__django-15629.jsonl",
    "mini-gemini3pro__django__django-16139.jsonl",
    "mini-gemini3pro__pytest-dev__pytest-5787.jsonl",
    "mini-gemini3pro__pytest-dev__pytest-6197.jsonl",
    "mini-gemini3pro__scikit-learn__scikit-learn-25102.jsonl",
    "mini-gemini3pro__sphinx-doc__sphinx-9711.jsonl",
    "mini-gemini3pro__sympy__sympy-14248.jsonl",
    "sweagent-demo__function_calling_simple.jsonl",
    "sweagent-demo__marshmallow-1867_function_calling.jsonl",
    "sweagent-demo__marshmallow-1867_install_from_source.jsonl",
)
STREAMS_OF_OTHERS = {
    "openai-chat": (
        "openai-chat-compat__test_openrouter_stream_error__0.sse",
        "openai-chat-compat__test_openrouter_streaming_reasoning__0.sse",
        "openai-chat-compat__test_tool_use_failed_error_streaming__0.sse",
        "openai-chat-compat__test_zai_thinking_stream__0.sse",
        "openai-chat__test_complex_agent_run_in_workflow__0.sse",
        "openai-chat__test_complex_agent_run__2.sse",
    ),
    "anthropic-messages": (
        "anthropic-messages__test_anthropic_mcp_servers_stream__0.sse",
        "anthropic-messages__test_anthropic_model_thinking_part_stream__0.sse",
        "anthropic-messages__test_anthropic_native_tool_search_streaming__0.sse",
    ),
    "openai-responses": (
        "openai-responses__test_openai_responses_phase_streamed_on_part_start__0.sse",
    ),
}


def own_sessions() -> list[Path]:
    """Our recorded sessions, by name."""
    return sorted(OWN_SESSIONS.glob("*.jsonl"))


def session_of_others(name: str) -> Path:
    """Where a recorded session of others would be."""
    return OTHERS / "trajectories" / name


def own_and_others(own: Iterable[object], others: Iterable[object]) -> list[Any]:
    """Cases for ``parametrize``; those of others are marked."""
    return [*own, *(pytest.param(case, marks=of_others) for case in others)]


def sessions(*kinds: str) -> list[Any]:
    """Recorded sessions as cases; of others those whose names begin with one of ``kinds``."""
    names = (name for name in SESSIONS_OF_OTHERS if name.startswith(kinds or ("",)))
    return own_and_others(own_sessions(), map(session_of_others, names))


def rows_of_others(name: str) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file of others."""
    return [json.loads(line) for line in (OTHERS / name).read_text("utf-8").splitlines()]
