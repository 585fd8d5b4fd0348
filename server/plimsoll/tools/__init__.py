"""The tools that a model may call, each behind its own gate."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.files.restoring import WorkspaceRestorer as WorkspaceRestorer
from plimsoll.tools.git.repository import GitRepository as GitRepository
from plimsoll.tools.ports.tool import AnyTool


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the registry: the tool's class, and the services that it needs."""

    path: str
    """The class, as ``module:Class``."""
    needs: tuple[str, ...] = ()
    """Names of services, in the order of the constructor's parameters."""


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
}


def open_tools(services: Mapping[str, object]) -> dict[str, AnyTool]:
    """Return all tools by name, in the order of their schemas.

    ``processes``, ``searches``: the ``Processes`` and ``Searches`` of this server, which whoever
    opens the tools closes; ``code_index``: a ``CodeIndex`` over these searches.

    Raises:
        KeyError: A service that a tool needs was not given.
    """
    return {
        name: _class(entry.path)(*(services[need] for need in entry.needs))
        for name, entry in TOOLS.items()
    }


def tool_traits() -> dict[str, ToolTraits]:
    """Return the traits of each tool by name, without making any tool."""
    return {name: _class(entry.path).traits for name, entry in TOOLS.items()}


def _class(path: str) -> type[AnyTool]:
    module, _, name = path.partition(":")
    return cast("type[AnyTool]", getattr(import_module(module), name))
