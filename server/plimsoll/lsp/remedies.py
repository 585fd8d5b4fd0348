"""What a client is told to do about an error. Pure; the terminal loads it without pygls."""

from plimsoll.errors import PlimsollError


def client_remedy(error: PlimsollError) -> str | None:
    """Return an error's remedy for clients without own words for its ``fix``."""
    if error.fix is not None and error.fix.kind == "key":
        return f"{error.remedy} Or give one with plimsoll/model/setKey."
    return error.remedy
