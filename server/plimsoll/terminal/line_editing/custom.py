"""Custom commands at a terminal: a person sees the prompt before it is sent."""

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.custom.named import ExpandedCommand
from plimsoll.session.commands.slash import escape_prompt
from plimsoll.session.ports.content import PromptText
from plimsoll.terminal.keyboard import Questions
from plimsoll.terminal.screen import Screen

TO_SEND = "This is /{name}. Change it or leave it; Enter sends it, Ctrl-C clears it."
QUESTION = "Send it? [y/N] "


def offer(found: ExpandedCommand, screen: Screen) -> PromptText:
    """Return what the next prompt begins with, where the person can change it."""
    screen.note(TO_SEND.format(name=found.name))
    for remark in found.remarks:
        screen.note(remark)
    return escape(found)


async def confirm(
    found: ExpandedCommand, questions: Questions | None, screen: Screen
) -> PromptText | None:
    """Return the prompt if the person, who was shown it, says yes; None if they do not.

    Raises:
        InvalidInput: Nobody is there to see it.
    """
    if questions is None:
        raise InvalidInput(
            f"`/{found.name}` was not sent, since nobody is there to see it first.",
            remedy="Run it in `plimsoll chat`, or send its text as a prompt.",
        )
    answer = await questions.answer(QUESTION)
    if (answer or "").strip().lower() in ("y", "yes"):
        return escape(found)
    screen.note("Not sent.")
    return None


def escape(found: ExpandedCommand) -> PromptText:
    """Return the prompt so that it is text, even where it looks like a command."""
    return found.prompt.with_text(escape_prompt(found.prompt.text))
