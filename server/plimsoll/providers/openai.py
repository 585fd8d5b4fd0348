"""Chat completions: OpenAI and every host that speaks its dialect."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING

from plimsoll.providers.base import Chunk, Request
from plimsoll.providers.endpoint import Endpoint, Vendor
from plimsoll.providers.openai_stream import ChatStream
from plimsoll.providers.openai_wire import request_body
from plimsoll.providers.options import ProviderOptions

if TYPE_CHECKING:
    from plimsoll.providers.http_stream import EventClient

NEW_LIMIT_HOSTS = ("api.openai.com", ".openai.azure.com")
"""Hosts whose newer models refuse ``max_tokens``; most others know no other name."""


def _headers(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


VENDOR = Vendor("https://api.openai.com/v1", "/chat/completions", "OPENAI_API_KEY", _headers)


class OpenAI:
    """A provider for one base URL, one key and any of its models."""

    def __init__(self, options: ProviderOptions, client: "EventClient | None" = None) -> None:
        """Check the address; ``client`` is opened with the first request where none is given.

        Raises:
            SettingsInvalid: ``base_url`` is no http or https address.
        """
        self._endpoint = Endpoint(VENDOR, options, client)
        new = self._endpoint.host.endswith(NEW_LIMIT_HOSTS)
        limit_field = "max_completion_tokens" if new else "max_tokens"
        self._body = partial(request_body, limit_field=limit_field)

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The answer in chunks; see ``Provider``."""
        return self._endpoint.answer(request, self._body, ChatStream)

    async def close(self) -> None:
        """Give back the connections."""
        await self._endpoint.close()
