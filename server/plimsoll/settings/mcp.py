"""The settings of MCP servers: programs and addresses whose tools the agent may ask to use."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from plimsoll.redaction.shapes import is_key_like
from plimsoll.redaction.variables import has_secret_name, holds_secret

MOST_SERVERS = 64
MOST_TEXTS = 512
"""Arguments, variables, headers or switched-off tools of one server."""
LONGEST_TEXT = 10_000
SERVER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_NAMED = re.compile(r"-{0,2}(?P<name>[A-Za-z][\w-]*)(?:=(?P<value>.*))?", re.DOTALL)
FOLDER_WORD = "${workspaceFolder}"
"""Stands for the folder that is worked on; the host of servers puts its path there."""
REFERENCE = re.compile(r"\$\{(?!workspaceFolder\})([A-Za-z_][A-Za-z0-9_]{0,99})\}")
"""A reference to a variable of the person's environment, whose value takes its place."""
_WORD = re.compile(r"\$\{\w+\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSettings:
    """One server, as the person's own file has it: a program to start, or an address."""

    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Variables that the program gets; ``${NAME}`` in a value stands for a variable."""
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    client_id: str = ""
    """Of an app that the person registered for the logins at ``url``."""
    client_secret: str = field(default="", repr=False)
    """``${NAME}`` of the variable that holds it."""
    enabled: bool = True
    off_tools: tuple[str, ...] = ()
    """Tools that are switched off, by the names that the server gives them."""

    def runs(self) -> str:
        """Return the command line, quoted for a shell, or the address; references stay."""
        return self.url or " ".join(map(_quote, (self.command, *self.args)))

    def references(self) -> Iterator[str]:
        """Yield the variables of the person's environment that it refers to."""
        texts = (self.command, *self.args, self.url or "", *self.env.values())
        for text in (*texts, *self.headers.values(), self.client_id, self.client_secret):
            yield from (found[1] for found in REFERENCE.finditer(text))


def _quote(word: str) -> str:
    plain = _WORD.sub("x", word)
    return word if plain == shlex.quote(plain) else shlex.quote(word)


def texts_in(value: object) -> tuple[str, ...] | None:
    """Read a list of texts; None if it is none."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    texts = cast("Sequence[object]", value)
    good = len(texts) <= MOST_TEXTS and all(_is_text(one) for one in texts)
    return tuple(cast("Sequence[str]", texts)) if good else None


def arguments_in(value: object) -> tuple[str, ...] | None:
    """Read a list of arguments; None if it is none, or if a secret stands in it."""
    texts = texts_in(value)
    return None if texts is None or any(secret_arguments(texts)) else texts


def variables_in(value: object) -> Mapping[str, str] | None:
    """Read a table of variables; None if it is none, or if a secret stands in it."""
    return _texts_by_name(value, _VARIABLE)


def secret_in(value: object) -> str | None:
    """Read a reference to a variable that holds a secret; None if it is none."""
    return value if isinstance(value, str) and REFERENCE.fullmatch(value) else None


def headers_in(value: object) -> Mapping[str, str] | None:
    """Read a table of HTTP headers; None if it is none, or if a secret stands in it."""
    found = _texts_by_name(value, _HEADER)
    breaks = found and any("\n" in text or "\r" in text for text in found.values())
    return None if breaks else found


def is_written_secret(name: str, text: str) -> bool:
    """Tell whether a variable or header holds a secret that is written out."""
    if not text or REFERENCE.search(text):
        return False
    return has_secret_name(name, text) or holds_secret(text) or is_key_like(text)


def secret_arguments(texts: Sequence[str]) -> list[bool]:
    """Tell of each argument whether it is a secret that is written out, as by ``--token abc``."""
    found: list[bool] = []
    before = ""
    for text in texts:
        named = _NAMED.fullmatch(text)
        name, value = (named["name"], named["value"]) if named else ("", None)
        secret = holds_secret(text) or is_key_like(text)
        if value:
            secret = secret or has_secret_name(name, value)
        elif before and not text.startswith("-"):
            secret = secret or has_secret_name(before, text)
        found.append(secret and not REFERENCE.search(text))
        before = name if text.startswith("-") and value is None else ""
    return found


def _texts_by_name(value: object, names: re.Pattern[str]) -> Mapping[str, str] | None:
    if not isinstance(value, Mapping):
        return None
    table = cast("Mapping[object, object]", value)
    if len(table) > MOST_TEXTS:
        return None
    found: dict[str, str] = {}
    for name, text in table.items():
        if not isinstance(name, str) or not names.fullmatch(name) or not _is_text(text):
            return None
        if is_written_secret(name, str(text)):
            return None
        found[name] = str(text)
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and "\0" not in value
