"""Sessions on the person's other machines, as a chat asks about them and tells of them."""

from plimsoll.session.listing import list_used
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.terminal.keyboard import Questions
from plimsoll.terminal.screen import Screen, one_line

QUESTION = "The machine {machine} is using this session. Take it over? [y] yes, [n] no: "
READ_ONLY = "Read only: the next message asks again."
NEWER = "“{title}” was used last, on {machine}: /resume goes on with it."


async def offer_takeover(
    project: Project, session: Session, keyboard: Questions, screen: Screen
) -> Session | None:
    """Return the session that may be written here; None if a person leaves it to another machine.

    They are asked only where one is known to write it.

    Raises:
        Busy: A turn of it runs.
        StoreError: It cannot be taken over now.
    """
    machine = project.environment.travelling.held_by(session.id)
    if machine is None:
        return session
    answer = await keyboard.answer(QUESTION.format(machine=one_line(machine)))
    if (answer or "").strip().lower() not in ("y", "yes"):
        screen.note(READ_ONLY)
        return None
    return await project.take_over(session.id)


async def tell_newer(project: Project, session: Session, screen: Screen) -> None:
    """Say where the session that was used last is on another machine, as the open one is not it."""
    newest = next(iter(await list_used(project, 1)), None)
    if newest is None or newest.machine is None or newest.record.id == session.id:
        return
    title = one_line(newest.record.title or "untitled")
    screen.note(NEWER.format(title=title, machine=one_line(newest.machine)))
