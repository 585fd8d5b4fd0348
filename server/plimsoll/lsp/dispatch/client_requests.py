"""Requests from the server to the client: each wait is bounded, each late answer is dropped."""

import asyncio
import itertools
from collections.abc import Callable, Mapping
from typing import cast

from plimsoll.errors import PlimsollError
from plimsoll.lsp.dispatch.requests import RequestId, ResponseMessage

CONFIGURATION_SECONDS = 5.0
QUESTION_SECONDS = 300.0

Send = Callable[[Mapping[str, object]], None]
Withdrawal = Callable[[RequestId], Mapping[str, object]]
"""Makes the notification that a request is not waited for any more."""


def lsp_withdrawal(request_id: RequestId) -> Mapping[str, object]:
    """Return the notification by which LSP cancels a request."""
    return {"method": "$/cancelRequest", "params": {"id": request_id}}


class ClientRefused(PlimsollError):
    """The client answered a request of ours with an error; ``data.code`` is its number."""

    kind = "clientRefused"


class ClientSilent(PlimsollError):
    """The client did not answer a request of ours in time."""

    kind = "clientSilent"


class ClientRequests:
    """Asks the client and matches its answers."""

    def __init__(self, send: Send, withdrawal: Withdrawal = lsp_withdrawal) -> None:
        self._send = send
        self._withdrawal = withdrawal
        self._numbers = itertools.count(1)
        self._waiting: dict[RequestId, asyncio.Future[object]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    async def ask(
        self, method: str, params: object, seconds: float, request_id: RequestId | None = None
    ) -> object:
        """Send a request and wait for its result, as plain JSON.

        Raises:
            ClientRefused: when the client answers with an error.
            ClientSilent: when it does not answer within ``seconds``; it is told to stop, too.
        """
        if request_id is None:
            request_id = f"plimsoll-{next(self._numbers)}"
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = answer
        self._send({"id": request_id, "method": method, "params": params})
        try:
            return await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            self._send(self._withdrawal(request_id))
            message = f"The editor did not answer {method} within {seconds:g} s."
            raise ClientSilent(message, remedy="Try again.") from None
        except asyncio.CancelledError:
            self._send(self._withdrawal(request_id))
            raise
        finally:
            del self._waiting[request_id]

    def settle(self, response: ResponseMessage) -> bool:
        """Match an answer to its request; false if it came too late for one."""
        waiting = None if response.id is None else self._waiting.get(response.id)
        if waiting is None:
            return False
        if waiting.done():
            return True
        if response.error is None:
            waiting.set_result(response.result)
        else:
            waiting.set_exception(_refusal(response.error))
        return True


def _refusal(error: object) -> ClientRefused:
    fields = cast("dict[str, object]", error) if isinstance(error, dict) else {}
    message = fields.get("message")
    text = message if isinstance(message, str) else "no reason given"
    return ClientRefused(f"The editor refused: {text}", data={"code": fields.get("code")})
