"""Refusals of providers in our words: what was meant, and what to do about it.

Pure. One translation for every vendor, without its secrets. The texts and codes are those that
OpenAI, Azure, OpenRouter, Groq, Together, vLLM, llama.cpp, Ollama, Gemini and Anthropic are known
to send.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from plimsoll.errors import (
    Fix,
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.http.address import corrected, with_scheme
from plimsoll.providers.http.site import Site, quoted, without_keys

MOST_OUTPUT = "mostOutputTokens"
"""The field of ``data`` that names the longest answer, where the one asked for is too long."""
OVERFLOW_CODES = frozenset(
    {
        "context_length_exceeded",
        "exceed_context_size_error",
        "request_too_large",
        "string_above_max_length",
    }
)
MODEL_CODES = frozenset({"model_not_found", "model_not_available", "deploymentnotfound"})
QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
KEY_CODES = frozenset({"invalid_api_key", "api_key_invalid", "no_db_connection"})
KEY_TEXT = re.compile(
    r"no connected db|api key not valid|(?:invalid|incorrect|missing|no) (?:api|x-api)[ -]key",
    re.IGNORECASE,
)
"""What gateways say of a key that they do not know, with the status of a bad request."""
QUOTA_TEXT = re.compile(
    r"credit balance is too low|insufficient (?:balance|credits|funds|quota)", re.IGNORECASE
)
WANTS_TLS = re.compile(
    r"http request was sent to https port|http request to an https server", re.IGNORECASE
)
STATUS_OF_TYPE: Mapping[str, int] = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "api_error": 500,
    "server_error": 500,
    "internal_server_error": 500,
    "overloaded_error": 529,
    "timeout_error": 504,
    "invalid_request_error": 400,
}
OVERFLOW_TEXT = re.compile(
    r"maximum context length|prompt is too long|context[ _]length[ _]exceeded|context size"
    r"|exceeds? (?:the |your )?(?:model'?s? )?(?:maximum |available )?context|context limit"
    r"|context window (?:exceeded|is|of)|too many (?:input |prompt )?tokens"
    r"|(?:input|prompt) is too long"
    r"|reduce the length|request too large|input token count|maximum number of (?:input )?tokens",
    re.IGNORECASE,
)
MODEL_TEXT = re.compile(
    r"(?:not a valid|invalid|unknown|no such) model"
    r"|model\b.{0,120}\b(?:does not exist|not found|not exist)|model identifier is invalid"
    r"|model:? ['\"`]?[\w./:@-]+['\"`]? is not supported",
    re.IGNORECASE,
)
LOADING_TEXT = re.compile(r"loading (?:the )?model|model\b.{0,120}\bloading", re.IGNORECASE)
NUMBER = r"(\d[\d,_]*)"
TOKENS_THEN_LIMIT = (
    re.compile(rf"{NUMBER} \+ [\d,_]+ > {NUMBER}"),
    re.compile(rf"{NUMBER} tokens? > {NUMBER}", re.IGNORECASE),
    re.compile(rf"input token count\D{{0,20}}{NUMBER}\D+{NUMBER}", re.IGNORECASE),
    re.compile(rf"\({NUMBER} tokens\) exceeds? \D*{NUMBER}", re.IGNORECASE),
)
LIMIT_THEN_TOKENS = (
    re.compile(rf"maximum context length (?:is|of) {NUMBER}\D+?{NUMBER}", re.IGNORECASE),
    re.compile(rf"limit:? {NUMBER},? requested:? {NUMBER}", re.IGNORECASE),
)
ANSWER_ROOM = re.compile(
    rf"\([^()]*?\b{NUMBER} (?:tokens )?(?:(?:in|for|of) )?(?:the |your )?(?:completion|output)\b",
    re.IGNORECASE,
)
"""What of the tokens that were requested is the answer's."""
OUTPUT_LIMIT = (
    re.compile(rf"at most {NUMBER} (?:completion|output) tokens", re.IGNORECASE),
    re.compile(rf"> {NUMBER}, which is the maximum allowed number of output", re.IGNORECASE),
)
LIMIT_ALONE = (
    re.compile(rf"maximum context length (?:is|of) {NUMBER}", re.IGNORECASE),
    re.compile(rf"context (?:size|limit|window)\D{{0,30}}{NUMBER}", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What the provider said was wrong."""

    message: str
    status: int | None = None
    code: str = ""
    retry_after: float | None = None
    """Seconds."""
    tokens: int | None = None
    limit: int | None = None


def complaint_of(payload: object, status: int | None = None) -> Complaint:
    """Read an error out of a decoded body or event, whatever its shape."""
    if isinstance(payload, list) and payload:
        payload = cast("list[object]", payload)[0]
    if isinstance(payload, str):
        return Complaint(message=payload, status=status)
    if not isinstance(payload, dict):
        return Complaint(message="", status=status)
    outer = cast("Mapping[str, object]", payload)
    inner = outer.get("error", outer)
    if not isinstance(inner, dict):
        return Complaint(message=str(inner), status=status)
    return _complaint(cast("Mapping[str, object]", inner), status)


def complaint_in(body: bytes, status: int | None) -> Complaint:
    """Read an error out of a body; empty and without a status where it holds none."""
    try:
        payload: object = json.loads(body)
    except ValueError:
        # A proxy's page in HTML or plain text; its beginning says enough.
        return Complaint(message=body[:1000].decode("utf-8", "replace"), status=status)
    if status is None and not _has_error(payload):
        return Complaint(message="")
    complaint = complaint_of(payload, status)
    return replace(complaint, status=complaint.status or 400)


def _has_error(payload: object) -> bool:
    # The whole answers of some APIs name an error, which is null.
    return isinstance(payload, dict) and bool(cast("Mapping[str, object]", payload).get("error"))


def _complaint(inner: Mapping[str, object], status: int | None) -> Complaint:
    code, kind = inner.get("code"), str(inner.get("type") or "")
    message = _told(inner)
    said = next((value for value in (inner.get("status_code"), code) if _is_status(value)), None)
    named = code if isinstance(code, str) and not code.isdigit() else kind
    guess = STATUS_OF_TYPE.get(named.lower()) or STATUS_OF_TYPE.get(kind.lower())
    return Complaint(
        message=message,
        status=status or (int(str(said)) if said is not None else guess),
        code=named.lower(),
        tokens=_whole(inner.get("n_prompt_tokens")),
        limit=_whole(inner.get("n_ctx")),
    )


def _told(inner: Mapping[str, object]) -> str:
    """Return what an error says, with the cause that a gateway hands on."""
    told = inner.get("message") or inner.get("detail") or ""
    message = told if isinstance(told, str) else json.dumps(told)
    metadata = inner.get("metadata")
    raw = cast("Mapping[str, object]", metadata).get("raw") if isinstance(metadata, dict) else None
    if not isinstance(raw, str) or not raw.strip():
        return message
    try:
        cause = complaint_of(json.loads(raw)).message or raw
    except (ValueError, RecursionError):
        # The upstream's own words, whatever they are.
        cause = raw
    return cause if cause in message else f"{message}: {cause}".removeprefix(": ")


def _is_status(value: object) -> bool:
    return (isinstance(value, int) or (isinstance(value, str) and value.isdigit())) and (
        400 <= int(value) < 600
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def translated(complaint: Complaint, site: Site) -> ProviderError:
    """Make the error a person reads: what happened, with which model and address, what to do."""
    status = complaint.status or 0
    if status in {401, 403} or (status == 400 and _means_key(complaint)):
        return _auth(complaint, site)
    if _is_overflow(complaint):
        return _overflow(complaint, site)
    if _is_model(complaint, site):
        return _model(complaint, site)
    if status in {404, 405} or WANTS_TLS.search(complaint.message):
        return _misplaced(complaint, site)
    if status in {402, 429} or _is_quota(complaint):
        return _rate_limited(complaint, site)
    if 300 <= status < 400:
        return _redirected(status, site)
    if status == 407 or status == 408 or status >= 500:
        return _failing(complaint, site)
    most = next((found for p in OUTPUT_LIMIT if (found := p.search(complaint.message))), None)
    return ProviderAnswer(
        f"{site.shown} refused the request for {site.wanted}{_because(complaint, site)}",
        data={MOST_OUTPUT: _number(most[1])} if most else {},
        remedy="Check model.name and model.base_url; the model may not take tools or so many.",
        fix=Fix(
            kind="setting",
            setting="model.name",
            advice="The model may not take tools, or not so many.",
        ),
    )


def worth_retrying(complaint: Complaint) -> bool:
    """Tell whether the same request can succeed a moment later."""
    if _is_quota(complaint) or _is_overflow(complaint):
        return False
    return (complaint.status or 0) in {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}


def is_loading(complaint: Complaint) -> bool:
    """Tell whether the server says that it is still loading its model."""
    return complaint.status == 503 and bool(LOADING_TEXT.search(complaint.message))


def _because(complaint: Complaint, site: Site) -> str:
    status = f" ({complaint.status})" if complaint.status else ""
    text = quoted(complaint.message, site)
    return f"{status}: {text}" if text else f"{status}."


def _auth(complaint: Complaint, site: Site) -> ProviderAuth:
    what = "was given no key for" if not site.secret else "does not accept the key for"
    # Providers echo the key, whole or in part.
    told = replace(complaint, message=without_keys(complaint.message, site))
    return ProviderAuth(
        f"{site.shown} {what} {site.wanted}{_because(told, site)}",
        remedy=f"Set {site.key_env} to a valid key.",
        fix=Fix(kind="key", variable=site.key_env),
    )


def _means_key(complaint: Complaint) -> bool:
    return complaint.code in KEY_CODES or bool(KEY_TEXT.search(complaint.message))


def _is_quota(complaint: Complaint) -> bool:
    return complaint.code in QUOTA_CODES or bool(QUOTA_TEXT.search(complaint.message))


def _is_model(complaint: Complaint, site: Site) -> bool:
    """Tell whether a refusal speaks of the model; a page of another kind of server does not."""
    message = complaint.message
    if complaint.code in MODEL_CODES or MODEL_TEXT.search(message):
        return True
    if complaint.status != 404 or message.lstrip().startswith("<"):
        return False
    return "model" in message.lower() or (bool(site.model) and site.model in message)


def _misplaced(complaint: Complaint, site: Site) -> ProviderUnavailable:
    if WANTS_TLS.search(complaint.message):
        what = f"{site.shown} speaks https alone, and was asked in plain http."
        meant = with_scheme(site.base_url, "https")
    else:
        what = f"Nothing is served at this address: {site.shown} ({complaint.status})."
        meant = corrected(site.base_url)
    return ProviderUnavailable(
        what,
        remedy=address_remedy(meant),
        data={"url": site.shown},
        fix=Fix(kind="address", address=meant, setting=ADDRESS),
    )


ADDRESS = "model.base_url"


def address_remedy(meant: str | None) -> str:
    """Say which address to set; without one, how it should look."""
    if meant is not None:
        return f"Set model.base_url to {meant}."
    return "Check model.base_url: it ends where the API begins, often with /v1."


def _is_overflow(complaint: Complaint) -> bool:
    if complaint.status == 413 or complaint.code in OVERFLOW_CODES:
        return True
    return bool(OVERFLOW_TEXT.search(complaint.message))


def _overflow(complaint: Complaint, site: Site) -> ProviderOverflow:
    tokens, limit = measured(complaint.message)
    sizes = {"tokens": complaint.tokens or tokens, "limit": complaint.limit or limit}
    return ProviderOverflow(
        f"The prompt is too long for model {site.model!r}{_because(complaint, site)}",
        remedy="Compact the conversation, or set model.context_window to the model's true window.",
        fix=Fix(kind="window", setting="model.context_window", advice="Compact the conversation."),
        data={name: size for name, size in sizes.items() if size is not None},
    )


def measured(message: str) -> tuple[int | None, int | None]:
    """Read the tokens that were sent and the limit, as far as a message names them."""
    for pattern in TOKENS_THEN_LIMIT:
        if found := pattern.search(message):
            return _number(found[1]), _number(found[2])
    for pattern in LIMIT_THEN_TOKENS:
        if found := pattern.search(message):
            room = ANSWER_ROOM.search(message)
            return _number(found[2]) - (_number(room[1]) if room else 0), _number(found[1])
    for pattern in LIMIT_ALONE:
        if found := pattern.search(message):
            return None, _number(found[1])
    return None, None


def _number(text: str) -> int:
    return int(text.replace(",", "").replace("_", ""))


def _model(complaint: Complaint, site: Site) -> ProviderModel:
    return ProviderModel(
        f"{site.shown} has no model {site.model!r}{_because(complaint, site)}",
        remedy=f"Check model.name against the models of the server; for Ollama: `ollama pull "
        f"{site.model}`.",
        fix=Fix(kind="model", setting="model.name"),
    )


def _rate_limited(complaint: Complaint, site: Site) -> ProviderRateLimited:
    no_quota = complaint.status == 402 or _is_quota(complaint)
    what = "has no quota left for" if no_quota else "takes no more requests for"
    wait = complaint.retry_after
    later = f"Try again in {wait:.0f} s." if wait is not None else "Try again in a minute."
    return ProviderRateLimited(
        f"{site.shown} {what} {site.wanted}{_because(complaint, site)}",
        fix=Fix(kind="account") if no_quota else None,
        remedy="Check the plan and billing of the account." if no_quota else later,
        data={} if wait is None else {"retryAfterSeconds": wait},
    )


def _redirected(status: int, site: Site) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"{site.shown} answers with a redirect ({status}), which is not followed.",
        remedy="Set model.base_url to the final address of the API.",
        fix=Fix(kind="address", setting=ADDRESS),
    )


def _failing(complaint: Complaint, site: Site) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"{site.shown} is failing for {site.wanted}{_because(complaint, site)}",
        remedy="Try again in a minute; if it stays, see the provider's status page or server log.",
    )


NEVER_RUN = "Nothing that it asked for was run. Send the message again."


def cut(site: Site) -> ProviderAnswer:
    """Make the error for a stream that ended before its proper end."""
    return ProviderAnswer(
        f"The answer of model {site.model!r} from {site.shown} broke off.", remedy=NEVER_RUN
    )


def no_answer(body: str, site: Site) -> ProviderAnswer:
    """Make the error for a document that is no answer of a model."""
    return ProviderAnswer(
        f"{site.shown} answers with a document that is no answer of a model: {quoted(body, site)}",
        remedy="Check that model.base_url is the right API, and ends where it begins (often /v1).",
        fix=Fix(kind="address", setting=ADDRESS),
    )
