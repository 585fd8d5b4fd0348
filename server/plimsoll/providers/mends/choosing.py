"""Chooses mends for a refusal, by its words and by what was sent. Pure.

Every kind of refusal has a short list of mends. One that was tried for a request, or is in force
already, is not chosen again; when none is left, the server's own words are shown.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from plimsoll.providers.base import Request
from plimsoll.providers.http.refusals import FIELD, Kind, Refusal
from plimsoll.providers.mends.fields import OPTIONAL, OUTPUT_FIELDS, sent_fields, sent_number
from plimsoll.providers.mends.mend import Mend
from plimsoll.providers.mends.spelling import (
    MOST_NAME,
    block_name,
    image_name,
    strict_name,
    valid_name,
)

MOST_BLOCKS = 64
"""Most blocks of reasoning that are refused one by one; beyond that all are left out."""
INSTEAD = re.compile(
    r"(?:use|rename(?:d)? (?:it )?to|try) ['\"`]?(\w+)['\"`]?(?: instead)?", re.IGNORECASE
)
NUMBERS = re.compile(r"(?<![\w.])\d[\d,_]*(?![\w.]*\w)")
FEWER_TOKENS = (8_192, 4_096, 2_048)
"""Limits to try for the answer's tokens if a server does not name its own."""
LENGTH = re.compile(r"length (?:of |is )?(\d+)", re.IGNORECASE)
MOST_LENGTH = re.compile(r"(?:max\w*|at most|up to|no more than)\D{0,20}(\d+)", re.IGNORECASE)
ONE_IMAGE = re.compile(
    r"format|media.?type|\bmime|process|valid|corrupt|decod|dimension|\bsize|large|\bMB\b|bytes"
    r"|pixels|resolution|download|parse|broken|read the image|exceed|allowed|polic|flagged"
    r"|moderation|inappropriate|safety|filter",
    re.IGNORECASE,
)
MOST_IMAGES = re.compile(
    r"(?:at most|maximum of|up to|more than|limit(?:ed)? (?:of|to)) (\d+) images?"
    r"|images?\b.{0,30}(?:at most|maximum|limit)\D{0,20}(\d+)",
    re.IGNORECASE,
)
NO_IMAGES = re.compile(
    r"(?:input|content|modalit)\w* (?:is |are )?not support|text[- ]only", re.IGNORECASE
)
SEES_NONE = re.compile(
    r"(?:\bnot\b|n't|\bun|\bno\b)[ -]?(?:\w+ )?(?:support|accept|allow|enabl|take|permit|multi)"
    r"|\bno endpoints|only (?:supports? )?text|unknown (?:variant|content|type)|expected .{0,9}text"
    r"|invalid (?:content )?type|cannot (?:see|read images)|\bblind\b",
    re.IGNORECASE,
)
"""Words of a model without vision; otherwise only the image at fault may be left out."""
MISSING = re.compile(
    r"passed back|missing|required|must (?:include|contain|have|be (?:provided|present|sent|set))"
    r"|without (?:a |an |its )?|not (?:provided|present|found)|lacks?",
    re.IGNORECASE,
)
GIVEN = {"reasoning_content": "reasoning_content", "thought_signature": "extra_content"}
"""Fields that hosts require beside calls, by the words with which they ask for them."""
NO_SYSTEM = re.compile(
    r"\bsystem\b['\"`]?.{0,40}(?:not|un)[ -]?support|support['\"` ]*system\b"
    r"|system['\"` ]+(?:role|message)s? (?:is|are) not|unexpected role ['\"`]?system"
    r"|unknown (?:role|variant):? ['\"`]?system",
    re.IGNORECASE,
)

Known = Collection[Mend]
_Ladder = Callable[[Refusal, Request, Mapping[str, object]], Iterator[Mend]]


def mends_for(
    refusal: Refusal, request: Request, body: Mapping[str, object], known: Known
) -> tuple[Mend, ...]:
    """Return the mends to try next, together; ``known``: those in force or tried for this request.

    ``body`` is the refused body: only fields that it has can be left out.
    """
    if refusal.kind is None or refusal.kind in {"length", "rate"}:
        return ()
    steps = [step for step in _steps(refusal, request, body) if not known or set(step) - set(known)]
    return steps[0] if steps else ()


def _steps(
    refusal: Refusal, request: Request, body: Mapping[str, object]
) -> Iterator[tuple[Mend, ...]]:
    kind = refusal.kind
    if kind == "image":
        yield from _images(refusal, request)
    elif kind == "reasoning":
        yield from _reasoning(refusal, request, body)
    if kind is not None and kind in _LADDERS:
        for mend in _LADDERS[kind](refusal, request, body):
            yield (mend,)
    if kind in {"field", "reasoning", "tool", "order", "name", "empty"}:
        for mend in _fields(refusal, request, body):
            yield (mend,)


def _names(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    del request, body
    found = MOST_LENGTH.search(refusal.message)
    most = int(found[1]) if found and 8 <= int(found[1]) < 64 else 64
    yield Mend(way="names", to=str(most))
    yield Mend(way="names", to="40")


def _ids(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    del request, body
    message = refusal.message
    most, exact = MOST_LENGTH.search(message), LENGTH.search(message)
    if most and 8 <= int(most[1]) <= 128:
        yield Mend(way="ids", to=f"<={most[1]}")
    elif exact and 4 <= int(exact[1]) <= 64:
        yield Mend(way="ids", to=f"={exact[1]}")
    yield Mend(way="ids", to="<=40")
    yield Mend(way="ids", to="=9")


def _order(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    del request, body
    if NO_SYSTEM.search(f"{refusal.field} {refusal.message}"):
        if "developer" in refusal.message or refusal.field:
            yield Mend(way="system", to="developer")
        yield Mend(way="system", to="user")
    yield Mend(way="turns")
    yield Mend(way="system", to="user")


def _output(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    del request
    sent = sent_number(body, OUTPUT_FIELDS)
    if sent is None:
        return
    named = [int(re.sub("[,_]", "", each)) for each in NUMBERS.findall(refusal.message)]
    least = max((number for number in named if 16 <= number < sent), default=None)
    most = [least] if least is not None else [each for each in FEWER_TOKENS if each < sent]
    yield from (Mend(way="cap", to=str(each)) for each in most)


def _tool(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    yield from _fields(refusal, request, body)
    told = f"{refusal.field} {refusal.message}"
    for tool in request.tools:
        spelled = {tool.name, valid_name(tool.name), strict_name(tool.name, MOST_NAME)}
        if any(_names_field(name, told) for name in spelled):
            yield Mend(way="tool", what=tool.name)
    place = re.search(r"(?:tools?|functions?|declarations?)[.\[](\d+)", told)
    if place and int(place[1]) < len(request.tools):
        yield Mend(way="tool", what=request.tools[int(place[1])].name)


def _empty(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    del refusal, request, body
    yield Mend(way="filled")


_LADDERS: Mapping[Kind, _Ladder] = {
    "name": _names,
    "id": _ids,
    "order": _order,
    "output": _output,
    "tool": _tool,
    "empty": _empty,
}


def _images(refusal: Refusal, request: Request) -> Iterator[tuple[Mend, ...]]:
    """Leave out the newest images first if one is at fault: older ones were accepted before."""
    shown = [message.images for message in request.messages if message.images]
    if not shown:
        return
    whole, message = tuple(image for images in shown for image in images), refusal.message
    limit = MOST_IMAGES.search(message)
    if limit and (most := int(limit[1] or limit[2])) < len(whole):
        yield (Mend(way="images", to=str(most) if most else ""),)
    one = ONE_IMAGE.search(message) and not NO_IMAGES.search(message)
    if one or not SEES_NONE.search(message):
        yield _each("image", map(image_name, shown[-1]))
        yield _each("image", map(image_name, whole))
    yield (Mend(way="images"),)


def _reasoning(
    refusal: Refusal, request: Request, body: Mapping[str, object]
) -> Iterator[tuple[Mend, ...]]:
    """Add missing reasoning; else leave out an unknown field; else the blocks themselves."""
    told = f"{refusal.field} {refusal.message}"
    if MISSING.search(told):
        yield from ((Mend(way="give", what=GIVEN[w]),) for w in GIVEN if w in told)
    if FIELD.search(told) and "signature" not in told:
        yield from ((mend,) for mend in _fields(refusal, request, body))
    signed = [message.signature for message in request.messages if message.signature]
    if 0 < len(signed) <= MOST_BLOCKS:
        yield _each("block", map(block_name, signed))
    if signed or "reasoning" in str(sent_fields(body)):
        yield (Mend(way="reasoning"),)


def _each(way: str, names: Iterator[str]) -> tuple[Mend, ...]:
    made = (Mend(way="image" if way == "image" else "block", what=name) for name in names)
    return tuple(dict.fromkeys(made))


OF_NAMES = re.compile(
    r"schema|keyword|\btools?\b|function|parameter|propert|argument|extra|unrecogni|unknown|support"
    r"|accept|permit|allow|forbid",
    re.IGNORECASE,
)
"""A refusal about unknown names, which need not be quoted in it."""
ALIASES = {"encrypted content": "include", "encrypted_content": "include"}
"""Words for a field that the refusal does not name itself."""


def _fields(refusal: Refusal, request: Request, body: Mapping[str, object]) -> Iterator[Mend]:
    """Rename a field as the server says; else leave out the named one if it is optional."""
    del request
    told = f"{refusal.field} {refusal.message}"
    named = [name for name in sent_fields(body) if _is_meant(name, told)]
    named += [ALIASES[words] for words in ALIASES if words in told.lower()]
    # What is named by its path counts first, and the longest of two names that overlap.
    named.sort(key=lambda name: (name not in re.split(r"\W+", refusal.field), -len(name)))
    other = INSTEAD.search(refusal.message)
    for name in _once(named):
        if name in OUTPUT_FIELDS:
            if other and other[1] in OUTPUT_FIELDS and other[1] != name:
                yield Mend(way="spell", what=name, to=other[1])
            elif name == "max_tokens":
                yield Mend(way="spell", what=name, to="max_completion_tokens")
            elif name == "max_completion_tokens":
                yield Mend(way="spell", what=name, to="max_tokens")
        yield Mend(way="omit", what=name)


def _once(names: Sequence[str]) -> Sequence[str]:
    return list(dict.fromkeys(names))


def _is_meant(name: str, told: str) -> bool:
    """Tell whether a word means a field, as those of schemas are English words too."""
    if name in OPTIONAL or OF_NAMES.search(told):
        return _names_field(name, told)
    return re.search(rf"['\"`.\]]{re.escape(name)}(?![\w-])", told) is not None


def _names_field(name: str, told: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", told) is not None
