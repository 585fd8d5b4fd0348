"""Ask an address what it serves, and whether a model there answers."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plimsoll.catalog.models import model_facts
from plimsoll.connections.facts import window_of
from plimsoll.connections.known import MOST_MODELS, ConnectedAddress, ListedModel
from plimsoll.connections.offering import offers_of
from plimsoll.context.log.messages import Message, Role, ToolSchema
from plimsoll.errors import PlimsollError, ProviderUnavailable
from plimsoll.model_names import provider_and_name, refuse_key
from plimsoll.models import OpenModels
from plimsoll.providers import model_server, open_provider
from plimsoll.providers.base import (
    CallStarted,
    Provider,
    ReasoningDelta,
    Request,
    TextDelta,
    Usage,
)
from plimsoll.session.ports.offered_models import ModelOffers
from plimsoll.settings.shape import ModelSettings

MOST_OUTPUT = 64
"""Tokens of the answer to a test: enough for a call, and for a word."""
READY = ToolSchema("ready", "Say that you are ready.", {"type": "object", "properties": {}})
QUESTION = "Call the tool `ready` once. If you have no tools, answer with the word ready."

ANSWER_SECONDS = 2.5
"""How long the addresses are waited for all together, before those that are late are left."""

WindowSource = Literal["server", "table"]


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that can be asked at an address, and what is known of its window."""

    name: str
    window: int | None
    source: WindowSource | None
    """Who says so; none where the window is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """The result of testing a model with one small request."""

    error: PlimsollError | None = None
    """Why there was no answer; then nothing else is known."""
    first_token_seconds: float | None = None
    pieces: int = 0
    """In how many pieces the answer came: one alone was perhaps not streamed."""
    usage: Usage | None = None
    """None: the server reports none."""
    called: bool = False
    """Whether it called the tool that it was offered."""


async def offered_models(models: OpenModels, model: ModelSettings) -> list[OfferedModel]:
    """List the models at a model's address, with the key that is for it.

    Raises:
        ProviderError: It cannot be reached, refuses the key, or has no such list.
    """
    await models.load_key(model)
    server = model_server(model.provider, models.options_of(model.name, model))
    if server is None:
        return [OfferedModel(model.id.partition("/")[2], window_of(model)[0], "table")]
    found = await server.models()
    return [_offered_model(one.name, one.window) for one in found.models]


async def connected_models(models: OpenModels, *, ask: bool) -> ModelOffers:
    """List the models of every connected address, asking each for its present list.

    All are asked at once, and waited for a moment: of one that does not answer stand the models
    that it listed last. ``ask``: false where nobody is to be asked.
    """
    models.keep_set()
    known = models.connections.all()
    failed = await _ask_all(models, known) if ask else {}
    known = models.connections.all() if ask else known
    return offers_of(models.settings, known, failed, models.without_secrets)


async def _ask_all(
    models: OpenModels, known: Sequence[ConnectedAddress]
) -> dict[tuple[str, str], PlimsollError]:
    """Ask all addresses for their models and keep the lists; return the errors of those failed."""
    if not known:
        return {}
    asked = [asyncio.create_task(offered_models(models, one.settings_for(""))) for one in known]
    try:
        await asyncio.wait(asked, timeout=ANSWER_SECONDS)
    finally:
        for task in asked:
            task.cancel()
        answers = await asyncio.gather(*asked, return_exceptions=True)
    failed: dict[tuple[str, str], PlimsollError] = {}
    for one, answer in zip(known, answers, strict=True):
        place = one.provider, one.address
        if isinstance(answer, PlimsollError):
            failed[place] = answer
        elif isinstance(answer, asyncio.CancelledError):
            failed[place] = _late(models.without_secrets(one.address))
        elif isinstance(answer, BaseException):
            raise answer
        else:
            listed = [ListedModel(m.name, _served_window(m)) for m in answer]
            if tuple(listed[:MOST_MODELS]) != one.models:
                models.connections.keep(one, listed)
    return failed


def _served_window(model: OfferedModel) -> int | None:
    return model.window if model.source == "server" else None


def _late(address: str) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"{address} did not list its models within {ANSWER_SECONDS:g} s.",
        remedy="Start the server there, or try again later.",
    )


def _offered_model(name: str, window: int | None) -> OfferedModel:
    if window is not None:
        return OfferedModel(name, window, "server")
    facts = model_facts(name)
    return OfferedModel(name, facts.window if facts else None, "table" if facts else None)


async def check_model(models: OpenModels, model: ModelSettings) -> ModelCheck:
    """Send one small request, and say what came; what went wrong is a part of the answer."""
    try:
        kind, name = provider_and_name(model.id)
        await models.load_key(model)
        options = models.options_of(name, model)
        refuse_key(model.id, models.without_secrets)
        provider = open_provider(kind, options)
    except PlimsollError as error:
        return ModelCheck(error=error)
    try:
        return await _measure_answer(provider, name)
    except PlimsollError as error:
        return ModelCheck(error=error)
    finally:
        await provider.close()


async def _measure_answer(provider: Provider, name: str) -> ModelCheck:
    question = Message(id="check", role=Role.USER, text=QUESTION)
    request = Request(model=name, messages=(question,), tools=(READY,), max_output=MOST_OUTPUT)
    begun = time.monotonic()
    first: float | None = None
    pieces, usage, called = 0, None, False
    async for chunk in provider.stream(request):
        said = isinstance(chunk, TextDelta | ReasoningDelta) and bool(chunk.text)
        if said or isinstance(chunk, CallStarted):
            first = time.monotonic() - begun if first is None else first
            pieces += 1
            called = called or isinstance(chunk, CallStarted)
        elif isinstance(chunk, Usage):
            usage = chunk
    return ModelCheck(first_token_seconds=first, pieces=pieces, usage=usage, called=called)
