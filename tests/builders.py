"""Short ways to write down entries; every test that needs a log builds it with these."""

from collections.abc import Iterator, Sequence

from plimsoll.context.log.entries import Edited, Entry, Framed, Op, Pinned, Said, Slot, Stage
from plimsoll.context.log.json_fields import exit_code_in
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.traits import UNKNOWN
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.ports.foreign import FOREIGN_TOOLS
from plimsoll.tools import tool_traits

AT = "2026-01-01T00:00:00.000Z"


def words(text: str) -> int:
    """A toy tokenizer: one token a word."""
    return len(text.split())


LEDGER = Ledger(words)
TOOLS = {**FOREIGN_TOOLS, **tool_traits()}


def user(name: str, text: str, turn: str | None = None) -> Said:
    return Said(
        id=name,
        at=AT,
        role=Role.USER,
        group=name,
        parts=(Part(kind=PartKind.TEXT, text=text),),
        turn=turn,
    )


def assistant(name: str, text: str = "", *calls: tuple[str, str, str]) -> Said:
    """A message with calls given as (id, tool, arguments)."""
    said = (Part(kind=PartKind.TEXT, text=text),) if text else ()
    made = tuple(
        Part(kind=PartKind.CALL, text=arguments, call_id=i, name=n, traits=TOOLS.get(n, UNKNOWN))
        for i, n, arguments in calls
    )
    return Said(id=name, at=AT, role=Role.ASSISTANT, group=name, parts=(*said, *made))


def result(
    name: str, group: str, call: str, text: str, tool: str = "grep", **fields: object
) -> Said:
    given = {"exit_code": exit_code_in(text), "traits": TOOLS.get(tool, UNKNOWN), **fields}
    part = Part(kind=PartKind.RESULT, text=text, call_id=call, name=tool, **given)
    return Said(id=name, at=AT, role=Role.TOOL, group=group, parts=(part,))


def system(text: str = "You are the agent.") -> Framed:
    return Framed(id="f0", at=AT, slot="system", kind=Slot.SYSTEM, text=text)


def pin(number: int, text: str) -> Pinned:
    return Pinned(id=f"p{number}", at=AT, text=text, number=number)


def edited(name: str, *ops: Op, stage: Stage = Stage.DIGEST, why: str = "") -> Edited:
    """An edit whose tokens nobody looks at."""
    return Edited(id=name, at=AT, stage=stage, why=why, ops=ops, before=0, after=0)


def exchange(number: int, text: str, tool: str = "grep", arguments: str = "{}") -> list[Said]:
    """One assistant message with one call, and its result."""
    return [
        assistant(f"a{number}", f"step {number}", (f"c{number}", tool, arguments)),
        result(f"r{number}", f"a{number}", f"c{number}", text, tool),
    ]


def conversation(steps: int, size: int = 20) -> list[Entry]:
    """One prompt and so many calls with results of ``size`` words: the commonest shape."""
    entries: list[Entry] = [system(), user("u1", "Repair the build. Never touch the tests.")]
    for number in range(steps):
        entries.extend(exchange(number, f"line {number} " + "word " * size))
    return entries


def names(prefix: str) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{prefix}{number}"


def texts(entries: Sequence[Entry]) -> list[str]:
    return [part.text for entry in entries if isinstance(entry, Said) for part in entry.parts]


class CountedLog(list[Entry]):
    """A log that counts which of its entries are read."""

    read = 0

    def __getitem__(self, place):
        found = super().__getitem__(place)
        self.read += len(found) if isinstance(place, slice) else 1
        return found

    def __iter__(self):
        self.read += len(self)
        return super().__iter__()

    def __reversed__(self):
        self.read += len(self)
        return super().__reversed__()
