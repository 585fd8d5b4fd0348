"""`/commands`, and the answer to a custom command: the prompt, for a person to see and send."""

from collections.abc import Container, Sequence

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.commands.custom.named import (
    CommandShown,
    ExpandedCommand,
    shown_commands,
)
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.layers.wording import title_markdown
from plimsoll.session.ports.environment import Environment
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.tools.ports.written import CustomKind

WHOSE = {"person": "your own", "folder": "of this folder"}
UNTRUSTED = "\nThose of this folder are not read: the folder is not trusted."
NO_COMMANDS = (
    "There are no custom commands. One is a Markdown file in `.agents/commands` or "
    "`.claude/commands` of this folder or of your home, in `.github/prompts` (`NAME.prompt.md`), "
    "or in `commands` beside your `config.toml`."
)


def reply_with(found: ExpandedCommand) -> Reply:
    """Answer with a prompt that a person sees, and sends themselves."""
    return Reply(expanded_markdown(found), found, draft=found.prompt)


async def commands(rest: str, project: Project, session: Session, taken: Container[str]) -> Reply:
    """List the custom commands, or switch one on or off; ``taken``: names of Plimsoll's own."""
    if rest:
        await switch_by_word(rest, "command", project.environment, taken)
    found = await shown_commands(session.state, taken)
    return Reply(commands_markdown(found, trusted=project.environment.trusted()), found)


async def switch_by_word(
    rest: str, kind: CustomKind, environment: Environment, taken: Container[str] = ()
) -> None:
    """Switch what `on NAME` or `off NAME` names; raises InvalidInput or NotFound."""
    word, _, name = rest.partition(" ")
    if word not in ("on", "off") or not name.strip():
        raise InvalidInput(
            f"/{kind}s takes on or off and a name, not {rest[:40]!r}.",
            remedy=f"Write /{kind}s off NAME; /{kind}s alone lists them.",
        )
    await switch_custom(environment, kind, name.strip(), on=word == "on", taken=taken)


async def switch_custom(
    environment: Environment,
    kind: CustomKind,
    name: str,
    *,
    on: bool,
    taken: Container[str] = (),
) -> None:
    """Keep a person's switch for the folder; raises NotFound where there is no such file."""
    custom = environment.custom
    listed = await (custom.commands() if kind == "command" else custom.agents())
    if name in taken or name not in {one.file.name for one in listed}:
        raise NotFound(
            f"custom{kind.title()}",
            name[:80],
            message=f"There is no custom {kind} {name[:80]!r}.",
            remedy=f"/{kind}s lists them.",
        )
    await custom.switch(kind, name, environment.clock.now(), on=on)


def expanded_markdown(found: ExpandedCommand) -> str:
    """Write a command's prompt, in a block in which nothing acts, with what has no effect."""
    fence = _fence(found.prompt.text)
    head = f"`/{found.name}` is this prompt. It is not sent: send it yourself, changed or as it is."
    remarks = (f"- {each}" for each in found.remarks)
    return "\n".join([head, "", fence, found.prompt.text, fence, *remarks])


def commands_markdown(found: Sequence[CommandShown], *, trusted: bool = True) -> str:
    """Write the list of commands, each with the tokens of its text."""
    rows = [_row(one) for one in found]
    if not trusted:
        rows.append(UNTRUSTED)
    return "\n".join(rows) or NO_COMMANDS


def _row(one: CommandShown) -> str:
    if one.problem is not None:
        return f"- {title_markdown(one.path)} {title_markdown(one.problem)}: not used"
    hint = f" {title_markdown(one.hint)}" if one.hint else ""
    cost = f"{one.tokens:,} tokens once sent" if one.enabled else "off"
    return f"- `/{one.name}`{hint} ({WHOSE[one.source]}, {cost}): {title_markdown(one.description)}"


def _fence(text: str) -> str:
    """Return a fence that the text does not hold."""
    fence = "```"
    while fence in text:
        fence += "`"
    return fence
