"""Makes names, ids and arguments valid for servers; the same text gives the same. Pure."""

import re

from plimsoll.context.log.messages import Image, object_in
from plimsoll.text.lines import version_of

MOST_NAME = 64
VALID_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FOREIGN = re.compile(r"[^a-zA-Z0-9_-]+")
SIGNED_ID = "__thought__"
"""LiteLLM's separator between the id of a call and the signature that it adds."""
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def valid_name(name: str, most: int = MOST_NAME) -> str:
    """Reduce a tool's name to letters, digits, `_` and `-`, which every vendor accepts.

    A changed name ends with a hash of the original, so that two never become the same.
    """
    if len(name) <= most and VALID_NAME.fullmatch(name):
        return name
    kept = FOREIGN.sub("_", name).strip("_")[: most - 7]
    return f"{kept}_{version_of(name)[:6]}".lstrip("_")


def strict_name(name: str, most: int) -> str:
    """Reduce a name to letters, digits and `_`, beginning with a letter."""
    if len(name) <= most and re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_]*", name):
        return name
    kept = re.sub(r"[^a-zA-Z0-9_]+", "_", name).strip("_")[: most - 9]
    return f"t_{kept}_{version_of(name)[:6]}"


def valid_id(call_id: str, *, characters: bool = False) -> str:
    """Shorten the id of a call to 64 characters; ``characters``: with the characters of names."""
    fits = call_id and (len(call_id) <= MOST_NAME or SIGNED_ID in call_id)
    if not characters:
        return call_id if fits else f"call_{version_of(call_id)[:24]}"
    if len(call_id) <= MOST_NAME and VALID_NAME.fullmatch(call_id):
        return call_id
    return f"{FOREIGN.sub('_', call_id)[:50]}_{version_of(call_id)[:8]}"


def id_of_form(call_id: str, form: str) -> str:
    """Reduce an id to letters and digits; ``form``: ``=9`` for that length, ``<=40`` for a limit.

    An id that has the form already stays.
    """
    exact, number = not form.startswith("<"), int(form.lstrip("<="))
    fits = len(call_id) == number if exact else len(call_id) <= number
    plain = call_id.isalnum() if exact else VALID_NAME.fullmatch(call_id) is not None
    if fits and plain and call_id.isascii():
        return call_id
    value, letters = int(version_of(call_id), 16), ""
    for _ in range(number if exact else min(number, 24)):
        value, place = divmod(value, len(ALPHABET))
        letters += ALPHABET[place]
    return letters


def valid_arguments(arguments: str) -> str:
    """Return arguments as strict JSON; old logs may hold numbers out of range."""
    if "Infinity" not in arguments and "NaN" not in arguments:
        return arguments
    return arguments if object_in(arguments) is not None else "{}"


def image_name(image: Image) -> str:
    """Return the hash that identifies an image in mends."""
    return version_of(image.data)[:16]


def block_name(signature: str) -> str:
    """Return the hash that identifies a provider's signature in mends."""
    return version_of(signature)[:16]
