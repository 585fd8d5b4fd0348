"""Hooks before a prompt is said: they hold it back, or add words that stand beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.messages import Part, PartKind
from plimsoll.errors import InvalidInput
from plimsoll.session.hooks.running import AnsweredHook, answers_of, name_outside
from plimsoll.session.hooks.wording import quote_words
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.hooks import HookEvent

HELD_BACK = "Your hook `{name}` held the message back: {reason}"
REMEDY = "Change the message, or the hook; `/hooks` lists your hooks."


@dataclass(frozen=True, slots=True)
class HookWords:
    """Words of a hook that go along with a prompt, already quoted."""

    title: str
    text: str


async def words_at_start(state: SessionState) -> list[HookWords]:
    """Run the hooks of a session's start, once in a process; returns their words.

    Also says, where there are hooks and no sandbox works, that they would run without.
    """
    if state.hooks.began:
        return []
    state.hooks.began = True
    await name_outside(state)
    source = "resume" if state.log.fold.groups else "startup"
    given = {"source": source}
    found = answers_of(state, "", "SessionStart", given, about=source)
    return [_words("SessionStart", each) async for each in found if each.answer.context]


async def words_before_prompt(
    state: SessionState, turn: str, parts: Sequence[Part]
) -> list[HookWords]:
    """Run the hooks before a prompt is said; returns their words.

    Raises:
        InvalidInput: A hook holds the prompt back.
    """
    texts = (part.text for part in parts if part.kind is PartKind.TEXT)
    given = {"prompt": state.redact("\n".join(texts))}
    words: list[HookWords] = []
    async for each in answers_of(state, turn, "UserPromptSubmit", given):
        if each.answer.verdict == "block":
            reason = state.redact(each.answer.reason)
            raise InvalidInput(HELD_BACK.format(name=each.name, reason=reason), remedy=REMEDY)
        if each.answer.context:
            words.append(_words("UserPromptSubmit", each))
    return words


def _words(event: HookEvent, found: AnsweredHook) -> HookWords:
    text = quote_words(event, found.name, found.answer.context)
    return HookWords(f"words of a hook, {event}", text)


async def words_at_stop(state: SessionState, turn: str, *, again: bool) -> HookWords | None:
    """Run the hooks at the end of a turn; returns the words for which it goes on, if any.

    ``again``: it goes on already because of one.
    """
    async for each in answers_of(state, turn, "Stop", {"stop_hook_active": again}):
        if each.answer.verdict == "block":
            text = quote_words("Stop", each.name, each.answer.reason)
            return HookWords("words of a hook, Stop", text)
    return None
