"""Keeps the data of an answer that goes back to its model: reasoning, signatures, block order.

What a host sent goes back to it, whatever its name, unless it refuses that (`mends/`). It is stored
with the address, the model and a hash: it goes back only to them, and unchanged or not at all,
since a secret may have been removed from it. Others cannot read what is signed.
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
"""Hosts that refuse a message with calls without a field of reasoning, even an empty one, and even
for calls of another model. In a message without calls they ignore or refuse it."""
TEXT_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")
"""Hosts' fields for readable reasoning."""
OF_ANSWER = re.compile(r"signature|opaque|thinking_blocks|extra_content|provider_specific_fields")
OF_CALL = re.compile(r"signature|thought|opaque|extra_content|provider_specific_fields")
"""Names of data beside an answer or a call that hosts need back unchanged."""
SIGNED = re.compile(r"signature|opaque|encrypted")
"""In a field or its name, marks data that is worth sending back."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The model and address that a request goes to, and the dialect."""

    dialect: str
    address: str
    """Including the version, without secrets."""
    model: str

    @property
    def host(self) -> str:
        """The host name in the address, without scheme and port."""
        return _host(self.address)

    @property
    def wants_text(self) -> bool:
        """Whether reasoning goes back as text beside all calls, even of other models."""
        return f".{self.host}".endswith(WANT_TEXT)

    def encode_kept(self, what: Json, reasoning: str = "") -> str:
        """Encode data for later requests to this model; ``reasoning``: the text it belongs to."""
        own = [self.dialect, self.address, self.model]
        return canonical({"for": own, "sum": _sum(what, reasoning), **what})

    def decode_kept(self, signature: str | None, reasoning: str = "") -> Json:
        """Decode the data that this model left with a message; empty if another one answered.

        Also empty if it was changed.
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
    """Return the model and address of a site."""
    return Asked(dialect, site.address, site.model)


def pieces(text: str, lengths: Sequence[int]) -> list[str]:
    """Split a text into pieces of these lengths; one piece if it was changed since."""
    if sum(lengths) != len(text):
        return ["" for _ in lengths[1:]] + [text]
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return [text[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def text_field(delta: Json) -> str | None:
    """Return the field of a delta with readable reasoning."""
    return next((name for name in TEXT_FIELDS if text_at(delta.get(name))), None)


def beside_call(call: Json) -> dict[str, object]:
    """Return a host's data beside a call, in the call or its function."""
    own = _signed_fields(call, OF_CALL)
    function = _signed_fields(object_at(call.get("function")), OF_CALL)
    return {**own, "function": function} if function else own


def beside_answer(delta: Json) -> dict[str, object]:
    """Return the data beside an answer's text that the host needs back."""
    return _signed_fields(delta, OF_ANSWER)


def _signed_fields(fields: Json, names: re.Pattern[str]) -> dict[str, object]:
    return {
        name: each
        for name, each in fields.items()
        if each and names.search(name) and is_signed({name: each})
    }


def is_signed(value: object) -> bool:
    """Tell whether a value has data that only its host can read or check."""
    return SIGNED.search(json.dumps(value)) is not None


def merge_beside(held: Mapping[str, object], more: Mapping[str, object]) -> dict[str, object]:
    """Merge the data beside an answer piece by piece: lists are appended, all else is replaced."""
    found = dict(held)
    for name, each in more.items():
        before = found.get(name)
        found[name] = (
            _append_blocks(objects_at(before), objects_at(each)) if _is_list(each) else each
        )
    return found


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _append_blocks(before: Sequence[Json], more: Sequence[Json]) -> list[Json]:
    """Append blocks; one without a signature is continued by the next of its kind."""
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
