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
