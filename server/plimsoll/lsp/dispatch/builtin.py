"""LSP's own methods where stock pygls falls short: initialize, shutdown, folders, commands."""

from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import lsp_method
from pygls.uris import from_fs_path

from plimsoll.lsp.dispatch.dispatcher import Peer
from plimsoll.lsp.dispatch.registry import only_argument

OnInitialize = Callable[[types.InitializeParams], Awaitable[Mapping[str, object]]]


class Standard(Peer):
    """The conversation, complete."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.on_initialize: OnInitialize | None = None
        self.command_names: list[str] = []
        self.watch_client: Callable[[int | None], None] | None = None
        super().__init__(server, converter)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with the capabilities; what `on_initialize` returns is `experimental`."""
        params.workspace_folders = folders_of(params)
        result = yield from super().lsp_initialize(params)
        if self.on_initialize is not None:
            result.capabilities.experimental = yield self.on_initialize, (params,), None
        names = [*self.command_names, *self.registry.commands]
        result.capabilities.execute_command_provider = types.ExecuteCommandOptions(
            commands=list(dict.fromkeys(names))
        )
        if self.watch_client is not None:
            self.watch_client(params.process_id)
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what runs and answer; `exit` ends the process."""
        if (handler := self.added_feature(types.SHUTDOWN)) is not None:
            yield handler, args, None
        self.running.cancel_all(except_current=True)
        self._shutdown = True

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(
        self, params: types.DidChangeWorkspaceFoldersParams
    ) -> Generator[Any, Any, None]:
        """Remove first: a folder renamed in place stands in both lists."""
        for removed in params.event.removed:
            self.workspace.remove_folder(removed.uri)
        for added in params.event.added:
            self.workspace.add_folder(added)
        method = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS
        if (handler := self.added_feature(method)) is not None:
            yield handler, (params,), None

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(
        self, params: types.ExecuteCommandParams
    ) -> Generator[Any, Any, Any]:
        """Run a registered command; it is the request's own task, so a cancel reaches it."""
        command = self.registry.commands.get(params.command)
        if command is None:
            detail = [{"loc": ["command"], "msg": "Unknown command", "type": "unknown_command"}]
            raise JsonRpcInvalidParams("No such command; initialize names them.", data=detail)
        argument = only_argument(params.command, params.arguments)
        return (yield command.call, (argument,), None)


def folders_of(params: types.InitializeParams) -> list[types.WorkspaceFolder]:
    """The workspace folders, for older clients made of `rootUri` or `rootPath`."""
    given: Iterable[types.WorkspaceFolder] = params.workspace_folders or []
    root = params.root_uri or (from_fs_path(params.root_path) if params.root_path else None)
    if given or root is None:
        return list(given)
    name = PurePosixPath(unquote(urlsplit(root).path)).name
    return [types.WorkspaceFolder(uri=root, name=name or root)]
