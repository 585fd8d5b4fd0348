"""Models: the key that a client keeps for a provider."""

from pydantic import Field, SecretStr

from plimsoll.lsp.protocol.wire import Wire


class ModelSetKeyParams(Wire):
    """A provider's key from the client's secret store; it is kept in memory alone."""

    provider: str
    # Secret: shown as asterisks wherever the value is printed or logged by mistake.
    key: SecretStr = Field(min_length=1)
