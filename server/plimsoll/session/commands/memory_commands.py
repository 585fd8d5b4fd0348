"""The slash commands for what the project remembers."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.ranking import days_between
from plimsoll.memory.service import Memories
from plimsoll.memory.types import Memory, MemoryScope, MemorySource, MemoryState
from plimsoll.session.commands.memory_markdown import TeamView, memories_markdown
from plimsoll.session.layers.wording import title_markdown
from plimsoll.session.ports.content import PromptText
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.storage.shared.team import not_joined


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a command, for people."""

    markdown: str
    data: object = None
    """What the command's method answers, where it has one."""
    session: Session | None = None
    """The session that is open from now on, where it is another one."""
    draft: PromptText | None = None
    """What left the conversation and may be said again."""


CONFIRMED = "yes"
"""The word behind a purge that says that it is meant."""
FOUND = 20
"""Memories of a search."""
_OLD_DAYS = 1
"""Days without a word from the team's server after which a list says so."""


async def remember(rest: str, project: Project, session: Session) -> Reply:
    """Add a memory; with ``--pin`` it comes first in later sessions and does not expire."""
    pinned, text = _option("--pin", rest)
    if not text:
        raise InvalidInput("There is no text to remember.", remedy="Write /remember [--pin] TEXT.")
    source = MemorySource(session_id=session.id)
    kept = await _memories(project).remember(text, source, pinned=pinned)
    how = ", and pinned" if pinned else ""
    words = f"Saved for this project{how}: **{title_markdown(kept.title)}**."
    return Reply(f"{words} `/forget {kept.id}` undoes it.", kept)


async def memories(rest: str, project: Project, _session: Session) -> Reply:
    """List the memories that have an effect, or search them."""
    notes = _memories(project)
    if rest:
        found = [match.memory for match in await notes.search(rest, FOUND)]
        text = memories_markdown(found, "No memory fits these words.", team=await _team(project))
        return Reply(text, tuple(found))
    known = await notes.all()
    waiting = sum(memory.state is MemoryState.INBOX for memory in known)
    found = [memory for memory in known if memory.state is not MemoryState.INBOX]
    nothing = "Nothing is remembered yet. `/remember TEXT` keeps a text."
    text = memories_markdown(found, nothing, team=await _team(project))
    more = f"\n\nWaiting for your review: {waiting}. `/inbox` shows them." if waiting else ""
    return Reply(text + more, tuple(found))


async def forget(rest: str, project: Project, _session: Session) -> Reply:
    """Hide a memory at once; with ``--purge`` remove its text for good, once it is confirmed."""
    purging, rest = _option("--purge", rest)
    if purging:
        return await _purge(rest, project)
    notes = _memories(project)
    memory = _find_memory(rest.partition(" ")[0], await notes.all())
    if await notes.is_shared_by_person(memory):
        return await _forget_for_all(memory, rest, project)
    await project.forget(memory.id)
    words = f"Forgotten: **{title_markdown(memory.title)}**, also in the sessions that are open."
    return Reply(f"{words} `/unforget {memory.id}` brings it back.")


async def _forget_for_all(memory: Memory, rest: str, project: Project) -> Reply:
    """Remove a memory that others have too, once it is confirmed: that cannot be undone."""
    title = f"**{title_markdown(memory.title)}**"
    if rest.partition(" ")[2].strip() != CONFIRMED:
        return Reply(
            f"Others have {title} too: forgotten, its text goes from their machines and from the "
            f"team's server, and nothing brings it back. `/forget {memory.id} {CONFIRMED}` does it."
        )
    await project.forget(memory.id)
    return Reply(f"Removed for good, for all who had it: {title}.")


async def _purge(rest: str, project: Project) -> Reply:
    """Remove a memory for good, a forgotten one too; without the word that confirms it, ask."""
    name, _, confirmed = rest.partition(" ")
    memory = _find_memory(name, await _memories(project).store.memories(frozenset(MemoryState)))
    title = f"**{title_markdown(memory.title)}**"
    if confirmed.strip() != CONFIRMED:
        return Reply(
            f"Remove {title} for good? Its text goes from the store, from the backups and from the "
            "logs of sessions that had it, and nothing brings it back. "
            f"`/forget --purge {memory.id} {CONFIRMED}` does it; `/forget {memory.id}` only hides "
            "it."
        )
    await project.forget(memory.id, purge=True)
    return Reply(
        f"Removed for good: {title}. A session in which you said it yourself, or the agent looked "
        "it up, still has it: delete that session too."
    )


def _option(name: str, rest: str) -> tuple[bool, str]:
    """Tell whether a command's text begins with an option, and return the text after it."""
    first, _, text = rest.partition(" ")
    return (True, text.strip()) if first == name else (False, rest)


async def unforget(rest: str, project: Project, _session: Session) -> Reply:
    """Bring back a forgotten memory."""
    notes = _memories(project)
    memory = _find_memory(rest, await notes.store.memories({MemoryState.FORGOTTEN}))
    back = await notes.restore(memory.id)
    waits = back.state is MemoryState.INBOX
    where = "waits in the inbox again" if waits else "is back, for sessions that begin now"
    return Reply(f"**{title_markdown(back.title)}** {where}.", back)


async def inbox(_rest: str, project: Project, _session: Session) -> Reply:
    """Show the memories of the inbox, whole."""
    notes = _memories(project)
    found = await notes.inbox()
    old = {memory.id: await notes.find_replaced(memory) for memory in found}
    known = {name: memory for name, memory in old.items() if memory is not None}
    team = await _team(project)
    text = memories_markdown(found, "Nothing waits for your review.", known, team)
    advice = "\n\n`/accept ID` or `/reject ID`; before that it has no effect." if found else ""
    return Reply(text + advice, tuple(found))


async def accept(rest: str, project: Project, _session: Session) -> Reply:
    """Accept a memory of the inbox, so that it has an effect."""
    notes = _memories(project)
    memory = _find_memory(rest, await notes.inbox())
    kept = await review(project, memory.id, accept=True)
    if memory.removal:
        return Reply(
            f"Forgotten: `{memory.supersedes}`. `/unforget {memory.supersedes}` undoes it."
        )
    return Reply(f"Accepted: **{title_markdown(memory.title)}**.", kept)


async def reject(rest: str, project: Project, _session: Session) -> Reply:
    """Reject a memory of the inbox; it is not suggested again."""
    notes = _memories(project)
    memory = _find_memory(rest, await notes.inbox())
    await review(project, memory.id, accept=False)
    return Reply(f"Rejected: **{title_markdown(memory.title)}**. It is not suggested again.")


async def share_memory(rest: str, project: Project, _session: Session) -> Reply:
    """Share a memory with the team, or with whom the second word says."""
    name, _, word = rest.partition(" ")
    memory = _find_memory(name, await _memories(project).all())
    scope = _SCOPES.get(word.strip())
    if scope is None:
        raise InvalidInput(
            f"A memory is shared with nobody called {word.strip()[:40]!r}.",
            remedy=f"Write /share {memory.id}, or mine or private behind it.",
        )
    shared = await share(project, memory.id, scope)
    title = f"**{title_markdown(shared.title)}**"
    if scope is MemoryScope.PRIVATE:
        return Reply(f"Yours alone again: {title}. It leaves all others who have it.", shared)
    whom = "your other machines" if scope is MemoryScope.MINE else "the team"
    return Reply(f"Shared with {whom}: {title}. `/share {shared.id} private` undoes it.", shared)


_SCOPES = {"": MemoryScope.TEAM, **{scope.value: scope for scope in MemoryScope}}
"""With whom a memory is shared, by the word behind its id."""


async def share(project: Project, memory_id: str, scope: MemoryScope) -> Memory:
    """Set who has a memory, on a person's word; it is sent beside the turns.

    Raises:
        InvalidInput: The folder takes part in no team, or the memory cannot have this scope.
        NotFound: There is no such memory.
    """
    team = project.environment.team
    if scope is not MemoryScope.PRIVATE and team.status().project is None:
        raise not_joined()
    memory = await _memories(project).share(memory_id, scope)
    team.wake()
    return memory


async def review(project: Project, memory_id: str, *, accept: bool) -> Memory | None:
    """Apply a verdict on a memory of the inbox; memories it removes leave open sessions at once.

    Raises:
        InvalidInput: The memory is not in the inbox.
        NotFound: There is no such memory.
    """
    kept = await _memories(project).review(memory_id, accept=accept)
    if kept is not None and kept.removal:
        await project.refresh(removed=True)
    return kept


async def _team(project: Project) -> TeamView:
    """Return what a list of memories tells of the folder's team."""
    environment = project.environment
    status = environment.team.status()
    if status.project is None:
        return TeamView()
    now = environment.clock.now()
    is_old = status.seen_at is not None and days_between(status.seen_at, now) >= _OLD_DAYS
    waiting = await environment.store.replica.waiting()
    return TeamView(joined=True, waiting=waiting, last_heard=status.seen_at if is_old else None)


def _memories(project: Project) -> Memories:
    return project.environment.memories


def _find_memory(name: str, known: Sequence[Memory]) -> Memory:
    """Find a memory by its id, or by the beginning of its id if that is unique.

    Raises:
        NotFound: There is none.
        InvalidInput: No id is given, or several begin with it.
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
