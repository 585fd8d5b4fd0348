"""The models at an address, and the keys for it."""

from dataclasses import replace

from plimsoll.errors import UntrustedWorkspace
from plimsoll.lsp.features.convert.updates import failure
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import models as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.lsp.wire.service import ModelSetKeyParams
from plimsoll.model_addresses import address_of
from plimsoll.model_servers import check_model, offered_models
from plimsoll.settings.shape import ModelSettings


async def set_key(server: ServerContext, params: ModelSetKeyParams) -> Empty:
    """Take a key from the client's secret store; raises InvalidInput."""
    server.app.set_key(params.provider, params.key.get_secret_value(), params.base_url)
    return Empty()


async def list_(server: ServerContext, params: wire.ModelListParams) -> wire.ModelListResult:
    """List the models at an address; raises ProviderError."""
    model = _meant(server, params)
    found = await offered_models(server.app.models, model)
    return wire.ModelListResult(
        models=tuple(
            wire.OfferedModel(name=one.name, context_window=one.window, window_source=one.source)
            for one in found
        )
    )


async def test(server: ServerContext, params: wire.ModelTestParams) -> wire.ModelTestResult:
    """Send one small request; what goes wrong is a part of the answer."""
    model = _meant(server, params)
    check = await check_model(server.app.models, replace(model, name=params.model or model.name))
    if check.error is not None:
        return wire.ModelTestResult(ok=False, error=failure(check.error))
    used = check.usage
    return wire.ModelTestResult(
        ok=True,
        first_token_seconds=check.first_token_seconds,
        streamed=check.pieces > 1,
        tools=check.called,
        usage=used and wire.TestedUsage(input=used.input, output=used.output, cached=used.cached),
    )


def _meant(server: ServerContext, params: wire.ModelListParams) -> ModelSettings:
    """Return how the address is reached; a key of the environment goes where the settings say.

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
