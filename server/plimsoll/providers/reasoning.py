"""Reasoning that goes back to a model: who wants what of it.

Most hosts refuse or ignore reasoning in a request, so it is shown and stays behind. Whoever wants
some back stands here. What a host wants back untouched is kept beside the reasoning, with the name
of the host and of the model: no other can read it, and some refuse it.
"""

import json
from dataclasses import dataclass
from urllib.parse import urlsplit

from plimsoll.context.log.messages import canonical
from plimsoll.providers.http.endpoint import EMPTY, Json, object_at
from plimsoll.providers.http.site import Site

WANT_TEXT = (".api.deepseek.com", ".moonshot.ai", ".moonshot.cn", ".opencode.ai")
"""Hosts that refuse a message with calls unless its reasoning stands beside them, empty or not.
In a message without calls they ignore it or refuse it, so there it does not stand."""
WANT_SIGNATURES = (".openrouter.ai", ".googleapis.com")
"""Hosts that want back what they signed: ``reasoning_details``, and what stands beside a call."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model of which host is asked, in which dialect."""

    dialect: str
    host: str
    model: str

    @property
    def wants_text(self) -> bool:
        """Whether reasoning goes back as text beside calls."""
        return f".{self.host}".endswith(WANT_TEXT)

    @property
    def wants_signatures(self) -> bool:
        """Whether signed pieces go back."""
        return f".{self.host}".endswith(WANT_SIGNATURES)

    def keep(self, what: Json) -> str:
        """Write what later requests to this model carry."""
        return canonical({"for": [self.dialect, self.host, self.model], **what})

    def kept(self, signature: str) -> Json:
        """Read what this model left with a message; nothing where another one answered."""
        # Anthropic's signatures are base64 or a list; only what is kept here is an object.
        if not signature.startswith("{"):
            return EMPTY
        try:
            found = object_at(json.loads(signature))
        except ValueError:
            # A secret was taken out of it: what is not as it came is of no use.
            return EMPTY
        return found if found.get("for") == [self.dialect, self.host, self.model] else EMPTY


def asked_at(site: Site, dialect: str) -> Asked:
    """Say who is asked at a site."""
    return Asked(dialect, urlsplit(site.url).hostname or "", site.model)
