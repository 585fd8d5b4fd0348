"""The slash commands for what the project remembers."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.service import Memories
from plimsoll.memory.types import Memory, MemorySource, MemoryState
from plimsoll.session.commands.memory_markdown import memories_markdown, title_markdown
from plimsoll.session.project import Project
from plimsoll.session.session import Session


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a command, for people."""

    markdown: str
    data: object = None
    """What the command's method answers, where it has one."""
    session: Session | None = None
    """The session that is open from now on, where it is another one."""


FOUND = 20
"""Memories of a search."""


async def remember(rest: str, project: Project, session: Session) -> Reply:
    """Keep a text."""
    if not rest:
        raise InvalidInput("There is no text to remember.", remedy="Write /remember TEXT.")
    kept = await _memories(project).remember(rest, MemorySource(session_id=session.id))
    words = f"Remembered as {kept.type.value}: **{title_markdown(kept.title)}** (`{kept.id}`)."
    return Reply(f"{words} `/forget {kept.id}` takes it back.", kept)


async def memories(rest: str, project: Project, _session: Session) -> Reply:
    """List what has an effect, or search it."""
    notes = _memories(project)
    if rest:
        found = [match.memory for match in await notes.search(rest, FOUND)]
        return Reply(memories_markdown(found, "No memory fits these words."), tuple(found))
    known = await notes.all()
    waiting = sum(memory.state is MemoryState.INBOX for memory in known)
    found = [memory for memory in known if memory.state is not MemoryState.INBOX]
    text = memories_markdown(found, "Nothing is remembered yet. `/remember TEXT` keeps a text.")
    more = f"\n\nWaiting for your review: {waiting}. `/inbox` shows them." if waiting else ""
    return Reply(text + more, tuple(found))


async def forget(rest: str, project: Project, _session: Session) -> Reply:
    """Hide a memory at once."""
    memory = _named(rest, await _memories(project).all())
    await project.forget(memory.id)
    words = f"Forgotten: **{title_markdown(memory.title)}**, also in the sessions that are open."
    return Reply(f"{words} `/unforget {memory.id}` brings it back.")


async def unforget(rest: str, project: Project, _session: Session) -> Reply:
    """Bring back what was forgotten."""
    notes = _memories(project)
    memory = _named(rest, await notes.store.memories({MemoryState.FORGOTTEN}))
    back = await notes.restore(memory.id)
    waits = back.state is MemoryState.INBOX
    where = "waits in the inbox again" if waits else "is back, for sessions that begin now"
    return Reply(f"**{title_markdown(back.title)}** {where}.", back)


async def inbox(_rest: str, project: Project, _session: Session) -> Reply:
    """Show what waits, whole."""
    found = await _memories(project).inbox()
    text = memories_markdown(found, "Nothing waits for your review.")
    advice = "\n\n`/accept ID` or `/reject ID`; before that it has no effect." if found else ""
    return Reply(text + advice, tuple(found))


async def accept(rest: str, project: Project, _session: Session) -> Reply:
    """Let what waits have an effect."""
    notes = _memories(project)
    memory = _named(rest, await notes.inbox())
    kept = await notes.review(memory.id, accept=True)
    return Reply(f"Accepted: **{title_markdown(memory.title)}**.", kept)


async def reject(rest: str, project: Project, _session: Session) -> Reply:
    """Drop what waits; it is not suggested again."""
    notes = _memories(project)
    memory = _named(rest, await notes.inbox())
    await notes.review(memory.id, accept=False)
    return Reply(f"Rejected: **{title_markdown(memory.title)}**. It is not suggested again.")


def _memories(project: Project) -> Memories:
    return project.environment.memories


def _named(name: str, known: Sequence[Memory]) -> Memory:
    """Find the memory with an id, or with the only id that begins so.

    Raises:
        NotFound: There is none.
        InvalidInput: No id is given, or more than one begins so.
    """
    if not name:
        raise InvalidInput("No memory is named.", remedy="Give its id; /memories lists the ids.")
    found = [memory for memory in known if memory.id.startswith(name)]
    exact = [memory for memory in found if memory.id == name]
    if len(exact) == 1 or len(found) == 1:
        return (exact or found)[0]
    if not found:
        raise NotFound("memory", name[:80], remedy="/memories and /inbox list them with their ids.")
    raise InvalidInput(f"{len(found)} memories begin with {name!r}.", remedy="Give more of the id.")
