"""The fields of an entry's JSON, each read as what it must be."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar, cast

from plimsoll.errors import LogInvalid

Fields = Mapping[str, object]
Name = TypeVar("Name", bound=StrEnum)
Value = TypeVar("Value")


def wrong_field(name: str, expected: str) -> LogInvalid:
    """Say that a field of an entry has the wrong shape."""
    return LogInvalid(
        f"An entry of the log has a field {name!r} that is not {expected}.",
        remedy="Export the log again; an edited line cannot be read.",
    )


def as_fields(value: object, name: str) -> Fields:
    """Take a value as a JSON object; raises LogInvalid, as all here do."""
    if isinstance(value, dict):
        return cast("dict[str, object]", value)
    raise wrong_field(name, "a JSON object")


def optional_field(fields: Fields, name: str, read: Callable[[Fields, str], Value]) -> Value | None:
    """Read a field that may be missing or null."""
    return None if fields.get(name) is None else read(fields, name)


def text_field(fields: Fields, name: str) -> str:
    """Read a text."""
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise wrong_field(name, "a text")


def maybe_text(fields: Fields, name: str) -> str | None:
    """Read a text that may be missing or null."""
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise wrong_field(name, "a text")


def number_field(fields: Fields, name: str) -> int:
    """Read a whole number."""
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong_field(name, "a whole number")


def flag_field(fields: Fields, name: str) -> bool:
    """Read true or false."""
    value = fields.get(name)
    if isinstance(value, bool):
        return value
    raise wrong_field(name, "true or false")


def list_field(fields: Fields, name: str) -> list[object]:
    """Read a list."""
    value = fields.get(name)
    if isinstance(value, list):
        return cast("list[object]", value)
    raise wrong_field(name, "a list")


def texts_field(fields: Fields, name: str) -> tuple[str, ...]:
    """Read a list of texts."""
    values = list_field(fields, name)
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) < len(values):
        raise wrong_field(name, "a list of texts")
    return texts


def member_field(fields: Fields, name: str, members: Mapping[str, Name]) -> Name:
    """Read the name of a member of an enumeration."""
    member = members.get(text_field(fields, name))
    if member is not None:
        return member
    raise wrong_field(name, f"one of {', '.join(members)}")
