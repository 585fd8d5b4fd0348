"""Which environment variables are secret: by their names, and by what they hold.

One list for all who ask: children do not inherit them, and their values are replaced in texts. A
name counts in any case, by its words: `SSH_AUTH_SOCK`, `GIT_AUTHOR_NAME`, `KEYBOARD`, `PATH` and
`PWD` are none. A variable whose name is innocent is secret by a password in an address, by a value
in a form that a vendor gives to keys, or by a value that only a machine writes (`shapes.py`).
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import cast
from urllib.parse import unquote

from plimsoll.redaction.shapes import holds_random, is_hash, is_key_like

SHORTEST = 8
"""Shorter values are common words; replacing them would garble texts and protect nothing."""

_ANYWHERE = re.compile(
    r"SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|CREDENTIAL|API_?KEY|TOKEN(?!I[SZ]|_TYPE)|WEBHOOK"
    r"|CONN(?:ECTION)?_?STR(?:ING)?|DATABASE_URL|AUTHORIZATION|MNEMONIC|SEED_PHRASE"
)
_WORD = re.compile(
    r"(?:^|_)(?:KEYS?|CREDS?|COOKIES?|JWT|BEARER|PAT|PW|SAS|STRIPE|O?AUTH|SALT|TOTP"
    r"|PEPPER|PRIV|XPRV|HMAC|(?:RECOVERY|BACKUP|UNLOCK)_CODES?)(?=_|$)"
)
_ENDING = re.compile(
    r"(?:(?<!MON)(?<!TUR)(?<!DON)(?<!HOT)(?<!LESS)KEY|(?<!COM)(?<!BY)(?<!SUR)(?<!ASK)PASS|PASSFILE"
    r"|PWD|PW|AUTH|JWT|DSN)$"
)
_OFTEN = re.compile(
    r"(?:^|_)(?:PRIVATE|SIGNING|PINS?|OTP|HOTP|[MT]FA|2FA|[XC]SRF|SESSIONS?|NONCE|PEM|PFX|P12)(?=_|$)"
    r"|(?:PHRASE|SEED)S?(?=_|$)|SESS(?:ION)?_?IDS?(?=_|$)"
)
"""Names of secrets and of other things: the rest of the name and the value decide."""
_HARMLESS = frozenset({"PWD", "OLDPWD", "SSH_AUTH_SOCK", "GPG_KEY"})
"""`GPG_KEY` is a public fingerprint that official images of languages set."""
_ABOUT = re.compile(
    r"_(?:ALGORITHMS?|AUDIENCE|COUNT|DOMAIN|ENABLED|ENDPOINT|EXPIR(?:ES|Y)(?:_\w+)?|HOST|ISSUER"
    r"|LENGTH|LIMIT|METHODS?|MODE|NAME|PORT|PROVIDER|REGION|SECONDS|SIZE|SOCK|TIMEOUT|TTL|TYPE"
    r"|VERSION|(?<!WEBHOOK_)(?<!WEBHOOKS_)(?<!DATABASE_)UR[IL])$"
)
"""Suffixes of names that describe a secret and are none."""
_OFTEN_ABOUT = re.compile(
    r"_(?:ADDRESS|ALLOWED|BACKEND|CIDR|CLASS|CONNECTION|DATA|DESKTOP|DIR|DRIVER"
    r"|ENGINE|I[DP]S?|IDENTITY|INTERVAL|LEVEL|LIFETIME|MANAGER|NODES|PATH|PREFIX"
    r"|FILE|REQUIRED|ROOT|SEAT|STORE|STYLE|SUBNETS?|TEAM|VPC|VTNR|ZONE)$"
    r"|^DESKTOP_SESSION$"
)
_IDENTIFYING = re.compile(
    r"(?:^|_)(?:ADDRESS|ARN|BRANCH|BUILD|CHECKSUM|COLORS|COMMIT|DIGEST|DIRS?|DOMAIN|FINGERPRINT|FLAGS"
    r"|GUID|HASH|HOST|ID|IMAGE|INTEGRITY|NAME|PARENT|PATH|PS[0-9]|PUBLIC|REF|REGION|REVISION|SHA\d*"
    r"|SLUG|TAG|TRACEPARENT|UUID|VERSION)$|FLAGS$|HOSTNAME$|^(?:LS|GCC|GREP|EXA)_COLORS|^TERMCAP|^HOST"
)
"""Names of public random values: ids, hashes, generated names."""
_PLAIN = re.compile(r"(?i)[0-9]{1,7}|true|false|yes|no|on|off|none|null|auto")
_GUESSABLE = re.compile(r"PASS|PWD|PW$|PINS?$|OTP$")
"""Names of secrets that a person may have chosen as a number or a word."""
_FEW_DIGITS = re.compile(r"[0-9]{1,3}")
_OPEN_VALUE = re.compile(
    r"[a-z][a-z0-9+.-]*://[^\s@]*|[0-9]{1,20}|(?:[\w-]+\.)+[\w-]+(?::\d+)?(?:,(?:[\w-]+\.)+[\w-]+"
    r"(?::\d+)?)*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""Values that are no secrets: an address, a number, hosts, a UUID."""

_USERINFO = re.compile(
    r"://[^/\s:@]*:(?P<password>[^/\s@]+)@|^[^/\s:@]+:(?P<dsn>[^\s@]+)@\w+\("
    r"|://(?P<user>(?=[^/\s:@]*\d)[^/\s:@]{16,})@"
    r"|^[^/\s:@]+:(?P<bare>[^/\s@]+)@(?:[\w-]+\.)*[\w-]+(?::\d+)?(?:/\S*)?$"
)
_FORMS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|rk|pk)[-_][A-Za-z0-9_-]{12}|gh[pousr]_[A-Za-z0-9]{12}|github_pat_\w{12}"
    r"|gl(?:pat|dt|rt|ptt|soat|ft|imt|agent|cbt|oas|ffct)-[A-Za-z0-9_-]{12}|xox[abeoprs]-[A-Za-z0-9-]{10}|xapp-\d-[A-Za-z0-9-]{10}"
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{12}|AIza[A-Za-z0-9_-]{12}|ya29\.[A-Za-z0-9_-]{12}|GOCSPX-"
    r"[A-Za-z0-9_-]{12}|hf_[A-Za-z0-9]{12}|gsk_[A-Za-z0-9]{12}|r8_[A-Za-z0-9]{12}"
    r"|(?:pplx|xai|nvapi)-[A-Za-z0-9_-]{12}|whsec_[A-Za-z0-9+/]{12}|npm_[A-Za-z0-9]{12}"
    r"|pypi-[A-Za-z0-9_-]{16}|dckr_pat_[A-Za-z0-9_-]{12}|do[opr]_v1_[0-9a-f]{12}"
    r"|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{12}|SG\.[A-Za-z0-9_-]{12}|dapi[0-9a-f]{16}|hv[sbr]\."
    r"[A-Za-z0-9_-]{12}|lin_api_[A-Za-z0-9]{12}|PMAK-[0-9a-f]{12}|glsa_\w{12}|dp\.(?:pt|st|ct|sa)\."
    r"[A-Za-z0-9]{12}|AGE-SECRET-KEY-1[A-Z0-9]{12}|\d{8,10}:AA[A-Za-z0-9_-]{20}|ATATT3"
    r"[A-Za-z0-9_=-]{12}|tskey-[a-z]+-[A-Za-z0-9-]{12}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\."
    r")"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|https?://hooks\.slack(?:-gov)?\.com/|https?://discord(?:app)?\.com/api/webhooks/"
    r"|https?://[\w.-]+\.webhook\.office\.com/|https?://chat\.googleapis\.com/v1/spaces/\S+key="
    r"|(?i:\b(?:bearer|basic)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{12})"
    r"|otpauth://|(?i:[?&](?:sig|signature|token|api_?key|access_?token|x-amz-signature)=[^&\s]{8})"
    r"|(?i:\b(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|accesskey)=(?!/)[^;\s]{6})"
)
_PATH = re.compile(r"(?:~|\.{1,2})?(?:/[\w@%+,. -]+)+/?")
_WITHIN = re.compile(
    r"(?i)\b(?:bearer|basic|token)\s+(?P<scheme>[A-Za-z0-9._~+/=-]{12,})"
    r"|\b(?:password|pwd|accountkey|sharedaccesskey|accesskey|sig|signature|token|api_?key)="
    r"(?P<named>[^;&\s]+)"
)


def is_secret(name: str, value: str) -> bool:
    """Tell whether a variable is secret, by its name or its value."""
    if has_secret_name(name, value) or holds_secret(value) or is_key_like(value):
        return True
    return _IDENTIFYING.search(_words(name)) is None and holds_random(value)


def has_secret_name(name: str, value: str = "") -> bool:
    """Tell whether a name says that its value is secret; some values rule that out."""
    upper = _words(name)
    if upper in _HARMLESS or _ABOUT.search(upper):
        return False
    if _PLAIN.fullmatch(value) and not _GUESSABLE.search(upper):
        return False
    if upper.endswith("PWD") and _PATH.fullmatch(value):
        # A folder that a program has worked in, as the shell's own variable of that name.
        return False
    named = any(form.search(upper) is not None for form in (_ANYWHERE, _WORD, _ENDING))
    return named or (_OFTEN.search(upper) is not None and not _is_open(upper, value))


def _is_open(upper: str, value: str) -> bool:
    """Tell whether a variable with an ambiguous name holds no secret, by its name and value."""
    if re.search(r"_(?:SHA\d*|CHECKSUM|DIGEST|FINGERPRINT)$", upper):
        return True
    if _FEW_DIGITS.fullmatch(value) or _PATH.fullmatch(value):
        return True
    if _GUESSABLE.search(upper):
        return False
    if _OFTEN_ABOUT.search(upper):
        return not (is_hash(value) or holds_random(value))
    return _OPEN_VALUE.fullmatch(value) is not None


def _words(name: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", name.upper())


def holds_secret(value: str) -> bool:
    """Tell whether a value holds a key in a vendor's form, or an address with a password."""
    return _USERINFO.search(value) is not None or _FORMS.search(value) is not None


def secrets_of(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the texts to redact from an environment: secret values, and passwords in them.

    A path to the file of a secret is no secret. Each text has the variable's name as its key, from
    the second one on with a number.
    """
    found: dict[str, str] = {}
    for name, value in environment.items():
        if is_secret(name, value) and not _PATH.fullmatch(value):
            whole = [value] if len(value) >= SHORTEST and _is_no_word(name, value) else []
            parts = [part for part in _parts(value) if len(part) >= SHORTEST and not part.isalpha()]
            secret = dict.fromkeys((*whole, *parts))
            found |= {f"{name}.{n}" if n else name: part for n, part in enumerate(secret)}
    return found


def _is_no_word(name: str, value: str) -> bool:
    """Tell whether a value may be redacted in any text: `AUTH=required` is an ordinary word."""
    named = re.search(r"KEY|TOKEN|SECRET|PASS|PWD|PW$", name.upper())
    return named is not None or len(value) >= 2 * SHORTEST or not value.isalpha()


def _parts(value: str) -> Iterator[str]:
    """Yield the secret parts of a value: an address, a header, a connection string or JSON."""
    for match in (*_USERINFO.finditer(value), *_WITHIN.finditer(value)):
        for group in filter(None, match.groups()):
            yield from (group, unquote(group))
    if value.lstrip().startswith("{"):
        try:
            yield from _secret_members(json.loads(value))
        except (ValueError, RecursionError):
            # It only looked like JSON; the whole value counts all the same.
            return


def _secret_members(tree: object) -> Iterator[str]:
    if not isinstance(tree, dict):
        return
    for name, value in cast("dict[str, object]", tree).items():
        if isinstance(value, str) and has_secret_name(name, value):
            yield value
        yield from _secret_members(value)
