"""What is said when a provider cannot be reached, falls silent or breaks off."""

import socket
import ssl

from plimsoll.errors import ProviderAnswer, ProviderUnavailable
from plimsoll.providers.http.faults import Site

NEVER_RUN = "Nothing that it asked for was run. Send the message again."


def why_no_connection(error: BaseException) -> tuple[str, bool]:
    """The reason in words, and whether it is final: another try would bring the same."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({cause.verify_message})", True
        if isinstance(cause, ssl.SSLError):
            return "it does not speak TLS as expected", True
        if isinstance(cause, socket.gaierror):
            return "the host name is unknown", False
    return "nobody listens there", False


def _causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes


def no_connection(why: str, site: Site) -> ProviderUnavailable:
    """No request could be sent, or its answer never began."""
    return ProviderUnavailable(
        f"No connection to {site.shown} for model {site.model!r}: {why}.",
        remedy=f"Is the server running at {site.shown}? For Ollama: `ollama serve`. "
        "Otherwise check model.base_url and the network.",
        data={"url": site.shown},
    )


def silent(site: Site, seconds: float) -> ProviderUnavailable:
    """Nothing came for this long."""
    return ProviderUnavailable(
        f"{site.shown} was silent for {seconds:g} s while model {site.model!r} should answer.",
        remedy="Try again; a model that is still being loaded may need a minute.",
        data={"url": site.shown},
    )


def too_long(site: Site, seconds: float) -> ProviderUnavailable:
    """The answer dripped on past the last deadline."""
    return ProviderUnavailable(
        f"The answer of model {site.model!r} took longer than {seconds:g} s.",
        remedy=NEVER_RUN,
        data={"url": site.shown},
    )


def cut(site: Site) -> ProviderAnswer:
    """The stream ended before its proper end."""
    return ProviderAnswer(
        f"The answer of model {site.model!r} from {site.shown} broke off.", remedy=NEVER_RUN
    )


def too_large(site: Site, limit: int) -> ProviderAnswer:
    """More bytes came than are read."""
    return ProviderAnswer(
        f"The answer of model {site.model!r} is larger than {limit:,} bytes.", remedy=NEVER_RUN
    )


def encoded_body(encoding: str, site: Site) -> ProviderAnswer:
    """The body is compressed: it could unpack to any size."""
    return ProviderAnswer(
        f"{site.shown} answers in {encoding[:40]!r}, though plain bytes were asked for.",
        remedy="Turn compression off in the server or proxy at model.base_url.",
    )


def no_stream(kind: str, site: Site) -> ProviderAnswer:
    """The body is something else, often a web page."""
    return ProviderAnswer(
        f"{site.shown} answers with a document ({kind[:60]}), not with a stream of events.",
        remedy="Check that model.base_url ends where the API begins (often /v1).",
    )
