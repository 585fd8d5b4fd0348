"""The model that writes summaries, with a window that is known or openly assumed."""

from dataclasses import replace

from plimsoll.context.budget import LOCAL_WINDOW, budget_for
from plimsoll.session.ports.events import NoticeGiven, SettingsNamed
from plimsoll.session.ports.model import Model
from plimsoll.session.resources.models import SessionModels
from plimsoll.session.state.voice import SessionVoice

SILENT = frozenset({"embedded"})
"""Providers that write no prose of their own: the digest is what they would write."""
ASSUMED_WINDOW = 32_768
"""Tokens assumed of a utility model of which nobody knows: what small models are served with today.
One that holds less refuses the request, which is then tried in halves."""
ASSUMED = (
    "How much {model}, which writes summaries, can hold is not known: {window:,} tokens are "
    "assumed. Set `utility_model.context_window` to the context length "
    "with which your server runs it."
)


async def utility_of(own: Model, models: SessionModels, voice: SessionVoice) -> Model:
    """Return the utility model of a session, after asking for its window if none is set.

    ``own``: the model that answers in it.
    Where its server does not say, the session's own model at the same address tells, else a window
    is assumed, and the person is told so once.

    Raises:
        ProviderModel: There is no such provider or model.
        SettingsInvalid: Its provider cannot be used as it is set.
    """
    utility = await models.all.utility_for(own.id)
    if utility.id == own.id:
        return replace(utility, budget=own.budget, window_source=own.window_source)
    if utility.window_source != "assumed" or is_silent(utility):
        return utility
    served = await models.ask_window(utility)
    if served is not None and served.window is not None:
        return models.all.with_window(utility, served.window, "server")
    window = ASSUMED_WINDOW
    if utility.address and utility.address == own.address:
        window = own.budget.window
    elif served is not None and served.ollama:
        # It cuts what is longer than this without a word, unless somebody has set more.
        window = LOCAL_WINDOW
    words = ASSUMED.format(model=utility.id, window=window)
    named = SettingsNamed(("utility_model.context_window",))
    await voice.tell_once(
        f"utility window {utility.id} {window}", NoticeGiven(words, "warning", data=named)
    )
    return replace(utility, budget=budget_for(window, utility.settings.budget))


def is_silent(model: Model) -> bool:
    """Tell whether a model writes no prose."""
    return model.id.partition("/")[0] in SILENT
