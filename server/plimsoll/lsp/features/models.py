"""The models at an address, and the keys for it."""

from dataclasses import replace
from datetime import UTC, datetime

from plimsoll.connections.known import connection_of
from plimsoll.errors import NotFound, UntrustedWorkspace
from plimsoll.lsp.features.convert.updates import failure
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import models as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.lsp.wire.service import ModelSetKeyParams
from plimsoll.model_addresses import address_of
from plimsoll.model_servers import check_model, connected_models, offered_models
from plimsoll.session.ports.clock import rfc3339
from plimsoll.session.ports.offered_models import AddressOffer, ModelOffer
from plimsoll.settings.shape import ModelSettings


async def set_key(server: ServerContext, params: ModelSetKeyParams) -> Empty:
    """Accept an API key from the client's secret store; raises InvalidInput."""
    server.app.set_key(params.provider, params.key.get_secret_value(), params.base_url)
    return Empty()


async def list_(server: ServerContext, params: wire.ModelListParams) -> wire.ModelListResult:
    """List the models at an address; raises ProviderError."""
    model = _settings_of_address(server, params)
    found = await offered_models(server.app.models, model)
    return wire.ModelListResult(
        models=tuple(
            wire.OfferedModel(name=one.name, context_window=one.window, window_source=one.source)
            for one in found
        )
    )


async def test(server: ServerContext, params: wire.ModelTestParams) -> wire.ModelTestResult:
    """Test a model with one small request; an error is part of the result."""
    model = _settings_of_address(server, params)
    check = await check_model(server.app.models, replace(model, name=params.model or model.name))
    if check.error is not None:
        return wire.ModelTestResult(ok=False, error=failure(check.error))
    connected = replace(model, name=params.model or model.name)
    server.app.models.connections.keep(connection_of(connected), used=connected.name)
    used = check.usage
    return wire.ModelTestResult(
        ok=True,
        first_token_seconds=check.first_token_seconds,
        streamed=check.pieces > 1,
        tools=check.called,
        usage=used and wire.TestedUsage(input=used.input, output=used.output, cached=used.cached),
    )


async def connected(
    server: ServerContext, params: wire.ModelConnectedParams
) -> wire.ModelConnectedResult:
    """List the models of all addresses that were connected."""
    # Nobody is asked for a folder that is not trusted.
    found = await connected_models(server.app.models, ask=params.ask and server.acts())
    return wire.ModelConnectedResult(
        models=tuple(map(_connected_model, found.models)),
        addresses=tuple(map(_connected_address, found.addresses)),
    )


async def forget(server: ServerContext, params: wire.ModelForgetParams) -> Empty:
    """Remove an address from the connected addresses; raises NotFound."""
    if not server.app.models.connections.forget(params.provider, params.base_url):
        place = params.base_url or params.provider
        raise NotFound("address", place, remedy="List the addresses to see those that are kept.")
    return Empty()


def _connected_model(one: ModelOffer) -> wire.ConnectedModel:
    price = one.price and wire.TokenPrices(input=one.price.input, output=one.price.output)
    return wire.ConnectedModel(
        model=one.id,
        name=one.name,
        provider=one.provider,
        base_url=one.base_url,
        address=one.address,
        context_window=one.window,
        window_source=one.window_source,
        images=one.images,
        tools=one.tools,
        price=price,
        used_at=None if one.used is None else rfc3339(datetime.fromtimestamp(one.used, UTC)),
    )


def _connected_address(one: AddressOffer) -> wire.ConnectedAddress:
    return wire.ConnectedAddress(
        provider=one.provider,
        base_url=one.base_url,
        address=one.address,
        is_set=one.is_set,
        error=one.error and failure(one.error),
    )


def _settings_of_address(server: ServerContext, params: wire.ModelListParams) -> ModelSettings:
    """Return the settings that reach an address; a key of the environment goes only as set.

    Raises:
        UntrustedWorkspace: No folder that is open is trusted.
    """
    if not server.acts():
        raise UntrustedWorkspace(
            "No folder that is open is trusted, so no server is asked.",
            remedy="Trust the folder first.",
        )
    own = server.app.settings.model
    if params.provider is None:
        return own
    named = ModelSettings(provider=params.provider, base_url=params.base_url)
    if (named.provider, address_of(named)) == (own.provider, address_of(own)):
        return replace(own, base_url=params.base_url)
    # The vendor's usual variable is for its own address: another one is reached without it.
    return named if params.base_url is None else replace(named, api_key_keyring=True)
