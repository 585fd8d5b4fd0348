"""Collects the blocks of an Anthropic answer, so that they can be sent back unchanged.

Blocks of thinking go back with each request. If a gateway adds tools that run on the vendor's
servers, a long answer may pause: all blocks so far are sent back, and the rest follows.
"""

import json
from typing import cast

from plimsoll.providers.http.json_body import Body, Json, object_at, text_at

MOST_PAUSES = 8
BLOCKS, THOUGHT, LENGTH, TEXT, CALL = "blocks", "thought", "length", "text", "call"
"""Keys of an answer's stored data: its blocks in order, a text or thought by length, a call by
id."""
THINKING = frozenset({"thinking", "redacted_thinking"})
GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""The field of a block that each kind of delta extends."""


class SaidBlocks:
    """The blocks of one answer as they arrive, across all its parts."""

    def __init__(self) -> None:
        self.pauses = False
        """Whether the answer has paused and is to be continued."""
        self.output = 0
        """Tokens of the parts before the present one."""
        self._part = 0
        self._blocks: dict[tuple[int, object], Body] = {}
        """By number of the part and index of the block."""
        self._inputs: dict[tuple[int, object], str] = {}
        """The arguments of tool calls that arrive in pieces."""

    def begin(self) -> None:
        """Start the present part again, dropping the blocks that a failed attempt has brought."""
        for held in (self._blocks, self._inputs):
            for place in [place for place in held if place[0] == self._part]:
                del held[place]

    def take(self, event: Json) -> None:
        """Read an event; those that are not of a block are ignored."""
        kind, place = event.get("type"), (self._part, event.get("index"))
        if kind == "content_block_start":
            self._blocks[place] = dict(object_at(event.get("content_block")))
        elif kind == "content_block_delta" and place in self._blocks:
            self._add(place, object_at(event.get("delta")))

    def end(self, paused: bool, output: int) -> bool:
        """End a part of ``output`` tokens; return whether another one must be requested."""
        self._part += 1
        self.pauses = paused and self._part <= MOST_PAUSES
        self.output += output if self.pauses else 0
        return self.pauses

    @property
    def thought(self) -> str:
        """The text of the thinking blocks."""
        return "".join(text_at(b.get("thinking")) for b in self._blocks.values() if _thinks(b))

    def order(self) -> list[Body]:
        """Return the order of the blocks, with all data of thinking blocks but their text.

        Empty if it is not needed: no block thinks, and no text follows a call.
        """
        kinds = [text_at(block.get("type")) for block in self._blocks.values()]
        plain = [kind for kind in kinds if kind in {"text", "tool_use"}]
        if not THINKING.intersection(kinds) and plain == sorted(plain):
            return []
        return [placed for block in self._blocks.values() if (placed := _stored_block(block))]

    def whole(self) -> list[Body]:
        """Return the blocks to send back, without blank texts, which the API refuses."""
        for place, text in self._inputs.items():
            self._blocks[place]["input"] = json.loads(text)
        blocks = self._blocks.values()
        return [b for b in blocks if b.get("type") != "text" or text_at(b.get("text")).strip()]

    def _add(self, place: tuple[int, object], delta: Json) -> None:
        block, kind = self._blocks[place], text_at(delta.get("type"))
        if name := GROWING.get(kind):
            block[name] = f"{text_at(block.get(name))}{text_at(delta.get(name))}"
        elif kind == "input_json_delta" and delta.get("partial_json"):
            self._inputs[place] = self._inputs.get(place, "") + text_at(delta["partial_json"])
        elif kind == "citations_delta":
            told = cast("list[object]", block.get("citations") or [])
            block["citations"] = [*told, delta.get("citation")]


def _thinks(block: Json) -> bool:
    return block.get("type") in THINKING


def _stored_block(block: Json) -> Body:
    """Return the stored data of a block; empty for kinds that are not sent back."""
    match block.get("type"):
        case "text":
            return {TEXT: len(text_at(block.get("text")))}
        case "tool_use":
            return {CALL: text_at(block.get("id"))}
        case "thinking":
            own = {name: each for name, each in block.items() if name != "thinking"}
            return {THOUGHT: own, LENGTH: len(text_at(block.get("thinking")))}
        case "redacted_thinking":
            return {THOUGHT: dict(block)}
        case _:
            return {}
