"""The numbers of the errors that ACP adds to those of JSON-RPC."""

from typing import Final

AUTH_REQUIRED: Final = -32000
RESOURCE_NOT_FOUND: Final = -32002
REQUEST_CANCELLED: Final = -32800
