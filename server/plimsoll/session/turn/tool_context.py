"""A session as its tools may see and change it: the ``Conversation`` port."""

from collections.abc import Container, Iterable, Sequence

from plimsoll.context.decisions.record import whole_record
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.log.entries import TaskItem
from plimsoll.context.log.messages import Part, PartKind, is_decision_record, part_item
from plimsoll.context.pipeline.reduction import heaviest_items
from plimsoll.context.report.receipts import part_of
from plimsoll.context.report.titles import item_name
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group
from plimsoll.errors import PlimsollError, ToolFailed
from plimsoll.session.layers.skills import read_skill
from plimsoll.session.layers.tasks import accept_plan, check_plan, set_tasks
from plimsoll.session.layers.wording import load_line, short
from plimsoll.session.mcp.questions import ask_person
from plimsoll.session.memory.memory_tools import find_notes, keep_note
from plimsoll.session.reduction.items import evict
from plimsoll.session.state.session_state import CallPlace, SessionState
from plimsoll.tools.ports.conversation_values import AgentTask, Found, NoteKept, NotePlan
from plimsoll.tools.ports.intent import Outcome
from plimsoll.tools.ports.mcp import McpQuestion, McpReply

EXCERPT = 160
"""Characters around a hit."""
_SILENT = frozenset({PartKind.IMAGE, PartKind.REASONING})
"""Kinds of parts in which nothing is searched."""


class ToolContext:
    """The session as its tools may see and change it."""

    def __init__(self, state: SessionState, place: CallPlace | None = None) -> None:
        """``place``: the call that uses the context; None: it is no call of an answer."""
        self._state = state
        self._place = place

    def search(self, query: str, limit: int) -> Sequence[Found]:
        """Find items that hold the query, else most of its words; the newest first."""
        fold = self._state.log.fold
        words = [word for word in query.casefold().split() if word]
        standing = {s.item for s in fold.view.items() if s.state is Form.VERBATIM}
        scored = [
            (score, group.index, found)
            for group in fold.groups
            for score, found in _hits(
                group, query.casefold(), words=words, fold=fold, standing=standing
            )
        ]
        scored.sort(key=lambda each: (-each[0], -each[1]))
        return [found for _, _, found in scored[:limit]]

    def text_of(self, item: str) -> str | None:
        """Return the whole text of an item of the log, or the whole decision record."""
        if is_decision_record(item):
            return whole_record(self._state.log.indexes)
        found = part_of(item, self._state.log.fold)
        return found[0].text if found else None

    async def set_tasks(self, tasks: Sequence[TaskItem]) -> None:
        """Replace the task list."""
        await set_tasks(self._state, tasks)

    def check_plan(self, text: str) -> None:
        """Raise ToolFailed where a plan of this text could not be kept."""
        check_plan(self._state, text)

    async def accept_plan(self, text: str, steps: Sequence[str]) -> None:
        """Pin a plan that a person accepted."""
        await accept_plan(self._state, text, steps)

    async def evict(self, items: Sequence[str]) -> str:
        """Take items out of the view."""
        try:
            receipt = await evict(self._state, items, "the model no longer needs it", by_hand=False)
        except PlimsollError as error:
            raise ToolFailed(error.message) from error
        return f"Freed {short(max(0, receipt.before - receipt.after))} tokens."

    async def keep_note(self, note: NotePlan) -> NoteKept:
        """Keep a note for later conversations."""
        state = self._state
        return await keep_note(note, state.memories, state.log, state.files)

    async def find_notes(self, query: str, limit: int) -> str:
        """Return notes from earlier conversations."""
        return await find_notes(self._state.memories, query, limit)

    def check_agent(self, task: AgentTask) -> AgentTask:
        """Return the task as it would be done; ToolFailed where no agent may be called for it."""
        if self._state.agents is None:
            raise ToolFailed("No agent can be called here.")
        return self._state.agents.check(self._state, task)

    async def call_agent(self, task: AgentTask) -> Outcome:
        """Run a subagent in a session of its own, to its end."""
        self.check_agent(task)
        assert self._state.agents is not None
        assert self._place is not None
        return await self._state.agents.call(self._state, self._place, task)

    async def read_skill(self, name: str, file: str | None) -> str:
        """Return the text of a skill that may be used."""
        return await read_skill(self._state.environment, name, file)

    async def answer_server(self, question: McpQuestion) -> McpReply:
        """Ask the person what a server asks."""
        assert self._place is not None
        return await ask_person(self._state, self._place, question)

    def load(self) -> str:
        """Return the load of the context, and its largest items."""
        largest = heaviest_items(self._state.log.fold.view, 8)
        rows = [f"{weight.item} {weight.title}: {weight.tokens} tokens" for weight in largest]
        return "\n".join([load_line(self._state.load.meter()), *rows])


def _hits(
    group: Group, query: str, words: Sequence[str], fold: Fold, standing: Container[str]
) -> Iterable[tuple[int, Found]]:
    for said in group.visible:
        for number, part in enumerate(said.parts):
            score, at = _score(part, query, words)
            if not score or part.kind in _SILENT or _own(part):
                continue
            item = part_item(said.id, number)
            tokens = fold.ledger.part(part, first=number == 0)
            title = item_name(part, said, fold)
            excerpt = " ".join(part.text[max(0, at - EXCERPT // 2) : at + EXCERPT].split())
            yield (
                score,
                Found(
                    item=item,
                    title=title,
                    excerpt=excerpt,
                    turn=group.turn,
                    tokens=tokens,
                    in_view=item in standing,
                ),
            )


def _own(part: Part) -> bool:
    """Tell whether a part belongs to a search, which no search is to find."""
    return part.traits.recalls and part.kind in (PartKind.CALL, PartKind.RESULT)


def _score(part: Part, query: str, words: Sequence[str]) -> tuple[int, int]:
    """Score how well a part matches, and where; the whole query beats any number of words."""
    text = part.text.casefold()
    at = text.find(query)
    if at >= 0:
        return len(words) + 1, at
    found = [text.find(word) for word in words]
    hits = [index for index in found if index >= 0]
    return (len(hits), hits[0]) if 2 * len(hits) > len(words) else (0, 0)
