"""The stores of folders: to salvage a damaged one, to do without one, to forget what is kept."""

from pydantic import StrictBool

from plimsoll.lsp.wire.base import Wire


class StoreParams(Wire):
    """The folder whose store is meant."""

    workspace_folder: str


class StoreSalvageResult(Wire):
    """The counts of the new store; `lost` entries between others could not be read.

    `damagedPath` is the folder in which the damaged file is kept as it was.
    """

    sessions: int
    entries: int
    lost: int
    memories: int
    pins: int
    damaged_path: str


class StoreForgetParams(Wire):
    """The folder to forget, also one that is gone, or all; nothing goes unless `confirmed`."""

    workspace_folder: str | None = None
    confirmed: StrictBool = False


class KeptFolder(Wire):
    """A folder of which something is kept; counts are left out if its database cannot be read."""

    path: str
    sessions: int | None = None
    memories: int | None = None
    pins: int | None = None
    files: int
    bytes: int


class StoreForgetResult(Wire):
    """The folders of which something is kept; after `confirmed`, those that were deleted."""

    kept: tuple[KeptFolder, ...]
