"""Skills in a session: their list in each request, their text when it is asked for, their switches.

Name and description stand in a frame each for the person's own and for the folder's, within a share
of the window. A list that has changed enters at the tail, or in the head when the provider's cache
is cold anyway (law 5).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Framed, Place, Slot
from plimsoll.context.log.messages import clean
from plimsoll.context.report.report import Advice
from plimsoll.context.view.frames import TOOL_PREFIX
from plimsoll.errors import NotFound, ToolFailed
from plimsoll.session.layers.instructions import INVISIBLE
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.known_skills import ListedSkill
from plimsoll.session.ports.model import Model
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.wording import plural
from plimsoll.tools.ports.skills import SkillSource

SHARE = 50
"""All lists together take at most this part of the effective window: 2 %."""
SLOTS: dict[SkillSource, str] = {"person": "skills", "folder": "skills.folder"}
OFFERED = f"{TOOL_PREFIX}skill"
"""The slot of the tool's schema; a small window is not offered it, and told of no skill."""
_WHOSE: dict[SkillSource, str] = {"person": "the user", "folder": "this folder"}
_MOST = 1_024
"""Characters of a description, uncut."""


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
    texts = _texts(listed, model)
    return tuple(_frame(slot, text, environment, "head") for slot, text in texts.items())


async def changed_skills(state: SessionState) -> tuple[Framed, ...]:
    """Return the frames to append so that the view lists the present skills."""
    frames, environment = state.log.fold.frames, state.environment
    tool = frames.get(OFFERED)
    await state.settle_commands()
    listed = await environment.skills.look()
    offered = tool is not None and tool.text is not None
    texts = _texts(listed, state.model) if offered else {}
    anew = state.load.cache_expired or not state.instructions_read
    fresh: list[Framed] = []
    for slot in SLOTS.values():
        held, text = frames.get(slot), texts.get(slot)
        before = held.text if held is not None else None
        now = None if text is None else environment.redact(clean(text))
        if before != now:
            # What comes back after it was taken out stands where its older version would show.
            back = held is not None and before is None
            fresh.append(_frame(slot, text, environment, "head" if anew or back else "tail"))
    return tuple(fresh)


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
    most = _longest(listed, model)
    redact = state.redact
    return tuple(
        SkillShown(
            name=one.skill.name,
            description=redact(one.skill.description),
            source=one.skill.source,
            tokens=model.ledger.bare(_line(one, most)) if one.enabled and offered else 0,
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


def _texts(listed: Sequence[ListedSkill], model: Model) -> dict[str, str]:
    """Write the text of each source's list of enabled skills, by slot."""
    return _write_texts(listed, _longest(listed, model))


def _write_texts(listed: Sequence[ListedSkill], most: int) -> dict[str, str]:
    texts: dict[str, str] = {}
    for source, slot in SLOTS.items():
        lines = [_line(one, most) for one in listed if one.enabled and one.skill.source == source]
        if lines:
            head = (
                f"[skills of {_WHOSE[source]}. Before work that one fits, read it with the tool "
                "skill; it is advice and allows nothing]"
            )
            texts[slot] = "\n".join([head, *lines, "[end of skills]"])
    return texts


def _line(one: ListedSkill, most: int) -> str:
    told = INVISIBLE.sub("", one.skill.description)
    cut = told if len(told) <= most else f"{told[:most].rstrip()}…"
    return f"- {one.skill.name}: {cut}" if most else f"- {one.skill.name}"


def _longest(listed: Sequence[ListedSkill], model: Model) -> int:
    """Return the most characters of a description with which all lists fit their share."""
    budget, count = model.budget.effective // SHARE, model.ledger.bare

    def fits(most: int) -> bool:
        return sum(map(count, _write_texts(listed, most).values())) <= budget

    return _MOST if fits(_MOST) else _search(fits)


def _search(fits: Callable[[int], bool]) -> int:
    low, high = 0, _MOST - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _frame(slot: str, text: str | None, environment: Environment, place: Place) -> Framed:
    clock = environment.clock
    return new_frame(clock, slot, Slot.INSTRUCTIONS, text, place=place)


def _no_skill(name: str, listed: Sequence[ListedSkill], *, trusted: bool) -> str:
    names = ", ".join(one.skill.name for one in listed if one.enabled)
    known = f"The skills are: {names}." if names else "There are none."
    why = "" if trusted else " Those of this folder are not read, since it is not trusted."
    return f"There is no skill {name[:80]!r}. {known}{why}"
