"""Converts the form in a question's text to a JSON schema, and a person's values back."""

import re
from collections.abc import Mapping

from plimsoll.text.lines import lines_of

_FIELD = re.compile(r"(\d+\. (.+?) \(([^)]*)\):)(?: (.*))?")
"""A line of a form: number, name, what is wanted in parentheses, and a value behind the colon."""


def schema_of(form: str) -> dict[str, object]:
    """Return the schema of a form: a text for each line that asks for a value."""
    properties: dict[str, object] = {}
    required: list[str] = []
    for line in lines_of(form):
        found = _FIELD.fullmatch(line)
        if found is None:
            continue
        given: dict[str, object] = {} if found[4] is None else {"default": found[4]}
        told = {"type": "string", "title": found[2], "description": found[3]}
        properties[found[2]] = {**told, **given}
        if "optional" not in found[3].split("; "):
            required.append(found[2])
    return {"type": "object", "properties": properties, "required": required}


def message_of(form: str) -> str:
    """Return the text of a form that stands before its fields."""
    kept = (line for line in lines_of(form) if _FIELD.fullmatch(line) is None)
    return "\n".join(kept).strip()


def fill_form(form: str, values: Mapping[str, object]) -> str:
    """Return the form with the values that a person gave."""

    def line(text: str) -> str:
        found = _FIELD.fullmatch(text)
        if found is None or found[2] not in values:
            return text
        # A value of several lines would begin another line of the form.
        return f"{found[1]} {' '.join(str(values[found[2]]).split())}"

    return "\n".join(line(text) for text in lines_of(form))
