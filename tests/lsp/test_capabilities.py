"""The answer that is given early is the one that pygls computes."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.lsp.capabilities import bare, initialize_result, is_plain
from plimsoll.lsp.connection import Connection
from plimsoll.lsp.dispatch.requests import Phase, RequestMessage
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.server_app import ServerApp
from plimsoll.redaction.secrets import Secrets

PLAIN = {"processId": None, "rootUri": None, "capabilities": {}}
FOLDER = {"uri": "file:///work", "name": "work"}
CAPABILITIES = st.fixed_dictionaries(
    {},
    optional={
        "general": st.fixed_dictionaries(
            {},
            optional={
                "positionEncodings": st.lists(
                    st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-7"]), max_size=3
                )
            },
        ),
        "workspace": st.fixed_dictionaries(
            {},
            optional={
                "workspaceFolders": st.booleans(),
                "configuration": st.booleans(),
                "didChangeConfiguration": st.just({"dynamicRegistration": True}),
                "fileOperations": st.just({"didCreate": True, "willRename": True}),
            },
        ),
        "textDocument": st.fixed_dictionaries(
            {},
            optional={
                "synchronization": st.just({"willSave": True, "willSaveWaitUntil": True}),
                "codeLens": st.just({"dynamicRegistration": True}),
            },
        ),
    },
)


def initialize(params: object) -> RequestMessage:
    return RequestMessage(1, "initialize", params)


@pytest.fixture(scope="module")
def server() -> PlimsollServer:
    """One for all examples: pygls takes a while to be made."""
    found = ServerApp(Connection(), Secrets({}), None).server
    # What is loaded after the answer opens a store, which no answer needs.
    found.dispatcher.on_initialized = lambda: None
    return found


async def answer_of_pygls(server: PlimsollServer, params: object) -> dict[str, object]:
    sent: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    server.dispatcher.phase = Phase.CREATED
    server.protocol.sender.connect(lambda framed, _key: sent.set_result(framed))
    server.dispatcher.receive({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    return json.loads((await sent).partition(b"\r\n\r\n")[2])["result"]


@given(CAPABILITIES, st.sampled_from([None, [], [FOLDER]]))
def test_the_early_answer_is_that_of_pygls(server, capabilities, folders):
    params = {**PLAIN, "capabilities": capabilities, "workspaceFolders": folders}
    assert is_plain(initialize(params))
    early = json.loads(json.dumps(initialize_result(params)))
    computed = asyncio.run(answer_of_pygls(server, params))
    sync = computed["capabilities"]["textDocumentSync"]
    # To a client that sends them pygls says that it wants none; left out, they say the same.
    assert not any(sync.pop(key, False) for key in ("willSave", "willSaveWaitUntil"))
    assert early == computed


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {**PLAIN, "capabilities": []},
        {**PLAIN, "processId": "one"},
        {**PLAIN, "processId": True},
        {**PLAIN, "rootUri": 5},
        {**PLAIN, "rootUri": "file://["},
        {**PLAIN, "workspaceFolders": FOLDER},
        {**PLAIN, "workspaceFolders": [{"uri": "file:///work"}]},
        {**PLAIN, "capabilities": {"general": {"positionEncodings": "utf-8"}}},
        {**PLAIN, "initializationOptions": {"plimsoll": {"resume": "latest"}}},
    ],
)
def test_what_is_odd_or_resumes_is_left_to_pygls(params):
    assert not is_plain(initialize(params))


def test_only_initialize_is_answered_early():
    assert not is_plain(RequestMessage(1, "shutdown", PLAIN))


def test_bare_keeps_what_was_checked():
    odd = {**PLAIN, "processId": 7, "capabilities": {"workspace": 5}, "trace": 5}
    assert bare(initialize(odd)).params == {
        "processId": 7,
        "rootUri": None,
        "rootPath": None,
        "workspaceFolders": None,
        "initializationOptions": None,
        "capabilities": {},
    }
    general = {"positionEncodings": ["utf-8"], "markdown": 5}
    left = bare(initialize({**PLAIN, "capabilities": {"general": general}})).params
    assert isinstance(left, dict)
    assert left["capabilities"] == {"general": {"positionEncodings": ["utf-8"]}}
