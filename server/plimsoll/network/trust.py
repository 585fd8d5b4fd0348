"""TLS contexts by trusted certificates, created when first needed.

Loading the certificates of a system takes up to 50 ms, so nothing imports this at the start.
"""

import ssl
import sys
from pathlib import Path

from plimsoll.errors import Fix, ProviderUnavailable
from plimsoll.network.proxies import Network

SETTING = "network.ca_file"


def trusting(network: Network) -> ssl.SSLContext:
    """Create a context that trusts the system's certificates and those in the settings.

    Raises:
        ProviderUnavailable: A file of certificates cannot be read.
    """
    file, folder = network.store
    if file is None and folder is None:
        context = _of_system()
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        _load(context, file, folder, "SSL_CERT_FILE, SSL_CERT_DIR or REQUESTS_CA_BUNDLE")
    for named in network.ca_files:
        _load(context, named, None, f"{SETTING} or NODE_EXTRA_CA_CERTS")
    return context


def trusting_anybody() -> ssl.SSLContext:
    """Create a context that accepts every certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def trusting_nobody() -> ssl.SSLContext:
    """Create a context for plain http addresses, which fails if TLS is used after all."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def trust_for(scheme: str, network: Network) -> ssl.SSLContext:
    """Create the context for addresses of a scheme; raises as ``trusting``. Blocks."""
    return trusting(network) if scheme == "https" else trusting_nobody()


def why_not_trusted(error: BaseException) -> str | None:
    """Say why a certificate was refused, if that caused an error, as the end of a sentence."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({cause.verify_message.rstrip('.')})"
        cause = cause.__cause__ or cause.__context__
    return None


def _of_system() -> ssl.SSLContext:
    # Late: it is needed for https alone.
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if sys.platform == "linux" and not _has_store():
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def _has_store() -> bool:
    """Tell whether the system has certificates; a small container may not."""
    paths = ssl.get_default_verify_paths()
    # Either is none where it is not there, whatever the types of the library say.
    return bool(paths.cafile) or bool(paths.capath and any(Path(paths.capath).glob("*.0")))


def _load(context: ssl.SSLContext, file: str | None, folder: str | None, named_by: str) -> None:
    place = " and ".join(filter(None, (file, folder)))
    missing = [each for each in (file, folder) if each and not Path(each).exists()]
    try:
        if missing:
            raise _unreadable(missing[0], "it is not there", named_by)
        context.load_verify_locations(file, folder)
    except ssl.SSLError as error:
        raise _unreadable(place, "it holds no certificates in PEM", named_by) from error
    except OSError as error:
        raise _unreadable(place, error.strerror or type(error).__name__, named_by) from error


def _unreadable(place: str, why: str, named_by: str) -> ProviderUnavailable:
    advice = f"Correct what {named_by} names, or take it away."
    return ProviderUnavailable(
        f"The certificates of {place} cannot be read: {why}.",
        remedy=advice,
        fix=Fix(kind="setting", setting=SETTING, advice=advice),
    )
