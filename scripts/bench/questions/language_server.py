"""basedpyright's language server as an editor has it: what it knows, by the port of the tools."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlparse

from plimsoll.tools.editor.knowledge import Place, Position, Symbol


def path_of(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path))


class LanguageServer:
    """One server over a folder; requests one after the other."""

    def __init__(self, program: Path, root: Path) -> None:
        self._program = program
        self._root = root
        self._number = 0
        self._open: set[Path] = set()

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            str(self._program),
            "--stdio",
            stdin=pipe,
            stdout=pipe,
            limit=2**26,
            start_new_session=True,
        )
        folder = {"uri": self._root.as_uri(), "name": "root"}
        about = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
        await self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": about,
            },
        )
        self._send({"method": "initialized", "params": {}})
        return self

    async def __aexit__(self, *_: object) -> None:
        # The program is a script that starts the server proper, which holds the pipes.
        os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = await self._read()
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": self._answer(message)})
            elif message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def _answer(self, message: Mapping[str, Any]) -> Any:
        asked = message["method"] == "workspace/configuration"
        return [{} for _ in message["params"]["items"]] if asked else None

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        size = 0
        while (row := await self._process.stdout.readline()).strip():
            name, _, value = row.partition(b":")
            size = int(value) if name == b"Content-Length" else size
        return json.loads(await self._process.stdout.readexactly(size))

    def _opened(self, path: Path) -> dict[str, str]:
        about = {"uri": path.as_uri()}
        if path not in self._open:
            self._open.add(path)
            text = {"languageId": "python", "version": 1, "text": path.read_text("utf-8")}
            self._send(
                {"method": "textDocument/didOpen", "params": {"textDocument": {**about, **text}}}
            )
        return about

    async def outline(self, path: Path) -> Sequence[Symbol] | None:
        about = {"textDocument": self._opened(path)}
        found = await self.ask("textDocument/documentSymbol", about)
        return list(_flat(found or [], path, ()))

    async def symbols(self, _root: Path, query: str) -> Sequence[Symbol] | None:
        found = await self.ask("workspace/symbol", {"query": query})
        places = ((each, each["location"]) for each in found or [])
        return [
            Symbol(
                name=each["name"],
                kind="",
                path=path_of(place["uri"]),
                line=place["range"]["start"]["line"] + 1,
                first=place["range"]["start"]["line"] + 1,
                last=None,
                container=tuple(filter(None, [each.get("containerName")])),
            )
            for each, place in places
        ]

    async def definition(self, path: Path, position: Position) -> Sequence[Place] | None:
        return await self._places("textDocument/definition", path, position)

    async def references(self, path: Path, position: Position) -> Sequence[Place] | None:
        return await self._places("textDocument/references", path, position)

    async def _places(self, method: str, path: Path, position: Position) -> Sequence[Place]:
        about = {"line": position.line, "character": position.character}
        asked = {
            "textDocument": self._opened(path),
            "position": about,
            "context": {"includeDeclaration": True},
        }
        found = await self.ask(method, asked)
        return [
            Place(path_of(each["uri"]), each["range"]["start"]["line"] + 1) for each in found or []
        ]

    async def diagnostics(self, *_: object, **__: object) -> None:
        """Know no problems: nobody asks."""

    async def rename(self, *_: object) -> None:
        """Know no rename: nobody asks."""


def _flat(
    symbols: Sequence[Mapping[str, Any]], path: Path, around: tuple[str, ...]
) -> Iterator[Symbol]:
    for each in symbols:
        whole, name = each["range"], each["selectionRange"]
        yield Symbol(
            name=each["name"],
            kind={5: "class", 6: "method", 12: "function"}.get(each["kind"], "variable"),
            path=path,
            line=name["start"]["line"] + 1,
            first=whole["start"]["line"] + 1,
            last=whole["end"]["line"] + 1,
            container=around,
        )
        yield from _flat(each.get("children", []), path, (*around, each["name"]))
