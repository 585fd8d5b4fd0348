"""What a sandbox is said to give."""

import pytest

from plimsoll.tools.process.confinement.base import part_confinement


@pytest.mark.parametrize(
    ("network", "registries", "reach"),
    [
        (True, True, "it can use the network; no shield"),
        (False, True, "no network, package registries neither; no shield"),
        (False, False, "no network; no shield"),
    ],
)
def test_a_sandbox_in_part_says_how_far_a_command_reaches(network, registries, reach):
    made = part_confinement("landlock", "no shield", network=network, registries=registries)

    assert made.summary.endswith(f", {reach}")
    assert (made.coverage, made.network) == ("partial", network)
