"""Translates errors for the client, without what must not leave this process. Pure."""

import asyncio
import traceback
from dataclasses import asdict, dataclass

from cattrs import transform_error
from cattrs.errors import BaseValidationError, StructureHandlerNotFoundError
from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from plimsoll.errors import Interrupted, PlimsollError
from plimsoll.lsp.codes import INTERNAL_ERROR, REQUEST_CANCELLED, REQUEST_FAILED
from plimsoll.lsp.remedies import client_remedy

STRUCTURE_ERRORS = (
    BaseValidationError,
    StructureHandlerNotFoundError,
    AttributeError,
    KeyError,
    TypeError,
    ValueError,
)
"""What cattrs raises when a standard message has the wrong shape."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The error member of a JSON-RPC answer."""

    code: int
    message: str
    data: object = None

    def to_wire(self) -> dict[str, object]:
        """Convert to JSON; `data` is left out when there is none."""
        plain: dict[str, object] = {"code": self.code, "message": self.message}
        return plain if self.data is None else {**plain, "data": self.data}


CANCELLED = Fault(REQUEST_CANCELLED, "Request cancelled")


def fault_of(error: BaseException, reference: str) -> Fault:
    """Translate a handler's exception into a fault; ``reference`` names its place in the log."""
    if isinstance(error, asyncio.CancelledError | Interrupted):
        return CANCELLED
    if isinstance(error, PlimsollError):
        return Fault(REQUEST_FAILED, error.message, _domain_data(error))
    if isinstance(error, JsonRpcException) and not isinstance(error, JsonRpcInternalError):
        return Fault(error.code, error.message, error.data)
    message = f"Internal error; the server's log tells more under {reference}."
    return Fault(INTERNAL_ERROR, message, {"reference": reference})


def describe(error: BaseException) -> str:
    """Describe a defect by type and frames, without its text, which may quote a user's."""
    reason = f" ({_safe_text(error)})" if _safe_text(error) else ""
    frames = "".join(traceback.format_tb(error.__traceback__))
    cause = error.__cause__
    below = "" if cause is None else f"\nfrom {describe(cause)}"
    return f"{type(error).__name__}{reason}\n{frames}{below}".rstrip()


def _safe_text(error: BaseException) -> str | None:
    if isinstance(error, OSError):
        return error.strerror
    return error.msg if isinstance(error, ImportError) else None


def structure_detail(error: BaseException) -> list[dict[str, object]]:
    """Describe which params of a standard method are wrong, without the input."""
    lines = transform_error(error, format_exception=_structure_reason)
    return [_structure_line(line) for line in lines]


def _structure_line(line: str) -> dict[str, object]:
    message, _, path = line.rpartition(" @ ")
    steps = path.replace("[", ".").replace("]", "").replace("'", "").split(".")
    # Places are told from the params on, as they are for our own methods: `$.params.` goes.
    return {"loc": [step for step in steps[2:] if step], "msg": message, "type": "structure"}


def _structure_reason(error: BaseException, expected: type | None) -> str:
    if isinstance(error, KeyError):
        return "required field missing"
    name = getattr(expected, "__name__", None)
    return "invalid value" if name is None else f"invalid value, expected {name}"


def _domain_data(error: PlimsollError) -> dict[str, object]:
    said = client_remedy(error)
    remedy = {} if said is None else {"remedy": said}
    given = {} if error.fix is None else asdict(error.fix)
    fix = {name: value for name, value in given.items() if value is not None}
    return {**error.data, "kind": error.kind, **remedy, **({"fix": fix} if fix else {})}
