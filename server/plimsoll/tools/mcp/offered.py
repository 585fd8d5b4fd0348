"""What a server offered when it was last asked, and how that is kept on disk."""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from plimsoll.private_files import private_folder, replace_private
from plimsoll.tools.ports.mcp import McpArgument, McpPrompt, McpResource, McpServer, McpTool

log = logging.getLogger(__name__)

LARGEST_FILE = 20_000_000
_FORM = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """The tools, prompts and resources that a server offered."""

    since: str
    """When it was asked, in ISO 8601."""
    instructions: str = ""
    tools: tuple[McpTool, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()
    resources: tuple[McpResource, ...] = ()
    left_out: str | None = None
    """What of it is not used, in one sentence for people."""


def offer_file(folder: Path, server: McpServer) -> Path:
    """Return the file of what a server offered.

    Its name depends on how the server is reached; values that may be secret do not count.
    """
    reached = [server.name, server.command, server.url]
    named = [sorted(server.environment), sorted(server.headers)]
    told = json.dumps([*reached, *named]).encode()
    return folder / f"{hashlib.sha256(told).hexdigest()[:32]}.json"


def read_offered(path: Path) -> Offered | None:
    """Read what a server offered; None if that is not known."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return None
        told: object = json.loads(path.read_text("utf-8"))
        return _decode_offered(cast("dict[str, Any]", told)) if isinstance(told, dict) else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("what a server offered is not read: %s", type(error).__name__)
        return None


def keep_offered(path: Path, offered: Offered) -> None:
    """Keep what a server offered, in a private file.

    Raises:
        StoreUnavailable: It cannot be written.
    """
    private_folder(path.parent)
    told = json.dumps({"form": _FORM, **asdict(offered)}, ensure_ascii=False)
    if len(told) <= LARGEST_FILE:
        replace_private(path, told)


def _decode_offered(told: Mapping[str, Any]) -> Offered | None:
    if told["form"] != _FORM:
        return None
    return Offered(
        since=told["since"],
        instructions=told["instructions"],
        tools=tuple(McpTool(**one) for one in told["tools"]),
        prompts=tuple(_prompt(one) for one in told["prompts"]),
        resources=tuple(McpResource(**one) for one in told["resources"]),
        left_out=told["left_out"],
    )


def _prompt(told: Mapping[str, Any]) -> McpPrompt:
    arguments = tuple(McpArgument(**one) for one in told["arguments"])
    rest: dict[str, str] = {name: value for name, value in told.items() if name != "arguments"}
    return McpPrompt(**rest, arguments=arguments)
