"""An agent that works apart: in a git worktree of its own, whose changes come in at the end.

Law: what it changed is never lost and never comes in unasked. It is merged at the person's word, or
left as a branch; the tree is removed either way.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Entry, Noted
from plimsoll.errors import PlimsollError, ToolFailed
from plimsoll.session.agents.apart_report import Ending, apart_report, brief_of, notice_of
from plimsoll.session.agents.bringing_in import bring_in
from plimsoll.session.checkpoints.changes import file_change
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.events import AgentShown, NoticeGiven
from plimsoll.session.state.session_state import CallPlace, SessionState
from plimsoll.tools.ports.apart.own_trees import OwnTree
from plimsoll.tools.ports.conversation_values import AgentTask

NOT_FINISHED = "the agent did not finish"


class WorkApart:
    """The work of one agent in a tree of its own, from its beginning to its end."""

    def __init__(self, state: SessionState, task: AgentTask, tree: OwnTree) -> None:
        self._state = state
        self._commands = state.environment.commands
        self._task = task
        self._tree = tree
        self._ending: Ending | None = None
        self._over: asyncio.Future[str] | None = None

    @property
    def environment(self) -> Environment:
        """The environment of the agent's session: its caller's, with the tree as the folder."""
        outer = self._state.environment
        return replace(outer, call_context=self._tree.context(outer.call_context))

    @property
    def brief(self) -> str:
        """The text that tells the agent about its tree."""
        return brief_of(self._tree)

    async def hear(self, entries: Sequence[Entry]) -> None:
        """Note the files that the agent's tools wrote: they count even if git ignores them."""
        notes = (entry for entry in entries if isinstance(entry, Noted))
        names = [change.path for note in notes if (change := file_change(note)) is not None]
        if names:
            await asyncio.to_thread(self._tree.note_written, names)

    async def review(self, place: CallPlace, shown: AgentShown) -> None:
        """Ask the person about the agent's changes, and bring in what they allow."""
        try:
            await self._commands.end_in(self._tree.root)
            self._ending = await bring_in(self._state, place, shown, self._tree)
        except ToolFailed as error:
            self._ending = Ending(why=error.message)

    async def end(self) -> str:
        """Leave as a branch what did not come in, remove the tree, and report of it all.

        A cancel waits until that is done; called again, it does nothing more.
        """
        if self._over is None:
            self._over = asyncio.ensure_future(self._clear_up())
        if await wait_through_cancel(self._over):
            raise asyncio.CancelledError from self._over.exception()
        return self._over.result()

    async def stop(self) -> None:
        """End it where its caller was stopped; a cancel waits until that is done."""
        ending = asyncio.ensure_future(self.end())
        await wait_through_cancel(ending)
        ending.result()

    async def _clear_up(self) -> str:
        tree, ending = self._tree, self._ending or Ending(why=NOT_FINISHED)
        message = f"{self._task.description}\n\nBy an agent of Plimsoll, in a worktree of its own."
        try:
            await self._commands.end_in(tree.root)
            if ending.needs_branch:
                redacted = self._state.redact(message)
                ending = replace(ending, branch=await asyncio.to_thread(tree.leave, redacted))
            await asyncio.to_thread(tree.remove)
        except PlimsollError as error:
            kept = await asyncio.to_thread(tree.keep)
            ending = replace(ending, kept=f"{kept} ({error.message})")
        ending = replace(ending, withheld=tree.withheld)
        told = notice_of(ending, self._task.description)
        if told is not None:
            self._state.voice.emit(NoticeGiven(self._state.redact(told), "warning"))
        return apart_report(ending, tree)


@asynccontextmanager
async def work_apart(
    state: SessionState, task: AgentTask, session: str
) -> AsyncGenerator[WorkApart]:
    """Make a tree for an agent, and end it if the block raises; otherwise the block calls ``end``.

    Raises:
        ToolFailed: No tree can be made here.
    """
    make = state.environment.outside.own_trees.make
    # It names a folder, and the branch, and is in what the next start says after a crash.
    title = state.redact(task.description)
    making = asyncio.ensure_future(asyncio.to_thread(make, title, session))
    cancelled = await wait_through_cancel(making)
    apart = WorkApart(state, task, making.result())
    if cancelled:
        await apart.stop()
        raise asyncio.CancelledError
    try:
        yield apart
    except BaseException:
        await apart.stop()
        raise
