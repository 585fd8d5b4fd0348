"""The blocks of an answer of Anthropic, gathered so that they can go back as they came.

Blocks of thinking go back with each request. Where a gateway adds tools that the vendor's own
servers run, a long answer may pause: all that has come goes back, and the rest follows.
"""

import json
from typing import cast

from plimsoll.providers.http.json_body import Body, Json, object_at, text_at

MOST_PAUSES = 8
BLOCKS, THOUGHT, LENGTH, TEXT, CALL = "blocks", "thought", "length", "text", "call"
"""What is kept of an answer: its blocks in order, a text or thought by its length, a call by id."""
THINKING = frozenset({"thinking", "redacted_thinking"})
GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""What a kind of delta adds to, by the same name in the block."""


class SaidBlocks:
    """The blocks of one answer as they come, in all its parts."""

    def __init__(self) -> None:
        self.pauses = False
        """Whether the answer is to be continued."""
        self.output = 0
        """Tokens of the parts before the present one."""
        self._part = 0
        self._blocks: dict[tuple[int, object], Body] = {}
        """By the number of the part and the index in it."""
        self._inputs: dict[tuple[int, object], str] = {}
        """The arguments of tools, where they come in pieces."""

    def begin(self) -> None:
        """Begin the present part anew: what came of it before it failed is of no answer."""
        for held in (self._blocks, self._inputs):
            for place in [place for place in held if place[0] == self._part]:
                del held[place]

    def take(self, event: Json) -> None:
        """Take in an event; those of no block mean nothing here."""
        kind, place = event.get("type"), (self._part, event.get("index"))
        if kind == "content_block_start":
            self._blocks[place] = dict(object_at(event.get("content_block")))
        elif kind == "content_block_delta" and place in self._blocks:
            self._add(place, object_at(event.get("delta")))

    def end(self, paused: bool, output: int) -> bool:
        """Close a part of so many tokens; returns whether another one is to be asked for."""
        self._part += 1
        self.pauses = paused and self._part <= MOST_PAUSES
        self.output += output if self.pauses else 0
        return self.pauses

    @property
    def thought(self) -> str:
        """The reasoning in them."""
        return "".join(text_at(b.get("thinking")) for b in self._blocks.values() if _thinks(b))

    def order(self) -> list[Body]:
        """Return the order of the blocks, of those of thinking all but their text; else none.

        None where it says nothing: no block thinks, and none of text follows a call.
        """
        kinds = [text_at(block.get("type")) for block in self._blocks.values()]
        plain = [kind for kind in kinds if kind in {"text", "tool_use"}]
        if not THINKING.intersection(kinds) and plain == sorted(plain):
            return []
        return [placed for block in self._blocks.values() if (placed := _placed(block))]

    def whole(self) -> list[Body]:
        """Return the blocks as they go back; a text without a word is refused."""
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


def _placed(block: Json) -> Body:
    """Say which block stands in a place; nothing of a kind that does not go back."""
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
