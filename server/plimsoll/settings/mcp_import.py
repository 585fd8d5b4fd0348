"""Reads the MCP servers of other programs: the files that editors and agents keep of them.

Nothing of them is used before a person says so. What is a secret there stays there: a reference to
a variable takes its place.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from plimsoll.errors import InvalidInput
from plimsoll.settings.mcp import (
    FOLDER_WORD,
    REFERENCE,
    McpSettings,
    is_written_secret,
    secret_arguments,
)

MOST_BYTES = 4_000_000
MOST_BYTES_HERE = 200_000
"""Of a file in the folder, which whoever made the folder wrote."""
# What is not closed ends with the text: looking for its end from each beginning takes hours.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|,(?=\s*[}\]])', re.DOTALL)
_VARIABLE = re.compile(
    r"\$\{(?P<kind>env|input):(?P<name>[^}:]{1,500})\}|\$\{(?P<plain>[^}]{1,500})\}"
)
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_FLAG = re.compile(r"(?P<name>-{0,2}[A-Za-z][\w-]*)=.*", re.DOTALL)
_KEYS = ("command", "args", "env", "url", "headers", "type", "enabled", "disabled", "description")

Tree = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundServer:
    """A server of another program's file."""

    name: str
    server: McpSettings | None = None
    """As it would stand in the settings; None: it cannot be taken over."""
    notes: tuple[str, ...] = ()
    """What is different from there, or why it cannot be taken over."""


def known_files(home: Path, folder: Path) -> tuple[Path, ...]:
    """Return the files in which editors and agents keep their servers, there or not."""
    profiles = [
        base / product / "User" / "mcp.json"
        for base in (home / ".config", home / "Library" / "Application Support")
        for product in ("Code", "Code - Insiders", "VSCodium", "Cursor")
    ]
    return (
        folder / ".vscode" / "mcp.json",
        folder / ".mcp.json",
        folder / ".cursor" / "mcp.json",
        *profiles,
        home / ".claude.json",
        home / ".config" / "Claude" / "claude_desktop_config.json",
        home / "Library" / "Application Support" / "Claude" / "claude_desktop_config.json",
        home / ".cursor" / "mcp.json",
    )


def read_servers(path: Path, folder: Path) -> tuple[FoundServer, ...]:
    """Read the servers of a file; those that it has for a folder too.

    Raises:
        InvalidInput: It cannot be read, or holds no servers.
    """
    # The state of Claude Code is large, and at home, which may be the folder.
    is_here = path.is_relative_to(folder) and path.name != ".claude.json"
    tree = _read(path, MOST_BYTES_HERE if is_here else MOST_BYTES)
    tables = [tree.get("servers"), tree.get("mcpServers")]
    mcp = tree.get("mcp")
    if isinstance(mcp, Mapping):
        tables.append(cast("Tree", mcp).get("servers"))
    tables.append(_of_folder(tree, folder))
    found = {
        name: _read_found(name, table)
        for each in tables
        if isinstance(each, Mapping)
        for name, table in cast("Tree", each).items()
    }
    if not found and not any(isinstance(each, Mapping) for each in tables):
        raise InvalidInput(
            f"{path} holds no MCP servers.",
            remedy="Name a file with a table mcpServers or servers, such as .mcp.json.",
        )
    return tuple(found.values())


def _of_folder(tree: Tree, folder: Path) -> object:
    projects = tree.get("projects")
    own = cast("Tree", projects).get(str(folder)) if isinstance(projects, Mapping) else None
    return cast("Tree", own).get("mcpServers") if isinstance(own, Mapping) else None


def _read(path: Path, most: int) -> Tree:
    try:
        if path.stat().st_size > most:
            raise InvalidInput(f"{path} is too large to be a list of MCP servers.")
        tree = json.loads(_plain_json(path.read_text("utf-8-sig")))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "it is no JSON"
        raise InvalidInput(f"{path} cannot be read: {reason}.") from error
    if not isinstance(tree, Mapping):
        raise InvalidInput(f"{path} holds no MCP servers.")
    return cast("Tree", tree)


def _plain_json(text: str) -> str:
    """Take the comments and trailing commas out of JSON as editors write it."""
    bare = _STRING_OR_COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " ", text)
    return _STRING_OR_COMMA.sub(lambda m: m[0] if m[0].startswith('"') else "", bare)


def _read_found(name: str, table: object) -> FoundServer:
    kept = _NO_NAME.sub("-", name).strip("-_")[:40].strip("-_") or "server"
    if not isinstance(table, Mapping):
        return FoundServer(name=kept, notes=("it is no table",))
    given = cast("Tree", table)
    if given.get("type") == "sse":
        return FoundServer(name=kept, notes=("it is reached by SSE, which is no longer spoken",))
    try:
        server = _without_secrets(_server(given), kept)
    except TypeError:
        return FoundServer(name=kept, notes=("it is not written as servers are",))
    if any(secret_arguments((server.command, server.url or ""))):
        return FoundServer(name=kept, notes=("a secret stands in its command or its address",))
    if bool(server.command) == bool(server.url):
        return FoundServer(name=kept, notes=("it has no command and no address, or both",))
    left = sorted(key for key in given if key not in _KEYS)
    notes = [f"needs the variable {variable}" for variable in sorted(set(server.references()))]
    notes += [f"left out: {', '.join(left)}"] if left else []
    return FoundServer(name=kept, server=server, notes=tuple(notes))


def _server(given: Tree) -> McpSettings:
    """Read a server with its references spelled as ours; raises TypeError for another form."""
    command, url = given.get("command") or "", given.get("url") or ""
    if not isinstance(command, str) or not isinstance(url, str):
        raise TypeError
    return McpSettings(
        command=_place(_referring(command)),
        args=tuple(_place(_referring(text)) for text in _texts(given.get("args", ()))),
        env=_table(given.get("env", {})),
        url=_referring(url) or None,
        headers=_table(given.get("headers", {})),
        enabled=given.get("enabled") is not False and given.get("disabled") is not True,
    )


def _texts(value: object) -> Sequence[str]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError
    return [str(one) for one in cast("Sequence[object]", value) if isinstance(one, str | int)]


def _table(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise TypeError
    pairs = cast("Tree", value).items()
    return {key: _referring(str(one)) for key, one in pairs if isinstance(one, str | int)}


def _referring(text: str) -> str:
    """Rewrite references to variables from other programs' syntax to ours."""

    def spell(found: re.Match[str]) -> str:
        if found["kind"]:
            name = found["name"]
            return f"${{{_fit_name(name) if found['kind'] == 'env' else _spell(name)}}}"
        name = found["plain"].partition(":-")[0]
        known = {"workspaceFolder": FOLDER_WORD, "userHome": "${HOME}", "pathSeparator": "/"}
        return known.get(name, f"${{{_fit_name(name)}}}")

    return _VARIABLE.sub(spell, text)


def _place(text: str) -> str:
    """Put the folder's variable before a relative path: we start no server in the folder."""
    if text == ".":
        return FOLDER_WORD
    return f"{FOLDER_WORD}/{text.removeprefix('./')}" if text.startswith("./") else text


def _fit_name(name: str) -> str:
    """Return a name that can be a variable's: as it is, else respelled."""
    return name if REFERENCE.fullmatch(f"${{{name}}}") else _spell(name)


def _spell(name: str) -> str:
    """Spell ``api-key`` or ``apiKey`` as ``API_KEY``."""
    apart = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name)
    spelled = re.sub(r"[^A-Za-z0-9]+", "_", apart).strip("_").upper()
    return f"_{spelled}" if spelled[:1].isdigit() else spelled or "SECRET"


def _without_secrets(server: McpSettings, name: str) -> McpSettings:
    """Put a reference to a variable in the place of each secret that is written out."""
    secret = secret_arguments(server.args)
    pairs = zip(("", *server.args), server.args, secret, strict=False)
    return replace(
        server,
        args=tuple(_secret_argument(text, before) if hit else text for before, text, hit in pairs),
        env={
            key: f"${{{_fit_name(key)}}}" if is_written_secret(key, text) else text
            for key, text in server.env.items()
        },
        headers={
            key: _secret_header(key, text, name) if is_written_secret(key, text) else text
            for key, text in server.headers.items()
        },
    )


def _secret_argument(text: str, before: str) -> str:
    named = _FLAG.fullmatch(text)
    if named:
        return f"{named['name']}=${{{_spell(named['name'])}}}"
    is_flag = before.startswith("-") and "=" not in before
    return f"${{{_spell(before) if is_flag else 'SECRET'}}}"


def _secret_header(key: str, text: str, name: str) -> str:
    scheme, _, rest = text.partition(" ")
    if rest and scheme.lower() in {"bearer", "basic", "token"}:
        return f"{scheme} ${{{_spell(name)}_TOKEN}}"
    return f"${{{_spell(key)}}}"
