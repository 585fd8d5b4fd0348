"""The standing instructions of people in a log: each message is read once, for what it says.

A person's typed words alone count, the reason of a refusal among them: no tool's text, no paste, no
import, nothing that an editor's agent said can set a rule, or end one. What may be typed and may be
pasted holds, but it ends nothing: both stay, and the later counts.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Noted, Origin, Said, refusal_reasons, written_texts
from plimsoll.context.log.notes import KEPT_RULE, note_fields
from plimsoll.text.instructions import Instruction, instruction_in, replaces
from plimsoll.text.sentences import sentences_around_code
from plimsoll.text.speech.pasted import WrittenText

Kept = tuple[str, str, str, str]
"""A rule that a later one does not end: message and text of it, message and text of the later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingInstruction:
    """An instruction that holds."""

    text: str
    """Word for word."""
    message: str
    """The id of the message that says it."""
    since: int
    """The number of the first that says the same."""
    number: int
    """Its place among all instructions of the conversation, from 1; it never changes."""
    general: int
    passing: bool

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The order in which they stay: what is general, then what was said first."""
        return self.passing, -self.general, self.since


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedInstruction:
    """An instruction that holds no more, and what ended it."""

    text: str
    message: str
    number: int
    by: str
    """The words that ended it."""
    by_message: str


@dataclass(frozen=True, slots=True)
class SaidInstructions:
    """What people said that holds, and what they said that was replaced."""

    standing: tuple[StandingInstruction, ...] = ()
    """In the order in which they were said."""
    endings: tuple[EndedInstruction, ...] = ()
    """Those that others ended, in the order in which they were said."""

    @property
    def ended(self) -> frozenset[str]:
        """The texts of those that were ended, but for those that hold, said once more."""
        return frozenset(each.text for each in self.endings) - {e.text for e in self.standing}


class InstructionIndex:
    """The instructions of messages."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[Instruction, ...]] = {}
        self._kept: set[Kept] = set()
        self._held: tuple[tuple[str, ...], SaidInstructions] | None = None

    def of(self, said: Said) -> tuple[Instruction, ...]:
        """Return the instructions of a message in their order."""
        known = self._of.get(said.id)
        if known is None:
            known = self._of[said.id] = tuple(_read(said))
        return known

    def take(self, note: Noted) -> None:
        """Take a note of the log; one that keeps a rule holds for all that was and will be said."""
        fields = note_fields(note) if note.what == KEPT_RULE and note.item else None
        if fields is not None:
            by = fields.text("byMessage"), fields.text("by")
            self._kept.add((str(note.item), fields.text("text"), *by))
            self._held = None

    def in_force(self, conversation: Iterable[Said]) -> SaidInstructions:
        """Tell which instructions of a conversation hold at its end."""
        spoken = [said for said in conversation if self.of(said)]
        ids = tuple(said.id for said in spoken)
        if self._held is None or self._held[0] != ids:
            pairs = [(said.id, each) for said in spoken for each in self.of(said)]
            self._held = ids, _settled(pairs, self._kept)
        return self._held[1]


def _read(said: Said) -> Iterable[Instruction]:
    written = written_texts(said) if said.origin is Origin.PERSON else []
    for each in (*written, *map(WrittenText, refusal_reasons(said))):
        for sentence in sentences_around_code(each.text, each.pasted):
            # What spans something that was left out is no word of the message.
            if sentence.plain and sentence.raw in each.text:
                found = instruction_in(sentence.raw, under_rules=sentence.listed)
                if found is not None:
                    yield found if sentence.own else replace(found, doubted=True)


def _settled(
    said: Iterable[tuple[str, Instruction]], kept: Container[Kept] = ()
) -> SaidInstructions:
    """Let each instruction end those that it replaces; one that says the same is as old as they.

    ``said``: instructions with the ids of their messages, in their order; ``kept``: what is not
    ended by what.
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
        ended += (_ended(held, new.text, message) for _, held in over)
        standing.append((new, _held(new, message, number, min([number, *same]))))
    return SaidInstructions(
        tuple(held for _, held in standing),
        tuple(sorted(ended, key=lambda each: each.number)),
    )


def _held(new: Instruction, message: str, number: int, since: int) -> StandingInstruction:
    return StandingInstruction(
        text=new.text,
        message=message,
        since=since,
        number=number,
        general=new.general,
        passing=new.passing,
    )


def _ended(old: StandingInstruction, by: str, message: str) -> EndedInstruction:
    return EndedInstruction(
        text=old.text, message=old.message, number=old.number, by=by, by_message=message
    )
