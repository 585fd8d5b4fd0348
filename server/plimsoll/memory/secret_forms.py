"""Forms of tokens that vendors have fixed, and whether a value was made by a machine."""

import itertools
import math
import re
import string
from collections import Counter
from collections.abc import Iterator

_LEFT, _RIGHT = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"

_TOKENS = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",  # Amazon
    r"AIza[\w-]{35}",  # Google
    r"ya29\.[\w-]{20,}",
    r"GOCSPX-[\w-]{20,}",
    r"gh[pousr]_[A-Za-z0-9]{30,}",  # GitHub
    r"github_pat_\w{22,}",
    r"gl(?:pat|dt|rt|ptt|soat|ft|ffct|imt|agent|cbt|oas)-[\w-]{20,}",  # GitLab
    r"xox[abeoprs]-[\w-]{10,}",  # Slack
    r"xapp-\d-[\w-]{10,}",
    r"sk-(?:ant-|proj-|svcacct-|or-|live-)[\w-]{20,}",  # model vendors
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
    r"hv[sbr]\.[A-Za-z0-9_-]{24,}",  # Vault
    r"ABSK[A-Za-z0-9+/]{60,}={0,2}",  # Amazon, for models
    r"[\w~.]{3}\dQ~[\w~.-]{31,34}",  # Azure
    r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",  # Airtable
    r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}",  # Dynatrace
    r"duffel_(?:test|live)_[\w=-]{43}",
    r"eyJrIjoi[A-Za-z0-9+/]{40,}={0,2}",  # Grafana, older
    r"sl\.(?:u\.)?[\w-]{60,}",  # Dropbox
    r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}",  # Zoho
    r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}",  # Cloudflare
    r"amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    r"1/\d{16}:[0-9a-f]{32}",  # Asana
    r"BUNDLE_\w{4,10}__CONTRIBSYS__COM\s?[=:]\s?[0-9a-f]{8}:[0-9a-f]{8}",
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
    r"eyJ?[\w\\-]{14,1000}\.ey[\w\\/-]{14,}\.[\w\\/+=-]{10,}",  # JSON web token
    r"API-[A-Z0-9]{26}",
    r"CLOJARS_[0-9a-z]{60}",
    r"pul-[0-9a-f]{40}",
    r"figd_[\w-]{36,}",
    r"ATATT3[\w=-]{100,}",
    r"secret_[A-Za-z0-9]{40,}",
    r"rdme_[0-9a-z]{60,}",
    r"pscale_(?:pw|tkn|oauth)_[\w.=-]{30,}",
)

_FORMS = (
    re.compile(_LEFT + "(?:" + "|".join(_TOKENS) + ")" + _RIGHT),
    re.compile(r"https?://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"),
    re.compile(r"https?://\w+\.webhook\.office\.com/webhookb2/[\w@/-]{40,}"),
    re.compile(r"https?://discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40,}"),
    re.compile(r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    re.compile(r"(?i)\b(?:sig|signature|x-amz-signature)=[\w%+/=-]{40,}"),
)
"""Each alone is enough, wherever it stands, unless a person wrote it in place of a token."""

_KEY_FILE = re.compile(
    r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d"
)
_LOOSE = re.compile(_LEFT + r"(?:[sb]\.|sk-)(?P<body>[\w-]{20,})" + _RIGHT)
"""Forms that names in code have too: their body must be a machine's."""
_STAND_IN = re.compile(
    r"example|placeholder|change-?_?me|redacted|dummy|sample|foobar|deadbeef|yourtoken|your[-_]"
    r"|insert[-_]|replace[-_]|x{5}|\*{3}|\.{3}|#{4}",
    re.IGNORECASE,
)
_ONE_CHARACTER = re.compile(r"(.)\1{5}")
_REPEATED = re.compile(r"(.{2,10}?)\1{3}")
_LONGEST_ORDER = 7
_WORDS = 4
_FEWEST = 6
"""Different characters in the second half of a token."""


def is_stand_in(value: str) -> bool:
    """Tell whether people wrote it for a token: a word for one, a row, or the same again."""
    if _STAND_IN.search(value) or _ONE_CHARACTER.search(value):
        return True
    if len(value) < 16:
        return False
    few = len(set(value[len(value) // 2 :])) < _FEWEST
    return few or _REPEATED.search(value) is not None or _longest_order(value) >= _LONGEST_ORDER


def fixed_forms(text: str) -> Iterator[bool]:
    """Judge what has the form of a vendor's token."""
    yield _KEY_FILE.search(text) is not None
    for form in _FORMS:
        found = (match[0] for match in form.finditer(text))
        yield any(not is_stand_in(token) and not _is_sentence(token) for token in found)
    yield any(is_machine_made(match["body"]) for match in _LOOSE.finditer(text))


def _is_sentence(token: str) -> bool:
    """Tell whether words stand where the random part would."""
    pieces = re.split(r"[-_]", token)
    return len(pieces) >= _WORDS and all(piece.isalpha() for piece in pieces)


def _longest_order(value: str) -> int:
    """Count the characters of the longest piece in which each follows the one before."""
    longest = length = 1
    for before, after in itertools.pairwise(value):
        follows = ord(after) - ord(before) == 1 or (before, after) == ("9", "0")
        length = length + 1 if follows else 1
        longest = max(longest, length)
    return longest


_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SPOKEN_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_UNSPEAKABLE = re.compile(r"[^aeiouy]{5}|[aeiouy]{4}|q[^u]", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_LONG_HASH = 32
_MANY = 6
_SUBSCRIPT = re.compile(r"[A-Za-z_][\w.]*\[[A-Za-z_]*")
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
    if len(value) < 20 or is_stand_in(value) or _is_name(value):
        return False
    digits, changes = sum(char.isdigit() for char in value), _changes(value)
    if digits < 3 and (digits < 1 or changes < len(value) / 3):
        return False
    if digits > 0.7 * len(value) or (_wordy(value) and _numbers(value) < _MANY):
        return False
    return entropy(value) >= 3.4 and changes >= 6


def is_machine_made(value: str) -> bool:
    """Tell whether what stands behind a short prefix is a token and no name in code."""
    if is_stand_in(value) or not any(char.isdigit() for char in value) or _wordy(value):
        return False
    return entropy(value) >= 3.2 and _changes(value) >= 4


def _is_name(value: str) -> bool:
    """Tell whether it is a hash, an id, a path or an identifier: words, numbers and short hashes.

    A long hash behind a word is not: that is how many vendors write their tokens.
    """
    pieces = [piece for piece in re.split(r"[-_/.+=~]+", value) if piece]
    hashes = [piece for piece in pieces if _HEX.fullmatch(piece)]
    others = [piece for piece in pieces if not _HEX.fullmatch(piece)]
    if not all(_readable(piece.lstrip(string.digits)) for piece in others):
        return False
    # Ids are joined by dashes alone.
    return (not others and "_" not in value) or sum(map(len, hashes)) < _LONG_HASH


def _reads(value: str) -> bool:
    """Tell whether it reads as people write for people: names, versions, hosts and calls."""
    if _NUMBERED.fullmatch(value) or _SUBSCRIPT.fullmatch(value) or "(" in value:
        return True
    pieces = [piece for piece in re.split(r"[-_./:]+", value) if piece]
    readable = [piece for piece in pieces if _readable(piece)]
    return len(pieces) > 1 and len(readable) == len(pieces)


def _readable(piece: str) -> bool:
    """Tell whether a piece is a word, a number, or words with a number behind them."""
    if piece.isdigit():
        return True
    return bool(re.fullmatch(r"[A-Za-z]+\d{0,4}(?:[A-Z]?[a-z]{2,})?", piece))


def _numbers(value: str) -> int:
    """Count the numbers in it: people write a few, in what is random they are everywhere."""
    return len(re.findall(r"\d+", value))


def _wordy(value: str) -> bool:
    """Tell whether more than half of it can be spoken."""
    return 2 * sum(len(word) for word in _SPOKEN_WORDS.findall(value) if _spoken(word)) > len(value)


def _spoken(word: str) -> bool:
    return len(word) > 3 and bool(_VOWEL.search(word)) and not _UNSPEAKABLE.search(word)


def _changes(value: str) -> int:
    """Count where a letter stands beside a digit, or a capital beside a small letter."""
    kinds = [char.isdigit() + 2 * char.isupper() + 4 * (not char.isalnum()) for char in value]
    return sum(a != b for a, b in itertools.pairwise(kinds))
