"""Parses the error in a body or event of a provider, whatever its shape.

Pure. The shapes, types and codes are those that OpenAI, Azure, OpenRouter, Groq, Together, vLLM,
llama.cpp, Ollama, Gemini, Anthropic, Mistral, Kimi, z.ai, MiniMax and Bedrock are known to send.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from plimsoll.providers.http.asked_waits import is_lasting, wait_in, wait_in_words

STATUS_OF_TYPE: Mapping[str, int] = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "rate_limit_reached_error": 429,
    "rate_limit": 429,
    "rate_limited": 429,
    "ratelimit": 429,
    "too_many_requests": 429,
    "resource_exhausted": 429,
    "throttlingexception": 429,
    "engine_overloaded_error": 429,
    "insufficient_quota": 429,
    "1002": 429,
    "1039": 429,
    "1302": 429,
    "1303": 429,
    "1305": 429,
    "3505": 429,
    "1008": 402,
    "1113": 402,
    "1004": 401,
    "api_error": 500,
    "server_error": 500,
    "internal_error": 500,
    "internal": 500,
    "internal_server_error": 500,
    "internalservererror": 500,
    "internalserverexception": 500,
    "1000": 500,
    "1013": 500,
    "1024": 500,
    "bad_gateway": 502,
    "upstream_error": 502,
    "provider_error": 502,
    "server_is_overloaded": 503,
    "server_overloaded": 503,
    "overloaded": 503,
    "slow_down": 503,
    "unavailable": 503,
    "service_unavailable": 503,
    "service_unavailable_error": 503,
    "serviceunavailableexception": 503,
    "modelnotreadyexception": 503,
    "overloaded_error": 529,
    "timeout_error": 504,
    "timeout": 504,
    "gateway_timeout": 504,
    "deadline_exceeded": 504,
    "modeltimeoutexception": 504,
    "1001": 504,
    "invalid_request_error": 400,
}
"""The HTTP status for a type, name or number of an error; the numbers are z.ai's (1113, 1302 to
1305), Mistral's (3505) and MiniMax's (the others)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """A parsed error of a provider."""

    message: str
    status: int | None = None
    code: str = ""
    retry_after: float | None = None
    """Seconds."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headers of the server behind a gateway, if it passes them on; lower-case names."""
    lasting: bool = False
    """Whether the limit is for a day or longer, so that no short wait helps."""
    tokens: int | None = None
    limit: int | None = None
    field: str = ""
    """The path of the field that the error names separately."""


def complaint_of(payload: object, status: int | None = None) -> Complaint:
    """Parse the error in a decoded body or event."""
    found = _parse(payload, status)
    named = wait_in(payload)
    return replace(
        found,
        retry_after=wait_in_words(found.message) if named is None else named,
        lasting=is_lasting(payload, found.message),
    )


def has_error(payload: Mapping[str, object]) -> bool:
    """Tell whether a body or event reports an error; a complete answer has None there."""
    return bool(payload.get("error")) or bool(_base(payload).get("status_code"))


def _base(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return MiniMax's status beside an answer; 0 is no error."""
    base = payload.get("base_resp")
    return cast("Mapping[str, object]", base) if isinstance(base, dict) else {}


def _of_base(payload: Mapping[str, object]) -> Mapping[str, object]:
    base = _base(payload)
    if not base.get("status_code"):
        return {}
    return {"code": str(base["status_code"]), "message": base.get("status_msg")}


def _parse(payload: object, status: int | None) -> Complaint:
    if isinstance(payload, list) and payload:
        payload = cast("list[object]", payload)[0]
    if isinstance(payload, str):
        return Complaint(message=payload, status=status)
    if not isinstance(payload, dict):
        return Complaint(message="", status=status)
    outer = cast("Mapping[str, object]", payload)
    inner = outer.get("error") or _of_base(outer) or outer
    if not isinstance(inner, dict):
        return Complaint(message=str(inner), status=status)
    return _complaint(cast("Mapping[str, object]", inner), status)


def complaint_in(body: bytes, status: int | None) -> Complaint:
    """Parse the error in a body; an empty complaint without a status if it reports none."""
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
    return isinstance(payload, dict) and has_error(cast("Mapping[str, object]", payload))


def _complaint(inner: Mapping[str, object], status: int | None) -> Complaint:
    code, kind = inner.get("code"), str(inner.get("type") or inner.get("status") or "")
    message = _message_of(inner)
    said = next((value for value in (inner.get("status_code"), code) if _is_status(value)), None)
    named = code if isinstance(code, str) and not code.isdigit() else kind
    guesses = (STATUS_OF_TYPE.get(str(each or "").lower()) for each in (named, kind, code))
    guess = next((each for each in guesses if each is not None), None)
    return Complaint(
        message=message,
        status=status or (int(str(said)) if said is not None else guess),
        code=named.lower(),
        headers=_headers(inner),
        tokens=_parse_status(inner.get("n_prompt_tokens")),
        limit=_parse_status(inner.get("n_ctx")),
        field=param if isinstance(param := inner.get("param"), str) else "",
    )


def _message_of(inner: Mapping[str, object]) -> str:
    """Return the message of an error, with the cause that a gateway passes on."""
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


def _headers(inner: Mapping[str, object]) -> Mapping[str, str]:
    metadata = inner.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    headers = cast("Mapping[str, object]", metadata).get("headers")
    if not isinstance(headers, dict):
        return {}
    return {
        name.lower(): str(value) for name, value in cast("Mapping[str, object]", headers).items()
    }


def _is_status(value: object) -> bool:
    return (isinstance(value, int) or (isinstance(value, str) and value.isdigit())) and (
        400 <= int(value) < 600
    )


def _parse_status(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
