"""The standing instructions of people in a log: each message is read once, for what it says.

A person's typed words alone count, the reason of a refusal among them: no tool's text, no paste, no
import, nothing that an editor's agent said can set a rule, or end one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.log.entries import Origin, Said, refusal_reasons, typed_texts
from plimsoll.text.instructions import Instruction, instruction_in, replaces
from plimsoll.text.sentences import sentences_around_code


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingInstruction:
    """An instruction that holds."""

    text: str
    """Word for word."""
    message: str
    """The id of the message that says it."""
    since: int
    """How many instructions had been said when it, or one that says the same, was said first."""
    general: int
    passing: bool

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The order in which they stay: what is general, then what was said first."""
        return self.passing, -self.general, self.since


@dataclass(frozen=True, slots=True)
class SaidInstructions:
    """What people said that holds, and what they said that was replaced."""

    standing: tuple[StandingInstruction, ...]
    """In the order in which they were said."""
    ended: frozenset[str]
    """The texts of the others."""


class InstructionIndex:
    """The instructions of messages."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[Instruction, ...]] = {}
        self._held: tuple[tuple[str, ...], SaidInstructions] = (
            (),
            SaidInstructions((), frozenset()),
        )

    def of(self, said: Said) -> tuple[Instruction, ...]:
        """Return the instructions of a message in their order."""
        known = self._of.get(said.id)
        if known is None:
            known = self._of[said.id] = tuple(_read(said))
        return known

    def in_force(self, conversation: Iterable[Said]) -> SaidInstructions:
        """Tell which instructions of a conversation hold at its end."""
        spoken = [said for said in conversation if self.of(said)]
        ids = tuple(said.id for said in spoken)
        if self._held[0] != ids:
            pairs = [(said.id, each) for said in spoken for each in self.of(said)]
            self._held = ids, _settled(pairs)
        return self._held[1]


def _read(said: Said) -> Iterable[Instruction]:
    typed = typed_texts(said) if said.origin is Origin.PERSON else []
    for text in (*typed, *refusal_reasons(said)):
        for sentence in sentences_around_code(text):
            # What spans something that was left out is no word of the message.
            if sentence.plain and sentence.raw in text:
                found = instruction_in(sentence.raw, under_rules=sentence.listed)
                if found is not None:
                    yield found


def _settled(pairs: Iterable[tuple[str, Instruction]]) -> SaidInstructions:
    """Let each instruction end those that it replaces; one that says the same is as old as they."""
    standing: list[tuple[Instruction, StandingInstruction]] = []
    ended: set[str] = set()
    for since, (message, new) in enumerate(pairs):
        over = [pair for pair in standing if replaces(new, pair[0])]
        if new.tentative and not over:
            continue
        same = [held.since for old, held in over if old.text == new.text]
        standing = [pair for pair in standing if pair not in over]
        ended.update(old.text for old, _ in over)
        ended.discard(new.text)
        standing.append((new, _held(new, message, min([since, *same]))))
    return SaidInstructions(tuple(held for _, held in standing), frozenset(ended))


def _held(new: Instruction, message: str, since: int) -> StandingInstruction:
    return StandingInstruction(
        text=new.text, message=message, since=since, general=new.general, passing=new.passing
    )
