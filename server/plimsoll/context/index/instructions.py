"""The index of people's standing instructions in a log, which reads each message once.

Only a person's typed words set or end an instruction, the reason of a refusal included: no text of
a tool, paste, import or editor's agent does. A text that may be typed or pasted sets one but ends
none: both stay, and the later one has precedence.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Noted, Origin, Said, refusal_reasons, written_texts
from plimsoll.context.log.notes import KEPT_RULE, note_fields
from plimsoll.text.instructions import Instruction, instruction_in, replaces
from plimsoll.text.sentences import sentences_around_code
from plimsoll.text.speech.pasted import WrittenText

Kept = tuple[str, str, str, str]
"""A rule kept against a later one: its message and text, message and text of the later one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingInstruction:
    """A standing instruction of a person that is in force."""

    text: str
    """The instruction, word for word."""
    message: str
    """The id of the message that says it."""
    since: int
    """The number of the earliest instruction that says the same."""
    number: int
    """Its number among all instructions of the conversation, from 1; it never changes."""
    general: int
    passing: bool

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The sort key for keeping: general instructions first, then the oldest."""
        return self.passing, -self.general, self.since


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedInstruction:
    """A standing instruction that a later one ended."""

    text: str
    message: str
    number: int
    by: str
    """The text of the later instruction."""
    by_message: str


@dataclass(frozen=True, slots=True)
class SaidInstructions:
    """The instructions in force at the end of a conversation, and those that were ended."""

    standing: tuple[StandingInstruction, ...] = ()
    """In the order in which they were said."""
    endings: tuple[EndedInstruction, ...] = ()
    """The ended ones, in the order in which they were said."""

    @property
    def ended(self) -> frozenset[str]:
        """The texts of ended instructions, except those that were said again and are in force."""
        return frozenset(each.text for each in self.endings) - {e.text for e in self.standing}


class InstructionIndex:
    """Finds the instructions in messages and tells which are in force."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[Instruction, ...]] = {}
        self._kept: set[Kept] = set()
        self._held: tuple[tuple[str, ...], SaidInstructions] | None = None

    def of(self, said: Said) -> tuple[Instruction, ...]:
        """Return the instructions in a message, in order."""
        known = self._of.get(said.id)
        if known is None:
            known = self._of[said.id] = tuple(_find_instructions(said))
        return known

    def read_note(self, note: Noted) -> None:
        """Read a note of the log; one that keeps a rule applies to the whole log."""
        fields = note_fields(note) if note.what == KEPT_RULE and note.item else None
        if fields is not None:
            by = fields.text("byMessage"), fields.text("by")
            self._kept.add((str(note.item), fields.text("text"), *by))
            self._held = None

    def in_force(self, conversation: Iterable[Said]) -> SaidInstructions:
        """Compute which instructions are in force at the end of a conversation."""
        spoken = [said for said in conversation if self.of(said)]
        ids = tuple(said.id for said in spoken)
        if self._held is None or self._held[0] != ids:
            pairs = [(said.id, each) for said in spoken for each in self.of(said)]
            self._held = ids, _resolve(pairs, self._kept)
        return self._held[1]


def _find_instructions(said: Said) -> Iterable[Instruction]:
    written = written_texts(said) if said.origin is Origin.PERSON else []
    for each in (*written, *map(WrittenText, refusal_reasons(said))):
        for sentence in sentences_around_code(each.text, each.pasted):
            # What spans something that was left out is no word of the message.
            if sentence.plain and sentence.raw in each.text:
                found = instruction_in(sentence.raw, under_rules=sentence.listed)
                if found is not None:
                    yield found if sentence.own else replace(found, doubted=True)


def _resolve(
    said: Iterable[tuple[str, Instruction]], kept: Container[Kept] = ()
) -> SaidInstructions:
    """Apply instructions in order: each ends those it replaces and inherits the age of equal ones.

    ``said``: pairs of message id and instruction, in order; ``kept``: pairs in which the earlier
    one is not ended.
    """
    standing: list[tuple[Instruction, StandingInstruction]] = []
    ended: list[EndedInstruction] = []
    for number, (message, new) in enumerate(said, 1):
        over = [
            (old, held)
            for old, held in standing
            if replaces(new, old) and (held.message, held.text, message, new.text) not in kept
        ]
        if new.tentative and not over:
            continue
        if new.doubted:
            over = [(old, held) for old, held in over if old.doubted or old.text == new.text]
        same = [held.since for old, held in over if old.text == new.text]
        standing = [pair for pair in standing if pair not in over]
        ended += (_ended_instruction(held, new.text, message) for _, held in over)
        standing.append((new, _standing_instruction(new, message, number, min([number, *same]))))
    return SaidInstructions(
        tuple(held for _, held in standing),
        tuple(sorted(ended, key=lambda each: each.number)),
    )


def _standing_instruction(
    new: Instruction, message: str, number: int, since: int
) -> StandingInstruction:
    return StandingInstruction(
        text=new.text,
        message=message,
        since=since,
        number=number,
        general=new.general,
        passing=new.passing,
    )


def _ended_instruction(old: StandingInstruction, by: str, message: str) -> EndedInstruction:
    return EndedInstruction(
        text=old.text, message=old.message, number=old.number, by=by, by_message=message
    )
