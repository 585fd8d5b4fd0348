"""Typed handlers as pygls registers them: raw params in, validated; a wire model out, as JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pygls.exceptions import JsonRpcInvalidParams

if TYPE_CHECKING:
    # pydantic takes a fifth of the start-up; what is imported here runs before `initialize`.
    from pydantic import BaseModel

Params = TypeVar("Params", bound="BaseModel")
Handler = Callable[[Params], Awaitable[object]]
Endpoint = Callable[[Any], Awaitable[object]]


def endpoint(name: str, model: type[Params], handler: Handler[Params]) -> Endpoint:
    """Wrap a handler so that it takes what was sent and returns JSON."""

    # Annotated as anything: pygls hands its server to whatever could take one.
    async def call(raw: Any) -> object:
        # Whoever registered a model has loaded pydantic.
        from plimsoll.lsp.wire.base import dump

        return cast("object", dump(await handler(validate(name, model, raw))))

    return call


def validate(name: str, model: type[Params], raw: object) -> Params:
    """Make the params of a call from what was sent; none at all means an empty object.

    Raises:
        JsonRpcInvalidParams: with `[{loc, msg, type}]`, never the input.
    """
    from pydantic import ValidationError

    from plimsoll.lsp.wire.base import error_details

    try:
        return model.model_validate({} if raw is None else raw)
    except ValidationError as error:
        detail = error_details(error)
        raise JsonRpcInvalidParams(f"Invalid params for {name}.", data=detail) from None


def only_argument(command: str, arguments: Sequence[object] | None) -> object:
    """Take the one optional argument object of a command.

    Raises:
        JsonRpcInvalidParams: when there are more.
    """
    given = arguments or ()
    if len(given) > 1:
        detail = [{"loc": ["arguments", 1], "msg": "One object at most", "type": "too_long"}]
        raise JsonRpcInvalidParams(f"{command} takes one argument object.", data=detail)
    return given[0] if given else None
