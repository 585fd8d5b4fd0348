"""`/rewind`: lists the prompts, and goes back to before one, with its files if that is said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.checkpoints.restoring import Restored
from plimsoll.session.checkpoints.rewinding import preview
from plimsoll.session.checkpoints.wording import foreseen_markdown, restored_markdown
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.ports.content import PromptText
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.text.first_words import first_words

USAGE = (
    "`/rewind N` goes back to prompt N, `/rewind N files` puts files back as they were then too."
)
MOST_LISTED = 30
_LONGEST = 80
_ASKED = re.compile(r"([1-9]\d{0,8})(?:\s+(files))?\Z")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that one can go back to."""

    number: int
    """Its place among those that no rewind hides, from 1."""
    id: str
    words: str
    """How it begins."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The rewind that a command asks for: to which prompt, and whether with files."""

    prompt: Prompt
    files: bool
    """Whether files are put back too."""


def prompts_of(fold: Fold) -> list[Prompt]:
    """List the prompts that a person can go back to, in their order."""
    said = (each for group in fold.groups for each in group.visible if each.role is Role.USER)
    texts = (
        (each.id, " ".join(part.text for part in each.parts if part.kind is PartKind.TEXT))
        for each in said
    )
    found = enumerate(texts, 1)
    return [Prompt(number, name, first_words(text, _LONGEST)) for number, (name, text) in found]


def aim_of(rest: str, fold: Fold) -> Aim:
    """Parse the arguments of `/rewind`.

    Raises:
        InvalidInput: It is not a number, or there is another word behind it than ``files``.
        NotFound: There is no such prompt.
    """
    asked = _ASKED.match(rest)
    if asked is None:
        raise InvalidInput(
            f"/rewind takes the number of a prompt, and files, not {rest[:40]!r}.",
            remedy="/rewind alone lists the prompts with their numbers.",
        )
    prompts = prompts_of(fold)
    number = int(asked[1])
    if number > len(prompts):
        remedy = "/rewind alone lists the prompts with their numbers."
        raise NotFound("prompt", asked[1], remedy=remedy)
    return Aim(prompts[number - 1], asked[2] is not None)


async def rewind(rest: str, _project: Project, session: Session) -> Reply:
    """List the prompts, or go back to one."""
    fold = session.state.log.fold
    if not rest:
        return Reply(prompts_markdown(prompts_of(fold)))
    aim = aim_of(rest, fold)
    draft = draft_of(fold, aim.prompt.id)
    went = await session.rewind(aim.prompt.id, files=aim.files, before=True)
    words = [f"Prompt {aim.prompt.number} and what came after it have left the conversation."]
    if went.restored is None:
        words.append("Files stay as they are.")
    else:
        words.append(restored_markdown(went.restored, session.state.files.root))
    words.append(f"`/undo {went.id}` takes that back, until something new is said.")
    return Reply("\n\n".join(words), draft=draft)


def draft_of(fold: Fold, message: str) -> PromptText:
    """Return the typed text of a prompt, to be edited and sent again."""
    entry = fold.entries[fold.index_of(message) or 0]
    parts = entry.parts if isinstance(entry, Said) else ()
    typed = (part for part in parts if part.kind is PartKind.TEXT and part.attached is None)
    found = next(typed, None)
    return PromptText("") if found is None else PromptText(found.text, found.pasted)


def find_unanswered(fold: Fold) -> str | None:
    """Return the last prompt, if it has neither an answer nor a tool call; otherwise None."""
    said = next((group.visible[-1] for group in reversed(fold.groups) if group.visible), None)
    return said.id if said is not None and said.role is Role.USER else None


async def foreseen(session: Session, aim: Aim) -> str:
    """Say what a rewind would do; changes nothing."""
    restored = await preview(session.state, aim.prompt.id)
    return aim_markdown(aim, restored, session.state.files.root)


def aim_markdown(aim: Aim, restored: Restored, root: Path) -> str:
    """Write what a rewind would do to the conversation and to files."""
    number, words = aim.prompt.number, aim.prompt.words
    leaves = "it and what came after it leave the conversation."
    files = foreseen_markdown(restored, root) if aim.files else "Files stay as they are."
    return f"Back to prompt {number}, \u201c{words}\u201d: {leaves}\n\n{files}"


def prompts_markdown(prompts: Sequence[Prompt]) -> str:
    """List the newest prompts with their numbers."""
    if not prompts:
        return "Nothing was said yet."
    rows = [f"{each.number}. {each.words}" for each in prompts[-MOST_LISTED:]]
    earlier = len(prompts) - len(rows)
    many = "1 earlier one is" if earlier == 1 else f"{earlier} earlier ones are"
    before = [f"{many} not shown."] if earlier else []
    return "\n\n".join([*before, "\n".join(rows), USAGE])
