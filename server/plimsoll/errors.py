"""The whole error tree; every message says what happened, with which input, and what to do.

PlimsollError
├── InvalidInput            what a caller gave cannot be used
│   ├── SettingsInvalid     a settings file, variable or option
│   └── LogInvalid          an imported or replayed log
├── NotFound                a session, item, pin, edit or memory that is not there
├── SessionUnreadable       a stored session that cannot be opened
├── Busy                    another turn, or another process, holds the session
├── SpendLimitReached       the session has spent what it may
├── AddressChanged          a session would go where it was not held, and nobody could be asked
│   └── AddressRejected     its person does not let it go there
├── Infeasible              what must be kept does not fit the window
├── RequestInvalid          a request would break a law and was not sent
├── NotUndoable             undoing would not fit, or there is nothing to undo
├── MemoryRefused           a secret, a duplicate, or no room
├── ToolFailed              a tool's own answer to the model
├── Interrupted             the work was cancelled by the person
├── UntrustedWorkspace      no folder that is open is trusted
├── VocabularyDamaged       a shipped vocabulary has the wrong checksum
├── StoreError
│   ├── StoreUnavailable    cannot be opened, read or written
│   ├── StoreDamaged        not a database, or not whole
│   ├── StoreNewer          written by a newer version
│   └── LogConflict         the log has grown since it was read
└── ProviderError
    ├── ProviderAuth        wrong or missing key
    ├── ProviderRateLimited too many requests, or no quota
    ├── ProviderOverflow    the prompt is too long for the model
    ├── ProviderUnavailable refused, timed out, or failing
    ├── ProviderModel       no such provider or model
    └── ProviderAnswer      an answer that breaks the protocol
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

FixKind = Literal["key", "address", "model", "window", "account", "setting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """The thing to be corrected, such as a key; each front door says how that is done there."""

    kind: FixKind
    variable: str | None = None
    """The environment variable that holds the key."""
    address: str | None = None
    """The address that was probably meant."""
    setting: str | None = None
    """The setting to change, as ``model.base_url``."""
    advice: str | None = None
    """The part of the remedy that names no setting and no variable: it holds at every door."""


class PlimsollError(Exception):
    """Anything that went wrong in a way that a person can be told about.

    ``kind`` is the stable name of the wire; ``remedy`` says what to do, wherever the person is, and
    ``fix`` what is to be put right; ``data`` holds further fields for clients, never a secret and
    never the raw input.
    """

    kind = "failed"

    def __init__(
        self,
        message: str,
        *,
        remedy: str | None = None,
        data: Mapping[str, object] | None = None,
        fix: Fix | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.fix = fix
        self.data: dict[str, object] = dict(data or {})


class InvalidInput(PlimsollError):
    """What a caller gave cannot be used."""

    kind = "invalid"


class SettingsInvalid(InvalidInput):
    """A settings file, variable or option cannot be used."""

    kind = "settingsInvalid"


class LogInvalid(InvalidInput):
    """An imported or replayed log cannot be read."""

    kind = "logInvalid"


class NotFound(PlimsollError):
    """The named thing does not exist; ``what`` becomes the stable kind (``sessionNotFound``)."""

    def __init__(
        self, what: str, name: str, *, message: str | None = None, remedy: str | None = None
    ) -> None:
        super().__init__(message or f"No {what} {name!r}.", remedy=remedy)
        self.kind = f"{what}NotFound"


class SessionUnreadable(PlimsollError):
    """A stored session cannot be opened; it is left as it is and can be exported."""

    kind = "sessionUnreadable"


class Busy(PlimsollError):
    """Another turn, or another process, holds the session."""

    kind = "busy"


class SpendLimitReached(PlimsollError):
    """The session has spent what the settings allow; the message names limit and amount."""

    kind = "spendLimit"


class AddressChanged(PlimsollError):
    """A session would go to an address at which it was not held, and nobody could be asked.

    Nothing was sent; ``data`` has ``known`` and ``now``.
    """

    kind = "addressChanged"


class AddressRejected(AddressChanged):
    """A person does not let a session go to another address; nothing was sent."""

    kind = "addressRejected"


class Infeasible(PlimsollError):
    """What must be kept does not fit the window; ``data`` names the items and the tokens."""

    kind = "infeasible"


class RequestInvalid(PlimsollError):
    """A request would break a law; it was not sent. This is a defect of Plimsoll."""

    kind = "requestInvalid"


class NotUndoable(PlimsollError):
    """The edit cannot be undone now; ``data.needsTokens`` says by how much it does not fit."""

    kind = "notUndoable"


class MemoryRefused(PlimsollError):
    """The memory was not stored; the message says why."""

    kind = "memoryRefused"


class ToolFailed(PlimsollError):
    """A tool could not do what it was asked; the message is the model's answer."""

    kind = "toolFailed"


class Interrupted(PlimsollError):
    """The work was cancelled by the person."""

    kind = "cancelled"


class VocabularyDamaged(PlimsollError):
    """A shipped vocabulary does not have its published checksum."""

    kind = "vocabularyDamaged"


class StoreError(PlimsollError):
    """Something is wrong with the store."""

    kind = "storeUnavailable"


class StoreUnavailable(StoreError):
    """The store cannot be opened, read or written."""


class StoreDamaged(StoreError):
    """The file is not a store of ours, or not whole; it is left as it is."""

    kind = "storeDamaged"


class StoreNewer(StoreError):
    """The store was written by a newer version; it is left as it is."""

    kind = "storeNewer"


class LogConflict(StoreError):
    """The log has grown since it was read; nothing was written."""

    kind = "conflict"


class UntrustedWorkspace(PlimsollError):
    """No folder that is open is trusted, so nothing is done in the person's name."""

    kind = "untrustedWorkspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """A failure after which the same request can succeed a moment later."""

    seconds: float | None = None
    """The wait that the provider names."""
    limited: bool = False
    """Whether it limits what is asked in a time; else it fails."""


class ProviderError(PlimsollError):
    """The model provider failed; ``passing``: the failure may end by itself soon.

    ``refusal``: what it complained about, for who renders the request otherwise.
    """

    kind = "providerFailed"
    passing: Passing | None = None
    refusal: object = None


class ProviderAuth(ProviderError):
    """The key is wrong or missing."""

    kind = "providerAuth"


class ProviderRateLimited(ProviderError):
    """Too many requests, or no quota; ``data.retryAfterSeconds`` when the provider said so."""

    kind = "providerRateLimited"


class ProviderOverflow(ProviderError):
    """The provider says that the prompt is too long."""

    kind = "providerOverflow"


class ProviderUnavailable(ProviderError):
    """The provider refused the connection, timed out or is failing."""

    kind = "providerUnavailable"


class ProviderModel(ProviderError):
    """There is no such provider or model."""

    kind = "providerModel"


class ProviderAnswer(ProviderError):
    """The provider's answer breaks its own protocol."""

    kind = "providerAnswer"
