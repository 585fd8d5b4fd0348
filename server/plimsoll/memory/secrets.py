"""Secrets recognised by their shape: what looks like one is never remembered.

Three kinds of evidence, each enough: a token whose form a vendor has fixed; a value in a place that
holds credentials (a header, a user and password, an address with a password); a random value that
something secret is named for. Placeholders, names of variables, addresses and hashes without such
a name pass.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_LEFT, _RIGHT = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"

_TOKENS = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",  # Amazon
    r"AIza[\w-]{35}",  # Google
    r"ya29\.[\w-]{20,}",
    r"GOCSPX-[\w-]{20,}",
    r"gh[pousr]_[A-Za-z0-9]{30,}",  # GitHub
    r"github_pat_\w{22,}",
    r"gl(?:pat|dt|rt|ptt|soat|ft|imt|agent|cbt|oas)-[\w-]{20,}",  # GitLab
    r"xox[abeoprs]-[\w-]{10,}",  # Slack
    r"xapp-\d-[\w-]{10,}",
    r"sk-(?:ant-|proj-|svcacct-|or-|live-)?[\w-]{20,}",  # model vendors
    r"hf_[A-Za-z]{34}",
    r"api_org_[A-Za-z]{34}",
    r"gsk_[A-Za-z0-9]{52}",
    r"r8_[A-Za-z0-9]{37}",
    r"(?:pplx|xai|nvapi)-[A-Za-z0-9_-]{40,}",
    r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}",  # Stripe
    r"whsec_[A-Za-z0-9+/]{20,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[\w-]{40,}",
    r"rubygems_[0-9a-f]{40,}",
    r"dckr_pat_[\w-]{20,}",
    r"do[opr]_v1_[0-9a-f]{40,}",  # DigitalOcean
    r"sh(?:pat|pca|ppa|pss)_[0-9a-fA-F]{30,}",  # Shopify
    r"SG\.[\w-]{16,}\.[\w-]{16,}",  # SendGrid
    r"key-[0-9a-f]{32}",
    r"sq0(?:atp|csp|idp)-[\w-]{20,}",
    r"EAA[A-Za-z0-9]{40,}",
    r"dapi[0-9a-f]{32}(?:-\d)?",
    r"(?:hvs|hvb|hvr|s|b)\.[A-Za-z0-9_-]{24,}",  # Vault
    r"lin_api_[A-Za-z0-9]{30,}",
    r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    r"NR(?:AK|JS|RA|II)-[A-Za-z0-9-]{19,}",
    r"(?:glc|glsa)_[\w+/=]{20,}",  # Grafana
    r"sntr[ysu]{1,2}_[\w=+/]{40,}",
    r"phc?x?_[A-Za-z0-9]{40,}",
    r"tfp_[\w-]{40,}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}",
    r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{20,}",  # Doppler
    r"fo1_[\w-]{40,}",
    r"FlyV1 fm\d[\w+/=,-]{40,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
    r"tk-us-[\w-]{48}",  # Scalingo
    r"ico-[A-Za-z0-9]{32}",  # Infracost
    r"s-s4t2(?:ud|af)-[0-9a-f]{64}",  # 42
    r"pat\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}",  # Harness
    r"sm_[aps]at_[A-Za-z0-9]{16}",  # SettleMint
    r"\d{8,10}:AA[\w-]{32,}",  # Telegram
    r"[MNO][A-Za-z0-9]{23,25}\.[\w-]{6}\.[\w-]{27,}",  # Discord
    r"sha256~[\w=.+/@-]{16,}",
    r"ops_eyJ[\w+/=-]{100,}",
    r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    r"eyJ?[\w\\-]{14,}\.ey[\w\\/-]{14,}\.[\w\\/+=-]{10,}",  # JSON web token
    r"API-[A-Z0-9]{26}",
    r"CLOJARS_[0-9a-z]{60}",
    r"pul-[0-9a-f]{40}",
    r"figd_[\w-]{36,}",
    r"ATATT3[\w=-]{100,}",
    r"secret_[A-Za-z0-9]{40,}",
    r"rdme_[0-9a-z]{60,}",
    r"pscale_(?:pw|tkn|oauth)_[\w.=-]{30,}",
)

FIXED_FORMS = (
    re.compile(_LEFT + "(?:" + "|".join(_TOKENS) + ")" + _RIGHT),
    re.compile(r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----"),
    re.compile(r"PuTTY-User-Key-File-\d"),
    re.compile(r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"),
    re.compile(r"https://\w+\.webhook\.office\.com/webhookb2/[\w@/-]{40,}"),
    re.compile(r"https://discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40,}"),
    re.compile(r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    re.compile(r"(?i)\b(?:sig|signature|x-amz-signature|sv=\d{4}-[^ ]*&sig)=[\w%+/=-]{40,}"),
)
"""Each alone is enough, wherever it stands."""


_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SPOKEN_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_UNSPEAKABLE = re.compile(r"[^aeiouy]{5}|[aeiouy]{4}|q[^u]", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_NUMBERED = re.compile(r"v?\d+(?:[.\-_]\d+)+\S*")


def entropy(value: str) -> float:
    """Compute the bits for each character, by how often each stands in the value."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def strong(value: str, least: int) -> bool:
    """Tell whether a value that stands where a password belongs can be one.

    It has digits among letters or marks, and is not words and numbers joined by dots or dashes.
    """
    if len(value) < least or value.isalpha() or value.isdigit() or _reads(value):
        return False
    digits = sum(char.isdigit() for char in value)
    marks = sum(not char.isalnum() and char not in "-_./:" for char in value)
    letters = sum(char.isalpha() for char in value)
    return (digits > 0 and letters > 0) or (marks > 0 and letters + digits >= 4)


def looks_random(value: str) -> bool:
    """Tell whether a value of at least 20 characters was made by a machine and is no hash or id."""
    if len(value) < 20 or _HEX.fullmatch(value) or _UUID.fullmatch(value) or _ordered(value):
        return False
    digits = sum(char.isdigit() for char in value)
    if digits < 3 or digits > 0.7 * len(value) or _wordy(value):
        return False
    return entropy(value) >= 3.4 and _changes(value) >= 6


def _reads(value: str) -> bool:
    """Tell whether it reads as people write for people: names, versions, hosts and calls."""
    if _NUMBERED.fullmatch(value) or "(" in value:
        return True
    pieces = [piece for piece in re.split(r"[-_./:]+", value) if piece]
    readable = [piece for piece in pieces if _readable(piece)]
    return len(pieces) > 1 and len(readable) == len(pieces)


def _readable(piece: str) -> bool:
    """Tell whether a piece is a word, a number, or words with a number behind them."""
    if piece.isdigit():
        return True
    return bool(re.fullmatch(r"(?:[A-Z]?[a-z]+|[A-Z]+)+\d{0,4}(?:[A-Z]?[a-z]{2,})?", piece))


def _wordy(value: str) -> bool:
    """Tell whether more than half of it can be spoken."""
    return 2 * sum(len(word) for word in _SPOKEN_WORDS.findall(value) if _spoken(word)) > len(value)


def _spoken(word: str) -> bool:
    return len(word) > 3 and bool(_VOWEL.search(word)) and not _UNSPEAKABLE.search(word)


def _ordered(value: str) -> bool:
    """Tell whether most characters follow the one before, as in alphabets and keyboard rows."""
    steps = sum(ord(b) - ord(a) == 1 for a, b in itertools.pairwise(value))
    return steps > len(value) // 2


def _changes(value: str) -> int:
    """Count where a letter stands beside a digit, or a capital beside a small letter."""
    kinds = [char.isdigit() + 2 * char.isupper() + 4 * (not char.isalnum()) for char in value]
    return sum(a != b for a, b in itertools.pairwise(kinds))


_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>`)]+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"^(?:\$[\w({].*|%\w+%|<.*>?|\{+[^\"'\s:]*|\*+|x{3,}|\.{3,}|…|\[.*\]|(?:your|my|the|some|a|an)"
    r"[-_ ].*|.*(?:example|placeholder|changeme|change[-_]me|redacted|dummy|sample|getenv|environ"
    r"|process\.env|secrets?\.|settings\.|config\.|vault\.).*|none|null|true|false|undefined|nil)$",
    re.IGNORECASE,
)


def find_secret(text: str) -> str | None:
    """Name the kind of secret that the text holds, or none; never return the secret."""
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
    """Judge each random value; a hash or UUID counts only right behind the name of a secret."""
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
