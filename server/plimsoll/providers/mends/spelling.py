"""Names, ids and arguments in a form that a server takes; the same for the same text. Pure."""

import re

from plimsoll.context.log.messages import Image, object_in
from plimsoll.text.lines import version_of

MOST_NAME = 64
VALID_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FOREIGN = re.compile(r"[^a-zA-Z0-9_-]+")
SIGNED_ID = "__thought__"
"""What LiteLLM puts between the id of a call and the signature that stands in it."""
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def valid_name(name: str, most: int = MOST_NAME) -> str:
    """Spell the name of a tool in letters, digits, `_` and `-`, which every vendor takes.

    One that changes ends with a hash of itself, so that two never become one.
    """
    if len(name) <= most and VALID_NAME.fullmatch(name):
        return name
    kept = FOREIGN.sub("_", name).strip("_")[: most - 7]
    return f"{kept}_{version_of(name)[:6]}".lstrip("_")


def strict_name(name: str, most: int) -> str:
    """Spell a name in letters, digits and `_` alone, beginning with a letter."""
    if len(name) <= most and re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_]*", name):
        return name
    kept = re.sub(r"[^a-zA-Z0-9_]+", "_", name).strip("_")[: most - 9]
    return f"t_{kept}_{version_of(name)[:6]}"


def valid_id(call_id: str, *, characters: bool = False) -> str:
    """Spell the id of a call in at most 64 characters; ``characters``: also as names are."""
    fits = call_id and (len(call_id) <= MOST_NAME or SIGNED_ID in call_id)
    if not characters:
        return call_id if fits else f"call_{version_of(call_id)[:24]}"
    if len(call_id) <= MOST_NAME and VALID_NAME.fullmatch(call_id):
        return call_id
    return f"{FOREIGN.sub('_', call_id)[:50]}_{version_of(call_id)[:8]}"


def id_of_form(call_id: str, form: str) -> str:
    """Spell an id in letters and digits; ``form``: ``=9`` of that length, ``<=40`` at most so long.

    One that has the form already stays.
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
    """Return arguments that are strict JSON; old logs may hold a number beyond all floats."""
    if "Infinity" not in arguments and "NaN" not in arguments:
        return arguments
    return arguments if object_in(arguments) is not None else "{}"


def image_name(image: Image) -> str:
    """Name an image by its hash."""
    return version_of(image.data)[:16]


def block_name(signature: str) -> str:
    """Name what a provider wants back by its hash."""
    return version_of(signature)[:16]
