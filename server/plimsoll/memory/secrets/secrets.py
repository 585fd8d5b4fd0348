"""Secrets recognised by their shape: what looks like one is never remembered.

Three kinds of evidence, each enough: a token whose form a vendor has fixed; a value in a place that
holds credentials (a header, a user and password, an address with a password); a random value that
something secret is named for. Placeholders, names of variables, addresses and hashes without such
a name pass.
"""

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from plimsoll.memory.secrets.randomness import looks_random, strong
from plimsoll.memory.secrets.secret_forms import FIXED_FORMS

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>`)]+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"^(?:\$[\w({].*|%\w+%|<.*>?|\{+[^\"'\s:]*|\*+|x{3,}|\.{3,}|…|\[.*\]|(?:your|my|the|some|a|an)"
    r"[-_ ].*|.*(?:example|placeholder|changeme|change[-_]me|redacted|dummy|sample|getenv|environ"
    r"|process\.env|secrets?\.|settings\.|config\.|vault\.).*|none|null|true|false|undefined|nil)$",
    re.IGNORECASE,
)


def find_secret(text: str) -> str | None:
    """What kind of secret the text holds, or none; the answer never holds the secret."""
    for form in dict.fromkeys((text, unquote(text))):
        for name, found in _EVIDENCE.items():
            if any(found(form)):
                return name
    return None


def _fixed(text: str) -> Iterator[bool]:
    return (form.search(text) is not None for form in FIXED_FORMS)


_USER = re.compile(
    r"(?:^|\s)(?:-u|--user|--proxy-user)[\s=]+"
    r"(?:'(?P<a>[^']*)'|\"(?P<b>[^\"]*)\"|(?P<c>(?:'[^']*'|\"[^\"]*\"|[^\s'\"])+))"
)
_URL_PASSWORD = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']*:(?P<value>[^\s/@\"']{3,})@", re.IGNORECASE
)


def _user_and_password(text: str) -> Iterator[bool]:
    for match in _USER.finditer(text):
        given = next(group for group in match.groups() if group is not None)
        if _PLACEHOLDER.match(given):
            continue
        user, colon, password = given.partition(":")
        values = (_bare(user), _bare(password))
        yield bool(colon) and any(_secret_value(value, least=6) for value in values)
    for match in _URL_PASSWORD.finditer(text):
        value = match["value"]
        yield _secret_value(value, least=3, plain=True) and value.lower() not in _COMMON


_HEADER = re.compile(
    r"\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:(?:basic|bearer|token|api-token|apikey"
    r"|digest|negotiate)\s+)?(?P<value>[^\s\"']{8,})"
    r"|\b(?:token|api-?key|auth-?key|secret)[\"']?\s*:\s*[\"']?"
    r"(?P<named>[^\s\"',;]{8,})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\bbearer\s+(?P<value>[\w.~+/=-]{16,})", re.IGNORECASE)


def _headers(text: str) -> Iterator[bool]:
    for match in _HEADER.finditer(text):
        value = match["value"] or match["named"]
        yield _secret_value(value, least=8) and not _ADDRESS.match(value)
    for match in _BEARER.finditer(text):
        yield _secret_value(match["value"], least=16)


_WORDS = (
    r"pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|"
    r"(?:api|access|secret|private|account|auth|encryption|signing|master|deploy|license|service"
    r"|client|shared|storage|app|admin)[ _.-]?(?:key|token|secret|password)|api[ _.-]?key|pin code"
)
_CHANGED = r"\s+(?:(?:was|is|has been) (?:now )?)?(?:changed|set|reset|rotated) to\s+"
_NAMED = re.compile(
    rf"(?<![a-z])(?:{_WORDS})(?:_base)?(?:['\"`\])]*)"
    rf"(?:{_CHANGED}|\s*(?:=>|:=|==?|:|->|>)\s*|\s*,\s*"
    r"|\s+(?:is|was|to|are|be|will be|equals|reads)\s*:?\s+)"
    r"(?:b|r|f)?(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;]{4,})",
    re.IGNORECASE,
)
_CAMEL_NAMED = re.compile(
    r"\b\w*(?:[Pp]assword|[Ss]ecret|[Tt]oken|[Aa]pi[Kk]ey|[Aa]ccess[Kk]ey|[Pp]rivate[Kk]ey)"
    r"[\"']?\s*(?:=>|:=|=|:)\s*[\"']?(?P<value>[^\s\"'`,;]{4,})"
)


def _named(text: str) -> Iterator[bool]:
    for pattern in (_NAMED, _CAMEL_NAMED):
        for match in pattern.finditer(text):
            value = match["value"].rstrip(".)]}>")
            yield _secret_value(value, least=6) and not _ADDRESS.match(value)


_VENDOR = re.compile(
    r"(?:key|token|secret|passw|auth|login|credential|api|access|client|bearer|session|private)",
    re.IGNORECASE,
)
_RANDOM = re.compile(r"(?<![\w/+.-])(?P<value>[A-Za-z0-9][\w+/=-]{18,}[A-Za-z0-9=])(?![\w/+=-])")
_ASSIGNED = re.compile(r"(?:=|:|=>|\|\|)[\s\"'=]*(?P<value>[a-z0-9=_-]{40,64})(?![\w-])")
_KEY_BEFORE = re.compile(
    r"(?:key|token|secret|password)\b\W{0,8}(?:=|:|>|\|)[\s\"'=|]*$"
    r"|(?:api[-_]?key|token)[^\n]{0,24}\|\|$",
    re.IGNORECASE,
)
_OPERATOR_BEFORE = re.compile(r"(?:[=:>|,]|=>|\|\|)[\s\"'=]{0,6}$")


def _random(text: str) -> Iterator[bool]:
    """Random values; a hash or a UUID only where something secret is named right before it."""
    plain = _ADDRESS.sub(" ", text)
    for match in _RANDOM.finditer(plain):
        before = plain[max(0, match.start() - 40) : match.start()]
        yield looks_random(match["value"]) and not match["value"].startswith("sha")
        named = _VENDOR.search(before) and _OPERATOR_BEFORE.search(before)
        yield bool(named) and _keyed_uuid(before, match["value"])
    for match in re.finditer(
        r"(?:=|:|=>|\|\|)[\s\"'=]*(?P<value>[a-z0-9=_-]{40,64})(?![\w-])", plain
    ):
        yield strong(match["value"], least=40) and looks_random(match["value"].replace("=", ""))


def _keyed_uuid(before: str, value: str) -> bool:
    return _UUID.fullmatch(value) is not None and _KEY_BEFORE.search(before) is not None


def _secret_value(value: str, least: int, *, plain: bool = False) -> bool:
    if len(value) < least or _PLACEHOLDER.match(value):
        return False
    return plain or strong(value, least)


def _bare(value: str) -> str:
    return value.strip("'\"")


_COMMON = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "user"})
_EVIDENCE: dict[str, Callable[[str], Iterator[bool]]] = {
    "a token in a vendor's form": _fixed,
    "a user's password": _user_and_password,
    "a credential in a header": _headers,
    "a value that is named as secret": _named,
    "a random value": _random,
}
