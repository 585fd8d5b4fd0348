"""`/rewind` at the terminal: what it would do is shown and asked about first."""

from plimsoll.session.commands.rewinding import aim_of, foreseen, prompts_of
from plimsoll.session.commands.slash import Slash
from plimsoll.session.session import Session
from plimsoll.terminal.keyboard import Choice, Keyboard
from plimsoll.terminal.screen import Screen

QUESTION_FILES = "Go back and put files back? [y] yes, [k] go back, keep files, [n] no: "
QUESTION = "Go back? [y] yes, [n] no: "
STAYED = "Nothing was changed."


async def asked_about(
    slash: Slash, session: Session, keyboard: Keyboard, screen: Screen
) -> Slash | None:
    """Ask a person to confirm a `/rewind`; return it as they want it, None if they decline.

    Raises:
        InvalidInput: It cannot be read.
        NotFound: There is no such prompt.
    """
    picked = slash if slash.rest else await _pick_prompt(session, keyboard)
    if picked is None or not picked.rest:
        return picked
    aim = aim_of(picked.rest, session.state.log.fold)
    screen.markdown(await foreseen(session, aim))
    answer = await keyboard.answer(QUESTION_FILES if aim.files else QUESTION)
    match (answer or "").strip().lower():
        case "y" | "yes":
            return picked
        case "k" if aim.files:
            return Slash(picked.name, str(aim.prompt.number))
        case _:
            screen.note(STAYED)
            return None


async def _pick_prompt(session: Session, keyboard: Keyboard) -> Slash | None:
    """Let the person pick a prompt to rewind to; without prompts return the bare command."""
    prompts = prompts_of(session.state.log.fold)
    if not prompts:
        return Slash("rewind", "")
    choices = [Choice(str(each.number), each.words) for each in prompts]
    number = await keyboard.pick("Go back to", choices)
    return None if number is None else Slash("rewind", f"{number} files")
