"""Reads network settings from environment variables, as other programs do. Pure."""

from collections.abc import Mapping

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


def proxy_variables(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the variables that name proxies; the lower-case form of one has precedence."""
    found = (
        (name, environment.get(name.lower()) or environment.get(name)) for name in PROXY_VARIABLES
    )
    return tuple((name, value.strip()) for name, value in found if value and value.strip())


def certificate_store(environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return the file and folder of certificates that replace the system's."""
    file, folder = (environment.get(name) or None for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
    if file is None and folder is None:
        file = environment.get("REQUESTS_CA_BUNDLE") or None
    return file, folder


def further_certificates(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files of certificates that are trusted besides the system's."""
    named = environment.get("NODE_EXTRA_CA_CERTS")
    return (named,) if named else ()
