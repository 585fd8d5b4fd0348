"""One exchange with a team's server: what waits is sent, then what is new is taken in."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from plimsoll.errors import NotFound, PlimsollError, StoreError
from plimsoll.session.ports.clock import Clock
from plimsoll.storage.shared.base import AcceptAuthors, Membership, TeamReplica, TeamServer
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Gone,
    NotAllowed,
    Outcome,
    Overtaken,
    Queued,
    ShareMemory,
    SharePin,
)
from plimsoll.team.troubles import is_of_writing

_PAGE = 500
"""Changes of each kind in one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeEnds:
    """The two ends of an exchange, and by which rules it is made."""

    server: TeamServer
    replica: TeamReplica
    membership: Membership
    clock: Clock
    accept: AcceptAuthors = "known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """The result of an exchange, or of one step of it."""

    changed: bool = False
    """Whether anything in the folder's store is other than before."""
    removed: bool = False
    """Whether a text has left it for good."""
    told: tuple[str, ...] = ()
    """What a person is told of single changes, one sentence each."""
    seconds: float | None = None
    """How long the server took to tell what is new."""
    trouble: PlimsollError | None = None
    """What went wrong at an end; what was done before it is done."""

    def then(self, later: "Exchanged") -> "Exchanged":
        """Join this result with that of a later step."""
        return Exchanged(
            changed=self.changed or later.changed,
            removed=self.removed or later.removed,
            told=(*self.told, *later.told),
            seconds=self.seconds if later.seconds is None else later.seconds,
            trouble=self.trouble or later.trouble,
        )


Step = Callable[[ExchangeEnds], AsyncIterator[Exchanged]]
"""A part of an exchange, told piece by piece; raises NotFound or StoreError."""


async def exchange(ends: ExchangeEnds, steps: Sequence[Step]) -> Exchanged:
    """Do the steps in their order, and return their joint result.

    Where a step cannot write, the others are done all the same; any other trouble ends it.
    """
    done = Exchanged()
    for step in steps:
        try:
            async for part in step(ends):
                done = done.then(part)
        except (NotFound, StoreError) as error:
            done = done.then(Exchanged(trouble=error))
            if not is_of_writing(error):
                break
    return done


async def send(ends: ExchangeEnds) -> AsyncIterator[Exchanged]:
    """Send the operations that wait, in their order, and store what became of each."""
    while ends.membership.rights != "read" and (waiting := await ends.replica.read_queued()):
        for queued in waiting:
            outcome = await ends.server.push(queued)
            await ends.replica.settle(queued, outcome, ends.clock.now())
            removed = isinstance(outcome, Gone)
            yield Exchanged(changed=True, removed=removed, told=_tell(queued, outcome))


async def take_in(ends: ExchangeEnds) -> AsyncIterator[Exchanged]:
    """Read what is new at the server, page by page, and store it here."""
    more = True
    while more and (joined := await ends.replica.read_joined()) is not None:
        begun = ends.clock.seconds()
        news = await ends.server.news(joined.position, _PAGE)
        seconds = ends.clock.seconds() - begun
        changed = await ends.replica.take_in(news, ends.clock.now(), ends.accept)
        removed = changed and bool(news.forgotten or news.removed_pins)
        yield Exchanged(changed=changed, removed=removed, seconds=seconds)
        more = news.more and news.position > joined.position


STEPS: Sequence[Step] = (send, take_in)


def _tell(queued: Queued, outcome: Outcome) -> tuple[str, ...]:
    if isinstance(outcome, NotAllowed):
        return (f"{_name_subject(queued)} is not shared: {outcome.message}",)
    if isinstance(outcome, Overtaken):
        author = outcome.current.written_by or outcome.current.author_name
        told = f"{author} has changed {_name_subject(queued)} first. Your text waits in the inbox."
        return (told,)
    return ()


def _name_subject(queued: Queued) -> str:
    operation = queued.operation
    if isinstance(operation, ShareMemory | ChangeMemory):
        return f"“{operation.memory.title}”"
    if isinstance(operation, SharePin):
        return "A pin"
    return "What was removed here"
