"""What all tests share: how many examples are made, and which tests are slow."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

from plimsoll.tokens import vocabulary

# An assertion of these checks that fails says what stood on both sides, as one of a test.
pytest.register_assert_rewrite("plimsoll.storage.conformance")
pytest_plugins = ["recordings.plugin"]

SLOW_FIXTURES = frozenset({"start", "shared", "shell", "repository"})
"""Each starts a process of its own: a server, a command, git."""
STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})

# No clock judges an example: on a busy machine it would judge the machine.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", UNHURRIED, max_examples=100)
settings.register_profile("dev", UNHURRIED, max_examples=10)
settings.register_profile("thorough", UNHURRIED, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


class ProcessWatch:
    """Fails a test that starts a process and is not marked `slow`."""

    def __init__(self) -> None:
        self.started = False
        # A hook stays to the end of the interpreter, and this module's names do not.
        self._starts = STARTS
        sys.addaudithook(self.hear)

    def hear(self, event: str, _arguments: object) -> None:
        self.started = self.started or event in self._starts

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        self.started = False
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        done = yield
        if self.started and item.get_closest_marker("slow") is None:
            pytest.fail("It starts a process: mark it slow (pytest.mark.slow).", pytrace=False)
        return done


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ProcessWatch())


def pytest_collection_finish() -> None:
    """Let the collector look less often, and never at what stays until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def encodings_built_once() -> Iterator[None]:
    """Share each vocabulary among the tests of a process: it never changes and loads slowly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "build_encoding", cache(vocabulary.build_encoding))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_order)
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def _order(item: pytest.Item) -> int:
    """Put what takes longest to the front: the first worker begins there.

    The others take over tests from the end of its list, so the servers of other makers, which load
    for long, are started by one worker alone.
    """
    parts = item.path.parts
    return 0 if "servers" in parts else 1 if item.path.name == "test_install.py" else 2
