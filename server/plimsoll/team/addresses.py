"""Addresses of teams' servers: the password is taken out of them, and TLS is asked for."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote, unquote, urlencode, urlsplit

from plimsoll.errors import InvalidInput

SCHEMES = frozenset({"postgresql", "postgres"})
_SECRET_PARAMETERS = frozenset({"password", "sslpassword", "oauth_client_secret"})
_VERIFYING = frozenset({"verify-ca", "verify-full"})
_BUNDLES = (
    *("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"),
    *("/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"),
)
"""Where systems keep the certificates that they trust, as one file."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a team's server, and the password that was written in it."""

    url: str
    """Without a password: what is stored, logged and shown."""
    password: str = field(default="", repr=False)


def read_address(given: str) -> ServerAddress:
    """Take the password out of an address.

    Raises:
        InvalidInput: It is no address of a PostgreSQL with a database, or holds another secret.
    """
    try:
        parts = urlsplit(given.strip())
    except ValueError as error:
        raise _no_address() from error
    # A password with a sign that means something in addresses would be cut, and stay in part.
    if parts.scheme not in SCHEMES or not parts.path.strip("/") or parts.fragment:
        raise _no_address()
    user, at, hosts = parts.netloc.rpartition("@")
    role, _, typed = user.partition(":")
    named = _parameters(parts.query)
    secret = {name: value for name, value in named if name in _SECRET_PARAMETERS}
    password = unquote(typed) or secret.pop("password", "")
    if secret:
        raise InvalidInput(
            f"The address holds a secret other than the password: {', '.join(sorted(secret))}.",
            remedy="Take it out of the address; a file of the driver (~/.pg_service.conf) may "
            "hold it.",
        )
    kept = [(name, value) for name, value in named if name not in _SECRET_PARAMETERS]
    return ServerAddress(_write(f"{role}{at}{hosts}", parts.path, kept), password)


def secure_address(url: str, password: str, ca_file: str | None) -> str:
    """Complete an address for the driver: with the password, and with TLS that is verified.

    An address of this machine, and one that names an sslmode, keep what they say. Where the named
    one verifies, it does so against ``ca_file``.
    """
    parts = urlsplit(url)
    parameters = _parameters(parts.query)
    named = dict(parameters)
    verifies = named.get("sslmode") in _VERIFYING and ca_file is not None
    if "sslmode" not in named and not is_local(url):
        parameters.append(("sslmode", "verify-full"))
        verifies = True
    if verifies and "sslrootcert" not in named:
        parameters.append(("sslrootcert", trusted_roots(ca_file)))
    user, at, hosts = parts.netloc.rpartition("@")
    if password:
        user, at = f"{user}:{quote(password, safe='')}", "@"
    return _write(f"{user}{at}{hosts}", parts.path, parameters)


def is_local(url: str) -> bool:
    """Tell whether an address leads to this machine alone: by a loopback address or a socket.

    One that names no host does not: a variable or a file of the driver may name it.
    """
    hosts = _hosts(url)
    return bool(hosts) and all(map(_is_loopback, hosts))


def trusted_roots(ca_file: str | None) -> str:
    """Return the file of certificates that a server's is checked against.

    The driver's own TLS library looks for the system's at a place of its own making.
    """
    if ca_file is not None:
        return str(Path(ca_file).expanduser())
    found = (ssl.get_default_verify_paths().cafile, *_BUNDLES)
    return next((one for one in found if one and Path(one).is_file()), "system")


def _hosts(url: str) -> Sequence[str]:
    """List the hosts of an address; empty if it names none."""
    parts = urlsplit(url)
    written = parts.netloc.rpartition("@")[2]
    named = [value for name, value in _parameters(parts.query) if name in {"host", "hostaddr"}]
    texts = [text for each in (written, *named) for text in each.split(",") if text]
    return [_without_port(unquote(text)) for text in texts]


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text if text.startswith("/") or text.count(":") > 1 else text.partition(":")[0]


def _is_loopback(host: str) -> bool:
    # "/" and "@" begin the path of a Unix socket.
    if host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _parameters(query: str) -> list[tuple[str, str]]:
    """Read the parameters of an address as the driver does, to which a plus sign is no blank."""
    pairs = (part.partition("=") for part in query.split("&") if part)
    return [(unquote(name).lower(), unquote(value)) for name, _, value in pairs]


def _write(authority: str, path: str, parameters: Sequence[tuple[str, str]]) -> str:
    query = urlencode(parameters, quote_via=quote, safe="")
    return f"postgresql://{authority}{path}{'?' if query else ''}{query}"


def _no_address() -> InvalidInput:
    # What was typed is not repeated: it may hold a password.
    return InvalidInput(
        "That is not the address of a PostgreSQL with a database.",
        remedy="Write it as postgresql://ROLE@HOST:PORT/DATABASE.",
    )
