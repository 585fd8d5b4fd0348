"""Errors for answers that did not come, or not completely. Pure."""

import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from plimsoll.errors import Fix, ProviderAnswer, ProviderUnavailable
from plimsoll.providers.http.address import correct_address, is_near, with_scheme
from plimsoll.providers.http.connecting.certificates import Untrusted, untrusted_by, untrusted_error
from plimsoll.providers.http.faults import ADDRESS, NEVER_RUN, address_remedy
from plimsoll.providers.http.site import Site


@dataclass(frozen=True, slots=True)
class Unconnected:
    """The reason why no connection could be made."""

    why: str
    untrusted: Untrusted | None = None
    """The fault of its certificate, if it uses TLS."""
    starting: bool = False
    """Whether no process listens yet, as if the server were starting."""


def why_no_connection(error: BaseException) -> Unconnected:
    """Find the reason among the causes of an error."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            found = untrusted_by(cause)
            return Unconnected(f"its certificate is not trusted: {found.told}", found)
        if isinstance(cause, ssl.SSLError):
            return Unconnected("it does not speak TLS as expected")
        if isinstance(cause, socket.gaierror):
            return Unconnected("the host name is unknown")
    return Unconnected("nobody listens there", starting=True)


def _causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes


def no_connection(found: Unconnected, site: Site) -> ProviderUnavailable:
    """Build the error for a request that could not be sent, or whose answer never began."""
    if found.untrusted is not None:
        return untrusted_error(found.untrusted, site.shown, site)
    if found.starting and site.is_loopback:
        return _nothing_running(site)
    running = f"Is the server running at {site.shown}?"
    return ProviderUnavailable(
        f"No connection to {site.shown} for {site.wanted}: {found.why}.",
        remedy=f"{running} Otherwise check model.base_url and the network.",
        data={"url": site.shown},
        fix=Fix(kind="address", setting=ADDRESS, advice=running),
    )


STARTED_BY = {
    11434: "Start Ollama (open its app, or run `ollama serve`) and try again.",
    1234: "Start the server in LM Studio (Developer, or run `lms server start`) and try again.",
    8080: "Start llama.cpp's server there (`llama-server -m MODEL.gguf`) and try again.",
    8000: "Start vLLM there (`vllm serve MODEL`) and try again.",
}
"""What usually listens on a port of this machine, and how to start it."""


def _nothing_running(site: Site) -> ProviderUnavailable:
    usual = STARTED_BY.get(urlsplit(site.url).port or 0)
    start = usual or f"Start the server there and try again.{_port_hint(site)}"
    return ProviderUnavailable(
        f"Nothing is running at {urlsplit(site.shown).netloc}.",
        remedy=f"{start} Otherwise check model.base_url.",
        data={"url": site.shown},
        fix=Fix(kind="address", setting=ADDRESS, advice=start),
    )


def _port_hint(site: Site) -> str:
    parts = urlsplit(site.url)
    if parts.port is not None:
        return ""
    usual = 443 if parts.scheme == "https" else 80
    return (
        f" No port is named, so {usual} was tried; Ollama's is 11434, llama.cpp's 8080, vLLM's "
        "8000 and LM Studio's 1234."
    )


def no_tls(site: Site) -> ProviderUnavailable:
    """Build the error for https to a server that only answers plain http."""
    near = is_near(urlsplit(site.url).hostname or "")
    meant = with_scheme(site.base_url, "http") if near else None
    return ProviderUnavailable(
        f"{site.shown} does not speak TLS as expected: it may be a server of plain http.",
        remedy=address_remedy(meant),
        data={"url": site.shown},
        fix=Fix(kind="address", address=meant, setting=ADDRESS),
    )


TRY_OR_WAIT_LONGER = "Try again, or wait longer where the model reads a long prompt."


def no_token(site: Site, seconds: float) -> ProviderUnavailable:
    """Build the error for an answer without a first token."""
    return ProviderUnavailable(
        f"{site.shown} gave no token of an answer of model {site.model!r} in {seconds:g} s.",
        remedy="Try again. If the model needs longer to read a long prompt, raise "
        "model.first_token_seconds.",
        data={"url": site.shown},
        fix=Fix(kind="setting", setting="model.first_token_seconds", advice=TRY_OR_WAIT_LONGER),
    )


def silent(site: Site, seconds: float) -> ProviderUnavailable:
    """Build the error for an answer that stopped for this long."""
    return ProviderUnavailable(
        f"{site.shown} was silent for {seconds:g} s in the middle of an answer of model "
        f"{site.model!r}.",
        remedy=f"{NEVER_RUN} If the model pauses for longer, raise model.idle_seconds.",
        data={"url": site.shown},
        fix=Fix(kind="setting", setting="model.idle_seconds", advice=NEVER_RUN),
    )


def too_long(site: Site, seconds: float) -> ProviderUnavailable:
    """Build the error for an answer that exceeds the last deadline."""
    return ProviderUnavailable(
        f"The answer of model {site.model!r} took longer than {seconds:g} s.",
        remedy=f"{NEVER_RUN} If its answers are that long, raise model.answer_seconds.",
        data={"url": site.shown},
        fix=Fix(kind="setting", setting="model.answer_seconds", advice=NEVER_RUN),
    )


def too_large(site: Site, limit: int) -> ProviderAnswer:
    """Build the error for an answer of more than ``limit`` bytes."""
    return ProviderAnswer(
        f"The answer of model {site.model!r} is larger than {limit:,} bytes.", remedy=NEVER_RUN
    )


def encoded_body(encoding: str, site: Site) -> ProviderAnswer:
    """Build the error for a compressed body, which could unpack to any size."""
    return ProviderAnswer(
        f"{site.shown} answers in {encoding[:40]!r}, though plain bytes were asked for.",
        remedy="Turn compression off in the server or proxy at model.base_url.",
        fix=Fix(
            kind="address", setting=ADDRESS, advice="Turn compression off in the server or proxy."
        ),
    )


def no_stream(kind: str, site: Site) -> ProviderAnswer:
    """Build the error for a body of another kind, often a web page."""
    meant = correct_address(site.base_url)
    return ProviderAnswer(
        f"{site.shown} answers with a document ({kind[:60]}), not with a stream of events.",
        remedy=address_remedy(meant),
        fix=Fix(kind="address", address=meant, setting=ADDRESS),
    )
