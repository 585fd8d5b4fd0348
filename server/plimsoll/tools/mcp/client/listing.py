"""Reads all that a server offers, page by page, up to a limit."""

import hashlib
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Protocol, TypeVar

import mcp_types as types
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from plimsoll.tools.mcp.naming import called_name
from plimsoll.tools.mcp.offered import Offered
from plimsoll.tools.mcp.schemas import simplify
from plimsoll.tools.ports.mcp import McpArgument, McpPrompt, McpResource, McpTool

log = logging.getLogger(__name__)

MOST_TOOLS = 2_000
MOST_OTHERS = 1_000
"""Prompts, or resources."""
_MOST_PAGES = 200
LONGEST_WORDS = 8_000
"""Characters of a description, and of the instructions."""
_LONGEST_NAME = 200


class _Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


_PageT = TypeVar("_PageT", bound=_Page)


async def list_offered(session: ClientSession, name: str, now: str) -> Offered:
    """Ask a server for its tools, prompts and resources.

    Raises:
        MCPError: It does not list its tools.
    """
    able = session.server_capabilities or types.ServerCapabilities()
    tools, left_out = await _tools(session, name) if able.tools else ((), None)
    return Offered(
        since=now,
        instructions=(session.instructions or "")[:LONGEST_WORDS],
        tools=tools,
        prompts=await _prompts(session, name) if able.prompts else (),
        resources=await _resources(session, name) if able.resources else (),
        left_out=left_out,
    )


async def _tools(session: ClientSession, name: str) -> tuple[tuple[McpTool, ...], str | None]:
    found: dict[str, McpTool] = {}
    async for page in _pages(lambda asked: session.list_tools(params=asked)):
        for one in page.tools:
            if len(found) >= MOST_TOOLS and one.name not in found:
                return tuple(found.values()), f"Of its tools the first {MOST_TOOLS:,} are used."
            found.setdefault(one.name, _tool(name, one))
    return tuple(found.values()), None


def _tool(server: str, sent: types.Tool) -> McpTool:
    told = json.dumps([sent.description, sent.input_schema], sort_keys=True, ensure_ascii=False)
    hints = sent.annotations or types.ToolAnnotations()
    return McpTool(
        server=server,
        name=sent.name,
        called=called_name(server, sent.name),
        title=(sent.title or hints.title or "")[:_LONGEST_NAME],
        description=(sent.description or "")[:LONGEST_WORDS],
        parameters=simplify(sent.input_schema),
        fingerprint=hashlib.sha256(told.encode("utf-8", "replace")).hexdigest(),
        claims_reading=hints.read_only_hint is True,
    )


async def _prompts(session: ClientSession, name: str) -> tuple[McpPrompt, ...]:
    found: dict[str, McpPrompt] = {}
    async for page in _others(lambda asked: session.list_prompts(params=asked)):
        for one in page.prompts[: MOST_OTHERS - len(found)]:
            arguments = tuple(
                McpArgument(
                    name=each.name,
                    description=(each.description or "")[:LONGEST_WORDS],
                    required=each.required is True,
                )
                for each in one.arguments or ()
            )
            words = (one.description or one.title or "")[:LONGEST_WORDS]
            prompt = McpPrompt(server=name, name=one.name, description=words, arguments=arguments)
            found.setdefault(one.name, prompt)
    return tuple(found.values())


async def _resources(session: ClientSession, name: str) -> tuple[McpResource, ...]:
    found: dict[str, McpResource] = {}
    async for page in _others(lambda asked: session.list_resources(params=asked)):
        for one in page.resources[: MOST_OTHERS - len(found)]:
            found.setdefault(str(one.uri), _resource(name, str(one.uri), one))
    async for page in _others(lambda asked: session.list_resource_templates(params=asked)):
        for one in page.resource_templates[: MOST_OTHERS - len(found)]:
            found.setdefault(one.uri_template, _resource(name, one.uri_template, one))
    return tuple(found.values())


def _resource(server: str, uri: str, sent: types.Resource | types.ResourceTemplate) -> McpResource:
    return McpResource(
        server=server,
        uri=uri,
        name=(sent.title or sent.name)[:_LONGEST_NAME],
        description=(sent.description or "")[:LONGEST_WORDS],
        media_type=sent.mime_type,
        is_template=isinstance(sent, types.ResourceTemplate),
    )


async def _others(
    ask: Callable[[types.PaginatedRequestParams | None], Awaitable[_PageT]],
) -> AsyncGenerator[_PageT]:
    """Yield the pages of an optional list; an error ends them."""
    try:
        async for page in _pages(ask):
            yield page
    except (MCPError, ValidationError) as error:
        log.warning("a list of a server is not read: %s", type(error).__name__)


async def _pages(
    ask: Callable[[types.PaginatedRequestParams | None], Awaitable[_PageT]],
) -> AsyncGenerator[_PageT]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await ask(types.PaginatedRequestParams(cursor=cursor) if cursor else None)
        yield page
        if not page.next_cursor or page.next_cursor == cursor:
            return
        cursor = page.next_cursor
