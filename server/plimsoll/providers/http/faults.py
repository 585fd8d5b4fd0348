"""Translates providers' refusals to our errors: what happened, and what to do about it.

Pure. One translation for every vendor, with secrets removed. The texts and codes are those that
OpenAI, Azure, OpenRouter, Groq, Together, vLLM, llama.cpp, Ollama, Gemini and Anthropic are known
to send.
"""

import re
from dataclasses import replace

from plimsoll.errors import (
    Fix,
    Passing,
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.http.address import correct_address, with_scheme
from plimsoll.providers.http.asked_waits import shown_wait
from plimsoll.providers.http.complaints import Complaint, complaint_of
from plimsoll.providers.http.refusals import OF_HISTORY, SAFETY, Refusal, refusal_of, remedy
from plimsoll.providers.http.site import Site, clean_quote, without_keys
from plimsoll.providers.http.stated_sizes import stated_sizes

OVERFLOW_CODES = frozenset(
    {
        "context_length_exceeded",
        "exceed_context_size_error",
        "request_too_large",
    }
)
MODEL_CODES = frozenset({"model_not_found", "model_not_available", "deploymentnotfound"})
QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
KEY_CODES = frozenset({"invalid_api_key", "api_key_invalid", "no_db_connection"})
KEY_TEXT = re.compile(
    r"no connected db|api key not valid|(?:invalid|incorrect|missing|no) (?:api|x-api)[ -]key",
    re.IGNORECASE,
)
"""What gateways say of an unknown key with the status of a bad request."""
QUOTA_TEXT = re.compile(
    r"credit balance is too low|insufficient (?:balance|credits|funds|quota)", re.IGNORECASE
)
WANTS_TLS = re.compile(
    r"http request was sent to https port|http request to an https server", re.IGNORECASE
)
MODEL_TEXT = re.compile(
    r"(?:not a valid|invalid|unknown|no such) model"
    r"|model\b.{0,120}\b(?:does not exist|not found|not exist|decommissioned)"
    r"|model identifier is invalid"
    r"|model:? ['\"`]?[\w./:@-]+['\"`]? is not supported",
    re.IGNORECASE,
)
NO_ROUTE = re.compile(r"\bno endpoints found (?:that|matching)", re.IGNORECASE)
"""A gateway has the model, but no host for such a request of this account."""
RATE_TEXT = re.compile(
    r"tokens?(?: \w+)? (?:per|a) (?:second|min(?:ute)?|hour|day)\b|tokens/min|\b[io]?tp[mdh]\b",
    re.IGNORECASE,
)
"""A rate limit of tokens, which is not the window however large the request was."""
FAULT_TEXT = re.compile(
    r"overload|unavailable|internal|server error|upstream|provider returned|time[d -]?out|try again"
    r"|retry|connection|capacity|busy|high (?:load|demand)|traffic|abort|terminated|engine|crash"
    r"|unexpected|went wrong|failed to generate|generation failed|cuda|out of memory",
    re.IGNORECASE,
)
"""Words of a failure in a stream, if neither type nor status names it."""
PASSING_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
LOADING_TEXT = re.compile(r"loading (?:the )?model|model\b.{0,120}\bloading", re.IGNORECASE)


def translate(complaint: Complaint, site: Site) -> ProviderError:
    """Build the error for people: what happened, with which model and address, what to do."""
    refusal = _classify(complaint, site)
    error = _error_for(complaint, refusal, site)
    error.passing, error.refusal = _passing(complaint, error, refusal), refusal
    return error


def _classify(complaint: Complaint, site: Site) -> Refusal:
    """Classify a complaint, ignoring words like ``thinking`` or ``vision`` in the model's name."""
    message = complaint.message
    for name in filter(None, (site.model, site.model.rpartition("/")[2])):
        message = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(model)", message)
    refusal = refusal_of(message, complaint.status, code=complaint.code, field=complaint.field)
    return replace(refusal, message=complaint.message)


def stream_error(payload: object, site: Site) -> ProviderError:
    """Build the error for an event that reports one: an accepted request can still fail."""
    complaint = complaint_of(payload)
    error = translate(complaint, site)
    failed = complaint.status is None and FAULT_TEXT.search(complaint.message)
    refused = _classify(complaint, site).kind in OF_HISTORY
    if failed and isinstance(error, ProviderAnswer) and not refused:
        error.passing = Passing(seconds=complaint.retry_after)
    return error


def _error_for(complaint: Complaint, refusal: Refusal, site: Site) -> ProviderError:
    status = complaint.status or 0
    if status == 403 and SAFETY.search(complaint.message):
        return _refused_error(complaint, refusal, site)
    if status in {401, 403} or (status == 400 and _means_key(complaint)):
        return _auth(complaint, site)
    if _is_rate(complaint) or _is_overflow(complaint, refusal):
        return _too_large(complaint, site)
    if refusal.kind in OF_HISTORY and not _is_quota(complaint):
        return _refused_error(complaint, refusal, site)
    return _unread_error(complaint, site) or _refused_error(complaint, refusal, site)


def _unread_error(complaint: Complaint, site: Site) -> ProviderError | None:
    """Build the error if the address or model is wrong; None if the server read the request."""
    status = complaint.status or 0
    if NO_ROUTE.search(complaint.message):
        return None
    if _is_model(complaint, site):
        return _model(complaint, site)
    if status in {404, 405} or WANTS_TLS.search(complaint.message):
        return _wrong_address_error(complaint, site)
    if status in {402, 429} or _is_quota(complaint):
        return _rate_limited(complaint, site)
    if 300 <= status < 400:
        return _redirect_error(status, site)
    if status == 407 or status == 408 or status >= 500:
        return _failing(complaint, site)
    return None


def _refused_error(complaint: Complaint, refusal: Refusal, site: Site) -> ProviderAnswer:
    return ProviderAnswer(
        f"{site.shown} refused the request for {site.wanted}{_because(complaint, site)}",
        remedy=remedy(refusal),
    )


def _passing(complaint: Complaint, error: ProviderError, refusal: Refusal) -> Passing | None:
    """Return the wait after which the same request may succeed; None if it cannot."""
    if _is_quota(complaint) or complaint.lasting or isinstance(error, ProviderOverflow):
        return None
    if isinstance(error, ProviderAnswer) and refusal.kind in OF_HISTORY:
        return None
    limited = isinstance(error, ProviderRateLimited) and complaint.status != 402
    if not limited and complaint.status not in PASSING_STATUS:
        return None
    return Passing(seconds=complaint.retry_after, limited=limited)


def is_loading(complaint: Complaint) -> bool:
    """Tell whether the server is still loading its model."""
    return complaint.status == 503 and bool(LOADING_TEXT.search(complaint.message))


def _because(complaint: Complaint, site: Site) -> str:
    status = f" ({complaint.status})" if complaint.status else ""
    text = clean_quote(complaint.message, site)
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
    """Tell whether a refusal is about the model; an unrelated server's page is not."""
    message = complaint.message
    if complaint.code in MODEL_CODES or MODEL_TEXT.search(message):
        return True
    if complaint.status != 404 or message.lstrip().startswith("<"):
        return False
    return "model" in message.lower() or (bool(site.model) and site.model in message)


def _wrong_address_error(complaint: Complaint, site: Site) -> ProviderUnavailable:
    if WANTS_TLS.search(complaint.message):
        what = f"{site.shown} speaks https alone, and was asked in plain http."
        meant = with_scheme(site.base_url, "https")
    else:
        what = f"Nothing is served at this address: {site.shown} ({complaint.status})."
        meant = correct_address(site.base_url)
    return ProviderUnavailable(
        what,
        remedy=address_remedy(meant),
        data={"url": site.shown},
        fix=Fix(kind="address", address=meant, setting=ADDRESS),
    )


ADDRESS = "model.base_url"


def address_remedy(meant: str | None) -> str:
    """Advise which address to set, or how it should look."""
    if meant is not None:
        return f"Set model.base_url to {meant}."
    return "Check model.base_url: it ends where the API begins, often with /v1."


def _is_rate(complaint: Complaint) -> bool:
    return bool(RATE_TEXT.search(complaint.message))


def _too_large(complaint: Complaint, site: Site) -> ProviderError:
    """Build the error for a limit of tokens: of the window, or a rate limit.

    A request that exceeds a rate limit alone can only be made smaller.
    """
    if not _is_rate(complaint):
        return _overflow(complaint, site)
    tokens, limit = stated_sizes(complaint.message)
    if tokens is None or limit is None or tokens <= limit:
        return _rate_limited(complaint, site)
    return ProviderOverflow(
        f"The request for {site.wanted} is larger than what the account may send at a time"
        f"{_because(complaint, site)}",
        remedy="Compact the conversation, or raise the limit of the account; the window stays.",
        fix=Fix(kind="account", advice="Compact the conversation."),
        data={"rate": limit, "requested": tokens},
    )


def _is_overflow(complaint: Complaint, refusal: Refusal) -> bool:
    too_large = complaint.status == 413 or complaint.code in OVERFLOW_CODES
    return too_large or refusal.kind == "length"


def _overflow(complaint: Complaint, site: Site) -> ProviderOverflow:
    tokens, limit = stated_sizes(complaint.message)
    sizes = {"tokens": complaint.tokens or tokens, "limit": complaint.limit or limit}
    return ProviderOverflow(
        f"The prompt is too long for model {site.model!r}{_because(complaint, site)}",
        remedy="Compact the conversation, or set model.context_window to the model's true window.",
        fix=Fix(kind="window", setting="model.context_window", advice="Compact the conversation."),
        data={name: size for name, size in sizes.items() if size is not None},
    )


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
    later = f"Try again in {shown_wait(wait)}." if wait is not None else "Try again in a minute."
    if complaint.lasting:
        later, wait = LASTING_REMEDY, None
    return ProviderRateLimited(
        f"{site.shown} {what} {site.wanted}{_because(complaint, site)}",
        fix=Fix(kind="account") if no_quota else None,
        remedy="Check the plan and billing of the account." if no_quota else later,
        data={} if wait is None else {"retryAfterSeconds": wait},
    )


LASTING_REMEDY = (
    "The limit is of a day or longer: choose another model, or check the plan of the account."
)


def _redirect_error(status: int, site: Site) -> ProviderUnavailable:
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


NEVER_RUN = "No tool was run. Send the message again."


def cut_error(site: Site) -> ProviderAnswer:
    """Build the error for a stream that ended before its proper end."""
    error = ProviderAnswer(
        f"The answer of model {site.model!r} from {site.shown} broke off.", remedy=NEVER_RUN
    )
    error.passing = Passing()
    return error


def unusual_end_error(said: str, site: Site) -> ProviderAnswer:
    """Build the error for an answer that its host ended in an unusual way before any text."""
    error = ProviderAnswer(
        f"{site.shown} ended the answer of model {site.model!r} before a word, with "
        f"`{clean_quote(said, site)}`.",
        remedy="Send the message again, or choose another model.",
    )
    error.passing = Passing()
    return error


def no_answer(body: str, site: Site) -> ProviderAnswer:
    """Build the error for a document that is not an answer of a model."""
    return ProviderAnswer(
        f"{site.shown} answers with a document that is no answer of a model: "
        f"{clean_quote(body, site)}",
        remedy="Check that model.base_url is the right API, and ends where it begins (often /v1).",
        fix=Fix(kind="address", setting=ADDRESS),
    )
