"""Classifies a refusal by its words, into a closed set of kinds for every vendor.

Pure. It goes by structure (status, words, the field named), never by host. What to do about a kind
is decided in `providers/mends/choosing.py`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "name",
    "id",
    "order",
    "field",
    "image",
    "reasoning",
    "length",
    "output",
    "rate",
    "tool",
    "empty",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A server's refusal of a request: the kind of its reason, and its own words."""

    kind: Kind | None
    """None if it fits no known kind."""
    message: str
    """The server's own words."""
    field: str = ""
    """The path that the error names separately, as ``messages[2].content``."""


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


RATE = _words(
    r"tokens?(?: \w+)? (?:per|a) (?:second|min(?:ute)?|hour|day)\b|tokens/min|\b[io]?tp[mdh]\b"
    r"|rate[ _-]?limit|too many requests"
)
OVERFLOW_TEXT = re.compile(
    r"maximum context length|prompt is too long|context[ _]length[ _]exceeded|context size"
    r"|exceeds? (?:the |your )?(?:model'?s? )?(?:maximum |available )?context|context limit"
    r"|context window (?:exceeded|is|of)|too many (?:input |prompt )?tokens"
    r"|(?:input|prompt) is too long"
    r"|reduce the length|request too large|input token count|maximum number of (?:input )?tokens",
    re.IGNORECASE,
)
SUBJECT = _words(
    r"\bprompts?\b|\binputs?\b|input_tokens|prompt_tokens|\bcontext|\bmessages?\b|conversation"
    r"|histor(?:y|ies)\b|\bsequence|seq_len|\brequest(?:ed)?\b|\btotal tokens"
)
EXCESS = _words(
    r"exceed|too (?:long|large|big|many)|(?:longer|greater|larger|more|higher) than|over(?:flow|s )"
    r"|must (?:have|be|contain) (?:<|less|at most|no|small|short|fewer)|maximum|\bmax\b|at most"
    r"|reduce|shorten|range of|beyond|does not fit|doesn't fit|cannot fit|runs? out of|out of range"
    r"|limit of|over the limit|above the|surpass|\d+ ?>=? ?\d+|n_keep"
)
UNIT = _words(r"token|length|context|window|\bn_ctx\b|seq_len|too long")
NO_PROMPT = _words(
    r"string too long|maximum length \d+, but got a string|pixels|dimension|\bMB\b|bytes|megabyte"
    r"|\btool[_ ]?calls?\b.{0,20}\bid\b|number of (?:tools|functions|images|messages)"
)
"""Fields other than the prompt that are too long or too large."""
OUTPUT = _words(
    r"max_(?:completion_|output_|new_)?tokens|max(?:imum)?[ _]output|maxOutputTokens"
    r"|(?:completion|output) tokens|budget_tokens"
)
PROMPT_TOO = _words(
    r"`?inputs`?|prompt|context (?:length|window|size|limit)|in the messages"
    r"|input (?:tokens|length)"
)
ID = _words(r"\b(?:tool[_ ]?)?(?:call|use)?[_ ]?ids?\b|\bcall_id\b|tool_use_id|tool_call_id|\.id\b")
FORM = _words(
    r"too long|length|pattern|must (?:be|match|contain)|should match|characters|a-z|invalid"
    r"|unique|duplicate|begins? with|format"
)
NAME = _words(
    r"(?:function|tool)s?\b.{0,60}\bnames?\b|\bnames?\b.{0,60}(?:function|tool)|\.name\b"
    r"|\bname\b.{0,30}(?:pattern|match|a-z)"
)
ORDER = _words(
    r"(?:unexpected|expected|invalid|wrong|last|first|next|previous|current).{0,40}\broles?\b"
    r"|\broles?\b.{0,60}(?:alternat|order|after|before|twice|in a row|turns?\b)|alternat"
    r"|after role|successive|consecutive|(?:multiple|two|several|repeated) (?:user|assistant)"
    r"|must (?:start|begin|end)s? with (?:a |an |the )?(?:single )?['`\"]?(?:user|system|assistant)"
    r"|prefill|(?:order|sequence) of (?:the )?(?:messages|roles|turns)"
    r"|\bsystem\b.{0,40}(?:not supported|unsupported|first|beginning|only one|single)"
    r"|support['`\" ]*system\b|system (?:role|message|prompt).{0,20}(?:not|un)[ -]?support"
    r"|(?:user|assistant|tool|function) (?:message|turn|role)s? (?:must|should|can(?:not| only))"
    r"|(?:function|tool)[ _](?:call|response) turn|immediately (?:after|follow)"
    r"|(?:last|final) (?:message|turn) (?:must|should|cannot|can't)|end with a user"
)
IMAGE = _words(
    r"\bimages?\b|image_url|input_image|\bvision\b|\bvisual|multi-?modal|media[_ ]type|base64"
    r"|\bpixels\b|\bpicture"
)
REASONING = _words(
    r"signature|thinking\b|thought|encrypted[ _]content|\breasoning\b|reasoning_content|\brs_\w+"
)
EMPTY = _words(
    r"(?:non-?empty|must not be empty|cannot be empty|can't be empty|is empty|empty (?:content|text"
    r"|message)|not be blank|at least one (?:character|content)|(?:min(?:imum)?|least) length"
    r"|too short|content.{0,30}(?:null|none|required|missing)|contain non-whitespace)"
)
SCHEMA = _words(
    r"(?:invalid|unsupported|bad) (?:json )?schema|schema (?:for|of) (?:function|tool)"
    r"|input_schema|tools?[.\[]\d+\]?\S*(?:parameters|schema)|function_declarations?\[\d+\]"
)
FIELD = _words(
    r"unsupported|unrecogni[sz]ed|unknown|not (?:supported|permitted|allowed|recogni[sz]ed|accepted"
    r"|available|compatible|a valid)|unexpected|extra (?:inputs|fields|data|forbidden)"
    r"|extra_forbidden|additional propert|does(?:n't| not) (?:support|accept|allow|take)"
    r"|cannot find field|no such (?:field|parameter)|invalid|deprecated|incompatible|forbidden"
    r"|cannot be (?:used|set|specified)|can(?:no|')t be|remove|instead|must not"
)
SAFETY = _words(
    r"safety system|(?:usage|content|management)[ _](?:polic|guideline)|content[ _]filter|flagged"
    r"|moderation"
    r"|inappropriate|data[_ ]?inspection|invalid_prompt"
)
"""A refusal of the content, which no other form of the request passes; an image can be left out."""
BUSY = _words(r"overload|capacity|unavailable|try again|busy|time[d -]?out|high (?:load|demand)")
"""A temporary failure of the server, whatever else it names."""
STRONG = frozenset({"order", "image", "name", "id", "reasoning", "empty"})
"""Kinds that count even if the server reports an internal error: templates raise such errors."""


def refusal_of(message: str, status: int | None, code: str = "", field: str = "") -> Refusal:
    """Classify a refusal; ``field``: the path that the error names separately."""
    told = f"{field}: {message}" if field else message
    kind = _kind(told, status, code)
    plain = status is None or (400 <= status < 500 and status not in {401, 402, 403, 408, 429})
    if kind is not None and kind not in {"length", "rate"} and not plain:
        page = message.lstrip().startswith("<")
        failed = (status or 0) >= 500 and not BUSY.search(message)
        kind = kind if failed and kind in STRONG and not page else None
    return Refusal(kind=kind, message=message, field=field)


def is_length(message: str) -> bool:
    """Tell whether these words say that the prompt is too long."""
    if NO_PROMPT.search(message) or (OUTPUT.search(message) and not PROMPT_TOO.search(message)):
        return False
    by_words = all(each.search(message) for each in (SUBJECT, EXCESS, UNIT))
    return by_words or OVERFLOW_TEXT.search(message) is not None


def _kind(told: str, status: int | None, code: str) -> Kind | None:
    if status == 429 or code.startswith("rate_limit") or (status == 413 and RATE.search(told)):
        return "rate"
    if SAFETY.search(f"{code} {told}"):
        return "image" if IMAGE.search(told) else None
    if REASONING.search(told) and not is_length(told):
        return "reasoning"
    if OUTPUT.search(told) and re.search(r"\d", told) and not PROMPT_TOO.search(told):
        return "output"
    if is_length(told):
        return "length"
    if IMAGE.search(told):
        return "image"
    return _kind_of_history(told)


def _kind_of_history(told: str) -> Kind | None:
    if ORDER.search(told):
        return "order"
    if SCHEMA.search(told):
        return "tool"
    if NAME.search(told) and FORM.search(told):
        return "name"
    if ID.search(told) and FORM.search(told):
        return "id"
    if EMPTY.search(told):
        return "empty"
    return "field" if FIELD.search(told) else None


OF_HISTORY = frozenset({"name", "id", "order", "image", "reasoning", "output", "tool", "empty"})
"""Kinds that are distinguished from a wrong address or model by words, whatever the status."""
REMEDIES: Mapping[Kind | None, str] = {
    "image": "Remove the image from the context, or choose a model that sees images.",
    "output": "Ask for shorter answers, or choose a model that gives longer ones.",
    "tool": "Turn off the tool of which the server speaks, or choose another model.",
    "field": "The server does not take this kind of request; choose another model.",
}
"""What to do about a refusal that no mend fits, by kind."""
ITS_WORDS = (
    "Do what the server says, or choose another model; a message that it speaks of can be removed "
    "from the context."
)
NO_TOOLS = _words(
    r"(?:no\b|not|n't|un)[ -]?(?:\w+ ){0,4}support\w* (?:for )?(?:\w+ )?(?:tools?|function)"
    r"|tool choice requires|--enable-auto-tool-choice|--jinja"
)
TAKES_NO_TOOLS = (
    "Choose a model that takes tools, or let its server pass them on: llama.cpp with `--jinja`, "
    "vLLM with `--enable-auto-tool-choice --tool-call-parser NAME`."
)
OF_SAFETY = (
    "Say it in other words, remove what was refused from the context, or choose another model."
)


def remedy(refusal: Refusal) -> str:
    """Return the advice for people after a refusal that no mend fits."""
    if refusal.kind in {None, "field", "tool"} and NO_TOOLS.search(refusal.message):
        return TAKES_NO_TOOLS
    if refusal.kind is None and SAFETY.search(refusal.message):
        return OF_SAFETY
    return REMEDIES.get(refusal.kind, ITS_WORDS)
