"""The messages API of Anthropic."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from plimsoll.providers.anthropic_stream import MessageStream
from plimsoll.providers.anthropic_wire import request_body
from plimsoll.providers.base import Chunk, Request
from plimsoll.providers.endpoint import Endpoint, Vendor
from plimsoll.providers.options import ProviderOptions

if TYPE_CHECKING:
    from plimsoll.providers.http_stream import EventClient


def _headers(key: str) -> dict[str, str]:
    version = {"anthropic-version": "2023-06-01"}
    return {**version, "x-api-key": key} if key else version


VENDOR = Vendor("https://api.anthropic.com/v1", "/messages", "ANTHROPIC_API_KEY", _headers)


class Anthropic:
    """A provider for one base URL, one key and any of its models."""

    def __init__(self, options: ProviderOptions, client: "EventClient | None" = None) -> None:
        """Check the address; ``client`` is opened with the first request where none is given.

        Raises:
            SettingsInvalid: ``base_url`` is no http or https address.
        """
        self._endpoint = Endpoint(VENDOR, options, client)

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The answer in chunks; see ``Provider``."""
        return self._endpoint.answer(request, request_body, MessageStream)

    async def close(self) -> None:
        """Give back the connections."""
        await self._endpoint.close()
