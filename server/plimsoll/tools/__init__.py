"""The tools that a model may call, each behind its own gate."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.files.restoring import WorkspaceRestorer as WorkspaceRestorer
from plimsoll.tools.git.repository import GitRepository as GitRepository
from plimsoll.tools.ports.mcp import McpHost
from plimsoll.tools.ports.tool import AnyTool
from plimsoll.tools.web.access import Web as Web
from plimsoll.tools.web.access import WebRules as WebRules


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the registry: the tool's class, and the services that it needs."""

    path: str
    """The class, as ``module:Class``."""
    needs: tuple[str, ...] = ()
    """Names of services, in the order of the constructor's parameters."""
    optional: bool = False
    """Whether it is left out where a service that it needs is not given."""


# The order is that of the schemas in each request: changing it costs every cached prefix.
TOOLS: Mapping[str, Entry] = {
    "file_read": Entry("plimsoll.tools.files.file_read:FileRead", ("code_index",)),
    "file_write": Entry("plimsoll.tools.files.file_write:FileWrite"),
    "file_edit": Entry("plimsoll.tools.files.file_edit:FileEdit"),
    "grep": Entry("plimsoll.tools.search.grep:Grep", ("searches",)),
    "glob": Entry("plimsoll.tools.search.glob:Glob", ("searches",)),
    "shell": Entry("plimsoll.tools.process.shell:Shell", ("processes",)),
    "shell_read": Entry("plimsoll.tools.process.shell:ShellRead", ("processes",)),
    "tasks": Entry("plimsoll.tools.conversation.tasks:Tasks"),
    "context": Entry("plimsoll.tools.conversation.context:ContextTool"),
    "history": Entry("plimsoll.tools.conversation.history:History"),
    "memory_save": Entry("plimsoll.tools.conversation.memory_save:MemorySave"),
    "memory_search": Entry("plimsoll.tools.conversation.memory_search:MemorySearch"),
    "plan": Entry("plimsoll.tools.conversation.plan:Plan"),
    "subagent": Entry("plimsoll.tools.conversation.subagent:Subagent"),
    "symbols": Entry("plimsoll.tools.editor.symbols:Symbols", ("code_index",)),
    "definition": Entry("plimsoll.tools.editor.definition:Definition", ("code_index",)),
    "references": Entry("plimsoll.tools.editor.references:FindReferences", ("code_index",)),
    "diagnostics": Entry("plimsoll.tools.editor.diagnostics:Diagnostics"),
    "rename": Entry("plimsoll.tools.editor.rename:Rename"),
    "skill": Entry("plimsoll.tools.conversation.skill:SkillTool"),
    "web_fetch": Entry("plimsoll.tools.web.web_fetch:WebFetch", ("web",), optional=True),
    "web_search": Entry("plimsoll.tools.web.web_search:WebSearch", ("web",), optional=True),
    "find_tools": Entry("plimsoll.tools.mcp.find_tools:FindTools", ("mcp",), optional=True),
    "call_tool": Entry("plimsoll.tools.mcp.call_tool:CallTool", ("mcp",), optional=True),
}


def open_tools(services: Mapping[str, object]) -> dict[str, AnyTool]:
    """Return all tools by name, in the order of their schemas.

    ``processes``, ``searches``: the ``Processes`` and ``Searches`` of this server, which whoever
    opens the tools closes; ``code_index``: a ``CodeIndex`` over these searches; ``web``: a ``Web``,
    without which the tools of the web are left out; ``mcp``: the ``McpHost`` of a folder, likewise.

    Raises:
        KeyError: A service that a tool needs was not given.
    """
    return {
        name: _class(entry.path)(*(services[need] for need in entry.needs))
        for name, entry in TOOLS.items()
        if not entry.optional or services.keys() >= set(entry.needs)
    }


def open_folder_tools(host: McpHost) -> dict[str, AnyTool]:
    """Return the tools that each folder has for itself: those for its MCP servers."""
    names = ("find_tools", "call_tool")
    made = {name: cast("Callable[[McpHost], AnyTool]", _class(TOOLS[name].path)) for name in names}
    return {name: make(host) for name, make in made.items()}


class OfferedTools(Mapping[str, AnyTool]):
    """The tools that are offered under the settings of now; some may be withheld."""

    def __init__(
        self,
        tools: Mapping[str, AnyTool],
        web: Callable[[], WebRules],
        has_servers: Callable[[], bool] = bool,
    ) -> None:
        """``web``: what a person has allowed of the web; ``has_servers``: whether MCP servers are.

        Both are asked on any thread.
        """
        self._tools = tools
        self._web = web
        self._has_servers = has_servers

    def __getitem__(self, name: str) -> AnyTool:
        if name in self._list_withheld():
            raise KeyError(name)
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        withheld = self._list_withheld()
        return (name for name in self._tools if name not in withheld)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _list_withheld(self) -> Collection[str]:
        rules = self._web()
        servers = self._has_servers()
        offered = {
            "web_fetch": rules.fetch,
            "web_search": rules.search_url is not None,
            "find_tools": servers,
            "call_tool": servers,
        }
        return [name for name, is_offered in offered.items() if not is_offered]


def tool_traits() -> dict[str, ToolTraits]:
    """Return the traits of each tool by name, without making any tool."""
    return {name: _class(entry.path).traits for name, entry in TOOLS.items()}


def _class(path: str) -> type[AnyTool]:
    module, _, name = path.partition(":")
    return cast("type[AnyTool]", getattr(import_module(module), name))
