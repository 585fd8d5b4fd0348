"""Calling another agent: the arguments, and what stands between the call and the agent."""

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.conversation.subagent import Subagent
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.conversation_values import AgentTask
from plimsoll.tools.ports.intent import Outcome
from tools.conftest import answering


class Session:
    """A conversation that may let others work, or not."""

    def __init__(self) -> None:
        self.called: list[AgentTask] = []
        self.refusal: str | None = None

    def check_agent(self, task: AgentTask) -> AgentTask:
        if self.refusal is not None:
            raise ToolFailed(self.refusal)
        return task

    async def call_agent(self, task: AgentTask) -> Outcome:
        self.called.append(task)
        return Outcome(text=f"{task.description}: done")


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def use(context: CallContext, session: Session):
    return answering(Subagent(), context, session)


async def test_a_task_is_handed_on_and_its_report_comes_back(use, session):
    assert await use(description="look", prompt="Find the mast.") == "look: done"
    assert await use(description="mend", prompt="Mend it.", kind="work") == "mend: done"
    assert session.called == [
        AgentTask(description="look", prompt="Find the mast.", kind_is_open=True),
        AgentTask(description="mend", prompt="Mend it.", kind="work"),
    ]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, "description is missing"),
        ({"description": "look"}, "prompt is missing"),
        ({"description": "", "prompt": "x"}, "description"),
        ({"description": "look", "prompt": "x", "kind": "rule"}, "explore, work"),
        ({"description": "look", "prompt": "x", "model": "big"}, "there is no model"),
    ],
)
async def test_arguments_that_make_no_task_are_refused(use, session, arguments, why):
    with pytest.raises(ToolFailed, match=why):
        await use(**arguments)
    assert session.called == []


async def test_what_the_session_refuses_is_refused_before_and_when_it_runs(context, session, use):
    session.refusal = "Too deep."
    with pytest.raises(ToolFailed, match=r"Too deep\."):
        await use(description="look", prompt="x")
    session.refusal = None
    tool = Subagent()
    there = CallContext(
        root=context.root,
        documents=context.documents,
        spill_folder=context.spill_folder,
        conversation=session,
    )
    intent = tool.prepare({"description": "look\nhere", "prompt": "x"}, there)
    assert (intent.ask, "\n" in intent.title) == (False, False)
    session.refusal = "Not any more."
    with pytest.raises(ToolFailed, match=r"Not any more\."):
        await tool.run(intent, there)
    assert session.called == []
