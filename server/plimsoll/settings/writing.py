"""Write settings into a TOML file that a person also writes: comments and order stay."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from plimsoll.errors import SettingsInvalid, StoreUnavailable
from plimsoll.private_files import private_folder, replace_private

Value = str | int | bool | Sequence[str] | Mapping[str, str] | None
"""None: the setting is taken out."""
_HEADER = re.compile(r"\s*\[")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
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


def without_section(text: str, section: str) -> str:
    """Return the text of a TOML file without a section and the tables in it; comments stay.

    Raises:
        SettingsInvalid: There is no such section, or it cannot be taken out so.
    """
    name = re.escape(section)
    ours = re.compile(rf"\s*\[\s*{name}\s*(?:\.[^\]]*)?\]\s*(?:#.*)?$")
    kept: list[str] = []
    inside = False
    for line in text.removesuffix("\n").split("\n"):
        if _HEADER.match(line):
            inside = bool(ours.match(line))
        if not inside or line.lstrip().startswith("#"):
            kept.append(line)
    result = "\n".join(kept).rstrip("\n") + "\n"
    wanted = _tree(text)
    above = _table(wanted, section.split(".")[:-1])
    if above.pop(section.rpartition(".")[2], None) is None:
        raise SettingsInvalid(f"The section [{section}] is not there.")
    if _without_empty(_tree_or_none(result)) != _without_empty(wanted):
        raise SettingsInvalid(
            f"The section [{section}] is written in a way that is not changed by a program.",
            remedy="Take it out of the file yourself.",
        )
    return result


def write_config(path: Path, section: str, values: Mapping[str, Value]) -> None:
    """Change a section of a settings file, at once as a whole, for its owner alone.

    Raises:
        SettingsInvalid: The file cannot be read, changed or written.
    """
    remedy = f"Write into it yourself:\n{_snippet(section, values)}"
    _rewrite(path, lambda text: with_section(text, section, values), remedy)


def remove_from_config(path: Path, section: str) -> None:
    """Take a section out of a settings file, at once as a whole.

    Raises:
        SettingsInvalid: The file cannot be read, changed or written.
    """
    remedy = f"Take [{section}] out of it yourself."
    _rewrite(path, lambda text: without_section(text, section), remedy)


def _rewrite(path: Path, change: Callable[[str], str], remedy: str) -> None:
    # A person's own link, into a folder of dotfiles for one, stays a link.
    target = path.resolve()
    try:
        text = target.read_text("utf-8-sig") if target.exists() else ""
        changed = change(text)
        if not target.parent.exists():
            private_folder(target.parent)
        replace_private(target, changed)
    except (OSError, UnicodeDecodeError, StoreUnavailable) as error:
        cause = error.__cause__ if isinstance(error, StoreUnavailable) else error
        reason = getattr(cause, "strerror", None) or str(error)
        raise SettingsInvalid(
            f"The settings file {path} cannot be changed: {reason}.",
            remedy=remedy,
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


def _format_value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, int | str):
        return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        pairs = (f"{_format_key(key)} = {_format_value(one)}" for key, one in value.items())
        return "{" + ", ".join(pairs) + "}"
    return "[" + ", ".join(_format_value(one) for one in value) + "]"


def _format_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _snippet(section: str, values: Mapping[str, Value]) -> str:
    return "\n".join((f"[{section}]", *_rows(values)))


def _require(before: str, after: str, section: str, values: Mapping[str, Value]) -> None:
    """Check that nothing in the file but the values has changed; raises SettingsInvalid."""
    wanted = _tree(before)
    held = _table(wanted, section.split("."))
    for key, value in values.items():
        if value is None:
            held.pop(key, None)
        else:
            held[key] = list(value) if isinstance(value, tuple) else value
    if _tree_or_none(after) != wanted:
        raise SettingsInvalid(
            f"The section [{section}] is written in a way that is not changed by a program.",
            remedy=f"Write into it yourself:\n{_snippet(section, values)}",
        )


def _table(tree: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Return the table at a path of a tree, made where there is none."""
    for name in path:
        inner = tree.setdefault(name, {})
        if not isinstance(inner, dict):
            inner = tree[name] = {}
        tree = cast("dict[str, Any]", inner)
    return tree


def _without_empty(tree: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a tree without its empty tables at the top."""
    return None if tree is None else {name: one for name, one in tree.items() if one != {}}


def _tree_or_none(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _tree(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsInvalid(
            f"The settings file is not valid TOML: {error}.", remedy="Correct it first."
        ) from error
