"""The base of all wire models: camelCase names, tolerant reading, one way to dump."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel


def wire_name(name: str) -> str:
    """Spell a field on the wire: camelCase, without the underscore that avoids a keyword."""
    return to_camel(name.rstrip("_"))


class Wire(BaseModel):
    """A value that crosses the wire: its names are camelCase there, unknown fields are ignored."""

    # defer_build: a validator is built at its first use, so that start-up pays for none.
    model_config = ConfigDict(
        alias_generator=wire_name,
        populate_by_name=True,
        extra="ignore",
        defer_build=True,
        frozen=True,
        allow_inf_nan=False,
    )


class Empty(Wire):
    """An object without fields: params of a request that needs none, or a result: it is done."""


class Anything(Wire):
    """Any object, such as a command's argument: it is validated once its session is filled in."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    def value(self) -> dict[str, Any]:
        """Return the fields as they were sent."""
        return dict(self.__pydantic_extra__ or {})


def dump(value: Any) -> Any:
    """Convert a wire value, a sequence or mapping of them, or plain JSON to JSON.

    Fields that are None are left out: on this wire, absent and null mean the same.
    """
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, Mapping):
        return {key: dump(item) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [dump(item) for item in cast("Sequence[Any]", value)]
    return value


def error_details(error: ValidationError) -> list[dict[str, Any]]:
    """List what is wrong, as `[{loc, msg, type}]`, without the input: it may hold secrets."""
    return [
        {"loc": list(detail["loc"]), "msg": _message(detail), "type": detail["type"]}
        for detail in error.errors(include_url=False, include_input=False)
    ]


def _message(detail: Mapping[str, Any]) -> str:
    # The one message of pydantic that quotes what was sent: an unknown tag of a union.
    if detail["type"] == "union_tag_invalid":
        return f"Input tag should be one of {detail['ctx']['expected_tags']}"
    return str(detail["msg"])
