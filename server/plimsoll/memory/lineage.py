"""What a conclusion may stem from: the words that a person typed, or also the text of others."""

from collections.abc import Sequence
from enum import StrEnum

from plimsoll.context.log.entries import Said
from plimsoll.memory.extraction.turns import holds_paste, only_typed


class Lineage(StrEnum):
    """The least trusted kind of text in a conversation, from which a conclusion may stem."""

    TYPED = "typed"
    """The conversation has only a person's typed words."""
    MIXED = "mixed"
    """It has a tool result, a file, instructions of the repository or an import."""

    @classmethod
    def of(cls, said: Sequence[Said], *, instructed: bool = False) -> "Lineage":
        """Return a conversation's lineage; ``instructed``: it has repository instructions."""
        own = only_typed(said) and not any(map(holds_paste, said))
        return cls.TYPED if own and not instructed else cls.MIXED
