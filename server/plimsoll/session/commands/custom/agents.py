"""`/agents`: lists the custom agents, and switches one on or off for the folder."""

from collections.abc import Iterator, Sequence

from plimsoll.session.agents.listing import CustomAgentShown, shown_agents
from plimsoll.session.commands.custom.replies import UNTRUSTED, WHOSE, switch_by_word
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.layers.wording import title_markdown
from plimsoll.session.project import Project
from plimsoll.session.session import Session

NO_AGENTS = (
    "There are no custom agents. One is a Markdown file in `.agents/agents` or `.claude/agents` of "
    "this folder or of your home, in `.github/agents` (`NAME.agent.md`), or in `agents` beside "
    "your `config.toml`."
)


async def agents(rest: str, project: Project, session: Session) -> Reply:
    """List the custom agents as they are now, or switch one on or off."""
    environment = project.environment
    if rest:
        await switch_by_word(rest, "agent", environment)
        await project.sessions.spread()
    await environment.custom.agents()
    found = shown_agents(session.state)
    return Reply(agents_markdown(found, trusted=environment.trusted()), found)


def agents_markdown(found: Sequence[CustomAgentShown], *, trusted: bool = True) -> str:
    """Write the list of agents, each with the tokens it takes in a request."""
    rows = [_row(one) for one in found]
    if not trusted:
        rows.append(UNTRUSTED)
    return "\n".join(rows) or NO_AGENTS


def _row(one: CustomAgentShown) -> str:
    if one.problem is not None:
        return f"- {title_markdown(one.path)} {title_markdown(one.problem)}: not used"
    facts = "; ".join(_facts(one))
    return f"- `{one.name}` ({facts}): {title_markdown(one.description)}"


def _facts(one: CustomAgentShown) -> Iterator[str]:
    yield f"{WHOSE[one.source]}, {f'{one.tokens:,} tokens' if one.enabled else 'off'}"
    if one.tools is not None:
        yield f"tools: {', '.join(one.tools)}"
    if one.model is not None:
        yield f"model {title_markdown(one.model)}"
    if one.unknown:
        yield f"not known here: {title_markdown(', '.join(one.unknown))}"
    if one.shortened:
        yield "its description is cut in the list"
