"""The projects of a process that are open, and what a person does with the stores behind them."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from plimsoll.errors import InvalidInput, StoreDamaged, StoreError
from plimsoll.folders import folder_of, local_path
from plimsoll.session.project import Project
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.forgetting import (
    Kept,
    forget_everything,
    list_kept,
    read_stored_sessions,
)
from plimsoll.storage.locate import looks_moved, paths_of
from plimsoll.storage.salvage import Salvaged, require_damage, salvage


class OpenProjects:
    """The open projects of a process; a project is closed before its store is touched."""

    def __init__(self, data: Path, make: Callable[[Path, str], Awaitable[Project]]) -> None:
        """``data``: the folder of all stores; ``make``: opens the project of a folder and URI."""
        self.by_root: dict[Path, Project] = {}
        self.in_memory: set[Path] = set()
        """The folders of which a person wants nothing kept beyond this process."""
        self.warnings: list[StoreError] = []
        """What the stores found wrong in the background."""
        self.unopened: dict[Path, StoreError] = {}
        """The folders whose store could not be opened, and why."""
        self._data = data
        self._make = make
        self._opening = asyncio.Lock()

    async def open(self, workspace_folder: str) -> Project:
        """Return the project of a folder, given as a URI; opened once, whatever path leads to it.

        Raises:
            InvalidInput: There is no such folder.
            StoreError: Its store cannot be opened.
        """
        root = folder_of(workspace_folder)
        async with self._opening:
            if root not in self.by_root:
                self.by_root[root] = await self._open_noting_failure(root, workspace_folder)
            return self.by_root[root]

    async def stored_sessions(self, limit: int) -> list[SessionRecord]:
        """List the sessions of every folder that is stored here, opening none of them.

        ``limit``: how many of each folder are read.
        """
        return await asyncio.to_thread(read_stored_sessions, self._data, limit)

    async def salvage(self, workspace_folder: str) -> Salvaged:
        """Save what can be read of a folder's damaged store into a new one, on a person's word.

        Sessions that are kept in memory meanwhile stay there until the process ends.

        Raises:
            Busy: Another process has the store open.
            InvalidInput: There is no store, it is whole, or nothing in it can be read.
            StoreError: The new store cannot be written.
        """
        root = folder_of(workspace_folder)
        folder = paths_of(root, self._data).folder
        async with self._opening:
            await asyncio.to_thread(require_damage, folder)
            if root not in self.in_memory:
                await self._close(root)
            done = await asyncio.to_thread(salvage, folder)
            self.unopened.pop(root, None)
            self.warnings.clear()
        return done

    async def use_memory(self, workspace_folder: str) -> None:
        """Keep a folder's sessions in memory, where its store cannot be used.

        Raises:
            InvalidInput: The store works, or there is no such folder.
        """
        root = folder_of(workspace_folder)
        with suppress(StoreError):
            project = await self.open(workspace_folder)
            # A full disk can still be read, so a store that opened may be of no use.
            await project.environment.store.require_writable()
            if root not in self.in_memory:
                raise InvalidInput(
                    f"The store of {str(root)!r} works.", remedy="Its sessions are kept on disk."
                )
        async with self._opening:
            if root not in self.in_memory:
                await self._close(root)
            self.in_memory.add(root)
        await self.open(workspace_folder)

    async def forget_everything(self, workspace_folder: str | None) -> list[Kept]:
        """Delete all stored data of a folder, or of all folders, and return a list of it.

        Raises:
            Busy: Another process has one of the stores open; nothing was removed.
            StoreUnavailable: Some of it cannot be removed.
        """
        root = None if workspace_folder is None else local_path(workspace_folder).resolve()
        async with self._opening:
            for one in list(self.by_root) if root is None else [root]:
                await self._close(one)
            gone = await asyncio.to_thread(list_kept, self._data, root)
            await asyncio.to_thread(forget_everything, self._data, root)
        return gone

    async def list_kept(self, workspace_folder: str | None) -> list[Kept]:
        """List the stored sessions, memories and other data of a folder, or of all folders."""
        root = None if workspace_folder is None else local_path(workspace_folder).resolve()
        return await asyncio.to_thread(list_kept, self._data, root)

    async def moved_from(self, root: Path) -> list[Path]:
        """Return stored folders that no longer exist and look like this one; only to be offered."""
        return await asyncio.to_thread(looks_moved, root, self._data)

    async def link(self, workspace_folder: str, from_path: str) -> None:
        """Take over the stored data of a folder that was moved; both are URIs.

        Raises:
            Busy: A process has the old store open.
            InvalidInput: A URI is no folder here, or there still is one at the old path.
            NotFound: Nothing is stored for the old path.
            StoreError: One of the stores cannot be used.
        """
        old = local_path(from_path).resolve()
        project = await self.open(workspace_folder)
        async with self._opening:
            if not old.exists():
                # It was moved while it was open: its store must be closed to be taken over.
                await self._close(old)
            environment = project.environment
            await environment.store.take_over(old, environment.root, self._data)
        await project.sessions.spread()
        await environment.memories.changed()

    def failures(self) -> list[StoreError]:
        """Return the errors of stores, except of folders whose sessions are kept in memory."""
        failed = [e for root, e in self.unopened.items() if root not in self.in_memory]
        return [*self.warnings, *failed]

    @property
    def damaged(self) -> bool:
        """Whether a store is damaged."""
        return any(isinstance(error, StoreDamaged) for error in self.failures())

    async def _close(self, root: Path) -> None:
        if root in self.by_root:
            await self.by_root.pop(root).close()

    async def _open_noting_failure(self, root: Path, workspace_folder: str) -> Project:
        try:
            opened = await self._make(root, workspace_folder)
        except StoreError as error:
            self.unopened[root] = error
            raise
        self.unopened.pop(root, None)
        return opened
