"""Recognises secrets without a vendor's form by their value: random text, a seed, a key.

Hashes, ids and versions look random and are no secrets: hexadecimal digits and UUIDs are not
recognised here; they count only if a name says that they are secret. Pure.
"""

import base64
import re

from plimsoll.redaction.machine_made import UUID, is_machine_made, is_stand_in, looks_random

_LONGEST = 65_536
"""Characters of a value that are checked; a longer one is a file, not a key."""
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S*", re.IGNORECASE)
_PUBLIC = re.compile(
    r"\bAAAA[A-Za-z0-9+/]{20,}={0,2}"
    r"|-----BEGIN (?:CERTIFICATE|[A-Z ]{0,12}PUBLIC KEY)[ A-Z]{0,12}-----[\s\w+/=\\-]*"
    r"|\bh1:[A-Za-z0-9+/]{20,}={0,2}|\b(?:sha\d{1,3}|md5)[-:][A-Za-z0-9+/]{16,}={0,2}"
    r"|\bLS0tLS1CRUdJTiBDRVJU[A-Za-z0-9+/]*={0,2}"
)
"""Public keys, certificates and checksums: random, and no secrets."""
_BETWEEN = re.compile(r"[\s,;:'\"`|&?()<>{}\[\]=]+")
_RUN = re.compile(r"[A-Za-z0-9_+][\w+/.~!@#$%^*-]{15,511}")
_SHORT_RUN = 20
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)")
_HEX_KEY = re.compile(r"0x[0-9a-fA-F]{64}")
_KEY_FILE = re.compile(
    r"PuTTY-User-Key-File-\d|\bLS0tLS1CRUdJTi(?!BDRVJU|BQVUJMSUM)[A-Za-z0-9+/]{8}"
)
_CHAIN_KEY = re.compile(r"\b(?:[xyz]prv[1-9A-HJ-NP-Za-km-z]{50,}|nsec1[02-9ac-hj-np-z]{50,})\b")
_SEED = re.compile(r"(?:[A-Z2-7]{16,128}|[a-z2-7]{16,128})={0,6}")
_SEED_GROUPS = re.compile(r"[A-Za-z2-7]{4}(?:[ -][A-Za-z2-7]{4}){3,15}")
_UNSPEAKABLE = re.compile(r"[b-df-hj-np-tv-xz]{5}", re.IGNORECASE)
_PADDED = re.compile(r"(?<![\w+/=])[A-Za-z0-9+/]{16,65536}={1,2}(?![\w+/=])")
_PHRASE = re.compile(r"[a-z]{3,8}(?:[ ,_-]+[a-z]{3,8}){11,23}")
_PHRASE_LENGTHS = frozenset({12, 15, 18, 21, 24})
_FUNCTION_WORDS = frozenset(
    {
        *("the", "and", "for", "with", "are", "was", "were", "has", "had", "have", "not", "from"),
        *("but", "its", "our", "your", "their", "into", "than", "which", "while", "those"),
    }
)
"""Words of sentences that no list of seed words has."""


def is_key_like(value: str) -> bool:
    """Tell whether a value looks like a key, a seed or a wallet's phrase, whatever its name."""
    text = value[:_LONGEST].strip()
    return (
        any(form.search(text) is not None for form in (_KEY_FILE, _CHAIN_KEY))
        or _HEX_KEY.fullmatch(text) is not None
        or _is_seed(text)
        or _is_phrase(text)
    )


def holds_random(value: str) -> bool:
    """Tell whether a value holds a random text of at least 16 characters, no hash or id."""
    plain = _PUBLIC.sub(" ", _ADDRESS.sub(" ", value[:_LONGEST]))
    runs = (run for run in _BETWEEN.split(plain) if _RUN.fullmatch(run))
    return any(map(_is_token, runs)) or any(
        _is_bytes(found[0]) for found in _PADDED.finditer(plain)
    )


def is_hash(value: str) -> bool:
    """Tell whether a value is hexadecimal digits of the length of an id or a hash."""
    return len(value) >= 24 and _HEX.fullmatch(value) is not None


def _is_token(run: str) -> bool:
    if _HEX.fullmatch(run) or UUID.search(run):
        return False
    mixed = run.isalnum() and all(
        any(map(is_, run)) for is_ in (str.islower, str.isupper, str.isdigit)
    )
    if len(run) < _SHORT_RUN:
        return mixed and is_machine_made(run)
    return looks_random(run) or (
        mixed and _UNSPEAKABLE.search(run) is not None and not is_stand_in(run)
    )


def _is_bytes(padded: str) -> bool:
    """Tell whether a value is Base64 of bytes that are no text."""
    if len(padded) % 4:
        return False
    return not base64.b64decode(padded).decode("latin-1").isprintable()


def _is_seed(text: str) -> bool:
    """Tell whether a value is Base32 as authenticators show it: one run, or groups of four."""
    joined = re.sub("[ -]", "", text) if _SEED_GROUPS.fullmatch(text) else text
    if _SEED.fullmatch(joined) is None or _HEX.fullmatch(joined) or is_stand_in(joined):
        return False
    # A word with its number has its digits at the end.
    return not joined.rstrip("234567=").isalpha() or _UNSPEAKABLE.search(joined) is not None


def _is_phrase(text: str) -> bool:
    """Tell whether a text is a wallet's phrase: its number of plain words, and no sentence."""
    if _PHRASE.fullmatch(text) is None:
        return False
    words = re.split(r"[ ,_-]+", text)
    return len(words) in _PHRASE_LENGTHS and _FUNCTION_WORDS.isdisjoint(words)
