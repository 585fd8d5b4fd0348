"""The models that a session can be answered by, of every address that was connected. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from plimsoll.errors import PlimsollError

MOST_SHOWN = 60
"""Models of a list in words; an editor's picker has all of them."""


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """What a million tokens cost, in US dollars."""

    input: float
    output: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOffer:
    """A model at a connected address; None fields are unknown."""

    id: str
    """What a session is set to: ``provider/name``, or ``provider@address/name``."""
    name: str
    provider: str
    base_url: str | None
    address: str
    """For people, without a secret; empty: it answers in this process."""
    window: int | None = None
    window_source: Literal["server", "table"] | None = None
    images: bool | None = None
    tools: bool | None = None
    price: TokenPrice | None = None
    used: float | None = None
    """When it was asked last, in seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOffer:
    """A connected address."""

    provider: str
    base_url: str | None
    address: str
    is_set: bool
    """The settings name it, so that it stands in the list as long as they do."""
    error: PlimsollError | None = None
    """Why it does not answer now; its models are those that it listed last."""


@dataclass(frozen=True, slots=True)
class ModelOffers:
    """The models, the one used last first, and their addresses."""

    models: tuple[ModelOffer, ...] = ()
    addresses: tuple[AddressOffer, ...] = field(default=())

    def answers(self, model: ModelOffer) -> bool:
        """Tell whether a model's address answered, or was not asked."""
        place = model.provider, model.address
        silent = {(one.provider, one.address) for one in self.addresses if one.error is not None}
        return place not in silent


async def nothing_offered() -> ModelOffers:
    """Return an empty offer, where no models are known."""
    return ModelOffers()


def offer_words(model: ModelOffer, *, answers: bool) -> str:
    """Describe a model in a line, without its name: address, window, price, what it takes."""
    return " · ".join(_facts(model, answers))


def _facts(model: ModelOffer, answers: bool) -> Iterator[str]:
    if not model.address:
        yield "in this process, no network"
        return
    yield model.address
    if not answers:
        yield "not reachable now"
    yield "window not known" if model.window is None else f"{model.window:,} tokens"
    if model.price is not None:
        yield f"${model.price.input:g} in, ${model.price.output:g} out per million"
    takes = [word for word, does in (("images", model.images), ("tools", model.tools)) if does]
    if takes:
        yield ", ".join(takes)


def offers_markdown(current: str, offers: ModelOffers) -> str:
    """List the models for ``/model``, each with the id to type after it."""
    lines = [f"The model is `{current}`."]
    shown = offers.models[:MOST_SHOWN]
    if shown:
        lines += ["", "`/model NAME` takes another one:", ""]
        answering = ((each, offers.answers(each)) for each in shown)
        lines += [f"- `{each.id}` · {offer_words(each, answers=ok)}" for each, ok in answering]
    if (more := len(offers.models) - len(shown)) > 0:
        lines += ["", f"{more:,} more are not shown; any name that an address serves can be typed."]
    return "\n".join(lines)
