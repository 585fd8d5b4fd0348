"""The fixed forms of tokens of known vendors."""

import re
from collections.abc import Iterator

from plimsoll.redaction.machine_made import is_machine_made, is_stand_in

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
"""Each is enough wherever it occurs, unless it is a placeholder written by a person."""

_KEY_FILE = re.compile(
    r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d"
)
_LOOSE = re.compile(_LEFT + r"(?:[sb]\.|sk-)(?P<body>[\w-]{20,})" + _RIGHT)
"""Forms that names in code have too: their body must look random."""
_WORDS = 4


def fixed_forms(text: str) -> Iterator[bool]:
    """Yield for each token in a vendor's known format whether it is a secret."""
    yield _KEY_FILE.search(text) is not None
    for form in _FORMS:
        found = (match[0] for match in form.finditer(text))
        yield any(not is_stand_in(token) and not _is_sentence(token) for token in found)
    yield any(is_machine_made(match["body"]) for match in _LOOSE.finditer(text))


def _is_sentence(token: str) -> bool:
    """Tell whether the random part of a token consists of words."""
    pieces = re.split(r"[-_]", token)
    return len(pieces) >= _WORDS and all(piece.isalpha() for piece in pieces)
