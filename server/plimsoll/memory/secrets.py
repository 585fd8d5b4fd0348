"""Recognises secrets by their form; they are never remembered.

Three kinds of evidence, each enough: a token of a vendor's fixed form; a value in a place for
credentials (a header, a user and password, an address with a password); a random value with a name
that says secret. Placeholders, names of variables, addresses and hashes without such a name pass.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from plimsoll.memory.secret_forms import fixed_forms
from plimsoll.redaction.machine_made import UUID, is_stand_in, looks_random, strong

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>`)]+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"^(?:\$[\w({].*|![A-Za-z]\w*|%\w+%|<.*>?|\{+[^\"'\s:]*|\*+|x{3,}|\.{3,}|…|\[.*\]|(?:your|my|the|some|a|an)"
    r"[-_ ].*|.*(?:example|placeholder|changeme|change[-_]me|redacted|dummy|sample|getenv|environ"
    r"|process\.env|secrets?\.|settings\.|config\.|vault\.).*|none|null|true|false|undefined|nil)$",
    re.IGNORECASE,
)


def find_secret(text: str) -> str | None:
    """Name the kind of secret that the text holds, or None; never return the secret."""
    for form in dict.fromkeys((text, unquote(text))):
        for name, found in _EVIDENCE.items():
            if any(found(form)):
                return name
    return None


_USER = re.compile(
    r"(?:^|\s)(?:-u|--user|--proxy-user)[\s=]+"
    r"(?:'(?P<a>[^']*)'|\"(?P<b>[^\"]*)\"|(?P<c>(?:'[^']*'|\"[^\"]*\"|[^\s'\"])+))"
)
_ARGUMENT = re.compile(
    r"\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,80}?\s-p(?P<a>[^\s'\"]{6,})"
    r"|\bsshpass\s+-p\s*['\"]?(?P<b>[^\s'\"]{4,})"
    r"|\blogin\s+\S{1,80}\s+password\s+(?P<c>\S{4,})"
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
    for match in _ARGUMENT.finditer(text):
        yield _secret_value(match["a"] or match["b"] or match["c"], least=4)
    for match in _URL_PASSWORD.finditer(text):
        value = match["value"]
        yield _secret_value(value, least=3, plain=True) and value.lower() not in _COMMON


_HEADER = re.compile(
    r"\b(?:proxy-)?authorization[\"'\])]{0,3}\s*[:=]\s*[\"']?(?:(?:basic|bearer|token|api-token|apikey"
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
_WHOSE = r"(?:\s(?:of|for|on|in|at)(?:\s[\w.'-]{1,30}){1,5}?)?"
_NAMED = re.compile(
    rf"(?<![a-z])(?:{_WORDS})(?:_base)?{_WHOSE}(?:['\"`\])]*)(?:\svalue(?==))?"
    rf"(?:{_CHANGED}|\s*(?:=>|:=|==?|:|->|>)\s*|\s*,\s*"
    r"|\s+(?:is|was|to|are|be|will be|equals|reads)(?:\s*:)?\s+)"
    r"(?:b|r|f)?(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;]{4,})",
    re.IGNORECASE,
)
_CAMEL_NAMED = re.compile(
    r"\b(?!publicKey)\w*(?:[Pp]assword|[Ss]ecret|[Tt]oken|[Aa]pi[Kk]ey|[Aa]ccess[Kk]ey|[Pp]rivate[Kk]ey)"
    r"[\"']?(?:\svalue(?==))?\s*(?:=>|:=|=|:)\s*[\"']?(?P<value>[^\s\"'`,;]{4,})"
)


def _named_values(text: str) -> Iterator[bool]:
    for pattern in (_NAMED, _CAMEL_NAMED):
        for match in pattern.finditer(text):
            value = match["value"].lstrip("=").rstrip(".)]}>")
            yield _secret_value(value, least=6) and not _ADDRESS.match(value)


_VENDOR = re.compile(
    r"(?:key|token|secret|passw|auth|login|credential|api|access|client|bearer|session|private)",
    re.IGNORECASE,
)
_RUN = re.compile(r"(?<![\w/+.~-])[A-Za-z0-9][\w+/=.~-]{19,}+")
_VALUE = re.compile(r".{19,}[A-Za-z0-9=](?![\w/+=-])")
"""Matched over a whole run, which would otherwise be tried again from each ``=`` in it."""
_PUBLIC = re.compile(
    r"AAAA[A-Za-z0-9+/]{20,}={0,2}"
    r"|-----BEGIN (?:CERTIFICATE|[A-Z ]{0,12}PUBLIC KEY)[ A-Z]{0,12}-----[\s\w+/=]*"
    r"|\b(?:h1:|sha\d{1,3}[-:])[A-Za-z0-9+/]{20,}={0,2}|;base64,[A-Za-z0-9+/=]+"
)
"""Public keys, certificates, checksums and pictures: random, but not secret."""
_ASSIGNED = re.compile(r"(?:=|:|=>|\|\|)[\s\"'=]{0,32}(?P<value>[a-z0-9=_-]{40,64})(?![\w-])")
_KEY_BEFORE = re.compile(
    r"(?:key|token|secret|password)\b\W{0,8}(?:=|:|>|\|)[\s\"'=|]*$"
    r"|(?:api[-_]?key|token)[^\n]{0,24}\|\|$",
    re.IGNORECASE,
)
_OPERATOR_BEFORE = re.compile(r"(?:[=:>|,]|=>|\|\|)[\s\"'=]{0,6}$")


def _random_values(text: str) -> Iterator[bool]:
    """Yield for each random value whether it is secret; a hash or UUID needs a secret's name."""
    plain = _PUBLIC.sub(" ", _ADDRESS.sub(" ", text))
    for run in _RUN.finditer(plain):
        value = _VALUE.match(run[0])
        if value is None:
            continue
        before = plain[max(0, run.start() - 40) : run.start()]
        yield any(map(_is_random, re.split(r"[.~]", value[0])))
        named = _VENDOR.search(before) and _OPERATOR_BEFORE.search(before)
        yield bool(named) and _keyed_uuid(before, value[0])
    for match in _ASSIGNED.finditer(plain):
        yield strong(match["value"], least=40) and looks_random(match["value"].replace("=", ""))


def _is_random(value: str) -> bool:
    """Tell whether a value is random; for base64, whether the decoded text has a password."""
    try:
        found = base64.b64decode(value, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return looks_random(value)
    if not found.isprintable():
        return looks_random(value)
    _, colon, password = found.partition(":")
    return looks_random(found) or (bool(colon) and _secret_value(password, least=8))


def _keyed_uuid(before: str, value: str) -> bool:
    return UUID.fullmatch(value) is not None and _KEY_BEFORE.search(before) is not None


def _secret_value(value: str, least: int, *, plain: bool = False) -> bool:
    if len(value) < least or _PLACEHOLDER.match(value) or is_stand_in(value):
        return False
    return plain or strong(value, least)


def _bare(value: str) -> str:
    return value.strip("'\"")


_COMMON = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "user"})
_EVIDENCE: dict[str, Callable[[str], Iterator[bool]]] = {
    "a token in a vendor's form": fixed_forms,
    "a user's password": _user_and_password,
    "a credential in a header": _headers,
    "a value that is named as secret": _named_values,
    "a random value": _random_values,
}
