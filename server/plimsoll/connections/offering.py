"""The connected addresses as offers: each model with its window, price and what it takes. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from plimsoll.catalog.models import model_facts
from plimsoll.connections.facts import is_of_vendor, sees_images
from plimsoll.connections.ids import id_at
from plimsoll.connections.known import ConnectedAddress, ListedModel
from plimsoll.errors import PlimsollError
from plimsoll.model_addresses import address_of, model_address
from plimsoll.session.ports.offered_models import AddressOffer, ModelOffer, ModelOffers, TokenPrice
from plimsoll.settings.shape import ModelSettings, Settings

KEYWORD_SEARCH = ModelOffer(
    id="embedded/search", name="search", provider="embedded", base_url=None, address=""
)
"""The assistant that needs no model."""


def offers_of(
    settings: Settings,
    known: Sequence[ConnectedAddress],
    failed: Mapping[tuple[str, str], PlimsollError],
    shown: Callable[[str], str] = str,
) -> ModelOffers:
    """Return an offer for each model of all connected addresses, the one used last first.

    ``failed``: the error of an address, by provider and address. ``shown`` removes secrets from
    an address.
    """
    named = settings.model, settings.utility_model
    places = {(each.provider, model_address(each).address) for each in named}
    # Of what was never asked, what is set comes first.
    ordered = sorted(known, key=lambda one: (one.provider, one.address) not in places)
    models = [each for one in ordered for each in _models(settings, one, shown)]
    models.sort(key=lambda each: -(each.used or 0.0))
    addresses = tuple(
        AddressOffer(
            provider=one.provider,
            base_url=one.base_url,
            address=shown(one.address),
            is_set=(one.provider, one.address) in places,
            error=failed.get((one.provider, one.address)),
        )
        for one in known
    )
    return ModelOffers((*models, KEYWORD_SEARCH), addresses)


def _models(
    settings: Settings, one: ConnectedAddress, shown: Callable[[str], str]
) -> Iterator[ModelOffer]:
    listed = {each.name: each for each in one.models}
    named = (m for m in (settings.model, settings.utility_model) if m.name and _is_at(m, one))
    # A model can be asked that no list has.
    for name in dict.fromkeys((*one.used, *(m.name for m in named), *listed)):
        yield _offer(settings, one, listed.get(name) or ListedModel(name), shown)


def _offer(
    settings: Settings, one: ConnectedAddress, model: ListedModel, shown: Callable[[str], str]
) -> ModelOffer:
    facts, reached = model_facts(model.name), one.settings_for(model.name)
    prices = facts.prices if facts and is_of_vendor(reached) else None
    known = facts.window if facts else None
    return ModelOffer(
        id=_id_of(settings, reached),
        name=model.name,
        provider=one.provider,
        base_url=one.base_url,
        address=shown(one.address),
        window=model.window or known,
        window_source="server" if model.window else "table" if known else None,
        images=sees_images(one.provider, model.name),
        tools=facts.tools if facts else None,
        price=TokenPrice(prices.input, prices.output) if prices else None,
        used=one.used.get(model.name),
    )


def _id_of(settings: Settings, reached: ModelSettings) -> str:
    """Return a model's id: ``provider/name`` if that is set to this address, else with ``@``."""
    meant = settings.model_of(reached.provider, reached.name)
    address = model_address(reached).address
    if model_address(meant).address == address:
        return f"{reached.provider}/{reached.name}"
    return id_at(reached.provider, address, reached.name)


def _is_at(model: ModelSettings, one: ConnectedAddress) -> bool:
    same = model.provider == one.provider and address_of(model) != ""
    return same and model_address(model).address == one.address
