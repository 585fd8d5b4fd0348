"""Custom agents as people are shown them: what each costs, and what of its file has effect."""

from dataclasses import dataclass

from plimsoll.session.agents.models import model_of, unknown_models
from plimsoll.session.agents.tool_names import tools_of
from plimsoll.session.layers.custom_agents import LIST, line_of, lines_of, lists_agents
from plimsoll.session.ports.written import ListedCustom
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.written import CustomSource


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomAgentShown:
    """A custom agent, for people."""

    name: str
    description: str
    source: CustomSource
    path: str
    tokens: int
    """Of its line in each request; 0 when it is off or not listed."""
    enabled: bool
    shortened: bool
    """Its description is cut in the list, for all of them were too long."""
    tools: tuple[str, ...] | None
    """The only tools that it may use; None: those of whoever calls it."""
    model: str | None
    """The model that it works with; None: the one of subagents."""
    unknown: tuple[str, ...]
    """Names of tools and models in its file that mean nothing here."""
    problem: str | None
    """Why it cannot be used, in words that follow the path."""


def shown_agents(state: SessionState) -> tuple[CustomAgentShown, ...]:
    """List the custom agents that were found last, also those that cannot be used."""
    listed = state.environment.custom.known_agents
    most = LIST.longest(lines_of(listed), state.model)
    return tuple(_show_agent(state, one, most) for one in listed)


def _show_agent(state: SessionState, one: ListedCustom, most: int) -> CustomAgentShown:
    file, redact = one.file, state.redact
    chosen = tools_of(file, state.environment.tools)
    counts = one.usable and lists_agents(state)
    return CustomAgentShown(
        name=file.name,
        description=redact(file.description),
        source=file.source,
        path=file.shown,
        tokens=state.model.ledger.bare(line_of(one).line(most)) if counts else 0,
        enabled=one.enabled,
        shortened=one.usable and len(file.description) > most,
        tools=None if chosen.names is None else tuple(sorted(chosen.names)),
        model=model_of(state, file),
        unknown=tuple(map(redact, (*chosen.unknown, *unknown_models(state, file)))),
        problem=file.problem,
    )
