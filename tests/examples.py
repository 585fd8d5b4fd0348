"""How many examples a test makes under the profile that is loaded (see conftest.py)."""

from hypothesis import settings

WHOLE = 100
"""Examples of the profile `ci`, in which a test makes all that it asks for."""


def examples(wanted: int) -> int:
    """Return all that are wanted in `ci`, four times as many in `thorough`, in `dev` a tenth.

    In `dev` it is at most what the profile makes.
    """
    allowed = settings().max_examples
    scaled = max(1, wanted * allowed // WHOLE)
    return scaled if allowed >= WHOLE else min(scaled, allowed)
