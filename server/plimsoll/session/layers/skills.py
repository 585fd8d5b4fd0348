"""Skills in a session: their list in each request, their text when it is asked for, their switches.

Name and description stand in the prompt, as ``offered_list.py`` says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Framed
from plimsoll.context.report.report import Advice
from plimsoll.context.view.frames import TOOL_PREFIX
from plimsoll.errors import NotFound, ToolFailed
from plimsoll.session.layers.offered_list import SHARE, OfferedLine, OfferedList, Whose
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.written import ListedSkill
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.wording import plural
from plimsoll.tools.ports.written import SkillSource

OFFERED = f"{TOOL_PREFIX}skill"
"""The slot of the tool's schema; a small window is not offered it, and told of no skill."""


def _head(whose: str) -> str:
    return (
        f"[skills of {whose}. Before work that one fits, read it with the tool skill; it is advice "
        "and allows nothing]"
    )


HEADS: dict[Whose, str] = {"person": _head("the user"), "folder": _head("this folder")}
LIST = OfferedList(
    slots={"person": "skills", "folder": "skills.folder"}, heads=HEADS, end="[end of skills]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillShown:
    """A skill, for people."""

    name: str
    description: str
    source: SkillSource
    tokens: int
    """Of its line in each request; 0 when it is off or not listed."""
    enabled: bool
    shortened: bool
    """Its description is cut in the list, for all of them were too long."""
    asks_for_tools: bool
    """It names tools that shall be allowed, which has no effect."""


async def opening_skills(
    first: Iterable[Entry], environment: Environment, model: Model
) -> tuple[Framed, ...]:
    """Return the frames that list the skills in a new session; ``first``: its other entries."""
    await environment.commands.settle()
    listed = await environment.skills.look()
    if not any(isinstance(entry, Framed) and entry.slot == OFFERED for entry in first):
        return ()
    return LIST.first_frames(LIST.texts(_list_offered(listed), model), environment.clock)


async def changed_skills(state: SessionState) -> tuple[Framed, ...]:
    """Return the frames to append so that the view lists the present skills."""
    tool = state.log.fold.frames.get(OFFERED)
    await state.settle_commands()
    listed = await state.environment.skills.look()
    offered = tool is not None and tool.text is not None
    texts = LIST.texts(_list_offered(listed), state.model) if offered else {}
    return LIST.changed_frames(texts, state)


async def read_skill(environment: Environment, name: str, file: str | None) -> str:
    """Return a skill's text for the model; raises ToolFailed where it may not be used."""
    listed = await environment.skills.look()
    found = next((one for one in listed if one.skill.name == name), None)
    if found is None:
        raise ToolFailed(_no_skill(name, listed, trusted=environment.trusted()))
    if not found.enabled:
        raise ToolFailed(f"The user has switched the skill {name} off.")
    text = await environment.skills.read(found.skill, file)
    notes: list[str] = []
    if text.others:
        notes.append(f"[other files of this skill, to be read with file: {', '.join(text.others)}]")
    if found.skill.source == "folder" and file is None:
        place = found.skill.folder.relative_to(environment.root).as_posix()
        notes.append(f"[the skill is in {place}]")
    if found.skill.asks_for_tools and file is None:
        notes.append("[tools that it would allow are not allowed by it: the user decides]")
    return "\n".join([text.text, *notes])


async def switch_skill(environment: Environment, name: str, *, on: bool) -> None:
    """Keep a person's switch; raises NotFound where there is no such skill."""
    known = {one.skill.name for one in await environment.skills.look()}
    if name not in known:
        raise NotFound("skill", name[:80], remedy="/skills lists them.")
    await environment.skills.switch(name, environment.clock.now(), on=on)
    await environment.skills.look()


def shown_skills(state: SessionState) -> tuple[SkillShown, ...]:
    """List the skills that were found last, each with its tokens in a request."""
    listed, model = state.environment.skills.known, state.model
    tool = state.log.fold.frames.get(OFFERED)
    offered = tool is not None and tool.text is not None
    most = LIST.longest(_list_offered(listed), model)
    redact = state.redact
    return tuple(
        SkillShown(
            name=one.skill.name,
            description=redact(one.skill.description),
            source=one.skill.source,
            tokens=model.ledger.bare(_line(one).line(most)) if one.enabled and offered else 0,
            enabled=one.enabled,
            shortened=one.enabled and len(one.skill.description) > most,
            asks_for_tools=one.skill.asks_for_tools,
        )
        for one in listed
    )


def skill_advice(shown: Iterable[SkillShown], model: Model) -> tuple[Advice, ...]:
    """Return the advice to switch skills off, if their descriptions are cut."""
    cut = [one for one in shown if one.shortened]
    if not cut:
        return ()
    most = model.budget.effective // SHARE
    text = (
        f"The descriptions of {plural(len(cut), 'skill')} are cut, for the list may take 2 % of "
        f"the window, {most:,} tokens. Switch off those that you do not need: /skills off NAME."
    )
    return (Advice("skills.cut", text, 0),)


def _list_offered(listed: Sequence[ListedSkill]) -> list[OfferedLine]:
    return [_line(one) for one in listed if one.enabled]


def _line(one: ListedSkill) -> OfferedLine:
    return OfferedLine(one.skill.name, one.skill.description, one.skill.source)


def _no_skill(name: str, listed: Sequence[ListedSkill], *, trusted: bool) -> str:
    names = ", ".join(one.skill.name for one in listed if one.enabled)
    known = f"The skills are: {names}." if names else "There are none."
    why = "" if trusted else " Those of this folder are not read, since it is not trusted."
    return f"There is no skill {name[:80]!r}. {known}{why}"
