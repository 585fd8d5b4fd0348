"""Write settings into a TOML file that a person also writes: comments and order stay."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plimsoll.errors import SettingsInvalid, StoreUnavailable
from plimsoll.private_files import private_folder, replace_private

Value = str | int | bool | None
"""None: the setting is taken out."""
_HEADER = re.compile(r"\s*\[")
_KEY = re.compile(r"\s*(?P<key>[A-Za-z0-9_-]+)\s*=")
_COMMENT = re.compile(r"""(?:[^#"']|"(?:[^"\\]|\\.)*"|'[^']*')*?(?P<comment>\s*#.*)?$""")


def with_section(text: str, section: str, values: Mapping[str, Value]) -> str:
    """Return the text of a TOML file with these values in a section; all else stays as it is.

    Raises:
        SettingsInvalid: The file cannot be changed so; the message has the lines to write.
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    begin, end = _place(lines, section)
    if begin is None:
        fresh = [f"[{section}]", *_rows(values)]
        # Without a header before it, a key at the top of the file would become one of ours.
        changed = [*lines, *([""] if lines and lines[-1].strip() else []), *fresh]
    else:
        changed = [*lines[:begin], *_change_lines(lines[begin:end], values), *lines[end:]]
    result = "\n".join(changed) + "\n"
    _require(text, result, section, values)
    return result


def write_config(path: Path, section: str, values: Mapping[str, Value]) -> None:
    """Change a section of a settings file, at once as a whole, for its owner alone.

    Raises:
        SettingsInvalid: The file cannot be read, changed or written.
    """
    # A person's own link, into a folder of dotfiles for one, stays a link.
    target = path.resolve()
    try:
        text = target.read_text("utf-8-sig") if target.exists() else ""
        changed = with_section(text, section, values)
        if not target.parent.exists():
            private_folder(target.parent)
        replace_private(target, changed)
    except (OSError, UnicodeDecodeError, StoreUnavailable) as error:
        cause = error.__cause__ if isinstance(error, StoreUnavailable) else error
        reason = getattr(cause, "strerror", None) or str(error)
        raise SettingsInvalid(
            f"The settings file {path} cannot be changed: {reason}.",
            remedy=f"Write into it yourself:\n{_snippet(section, values)}",
            data={"source": str(path)},
        ) from error


def _place(lines: list[str], section: str) -> tuple[int | None, int]:
    """Return the lines of a section: the first behind its header, and the one behind its last."""
    header = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\]\s*(?:#.*)?$")
    begin = next((at + 1 for at, line in enumerate(lines) if header.match(line)), None)
    if begin is None:
        return None, len(lines)
    following = (at for at in range(begin, len(lines)) if _HEADER.match(lines[at]))
    return begin, next(following, len(lines))


def _change_lines(lines: list[str], values: Mapping[str, Value]) -> list[str]:
    left = dict(values)
    kept: list[str] = []
    for line in lines:
        found = _KEY.match(line)
        if found is None or found["key"] not in left:
            kept.append(line)
            continue
        value = left.pop(found["key"])
        if value is not None:
            comment = _COMMENT.fullmatch(line)
            told = comment["comment"] if comment else None
            kept.append(f"{found['key']} = {_format_value(value)}{told or ''}")
    at = next((n for n in range(len(kept), 0, -1) if kept[n - 1].strip()), 0)
    return [*kept[:at], *_rows(left), *kept[at:]]


def _rows(values: Mapping[str, Value]) -> list[str]:
    return [f"{key} = {_format_value(value)}" for key, value in values.items() if value is not None]


def _format_value(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)


def _snippet(section: str, values: Mapping[str, Value]) -> str:
    return "\n".join((f"[{section}]", *_rows(values)))


def _require(before: str, after: str, section: str, values: Mapping[str, Value]) -> None:
    """Check that nothing in the file but the values has changed; raises SettingsInvalid."""
    wanted = _tree(before)
    held: object = wanted.get(section)
    own: dict[str, Any] = {**held, **values} if isinstance(held, dict) else dict(values)
    wanted[section] = {key: value for key, value in own.items() if value is not None}
    try:
        as_wanted = tomllib.loads(after) == wanted
    except tomllib.TOMLDecodeError:
        as_wanted = False
    if not as_wanted:
        raise SettingsInvalid(
            f"The section [{section}] is written in a way that is not changed by a program.",
            remedy=f"Write into it yourself:\n{_snippet(section, values)}",
        )


def _tree(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsInvalid(
            f"The settings file is not valid TOML: {error}.", remedy="Correct it first."
        ) from error
