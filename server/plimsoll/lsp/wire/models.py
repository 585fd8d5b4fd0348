"""Models at an address: which there are, and whether one answers."""

from typing import Literal

from pydantic import StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.failures import Failure

OfferedWindowSource = TypeAliasType("OfferedWindowSource", Literal["server", "table"])


class ModelListParams(Wire):
    """An address; left out: that of the model that is set."""

    provider: str | None = None
    base_url: str | None = None
    """As in `model.baseUrl`; left out beside a provider: the vendor's own."""


class OfferedModel(Wire):
    """A model at an address; its window is known from the server or from the table of models."""

    name: str
    context_window: int | None = None
    window_source: OfferedWindowSource | str | None = None


class ModelListResult(Wire):
    """The models that the server lists, in its order."""

    models: tuple[OfferedModel, ...]


class ModelConnectedParams(Wire):
    """Whether the addresses are asked; without that the answer is what they listed last."""

    ask: StrictBool = True


class TokenPrices(Wire):
    """What a million tokens cost, in US dollars."""

    input: float
    output: float


class ConnectedModel(Wire):
    """A model at an address that was connected; what is left out is not known.

    `model` is what a session is set to: `provider/name`, or `provider@address/name` where the
    address is another than the one that is set.
    """

    model: str
    name: str
    provider: str
    base_url: str | None = None
    address: str
    """For people; empty: it answers in the server's own process."""
    context_window: int | None = None
    window_source: OfferedWindowSource | str | None = None
    images: bool | None = None
    tools: bool | None = None
    price: TokenPrices | None = None
    used_at: str | None = None


class ConnectedAddress(Wire):
    """An address that was connected; `error` says why it does not answer now.

    `isSet`: the settings name it, so it is in the list as long as they do.
    """

    provider: str
    base_url: str | None = None
    address: str
    is_set: StrictBool
    error: Failure | None = None


class ModelConnectedResult(Wire):
    """The models of all addresses that were ever connected, the one used last first."""

    models: tuple[ConnectedModel, ...]
    addresses: tuple[ConnectedAddress, ...]


class ModelForgetParams(Wire):
    """An address that is to leave the list; `baseUrl` left out: the vendor's own."""

    provider: str
    base_url: str | None = None


class ModelTestParams(ModelListParams):
    """A model at an address; what is left out is as it is set."""

    model: str | None = None
    """Its name, as the server calls it, without the provider."""


class TestedUsage(Wire):
    """Tokens that the server reported for the request of a test."""

    input: int
    output: int
    cached: int


class ModelTestResult(Wire):
    """What one small request showed; where `ok` is false, `error` says why and what to do."""

    ok: StrictBool
    error: Failure | None = None
    first_token_seconds: float | None = None
    streamed: StrictBool = False
    tools: StrictBool = False
    """Whether the tool that was offered was called."""
    usage: TestedUsage | None = None
