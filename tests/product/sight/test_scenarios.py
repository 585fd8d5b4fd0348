"""What the work needs stays in view, word for word, wherever it fits below the warning mark."""

from contextlib import ExitStack

import pytest

from examples import examples
from plimsoll.context.budget import budget_for
from product.sight.director import directed
from product.sight.playing import EVERYTHING, play, server
from product.sight.scenarios import QUOTES, SCENARIOS

pytestmark = pytest.mark.slow

WINDOWS = 32_768, 65_536, 131_072
LARGE_WINDOWS = 200_000, 1_000_000
"""Every scenario fits in these as it does in the last of the others: some are enough."""
PLAYED = [
    (scenario, window)
    for number, scenario in enumerate(SCENARIOS)
    for window in (WINDOWS + LARGE_WINDOWS if number < examples(3) else WINDOWS)
]


@pytest.fixture(scope="module")
def playing(tmp_path_factory):
    """Play scenarios by window; each window has a server of its own, started when it is asked."""
    home, servers = tmp_path_factory.mktemp("sight"), {}
    with ExitStack() as stack:
        director = stack.enter_context(directed())

        def played(scenario, window):
            if window not in servers:
                begun = server(home / str(window), director, window)
                servers[window] = stack.enter_context(begun)
            return play(scenario, servers[window], director)

        yield played


@pytest.fixture(scope="module")
def whole(playing):
    """Play a scenario with everything kept, once."""
    found = {}

    def played(scenario):
        if scenario.name not in found:
            found[scenario.name] = playing(scenario, EVERYTHING)
        return found[scenario.name]

    return played


@pytest.mark.parametrize(
    ("scenario", "window"), PLAYED, ids=lambda each: getattr(each, "name", None)
)
def test_what_the_work_needs_stands_wherever_it_fits(playing, whole, scenario, window):
    kept = whole(scenario)
    assert kept.readings == 0
    one = playing(scenario, window)
    assert max(one.tokens) <= budget_for(window).effective
    if max(kept.tokens) < budget_for(window).warning:
        assert (one.stood, one.readings) == (kept.needed, 0)
        assert one.requests == kept.requests
    else:
        assert window < 131_072


def test_a_policy_that_looks_away_reads_again_and_pays_for_it(tmp_path, whole):
    """The measure tells: what left of the turn at hand is not in sight, and costs a reading."""
    with directed() as director:
        early = {"PLIMSOLL_PROFILE": "cheap", "PLIMSOLL_COMPACTION__THRESHOLD": "0.4"}
        thrifty = server(tmp_path, director, 65_536, **early)
        with thrifty as product:
            one = play(QUOTES, product, director)
    kept = whole(QUOTES)
    assert one.stood < kept.stood
    assert (one.late, one.requests) == (1, kept.requests + 1)
    assert one.readings == one.needed - one.stood
    assert one.results["notes"] > 0
