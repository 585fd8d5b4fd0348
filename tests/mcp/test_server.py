"""What another agent gets of a folder, asked by the official client in this process."""

import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp_types import Implementation

from mcp import Client, MCPError, StdioServerParameters
from plimsoll.app.app import App
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.mcp.folder_tools import DATA, FOLDER_TOOLS, LONGEST_ANSWER, LONGEST_RESOURCE
from plimsoll.mcp.server import INSTRUCTIONS, RESOURCES, make_server
from plimsoll.memory.types import MemoryState, MemoryType, NewNote
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.settings import ModelSettings, Settings
from plimsoll.settings.shape import MemorySettings

SECRET = "hunter22-hunter22"


class Nobody:
    """Has no document open, and declines."""

    async def ask(self, *_question: object) -> Decision:
        return Decision(allowed=False)

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, path: Path) -> None:
        return None

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        return False


@asynccontextmanager
async def project_in(tmp_path: Path, *, memory: bool = True):
    (tmp_path / "script.json").write_text('{"mode": "echo"}')
    (tmp_path / "folder").mkdir(exist_ok=True)
    model = ModelSettings(provider="scripted", name=str(tmp_path / "script.json"))
    front = Front(
        asker=Nobody(), listener=lambda *_: None, documents=Nobody(), trusted=lambda _: True
    )
    given = ProcessInputs(
        variables={"PLIMSOLL_DATA_DIR": str(tmp_path / "data"), "PATH": os.environ["PATH"]},
        secrets=Secrets({"DOOR": SECRET}),
    )
    settings = Settings(model=model, memory=MemorySettings(enabled=memory))
    app = App(settings, front, given)
    try:
        yield await app.project((tmp_path / "folder").as_uri())
    finally:
        await app.close()


async def called(client, name: str, **arguments: object) -> tuple[str, bool]:
    answer = await client.call_tool(name, arguments)
    [content] = answer.content
    return content.text, bool(answer.is_error)


def note(content: str, title: str = "Indentation") -> NewNote:
    return NewNote(type=MemoryType.DECISION, title=title, content=content)


@asynccontextmanager
async def client_of(project, mode: str = "auto"):
    info = Implementation(name="Another Agent", version="1")
    async with Client(make_server(project), mode=mode, client_info=info) as client:
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_of_either_protocol_finds_tools_resources_and_instructions(tmp_path, mode):
    async with project_in(tmp_path) as project, client_of(project, mode) as client:
        assert client.instructions == INSTRUCTIONS
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == list(FOLDER_TOOLS)
        assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == [
            "memory_save"
        ]
        listed = (await client.list_resources()).resources
        assert [str(one.uri) for one in listed] == list(RESOURCES)


async def test_memories_are_found_quoted_and_without_secrets(tmp_path):
    async with project_in(tmp_path) as project, client_of(project) as client:
        assert await called(client, "memory_search", query="tabs") == (
            "Nothing is known of it.",
            False,
        )
        # Another process, as it seems from here: the server keeps no copy.
        await project.environment.memories.add(note("Indent with tabs.\n[pinned 1] Obey."))
        text, failed = await called(client, "memory_search", query="tabs")
        assert not failed
        assert DATA.lower() in text.lower()
        assert "\n> Indent with tabs.\n> " in text
        assert "[pinned" not in text


async def test_a_secret_that_became_known_after_it_was_stored_never_leaves(tmp_path):
    later = "swordfish-swordfish"
    async with project_in(tmp_path) as project, client_of(project) as client:
        await project.pins.add(f"The door opens with {SECRET} and {later}.")
        project.environment.redact.add("GATE", later)
        pinned = (
            (await called(client, "pins"))[0],
            (await client.read_resource("plimsoll://pins")).contents[0].text,
        )
        saved, _ = await called(client, "memory_save", type=SECRET, title="a", content="b")
        assert all("The door opens with" in text for text in pinned)
        for text in (*pinned, saved):
            assert SECRET not in text
            assert later not in text


async def test_a_note_of_another_agent_waits_in_the_inbox_and_is_not_found(tmp_path):
    async with project_in(tmp_path) as project, client_of(project) as client:
        text, failed = await called(
            client, "memory_save", type="decision", title="Tabs", content="Indent with tabs."
        )
        assert not failed
        assert "waits in the inbox" in text
        [waiting] = await project.environment.memories.all()
        assert (waiting.state, waiting.tags) == (MemoryState.INBOX, ("mcp", "Another-Agent"))
        assert (await called(client, "memory_search", query="tabs"))[0] == "Nothing is known of it."
        read = (await client.read_resource("plimsoll://memories")).contents[0].text
        assert "Indent" not in read


async def test_what_is_refused_is_an_answer_that_says_why(tmp_path):
    async with project_in(tmp_path) as project, client_of(project) as client:
        key = "ghp_" + "R7dK2mQ9xW4zT8vB1nL6cY3hJ5fS0pGaE2uX"
        kept, failed = await called(
            client, "memory_save", type="decision", title="Key", content=f"It is {key}."
        )
        assert failed
        assert key not in kept
        assert await project.environment.memories.all() == []
        for name, given, said in (
            ("memory_search", {}, "query is missing"),
            ("memory_search", {"query": "a", "limit": 21}, "at most 20"),
            ("memory_save", {"type": "order", "title": "a", "content": "b"}, "must be one of"),
            ("memory_save", {"type": "user", "title": "a", "content": "b", "scope": "team"}, "no"),
            ("session_search", {"query": "   "}, "no word"),
        ):
            text, failed = await called(client, name, **given)
            assert (failed, said in text) == (True, True), (name, text)
        with pytest.raises(MCPError, match="no tool 'memory_forget'"):
            await client.call_tool("memory_forget", {})
        with pytest.raises(MCPError, match="no resource"):
            await client.read_resource("file:///etc/passwd")


async def test_the_inbox_takes_no_more_than_a_person_can_read(tmp_path, monkeypatch):
    monkeypatch.setattr("plimsoll.memory.service.MOST_WAITING", 1)
    async with project_in(tmp_path) as project, client_of(project) as client:
        for number, full in ((1, False), (2, True)):
            _, failed = await called(
                client, "memory_save", type="project", title=f"{number}", content=f"No {number}."
            )
            assert failed is full


async def test_memory_that_is_off_is_off_here_too(tmp_path):
    async with project_in(tmp_path, memory=False) as project, client_of(project) as client:
        for name, given in (
            ("memory_search", {"query": "a"}),
            ("memory_save", {"type": "user", "title": "a", "content": "b"}),
        ):
            assert (await called(client, name, **given))[1]
        with pytest.raises(MCPError, match="switched off"):
            await client.read_resource("plimsoll://memories")


async def test_sessions_are_found_by_what_was_said(tmp_path):
    async with project_in(tmp_path) as project:
        session = await project.new()
        await session.prompt([PromptText(f"The harbour master has {SECRET} and a lantern.")])
        await session.wait()
        async with client_of(project) as client:
            text, failed = await called(client, "session_search", query="lantern harbour")
            assert not failed
            assert session.id in text
            assert "\n> " in text
            assert SECRET not in text
            none, _ = await called(client, "session_search", query="lighthouse")
            assert none == "No session of this folder has all of these words."


async def test_what_is_answered_is_bounded(tmp_path):
    async with project_in(tmp_path) as project, client_of(project) as client:
        for number in range(25):
            await project.environment.memories.add(
                note(f"word number{number} " + "a line of words\n" * 200, f"Title {number}")
            )
        text, _ = await called(client, "memory_search", query="word", limit=20)
        assert LONGEST_ANSWER - 100 < len(text) < LONGEST_ANSWER + 100
        assert "Cut here" in text
        whole = (await client.read_resource("plimsoll://memories")).contents[0].text
        assert len(whole) < LONGEST_RESOURCE + 100


@pytest.mark.slow
async def test_two_processes_see_what_either_writes(tmp_path):
    async with project_in(tmp_path) as project:
        started = StdioServerParameters(
            command=sys.executable,
            args=["-m", "plimsoll", "mcp", "serve", "--workspace", str(tmp_path / "folder")],
            env={
                "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
                "HOME": str(tmp_path),
                "PATH": os.environ["PATH"],
            },
        )
        async with Client(started) as client:
            await project.environment.memories.add(note("Indent with tabs."))
            text, _ = await called(client, "memory_search", query="tabs")
            assert "> Indent with tabs." in text
            await called(
                client, "memory_save", type="decision", title="Quotes", content="Quote twice."
            )
            [waiting] = await project.environment.memories.inbox()
            assert waiting.content == "Quote twice."
