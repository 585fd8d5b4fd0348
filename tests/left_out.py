"""Tests that the machine does not allow: other than a missing tool, no fault with ``CI=true``."""

from typing import NoReturn

import pytest

MACHINE = "this machine: "
"""Begins the reason; `scripts/lib/suite.sh` knows it by this."""


def not_on_this_machine(why: str) -> NoReturn:
    """Leave the running test out; it is counted and told with its reason."""
    pytest.skip(f"{MACHINE}{why}")
