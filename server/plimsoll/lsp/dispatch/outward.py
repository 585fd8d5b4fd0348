"""The sending half of the conversation: framing, notifications, pygls' typed requests."""

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, cast

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from plimsoll.lsp.dispatch.client_requests import QUESTION_SECONDS, ClientRequests
from plimsoll.lsp.dispatch.envelope import RequestId, Response
from plimsoll.lsp.dispatch.faults import STRUCTURE_ERRORS

Write = Callable[[bytes, str | None], None]


class Outward(LanguageServerProtocol):
    """Sends; knows nothing of what comes in but the answers to its own requests."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.requests = ClientRequests(self.post)
        self._write: Write | None = None
        super().__init__(server, converter)

    def connect(self, write: Write) -> None:
        """Say where framed messages go; callable from any thread from now on."""
        self._write = write

    def post(self, message: Mapping[str, object], droppable_key: str | None = None) -> None:
        """Send one message, without its `jsonrpc` member; without a client, nowhere.

        Raises:
            TypeError, ValueError, AttributeError: when it is no JSON.
        """
        if self._write is not None:
            self._write(self._framed({"jsonrpc": "2.0", **message}), droppable_key)

    def notify_client(self, method: str, params: object, droppable_key: str | None = None) -> None:
        """Send a notification; of those with one key, a client that lags sees the newest."""
        self.post({"method": method, "params": params}, droppable_key)

    def _framed(self, message: object) -> bytes:
        encode = partial(
            json.dumps, default=self._serialize_message, separators=(",", ":"), allow_nan=False
        )
        try:
            body = encode(message, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            # A lone surrogate has no UTF-8; escaped, it reaches the client as it is.
            body = encode(message).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def _send_data(self, data: Any) -> None:
        if self._write is not None and data:
            self._write(self._framed(data), None)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: RequestId | None = None,
    ) -> Future[Any]:
        """Send a request as pygls does, and forget it when it is answered or cancelled."""
        request_id = uuid.uuid4().hex if msg_id is None else msg_id
        future = super().send_request(method, params, callback, request_id)
        future.add_done_callback(lambda _done: self._forget(request_id))
        return future

    def send_request_async(
        self, method: str, params: Any | None = None, msg_id: RequestId | None = None
    ) -> asyncio.Future[Any]:
        """Send a request as pygls does, and wait no longer than a person may take to answer."""
        answer = asyncio.wrap_future(self.send_request(method, params, msg_id=msg_id))
        return asyncio.ensure_future(asyncio.wait_for(answer, QUESTION_SECONDS))

    def _forget(self, request_id: RequestId) -> None:
        self._request_futures.pop(request_id, None)
        self._result_types.pop(request_id, None)

    def settle(self, response: Response) -> None:
        """Give an answer to who waits for it; one that comes too late is dropped."""
        if self.requests.settle(response) or response.id is None:
            return
        future = self._request_futures.get(response.id)
        if future is None or future.done():
            return
        if response.error is not None:
            future.set_exception(_client_error(response.error))
            return
        try:
            result = self._typed_result(response)
        except STRUCTURE_ERRORS:
            future.set_exception(JsonRpcException("The editor's answer has the wrong shape."))
        else:
            future.set_result(result)

    def _typed_result(self, response: Response) -> object:
        result_type = None if response.id is None else self._result_types.get(response.id)
        if result_type is None:
            return response.result
        message = {"jsonrpc": "2.0", "id": response.id, "result": response.result}
        return cast("object", self._converter.structure(message, result_type).result)


def _client_error(error: object) -> JsonRpcException:
    fields = cast("dict[str, object]", error) if isinstance(error, dict) else {}
    code, message = fields.get("code"), fields.get("message")
    return JsonRpcException.from_error(
        types.ResponseError(
            code=code if isinstance(code, int) else 0,
            message=message if isinstance(message, str) else "no reason given",
        )
    )
