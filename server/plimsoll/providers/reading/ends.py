"""The stop reasons of hosts and their meanings. Pure.

The words are those of OpenAI, Anthropic, Gemini and Vertex, Mistral, Cohere, DeepSeek, z.ai,
MiniMax, Bedrock, vLLM, SGLang, TGI, LM Studio and Ollama, as documented or observed.
"""

from collections.abc import Mapping

from plimsoll.providers.base import StopReason

_WORDS: Mapping[StopReason, str] = {
    "endTurn": "stop eos eos_token end_turn stop_sequence end complete completed finished done "
    "eosfound stopstringfound",
    "toolCalls": "tool_calls tool_call tool_use function_call function_calls functioncall",
    "maxTokens": "length max_tokens max_output_tokens max_new_tokens max_length model_length "
    "model_context_window_exceeded context_length context_length_exceeded token_limit pause_turn "
    "maxpredictedtokensreached contextlengthreached",
    "refusal": "content_filter content_filtered contentfilter safety recitation blocklist language "
    "prohibited_content spii sensitive image_safety refusal refused guardrail_intervened "
    "moderation content_moderation policy_violation error_toxic",
    "cut": "abort aborted cancel cancelled canceled network_error connection_error server_error "
    "internal_error engine_error error error_finish failed incomplete interrupted timeout "
    "insufficient_system_resource overloaded malformed_function_call malformed_tool_use "
    "malformed_model_output unexpected_tool_call too_many_tool_calls other repetition "
    "repetition_truncation user_cancel load no_image unspecified",
}
REASONS: Mapping[str, StopReason] = {
    word: reason for reason, words in _WORDS.items() for word in words.split()
}
"""The meaning of each word; others are unknown."""


def normalise_reason(said: str) -> str:
    """Normalise a host's word to its spelling in ``REASONS``."""
    plain = said.strip().lower().replace("-", "_").replace(" ", "_")
    return plain.removeprefix("finishreason.").removeprefix("finish_reason_")
