"""`/skills`: lists the skills, and switches one on or off for the folder."""

from collections.abc import Sequence

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.layers.skills import SkillShown, shown_skills, switch_skill
from plimsoll.session.project import Project
from plimsoll.session.session import Session

_WHOSE = {"person": "your own", "folder": "of this folder"}


async def skills(rest: str, project: Project, session: Session) -> Reply:
    """Answer with the skills as they are now."""
    if rest:
        word, _, name = rest.partition(" ")
        if word not in ("on", "off") or not name.strip():
            raise InvalidInput(
                f"/skills takes on or off and the name of a skill, not {rest[:40]!r}.",
                remedy="Write /skills off NAME; /skills alone lists them.",
            )
        await switch(project, name.strip(), on=word == "on")
    else:
        await project.environment.skills.look()
    found = shown_skills(session.state)
    return Reply(skills_markdown(found, trusted=project.environment.trusted()), found)


async def switch(project: Project, name: str, *, on: bool) -> None:
    """Switch a skill for all sessions of the folder; raises NotFound."""
    await switch_skill(project.environment, name, on=on)
    await project.sessions.spread()


def skills_markdown(found: Sequence[SkillShown], *, trusted: bool = True) -> str:
    """Write the list of skills, each with the tokens it takes in a request."""
    rows = [_row(one) for one in found]
    if not trusted:
        rows.append("\nThe skills of this folder are not read: the folder is not trusted.")
    return "\n".join(rows) or (
        "There are no skills. A skill is a folder with a `SKILL.md`, in `.agents/skills` or "
        "`.claude/skills` of this folder or of your home, or in `skills` beside your `config.toml`."
    )


def _row(one: SkillShown) -> str:
    facts = [_WHOSE[one.source], f"{one.tokens:,} tokens" if one.enabled else "off"]
    if one.shortened:
        facts.append("its description is cut in the list")
    if one.asks_for_tools:
        facts.append("it asks for tools, which it is not given")
    return f"- `{one.name}` ({', '.join(facts)}): {_plain(one.description)}"


def _plain(text: str) -> str:
    """Escape a text that is not ours, so that nothing in it acts as Markdown."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>!#|" else each for each in text)
