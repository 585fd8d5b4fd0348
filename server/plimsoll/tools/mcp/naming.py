"""Names the tools of servers as every provider takes names. Pure."""

import hashlib
import re

LONGEST_NAME = 64
PREFIX = "mcp__"
_BETWEEN = "__"
_REFUSED = re.compile(r"[^a-zA-Z0-9_-]+")
_HASH = 10


def called_name(server: str, tool: str) -> str:
    """Return the name of a tool for models, ``mcp__SERVER__TOOL``.

    It depends on the two names alone. Where they cannot stand as they are, or where they could be
    read as those of another tool, the name ends with a hash of both.
    """
    name = PREFIX + _clean(server) + _BETWEEN + _clean(tool)
    ambiguous = _BETWEEN in server or server.endswith("_")
    if name == f"{PREFIX}{server}{_BETWEEN}{tool}" and len(name) <= LONGEST_NAME and not ambiguous:
        return name
    end = (
        "_"
        + hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    )
    return name[: LONGEST_NAME - len(end)] + end


def _clean(name: str) -> str:
    return _REFUSED.sub("_", name)
