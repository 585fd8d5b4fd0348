"""The server and model of a request, and how its texts are quoted in errors. Pure."""

import base64
import re
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from plimsoll.network.proxies import ProxyAddress
from plimsoll.providers.http.address import is_loopback

QUOTED_CHARACTERS = 300
LINE_BREAK_WRITTEN_OUT = re.compile(r"(?:\\r)?\\n(?:\\n|\s)*")
LEAST_SECRET = 8
"""Characters; shorter keys are placeholders such as "ollama", which are parts of other words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The server and model that a request goes to, for messages."""

    url: str
    model: str
    key_env: str
    """The name of the key's environment variable or setting, for remedies."""
    path: str = ""
    """The part of the address that the person did not set."""
    secret: str | None = field(default=None, repr=False)
    """The key, removed from every quoted text."""
    via: ProxyAddress | None = None
    """The proxy on the way; none if it is reached directly."""

    @property
    def base_url(self) -> str:
        """The address as it is set."""
        return self.url.removesuffix(self.path)

    @property
    def address(self) -> str:
        """The address as it is set, without secrets."""
        return self.shown.removesuffix(self.path)

    @property
    def wanted(self) -> str:
        """The requested model, or the list of models, in words for messages."""
        return f"model {self.model!r}" if self.model else "its list of models"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine."""
        return is_loopback(urlsplit(self.url).hostname or "")

    @property
    def shown(self) -> str:
        """The address without user name, password and query."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}"


def clean_quote(text: str, site: Site) -> str:
    """Clean a foreign text for a message: no secrets, no control characters, limited length."""
    if forms := _forms(site.secret):
        text = re.sub("|".join(map(re.escape, forms)), "[key]", text)
    # A proxy may quote what it was told in turn, with its line breaks written out.
    text = LINE_BREAK_WRITTEN_OUT.sub(" ", text)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= QUOTED_CHARACTERS else text[: QUOTED_CHARACTERS - 1] + "…"


LOOKS_LIKE_A_KEY = re.compile(r"(?=[\w*•.-]*[\d*•])[\w*•.-]{6,}")
TELLING = 6
"""Characters of a key from which a word counts as a part of it."""


def without_keys(text: str, site: Site) -> str:
    """Remove every word from a text about a key that may be one or a part of one."""
    secret = site.secret or ""
    parts = {secret[n : n + TELLING] for n in range(max(0, len(secret) - TELLING + 1))}

    def hide(word: re.Match[str]) -> str:
        return "[key]" if any(part in word[0] for part in parts) else word[0]

    return re.sub(r"\S+", hide, LOOKS_LIKE_A_KEY.sub("[key]", text))


def _forms(secret: str | None) -> tuple[str, ...]:
    if secret is None or len(secret) < LEAST_SECRET:
        return ()
    raw = secret.encode()
    coded = (base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode())
    return (secret, quote(secret, safe=""), *(form.rstrip("=") for form in coded))
