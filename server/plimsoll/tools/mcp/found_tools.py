"""Finds tools of MCP servers: by their exact names, else by the words of what they do."""

from collections.abc import Mapping, Sequence
from typing import cast

from plimsoll.text.ranking.bm25 import RankedThing, Ranking
from plimsoll.tools.ports.mcp import McpTool

NAME, SERVER, TITLE, DESCRIPTION, PARAMETERS = 4.0, 1.5, 2.0, 1.0, 0.5
"""What a word in each text of a tool weighs."""
_READ = 600
"""Characters of a description that are looked at; what comes later is about details."""


class ToolSearch:
    """Finds tools; the words of the tools are looked at once, until there are others."""

    def __init__(self) -> None:
        self._tools: tuple[McpTool, ...] = ()
        self._ranking = Ranking(())

    def find(self, tools: Sequence[McpTool], question: str, most: int) -> list[McpTool]:
        """Return the tools that fit a question, those that it names first; blocks a while."""
        named = _find_named(tools, question)
        if len(named) >= most:
            return named[:most]
        if self._tools != tuple(tools):
            self._tools = tuple(tools)
            self._ranking = Ranking([_words_of(tool) for tool in self._tools])
        found = [tools[place] for place in self._ranking.best(question, most + len(named))]
        return [*named, *(tool for tool in found if tool not in named)][:most]


def _find_named(tools: Sequence[McpTool], question: str) -> list[McpTool]:
    """Return the tools whose names for models, or with their servers, stand in a question."""
    said = {word.strip("`'\"“”.,;!?()") for word in question.split()}
    return [tool for tool in tools if not said.isdisjoint(whole_names(tool))]


def whole_names(tool: McpTool) -> tuple[str, str]:
    """Return the names of a tool that no other tool has: for models, and for people."""
    return tool.called, f"{tool.server}:{tool.name}"


def _words_of(tool: McpTool) -> RankedThing:
    properties = tool.parameters.get("properties")
    names = (
        " ".join(cast("Mapping[str, object]", properties))
        if isinstance(properties, Mapping)
        else ""
    )
    texts = (
        (tool.name, NAME),
        (tool.server, SERVER),
        (tool.title, TITLE),
        (tool.description[:_READ], DESCRIPTION),
        (names, PARAMETERS),
    )
    return RankedThing(tool.name, texts)
