"""Typed methods, notifications and commands: a name, a model of its params, a coroutine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from pygls.exceptions import JsonRpcInvalidParams

from plimsoll.errors import InvalidInput

if TYPE_CHECKING:
    # pydantic takes a fifth of the start-up; what is imported here runs before `initialize`.
    from pydantic import BaseModel

Params = TypeVar("Params", bound="BaseModel")
Handler = Callable[[Params], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One callable name of the wire."""

    name: str
    model: type[BaseModel]
    handler: Callable[[BaseModel], Awaitable[object]]

    async def call(self, raw: object) -> object:
        """Validate the params, run the handler, and return its result as JSON.

        Raises:
            JsonRpcInvalidParams: with `[{loc, msg, type}]`, never the input.
        """
        # Whoever registered a model has loaded pydantic.
        from plimsoll.lsp.wire.base import dump

        return cast("object", dump(await self.handler(validate(self.name, self.model, raw))))


class Registry:
    """The endpoints of one server, by name."""

    def __init__(self) -> None:
        self.methods: dict[str, Endpoint] = {}
        self.notifications: dict[str, Endpoint] = {}
        self.commands: dict[str, Endpoint] = {}

    def add(
        self,
        table: dict[str, Endpoint],
        name: str,
        model: type[Params],
        handler: Handler[Params],
    ) -> None:
        """Register one endpoint.

        Raises:
            InvalidInput: when the name is taken; two handlers of one name are a defect of ours.
        """
        if name in table:
            raise InvalidInput(f"{name!r} is registered twice.")
        untyped = cast("Callable[[BaseModel], Awaitable[object]]", handler)
        table[name] = Endpoint(name, model, untyped)


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
    """The one optional argument object of a command.

    Raises:
        JsonRpcInvalidParams: when there are more.
    """
    given = arguments or ()
    if len(given) > 1:
        detail = [{"loc": ["arguments", 1], "msg": "One object at most", "type": "too_long"}]
        raise JsonRpcInvalidParams(f"{command} takes one argument object.", data=detail)
    return given[0] if given else None
