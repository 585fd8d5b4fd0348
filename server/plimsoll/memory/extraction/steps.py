"""What a reading by a model asks of whoever drives it, and what it is answered."""

from dataclasses import dataclass

from plimsoll.context.log.messages import Call, Message, ToolSchema
from plimsoll.memory.types import MemoryMatch


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to the model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The model's whole answer."""

    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """A search in the memory store."""

    query: str


Step = Ask | Look
Answer = ModelReply | list[MemoryMatch]
