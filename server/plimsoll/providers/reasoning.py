"""What of an answer goes back to whoever gave it: reasoning, signatures, the order of its blocks.

What a host sent goes back to it, whatever its name, unless it refuses that (`mends/`). It is kept
with the address and the model that gave it, and with a hash: it goes back to them alone, and as it
came or not at all, since a secret may have been taken out of it. No other can read what is signed.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from plimsoll.context.log.messages import canonical, object_in
from plimsoll.providers.http.json_body import EMPTY, Json, object_at, objects_at, text_at
from plimsoll.providers.http.site import Site
from plimsoll.text.lines import version_of

WANT_TEXT = (".api.deepseek.com", ".moonshot.ai", ".moonshot.cn", ".opencode.ai")
"""Hosts that refuse a message with calls unless its reasoning stands beside them, empty or not:
also of calls that another model made. In a message without calls they ignore or refuse it."""
TEXT_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")
"""Where hosts put reasoning that can be read."""
OF_ANSWER = re.compile(r"signature|opaque|thinking_blocks|extra_content|provider_specific_fields")
OF_CALL = re.compile(r"signature|thought|opaque|extra_content|provider_specific_fields")
"""Names of what hosts send beside an answer or a call and want back untouched."""
SIGNED = re.compile(r"signature|opaque|encrypted")
"""What makes a field worth giving back: in it, or in its name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model at which address is asked, in which dialect."""

    dialect: str
    address: str
    """Up to and with the version, without what is secret in it."""
    model: str

    @property
    def host(self) -> str:
        """The name of the machine alone."""
        return _host(self.address)

    @property
    def wants_text(self) -> bool:
        """Whether reasoning goes back as text beside calls, whoever made them."""
        return f".{self.host}".endswith(WANT_TEXT)

    def keep(self, what: Json, reasoning: str = "") -> str:
        """Write what later requests to this model carry; ``reasoning``: the text it belongs to."""
        own = [self.dialect, self.address, self.model]
        return canonical({"for": own, "sum": _sum(what, reasoning), **what})

    def kept(self, signature: str | None, reasoning: str = "") -> Json:
        """Read what this model left with a message; nothing where another one answered.

        Nothing either where it is not as it came.
        """
        found = object_in(signature) if signature and signature.startswith("{") else None
        if found is None:
            return EMPTY
        what = {name: each for name, each in found.items() if name not in {"for", "sum"}}
        if "sum" not in found:
            # Of a log before addresses and sums were kept.
            return what if found.get("for") == [self.dialect, self.host, self.model] else EMPTY
        same = found["for"] == [self.dialect, self.address, self.model]
        return what if same and found["sum"] == _sum(what, reasoning) else EMPTY


@lru_cache(maxsize=16)
def _host(address: str) -> str:
    # Asked for each message of a request, of one address.
    return urlsplit(address).hostname or ""


def _sum(what: Json, reasoning: str) -> str:
    return version_of(f"{canonical(what)}\0{reasoning}")[:32]


def asked_at(site: Site, dialect: str) -> Asked:
    """Say who is asked at a site."""
    return Asked(dialect, site.address, site.model)


def pieces(text: str, lengths: Sequence[int]) -> list[str]:
    """Cut a text as it came; one that was changed since stands in its last place."""
    if sum(lengths) != len(text):
        return ["" for _ in lengths[1:]] + [text]
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return [text[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def text_field(delta: Json) -> str | None:
    """Return the field in which a delta brings reasoning that can be read."""
    return next((name for name in TEXT_FIELDS if text_at(delta.get(name))), None)


def beside_call(call: Json) -> dict[str, object]:
    """Return what a host sends beside a call, in the call or in its function."""
    own = _signed(call, OF_CALL)
    function = _signed(object_at(call.get("function")), OF_CALL)
    return {**own, "function": function} if function else own


def beside_answer(delta: Json) -> dict[str, object]:
    """Return what a host sends beside a text, and wants back with it."""
    return _signed(delta, OF_ANSWER)


def _signed(fields: Json, names: re.Pattern[str]) -> dict[str, object]:
    return {
        name: each
        for name, each in fields.items()
        if each and names.search(name) and is_signed({name: each})
    }


def is_signed(value: object) -> bool:
    """Tell whether there is something in it that only its giver can read or check."""
    return SIGNED.search(json.dumps(value)) is not None


def joined(held: Mapping[str, object], more: Mapping[str, object]) -> dict[str, object]:
    """Join what comes beside an answer in pieces: lists grow, all else is replaced."""
    found = dict(held)
    for name, each in more.items():
        before = found.get(name)
        found[name] = _grown(objects_at(before), objects_at(each)) if _is_list(each) else each
    return found


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _grown(before: Sequence[Json], more: Sequence[Json]) -> list[Json]:
    """Append blocks; one that has no signature yet goes on with the next of its kind."""
    grown = list(before)
    for block in more:
        last = grown[-1] if grown else EMPTY
        if not last or last.get("signature") or last.get("type") != block.get("type"):
            grown.append(block)
            continue
        words = {
            name: f"{text_at(last.get(name))}{text_at(each)}"
            for name, each in block.items()
            if name in {"thinking", "text", "data"}
        }
        told = {name: each for name, each in block.items() if each is not None}
        grown[-1] = {**last, **told, **words}
    return grown
