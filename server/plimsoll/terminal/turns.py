"""One turn at the terminal: begun, waited for, cancelled by Ctrl-C, and how it ended."""

from plimsoll.session.content import PromptText
from plimsoll.session.events import StopReason, TurnEnded
from plimsoll.session.session import Session
from plimsoll.terminal.interrupts import Interrupts
from plimsoll.terminal.opening import tell_error
from plimsoll.terminal.screen import Screen

ENDINGS: dict[StopReason, str] = {
    "maxTokens": "The answer was cut off: it reached the most tokens that an answer may have.",
    "cancelled": "Cancelled.",
    "contextLimit": "The context is full.",
    "refusal": "The model declined to answer.",
    "error": "The turn failed.",
}


async def turn(session: Session, prompt: str, interrupts: Interrupts) -> TurnEnded | None:
    """Say something and wait for the end of the turn; Ctrl-C cancels it."""
    await session.prompt((PromptText(prompt),))
    interrupts.cancels(session.cancel)
    try:
        return await session.wait()
    finally:
        interrupts.cancels(None)


def tell_end(ended: TurnEnded | None, screen: Screen) -> bool:
    """Say how the turn ended where it did not end well; whether it did."""
    screen.end_line()
    if ended is None or ended.reason == "endTurn":
        return ended is not None
    if ended.error is not None:
        tell_error(ended.error, screen)
    else:
        screen.note(ENDINGS[ended.reason], "yellow")
    return False
