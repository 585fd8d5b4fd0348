"""The window of a session's model: asked for at its server, learned when a request is refused.

What is found is a note in the log, so that a session that is resumed knows it.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace

from plimsoll.context.budget import WindowSource, budget_for
from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import WINDOW, notes_of_kind
from plimsoll.errors import PlimsollError
from plimsoll.providers.base import ServedWindow
from plimsoll.session.asking.gate import may_go_to
from plimsoll.session.log.session_log import KeepsNotes
from plimsoll.session.model.profile import change_model, slim_down
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import MeterMoved, NoticeGiven, SettingsNamed
from plimsoll.session.ports.model import Model, Models
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.voice import SessionVoice

log = logging.getLogger(__name__)

SOURCES: dict[str, WindowSource] = {"server": "server", "learned": "learned"}
"""Those that a log holds: the others are known without it."""
ASSUMED: WindowSource = "assumed"
NOTED: dict[str, WindowSource] = {**SOURCES, "assumed": ASSUMED}
"""With a guess that was made for what a session held as it switched to a model."""


@dataclass(frozen=True, slots=True)
class NotedWindow:
    """A window that a log holds."""

    tokens: int
    source: WindowSource


def window_note(model: Model, clock: Clock) -> Noted:
    """Make the note of a model's window, and of the window that was set at the time."""
    data = {
        "model": model.id,
        "window": model.budget.window,
        "source": model.window_source,
        "set": model.set_window,
    }
    return new_note(clock, WINDOW, data)


def newest_window(entries: Iterable[Entry], model: Model) -> NotedWindow | None:
    """Find the newest window that a log holds for a model; another setting since makes it void."""
    found = None
    for note in notes_of_kind(entries, WINDOW):
        source = NOTED.get(note.text("source"))
        same = note.text("model") == model.id and note.maybe_count("set") == model.set_window
        if source is not None and same:
            found = NotedWindow(note.count("window"), source)
    return found


def with_noted_window(model: Model, entries: Iterable[Entry], models: Models) -> Model:
    """Return the model with the window that a log holds, unless this process knows better."""
    noted = newest_window(entries, model)
    if noted is None or model.window_source in SOURCES:
        return model
    if noted.source == ASSUMED:
        return _assuming(model, noted.tokens) if _is_guess(model) else model
    return models.with_window(model, noted.tokens, noted.source)


async def switch_model(state: SessionState, model: Model) -> None:
    """Switch to another model; for an unknown window assume the present one if it is needed.

    Nothing is reduced for a guess: the server names its window when asked, or refuses.
    """
    before, used = state.model.budget, state.log.fold.view.tokens
    guess = _is_guess(model) and model.budget.warning < used and model.budget.window < before.window
    given = _assuming(model, before.window) if guess else model
    await change_model(state, given)
    if guess:
        await state.log.append(window_note(given, state.clock))


def _assuming(model: Model, window: int) -> Model:
    # In this session alone: another one has its own reason to guess.
    return replace(model, budget=budget_for(window, model.settings.budget))


async def follow_settings(load: SessionLoad, voice: SessionVoice) -> None:
    """Apply changed marks and stages from the next request on, and show the load."""
    await load.follow_settings()
    voice.emit(MeterMoved(load.meter()))


async def learn_window(state: SessionState, limit: int, turn: str | None, why: str = "") -> bool:
    """Adopt the window that a server named as it refused or cut a request, and tell the person.

    Returns whether the window changed; a window that was set is only ever made smaller.
    """
    model = state.model
    before = model.budget.window
    if limit < LEAST_SAID or limit == before or (limit > before and not _is_guess(model)):
        return False
    await state.load.use_window(limit, "learned")
    await state.append(window_note(state.model, state.clock))
    await slim_down(state)
    said = SAID[model.window_source].format(before=before)
    remedy = " Set `model.context_window` to it." if model.set_window is not None else ""
    words = f"{why}{model.id} holds {limit:,} tokens as it is served{said}.{remedy}"
    named = SettingsNamed(("model.context_window",))
    state.voice.emit(NoticeGiven(words, "warning", turn, named))
    return True


LEAST_SAID = 512
"""Tokens; no server has a smaller window, so a smaller number is about something else."""
SAID: dict[WindowSource, str] = {
    "setting": ", not {before:,} as `model.context_window` says",
    "server": ", not {before:,} as its list of models says",
    "table": ", not {before:,} as is known of the model",
    "learned": ", no longer {before:,}",
    "assumed": "; {before:,} were assumed",
}


def _is_guess(model: Model) -> bool:
    return model.window_source == ASSUMED


async def _kept_nowhere(*_: Noted) -> None:
    """Drop notes: the default of a watch whose session is closed."""


class WindowWatch:
    """Asks the server for the window, in the background as a session starts.

    A folder that is not trusted is not asked for: its settings may have named the address.
    """

    def __init__(self, state: SessionState, keep: KeepsNotes) -> None:
        self._state = state
        self._keep = keep
        self._asking: asyncio.Task[None] | None = None
        self._known: str | None = None
        """The model whose server has answered."""

    def begin(self) -> None:
        """Ask the server in the background, if a key is known or none is needed."""
        self._begin(keyed=True)

    async def settle(self) -> None:
        """Wait for the server's answer up to its time limit, and use it; tell of an unknown window.

        Called before each prompt: the first request is made for the window that there is.
        """
        self._begin(keyed=False)
        if self._asking is not None:
            await asyncio.wait([self._asking])
        await self._say_assumed()

    async def close(self) -> None:
        """Stop asking, and release the session, which is used no more."""
        self._keep = _kept_nowhere
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])

    def _begin(self, *, keyed: bool) -> None:
        model, trusted = self._state.model, self._state.models.trusted
        running = self._asking is not None and not self._asking.done()
        asked = running or self._known == model.id
        if asked or model.window_source in {"setting", "learned"} or not trusted():
            return
        if not may_go_to(self._state, model.id):
            # Its person is asked before anything goes there.
            return
        self._asking = asyncio.create_task(self._ask(model, keyed=keyed), name="window")

    async def _ask(self, model: Model, *, keyed: bool) -> None:
        served = await self._state.models.all.ask_window(model, keyed=keyed)
        if served is None or self._state.model.id != model.id:
            return
        self._known = model.id
        try:
            await self._say_instead(model, served)
            await self._use(served)
        except PlimsollError as error:
            log.warning("the window of %s is not noted: %s", model.id, error.message)

    async def _use(self, served: ServedWindow) -> None:
        state = self._state
        held = state.model.budget.window, state.model.window_source
        if served.window is None or held == (served.window, "server"):
            return
        await state.load.use_window(served.window, "server")
        await self._keep(window_note(state.model, state.clock))
        state.voice.emit(MeterMoved(state.load.meter()))

    async def _say_instead(self, model: Model, served: ServedWindow) -> None:
        """Tell the person once that another model answers than the one set."""
        if served.instead is None:
            return
        words = self._state.redact(
            f"The server at `model.base_url` has only `{served.instead}`, not `{model.name}`, and "
            f"may answer with it all the same. Set `model.name` to `{served.instead}`, or load "
            f"`{model.name}` there."
        )
        about = f"served {model.id} {served.instead}"
        named = SettingsNamed(("model.base_url", "model.name"))
        await self._keep(
            *self._state.voice.note_told(about, NoticeGiven(words, "warning", data=named))
        )

    async def _say_assumed(self) -> None:
        model = self._state.model
        if model.window_source != ASSUMED:
            return
        words = (
            f"How much {model.id} can hold is not known: {model.budget.window:,} tokens are "
            "assumed. Set `model.context_window` to the context length "
            "with which your server runs it."
        )
        about = f"window {model.id} {model.budget.window}"
        named = SettingsNamed(("model.context_window",))
        await self._keep(
            *self._state.voice.note_told(about, NoticeGiven(words, "warning", data=named))
        )
