"""A plugin for pytest: tells which test reaches which line, or runs some tests in an order."""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest
from coverage import Coverage

from mutation.reach import CHOSEN, WATCHED


class Watch:
    """Writes which test reaches which line, and how long each takes."""

    def __init__(self, include: list[str], to: Path) -> None:
        self._to = to
        self._seconds = defaultdict[str, float](float)
        self._slow, self._failed = set[str](), set[str]()
        self._coverage = Coverage(data_file=None, config_file=False, include=include)
        # From here on: a test is also asked about what it loads.
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        self._coverage.switch_context(item.nodeid)
        if item.get_closest_marker("slow"):
            self._slow.add(item.nodeid)
        try:
            return (yield)
        finally:
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {
            file: {
                line: [test for test in tests if test and test not in self._failed]
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        seconds = {test: took for test, took in self._seconds.items() if test not in self._failed}
        slow, failed = sorted(self._slow & seconds.keys()), sorted(self._failed)
        told = {"seconds": seconds, "lines": lines, "slow": slow, "failed": failed}
        self._to.write_text(json.dumps(told), "utf-8")


class Choice:
    """Runs the tests that were chosen, in their order."""

    def __init__(self, tests: list[str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = (item for item in items if item.nodeid in self._order)
        items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])


def pytest_configure(config: pytest.Config) -> None:
    if chosen := os.environ.get(CHOSEN):
        config.pluginmanager.register(Choice(json.loads(Path(chosen).read_text("utf-8"))))


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Watch before the package is loaded, which the tests' first conftest does."""
    if watched := os.environ.get(WATCHED):
        include, to = json.loads(watched)
        early_config.pluginmanager.register(Watch(include, Path(to)))
