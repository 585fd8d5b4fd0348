"""Streams of answers in each dialect, written as a provider would send them.

A ``Stream`` says what must be read out of its bytes. Those of others stand beside them by name.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plimsoll.providers.base import Usage
from recordings.beside import OTHERS, STREAMS_OF_OTHERS, own_and_others

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Stream:
    """The body of an answer, and what it says; ``reason`` is ``None`` where it ends in an error."""

    body: bytes
    text: str = ""
    reasoning: str = ""
    calls: tuple[tuple[str, str, str], ...] = ()
    """Id, name and arguments of each."""
    usage: Usage | None = None
    reason: str | None = None

    @property
    def names(self) -> list[str]:
        return [name for _, name, _ in self.calls]


def chat(*events: Json | str, done: bool = True) -> bytes:
    """Chat completions: data alone, a comment where a string is given, ``[DONE]`` at the end."""
    blocks = [f": {event}" if isinstance(event, str) else _data(event) for event in events]
    return _joined([*blocks, "data: [DONE]"] if done else blocks)


def chat_chunk(delta: Json, finish: str | None = None, **fields: object) -> Json:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [choice], **fields}


def chat_usage(sent: int, answered: int) -> Json:
    usage = {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": usage}


def chat_call(index: int, **fields: object) -> Json:
    """A piece of a call: ``id`` and ``name`` with the first one, ``arguments`` with each."""
    function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
    return chat_chunk({"tool_calls": [{"index": index, **fields, "function": function}]})


def messages(*events: Json) -> bytes:
    """Anthropic messages: each event has a name, which is its type."""
    return _joined([f"event: {event['type']}\n{_data(event)}" for event in events])


def message_start(sent: int) -> Json:
    usage = {"input_tokens": sent, "output_tokens": 1, "cache_read_input_tokens": 0}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    return {"type": "message_start", "message": {**head, "stop_reason": None, "usage": usage}}


def message_block(index: int, block: Json, *deltas: Json) -> Iterator[Json]:
    """One content block from its start to its stop."""
    yield {"type": "content_block_start", "index": index, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def message_end(reason: str, answered: int) -> Iterator[Json]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": answered}}
    yield {"type": "message_stop"}


def response_item(index: int, item: Json, *events: Json) -> Iterator[Json]:
    """One item of a response from its beginning to its end, with the deltas between."""
    empty = {"content": [], "summary": [], "arguments": ""}
    begun = {name: empty.get(name, value) for name, value in item.items()}
    place = {"output_index": index, "item_id": item["id"]}
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    yield from ({**event, **place} for event in events)
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def response_end(status: str, **fields: object) -> Json:
    head = {"id": "resp_1", "object": "response", "status": status, "error": None, "output": []}
    return {"type": f"response.{status}", "response": {**head, **fields}}


def response_usage(sent: int, cached: int, answered: int) -> Json:
    return {
        "input_tokens": sent,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": answered,
    }


def _deltas(kind: str, pieces: Sequence[str]) -> Iterator[Json]:
    return ({"type": f"response.{kind}.delta", "delta": piece} for piece in pieces)


def _data(event: Json) -> str:
    return f"data: {json.dumps(event, ensure_ascii=False)}"


def _joined(blocks: Sequence[str]) -> bytes:
    return "".join(f"{block}\n\n" for block in blocks).encode()


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


_THOUGHT = "The draught is asked for; I add the weights. Größe zählt, 積荷も数える ⚓."
_ANSWER = "The ship carries 41 t: the line stays dry. 🚢"
_PATH, _WORD = '{"path": "lading/hull.py"}', '{"pattern": "draught"}'

PARALLEL = "chat-parallel-calls"
CHAT: dict[str, Stream] = {
    PARALLEL: Stream(
        body=chat(
            chat_chunk({"role": "assistant", "content": None}),
            chat_call(0, id="call_hull", type="function", name="file_read", arguments=""),
            *(chat_call(0, arguments=piece) for piece in _pieces(_PATH, 9)),
            chat_call(1, id="call_word", type="function", name="grep", arguments=""),
            *(chat_call(1, arguments=piece) for piece in _pieces(_WORD, 9)),
            chat_chunk({}, "tool_calls"),
            chat_usage(364, 40),
        ),
        calls=(("call_hull", "file_read", _PATH), ("call_word", "grep", _WORD)),
        usage=Usage(364, 40),
        reason="toolCalls",
    ),
    "chat-reasoning-and-comments": Stream(
        body=chat(
            "PROCESSING",
            *(chat_chunk({"reasoning": piece}) for piece in _pieces(_THOUGHT, 5)),
            "PROCESSING",
            *(chat_chunk({"content": piece}) for piece in _pieces(_ANSWER, 4)),
            chat_chunk({"content": ""}, "stop"),
            chat_usage(43, 36),
        ),
        text=_ANSWER,
        reasoning=_THOUGHT,
        usage=Usage(43, 36),
        reason="endTurn",
    ),
    "chat-reasoning-content": Stream(
        body=chat(
            *(chat_chunk({"reasoning_content": piece}) for piece in _pieces(_THOUGHT, 7)),
            chat_chunk({"content": _ANSWER}),
            chat_chunk({}, "stop", usage={"prompt_tokens": 13, "completion_tokens": 64}),
        ),
        text=_ANSWER,
        reasoning=_THOUGHT,
        usage=Usage(13, 64),
        reason="endTurn",
    ),
    "chat-error-in-a-chunk": Stream(
        body=chat(
            chat_chunk({"role": "assistant", "content": "The ship"}),
            chat_chunk({"content": ""}, "error", error={"code": 502, "message": "upstream"}),
        ),
    ),
}
MESSAGES: dict[str, Stream] = {
    "messages-tools": Stream(
        body=messages(
            message_start(591),
            *message_block(
                0,
                {"type": "text", "text": ""},
                *({"type": "text_delta", "text": piece} for piece in _pieces(_ANSWER, 6)),
            ),
            {"type": "ping"},
            *message_block(
                1,
                {"type": "tool_use", "id": "toolu_hull", "name": "file_read", "input": {}},
                *(
                    {"type": "input_json_delta", "partial_json": piece}
                    for piece in ("", *_pieces(_PATH, 8))
                ),
            ),
            *message_end("tool_use", 175),
        ),
        text=_ANSWER,
        calls=(("toolu_hull", "file_read", _PATH),),
        usage=Usage(591, 175),
        reason="toolCalls",
    ),
    "messages-thinking": Stream(
        body=messages(
            message_start(43),
            *message_block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                *({"type": "thinking_delta", "thinking": piece} for piece in _pieces(_THOUGHT, 6)),
                {"type": "signature_delta", "signature": "RXVvQ2tn"},
            ),
            *message_block(
                1, {"type": "text", "text": ""}, {"type": "text_delta", "text": _ANSWER}
            ),
            *message_end("end_turn", 282),
        ),
        text=_ANSWER,
        reasoning=_THOUGHT,
        usage=Usage(43, 282),
        reason="endTurn",
    ),
}
SEALED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAB"}
COMMENTARY = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": _ANSWER, "annotations": []}],
}
_HULL = {"type": "function_call", "id": "fc_1", "call_id": "call_hull", "name": "file_read"}
_WORDS = {"type": "function_call", "id": "fc_2", "call_id": "call_word", "name": "grep"}

RESPONSES: dict[str, Stream] = {
    "responses-tools": Stream(
        body=messages(
            {"type": "response.created", "response": {"status": "in_progress"}},
            *response_item(0, SEALED),
            *response_item(1, COMMENTARY, *_deltas("output_text", _pieces(_ANSWER, 6))),
            *response_item(
                2,
                {**_HULL, "arguments": _PATH},
                *_deltas("function_call_arguments", _pieces(_PATH, 8)),
            ),
            *response_item(3, {**_WORDS, "arguments": _WORD}),
            response_end("completed", usage=response_usage(591, 512, 175)),
        ),
        text=_ANSWER,
        calls=(("call_hull", "file_read", _PATH), ("call_word", "grep", _WORD)),
        usage=Usage(591, 175, 512),
        reason="toolCalls",
    ),
    "responses-open-reasoning": Stream(
        body=chat(
            "PROCESSING",
            *response_item(
                0,
                {"type": "reasoning", "id": "rs_1", "summary": []},
                *_deltas("reasoning_text", _pieces(_THOUGHT, 5)),
            ),
            *response_item(
                1, {**COMMENTARY, "phase": None}, *_deltas("output_text", _pieces(_ANSWER, 4))
            ),
            response_end("completed", usage=response_usage(78, 0, 37)),
        ),
        text=_ANSWER,
        reasoning=_THOUGHT,
        usage=Usage(78, 37),
        reason="endTurn",
    ),
    "responses-cut-short": Stream(
        body=messages(
            *response_item(0, COMMENTARY, *_deltas("output_text", [_ANSWER])),
            response_end("incomplete", incomplete_details={"reason": "max_output_tokens"}),
        ),
        text=_ANSWER,
        reason="maxTokens",
    ),
    "responses-error-at-the-end": Stream(
        body=messages(
            *response_item(0, COMMENTARY, *_deltas("output_text", [_ANSWER])),
            response_end("failed", error={"code": "server_error", "message": "upstream"}),
        ),
    ),
}
RESPONSE_NAMES = own_and_others(RESPONSES, STREAMS_OF_OTHERS["openai-responses"])
CHAT_NAMES = own_and_others(CHAT, STREAMS_OF_OTHERS["openai-chat"])
MESSAGE_NAMES = own_and_others(MESSAGES, STREAMS_OF_OTHERS["anthropic-messages"])
"""For ``parametrize``; ``body_of`` gives the bytes."""


def body_of(name: str) -> bytes:
    """The bytes of a stream, ours or of others."""
    own = CHAT.get(name) or MESSAGES.get(name) or RESPONSES.get(name)
    return own.body if own else (OTHERS / "sse" / name).read_bytes()
