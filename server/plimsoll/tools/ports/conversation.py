"""The port to the session that a call belongs to."""

from collections.abc import Sequence
from typing import Protocol

from plimsoll.context.log.entries import TaskItem
from plimsoll.tools.ports.conversation_values import AgentTask, Found, NoteKept, NotePlan
from plimsoll.tools.ports.intent import Outcome
from plimsoll.tools.ports.mcp import McpQuestion, McpReply
from plimsoll.tools.ports.written import SkillReader


class Conversation(SkillReader, Protocol):
    """The session that a call belongs to, as far as tools may read or change it."""

    def search(self, query: str, limit: int) -> Sequence[Found]:
        """Find items in the whole log, also in what has left the view, the best first."""
        ...

    def text_of(self, item: str) -> str | None:
        """Return the whole text of an item; None when there is no such item."""
        ...

    async def set_tasks(self, tasks: Sequence[TaskItem]) -> None:
        """Replace the task list."""
        ...

    def check_plan(self, text: str) -> None:
        """Raise ToolFailed if a plan with this text could not be kept."""
        ...

    async def accept_plan(self, text: str, steps: Sequence[str]) -> None:
        """Pin a plan that a person accepted, and make its steps the tasks; raises ToolFailed."""
        ...

    async def evict(self, items: Sequence[str]) -> str:
        """Evict items from the view and say how many tokens that freed; raises ToolFailed."""
        ...

    async def keep_note(self, note: NotePlan) -> NoteKept:
        """Keep a note for later conversations; raises ToolFailed when it is refused."""
        ...

    async def find_notes(self, query: str, limit: int) -> str:
        """Return notes from earlier conversations, as a text in which each is quoted."""
        ...

    def check_agent(self, task: AgentTask) -> AgentTask:
        """Return the task as it would be done; ToolFailed if no agent may be called for it."""
        ...

    async def call_agent(self, task: AgentTask) -> Outcome:
        """Run another agent in a session of its own until it ends."""
        ...

    async def answer_server(self, question: McpQuestion) -> McpReply:
        """Ask the person what a server asks while a call of its tool runs."""
        ...

    def load(self) -> str:
        """Return the load of the context in one line, and its largest items with their ids."""
        ...
