"""The stores of folders: to salvage a damaged one, to do without one, to forget what is kept."""

from pydantic import StrictBool

from plimsoll.lsp.wire.base import Wire


class StoreParams(Wire):
    """The folder whose store is meant."""

    workspace_folder: str


class StoreSalvageResult(Wire):
    """What was saved into the new store; `missing` entries are known to have been between others.

    `damagedPath` is the folder in which the damaged file is kept as it was.
    """

    sessions: int
    entries: int
    missing: int
    memories: int
    pins: int
    damaged_path: str


class StoreForgetParams(Wire):
    """One folder, also one that is gone, or all; nothing is deleted unless it is `confirmed`."""

    workspace_folder: str | None = None
    confirmed: StrictBool = False


class KeptFolder(Wire):
    """What is kept of a folder; a count is left out where the database cannot be read."""

    path: str
    sessions: int | None = None
    memories: int | None = None
    pins: int | None = None
    files: int
    bytes: int


class StoreForgetResult(Wire):
    """What is kept; after `confirmed`: what was deleted."""

    kept: tuple[KeptFolder, ...]
