"""Which of our tools a custom agent's list of names means, as other agents call theirs. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plimsoll.session.ports.foreign import NAMES
from plimsoll.tools.ports.mcp import CALL_TOOL, CALLED_PREFIX, FIND_TOOLS, names_tool
from plimsoll.tools.ports.written import CustomFile

KEPT = frozenset({"context", "history"})
"""What every agent keeps: both look at its own conversation alone, where results are cut."""
EVERY = "*"
_RUN = ("shell", "shell_read")
_SEARCH = ("grep", "glob")
_CODE = ("symbols", "definition", "references", "diagnostics")
_SETS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("shell", "bash", "execute", "runcommands", "runinterminal"), _RUN),
    **dict.fromkeys(("search", "codebase"), _SEARCH),
    **dict.fromkeys(("textsearch",), ("grep",)),
    **dict.fromkeys(("filesearch", "listdirectory"), ("glob",)),
    **dict.fromkeys(("editfiles",), ("file_edit", "file_write")),
    **dict.fromkeys(("createfile",), ("file_write",)),
    **dict.fromkeys(("readfile", "notebookread"), ("file_read",)),
    **dict.fromkeys(("notebookedit",), ("file_edit",)),
    **dict.fromkeys(("agent", "runsubagent"), ("subagent",)),
    **dict.fromkeys(("todo", "todos", "todoread"), ("tasks",)),
    "web": ("web_fetch", "web_search"),
    "usages": ("references", "definition"),
    "problems": ("diagnostics",),
    "lsp": _CODE,
}
"""Names that stand for several of ours, or that only agents' files use, in small letters."""
_EXACT: Mapping[str, tuple[str, ...]] = {"edit": ("file_edit", "file_write")}
"""GitHub's word for all that changes files, where Claude Code's `Edit` is one tool."""


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """The tools that an agent may use."""

    names: frozenset[str] | None
    """None: all that whoever calls it may use."""
    unknown: tuple[str, ...] = ()
    """Names of the file that mean no tool here."""


def tools_of(file: CustomFile, known: Iterable[str]) -> ToolChoice:
    """Translate the names of an agent's file; ``known``: the tools that there are."""
    there = frozenset(known)
    wanted = None if file.tools is None or EVERY in file.tools else _find_meant(file.tools, there)
    refused = _find_meant(file.without, there)
    named = file.tools or ()
    unknown = tuple(name for name in named if name != EVERY and not _find_meant((name,), there))
    if wanted is None and not refused:
        return ToolChoice(None, unknown)
    return ToolChoice(((there if wanted is None else wanted) - refused) | KEPT, unknown)


def fewer_of(wanted: frozenset[str], callers: frozenset[str]) -> frozenset[str]:
    """Return the tools that two agents both may use; of servers' tools those that both name."""
    one, other = (frozenset(t for t in each if _is_servers(t)) for each in (wanted, callers))
    named = {each for each in one if not other or _covers(other, each)}
    named |= {each for each in other if not one or _covers(one, each)}
    common = wanted & callers
    # Without a name left, the tool that calls them all would stand for all of them.
    return common | named if named or not (one or other) else common - {CALL_TOOL}


def _covers(names: Iterable[str], tool: str) -> bool:
    return any(names_tool(name, tool) for name in names)


def _is_servers(tool: str) -> bool:
    return tool.startswith(CALLED_PREFIX)


def _find_meant(names: Iterable[str], there: frozenset[str]) -> frozenset[str]:
    """Return the tools that names mean; a part of a tool, as `Bash(git:*)`, means none."""
    found = frozenset(tool for name in names for tool in _tools_of(name, there))
    return frozenset(tool for tool in found if tool in there or _is_servers(tool))


def _tools_of(name: str, there: frozenset[str]) -> tuple[str, ...]:
    if name in there:
        return (name,)
    if _is_servers(name) and CALL_TOOL in there:
        # A server's tool, or with `mcp__SERVER` all of its tools: the gate lets no other through.
        whole = name if name.count("__") > 1 else f"{name}__*"
        return (FIND_TOOLS, CALL_TOOL, whole)
    bare = name.rpartition("/")[2]
    small = bare.casefold()
    found = _EXACT.get(bare) or _SETS.get(small)
    if found is not None:
        return found
    return (NAMES[small],) if small in NAMES else ()
