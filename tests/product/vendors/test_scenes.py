"""Every scene of a session with the vendors that differ most: no request is refused needlessly.

All vendors with all scenes: ``scripts/faults vendors --full``.
"""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from product.vendors.playing import staged
from product.vendors.scenes import SCENES, play
from providers.vendors.catalog import VENDORS
from providers.vendors.conformance import Rule, no_field

pytestmark = pytest.mark.slow

SIX = {
    vendor.name: vendor
    for vendor in VENDORS
    if vendor.name in {"openai", "openai-responses", "anthropic", "mistral", "gemini", "vllm"}
}
OPTIONS = Rule(
    name="options",
    source="report",
    check=no_field("stream_options", "Extra inputs are not permitted: stream_options"),
    broken={"messages": [], "stream_options": {}},
)


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    home, opened = tmp_path_factory.mktemp("vendors"), {}
    with ExitStack() as stack:

        def stage(name):
            if name not in opened:
                opened[name] = stack.enter_context(staged(home / name, SIX[name]))
            return opened[name]

        yield stage


@pytest.mark.parametrize("vendor", SIX)
@pytest.mark.parametrize("scene", SCENES)
def test_no_request_of_a_scene_is_refused_needlessly(stages, scene, vendor):
    assert play(SCENES[scene], stages(vendor)) == []


def test_what_is_refused_is_told_once_and_after_that_it_is_known(tmp_path):
    """The measure tells: a rule that our requests break is seen, and its mend holds."""
    with staged(tmp_path, replace(SIX["openai"], rules=(OPTIONS,))) as stage:
        assert play(SCENES["reject"], stage) == ["options"]
        assert play(SCENES["restart"], stage) == []
