"""The client's files: what is unsaved is read, and changes are written through the client."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_door.client import FILES, AcpClient, text_of

pytestmark = pytest.mark.slow
Start = Callable[..., AcpClient]
READ = {"name": "file_read", "arguments": {"path": "notes.txt"}}
EDIT = {
    "name": "file_edit",
    "arguments": {"path": "notes.txt", "old_string": "two", "new_string": "2"},
}
GREP = {"name": "grep", "arguments": {"pattern": r"\bunsaved$"}}


class Buffers:
    """What an editor has open, for the requests of a client."""

    def __init__(self, client: AcpClient, **texts: str) -> None:
        self.texts = {str(client.workspace / f"{name}.txt"): text for name, text in texts.items()}
        client.responses["fs/read_text_file"] = self.read
        client.responses["fs/write_text_file"] = self.write

    def read(self, params: dict[str, Any]) -> Any:
        path = params["path"]
        return {"content": self.texts.get(path) or Path(path).read_text()}

    def write(self, params: dict[str, Any]) -> Any:
        self.texts[params["path"]] = params["content"]
        Path(params["path"]).write_text(params["content"])
        return {}


def session_with(client: AcpClient, **capabilities: Any) -> str:
    (client.workspace / "notes.txt").write_text("one\ntwo\n")
    (client.workspace / "other.txt").write_text("two\n")
    client.open(**capabilities)
    client.choose("allowOnce")
    return client.new_session()


def test_what_is_unsaved_is_read_searched_and_changed(start: Start):
    steps = [{"calls": [READ]}, {"calls": [GREP]}, {"calls": [EDIT]}, {"text": "Done."}]
    client = start({"steps": steps})
    buffers = Buffers(client, notes="unsaved\ntwo\n")
    session = session_with(client, **FILES)
    assert client.prompt(session, "Go") == "end_turn"
    path = str(client.workspace / "notes.txt")
    assert buffers.texts[path] == "unsaved\n2\n"
    assert Path(path).read_text() == "unsaved\n2\n"
    read, found = (
        each["content"][0]["content"]["text"]
        for each in client.updates(session, "tool_call_update")
        if each["status"] == "completed" and each.get("content")
    )
    assert "unsaved" in read
    assert "notes.txt" in found
    titles = [each["title"] for each in client.updates(session, "tool_call")]
    assert titles[1] == "Search for unsaved"
    asked = {each["params"]["path"] for each in client.requests_of("fs/read_text_file")}
    assert asked == {path}


def test_a_client_that_reads_no_files_is_never_asked(start: Start):
    client = start({"steps": [{"calls": [READ]}, {"calls": [EDIT]}, {"text": "Done."}]})
    session = session_with(client)
    assert client.prompt(session, "Go") == "end_turn"
    assert [
        m for m in client.messages if str(m.get("method", "")).startswith(("fs/", "term"))
    ] == []
    assert (client.workspace / "notes.txt").read_text() == "one\n2\n"


def test_a_client_that_only_reads_has_its_files_written_on_disk(start: Start):
    client = start({"steps": [{"calls": [EDIT]}, {"text": "Done."}]})
    Buffers(client)
    session = session_with(client, fs={"readTextFile": True})
    assert client.prompt(session, "Go") == "end_turn"
    assert client.requests_of("fs/write_text_file") == []
    assert (client.workspace / "notes.txt").read_text() == "one\n2\n"


def test_what_only_reads_does_not_write_over_unsaved_text(start: Start):
    client = start({"steps": [{"calls": [EDIT]}, {"text": "I leave it."}]})
    Buffers(client, notes="unsaved\ntwo\n")
    session = session_with(client, fs={"readTextFile": True})
    assert client.prompt(session, "Go") == "end_turn"
    assert client.updates(session, "tool_call_update")[-1]["status"] == "failed"
    assert (client.workspace / "notes.txt").read_text() == "one\ntwo\n"
    assert "I leave it." in text_of(client.updates(session))


def test_a_refused_write_changes_nothing_and_says_so(start: Start):
    client = start({"steps": [{"calls": [EDIT]}, {"text": "I leave it."}]})
    Buffers(client)
    del client.responses["fs/write_text_file"]
    session = session_with(client, **FILES)
    prompt = client.begin_prompt(session, "Go")
    asked = client.server_request("fs/write_text_file")
    error = {"code": -32603, "message": "read-only buffer"}
    client.send({"jsonrpc": "2.0", "id": asked["id"], "error": error})
    assert client.reply(prompt)["result"] == {"stopReason": "end_turn"}
    assert "read-only buffer" in str(client.updates(session, "tool_call_update"))
    assert (client.workspace / "notes.txt").read_text() == "one\ntwo\n"


class TypedIn(Buffers):
    """An editor in which somebody types right after the text was read to be changed."""

    reads = 0

    def read(self, params: dict[str, Any]) -> Any:
        found = super().read(params)
        self.reads += 1
        if self.reads == 2:
            self.texts[params["path"]] = "typed\ntwo\n"
        return found


def test_what_is_typed_while_a_change_is_made_stays(start: Start):
    client = start({"steps": [{"calls": [EDIT]}, {"text": "Done."}]})
    buffers = TypedIn(client)
    session = session_with(client, **FILES)
    assert client.prompt(session, "Go") == "end_turn"
    assert buffers.texts == {str(client.workspace / "notes.txt"): "typed\n2\n"}
