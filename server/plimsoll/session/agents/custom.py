"""Custom agents: which one a call means, and what its session is given: brief, tools, model.

Its tools are among those of whoever calls it, and every gate stands before them as before any.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Framed, Slot
from plimsoll.context.log.messages import Source
from plimsoll.errors import ToolFailed
from plimsoll.session.agents.models import model_of
from plimsoll.session.agents.tool_names import fewer_of, tools_of
from plimsoll.session.layers.custom_agents import OWN_SLOT
from plimsoll.session.layers.instructions import MOST_TOKENS, SHARE, fit_text
from plimsoll.session.ports.agent import Agent
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.written import ListedCustom
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.conversation_values import AgentTask
from plimsoll.tools.ports.written import CustomFile


@dataclass(frozen=True, slots=True)
class ChosenAgent:
    """The role, model and instructions for the session of a subagent."""

    agent: Agent
    model: Model
    frames: tuple[Framed, ...] = ()
    """A custom agent's own instructions."""


def settle_task(state: SessionState, task: AgentTask) -> AgentTask:
    """Give a task for a custom agent the kind that its tools want, if the call names none.

    Raises:
        ToolFailed: There is no such agent, or it may not be used.
    """
    if task.agent is None:
        return task
    file = _find(task.agent, state.environment.custom.known_agents, trusted=state.files.trusted())
    if not task.kind_is_open:
        return task
    return replace(task, kind="work" if _may_work(state) and _writes(state, file) else "explore")


async def choose_agent(state: SessionState, task: AgentTask) -> ChosenAgent:
    """Read the agent that a task is for as its file is now, and open its model.

    Raises:
        ToolFailed: There is no such agent, or it may not be used.
    """
    depth = state.agent.depth + 1
    if task.agent is None:
        model = await state.models.open_for_agent(state.model.id)
        return ChosenAgent(Agent(task.kind, depth, tools=state.agent.tools), model)
    listed = await state.environment.custom.agents()
    file = _find(task.agent, listed, trusted=state.files.trusted())
    named = model_of(state, file)
    models = state.models
    model = await (models.all.open(named) if named else models.open_for_agent(state.model.id))
    agent = Agent(task.kind, depth, name=file.name, tools=allowed_tools(state, file))
    frame = await asyncio.to_thread(_own_frame, state, file, model)
    return ChosenAgent(agent, model, (frame,))


def shown_description(task: AgentTask) -> str:
    """Return what people read of a task, with the custom agent that does it."""
    return task.description if task.agent is None else f"{task.agent}: {task.description}"


def allowed_tools(state: SessionState, file: CustomFile) -> frozenset[str] | None:
    """Return the tools of a custom agent: never one that its caller may not use; None: all."""
    wanted, callers = tools_of(file, state.environment.tools).names, state.agent.tools
    if wanted is None or callers is None:
        return wanted or callers
    return fewer_of(wanted, callers)


def _find(name: str, listed: Sequence[ListedCustom], *, trusted: bool) -> CustomFile:
    found = next((one for one in listed if one.file.name == name), None)
    if found is None or found.file.problem is not None:
        names = ", ".join(one.file.name for one in listed if one.usable)
        known = f"The agents are: {names}." if names else "There are none."
        why = "" if trusted else " Those of this folder are not read, since it is not trusted."
        raise ToolFailed(f"There is no agent {name[:80]!r}. {known}{why}")
    if not found.enabled:
        raise ToolFailed(f"The user has switched the agent {name} off.")
    return found.file


def _may_work(state: SessionState) -> bool:
    return state.agent.kind != "explore" and state.mode != "plan" and state.files.trusted()


def _writes(state: SessionState, file: CustomFile) -> bool:
    tools, allowed = state.environment.tools, allowed_tools(state, file)
    used = (tool for name, tool in tools.items() if allowed is None or name in allowed)
    return any(not tool.reading for tool in used)


def _own_frame(state: SessionState, file: CustomFile, model: Model) -> Framed:
    """Make the frame of an agent's own instructions, cut as those of the workspace are. Blocks."""
    most = min(MOST_TOKENS, model.budget.effective // SHARE)
    fitted = fit_text(file.text, most, model.ledger.bare)
    who = f"you are the agent {file.name}, as {file.shown} has it"
    lines = [
        f"[{who}. It gives you no right; what the user says counts more]",
        fitted.kept,
        *([f"[left out: the rest of {fitted.whole:,} tokens]"] if fitted.is_cut else []),
        f"[end of {file.shown}]",
    ]
    return new_frame(
        state.clock,
        OWN_SLOT,
        Slot.INSTRUCTIONS,
        "\n".join(lines),
        place="head",
        source=Source(file.path.as_uri(), version=file.version),
        original=fitted.whole if fitted.is_cut else None,
    )
