"""The same server under a client that others use: initialize, a custom request, a cancel."""

import asyncio
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from lsp.conftest import DEMO

pytestmark = pytest.mark.slow


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, str(DEMO)]))
async def editor(lsp_client: LanguageClient):
    capabilities = client_capabilities("visual-studio-code")
    params = types.InitializeParams(capabilities=capabilities, process_id=None)
    lsp_client.answer = await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def test_initialize_offers_the_commands(editor):
    assert editor.answer.server_info.name == "demo"
    assert editor.answer.capabilities.execute_command_provider.commands == (
        "demo.later",
        "demo.sleep",
    )


async def test_a_custom_request(editor):
    answer = await editor.protocol.send_request_async("demo/echo", {"value": {"a": 1}})
    assert answer.value.a == 1


async def test_a_cancelled_request(editor):
    slow = editor.protocol.send_request("demo/sleep", {"seconds": 60}, msg_id="slow")
    editor.cancel_request(types.CancelParams(id="slow"))
    try:
        await asyncio.wait_for(asyncio.wrap_future(slow), 50)
    except (JsonRpcRequestCancelled, asyncio.CancelledError):
        return
    raise AssertionError("the request was not cancelled")
