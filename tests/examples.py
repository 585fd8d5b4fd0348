"""How many examples a test makes under the profile that is loaded (see conftest.py)."""

from hypothesis import settings

WHOLE = 100
"""Examples of the profile `ci`, in which a test makes all that it asks for."""


def examples(wanted: int) -> int:
    """Scale a number of examples by the profile: all of them in `ci`, a tenth in `dev`."""
    return max(1, wanted * settings().max_examples // WHOLE)
