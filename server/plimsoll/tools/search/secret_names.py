"""Files that by their names hold secrets: what is in them goes along with nothing unasked."""

import re
from collections.abc import Sequence

_SECRET = re.compile(
    r"\.env(\..*)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx)|id_(rsa|dsa|ecdsa|ed25519).*"
    r"|\.?(netrc|pgpass|htpasswd)"
    r"|.*(secret|credential|password|token)s?(\.(json|ya?ml|toml|ini|cfg|conf|txt|xml))?",
    re.IGNORECASE,
)
_FOLDER = re.compile(r"\.?(secret|credential|password)s?", re.IGNORECASE)


def holds_secrets(parts: Sequence[str]) -> bool:
    """Tell whether a file, by the parts of its path, has a name of files that hold secrets."""
    *folders, name = parts
    return _SECRET.fullmatch(name) is not None or any(map(_FOLDER.fullmatch, folders))
