"""Leaves out the tests that play recordings of others where these are missing, and counts them."""

import os
from collections import Counter

import pytest

from recordings.beside import MISSING, OTHERS


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "others: plays recordings of others, beside the repository")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose recordings are missing; with ``CI=true`` it fails."""
    if item.get_closest_marker("others") is None or OTHERS.is_dir():
        return
    if os.environ.get("CI") == "true":
        pytest.fail(MISSING, pytrace=False)
    pytest.skip(MISSING)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were left out, and why: one line for each reason."""
    skipped = terminalreporter.stats.get("skipped", ())
    for reason, count in sorted(Counter(map(_reason, skipped)).items()):
        terminalreporter.write_line(f"left out: {count} tests ({reason})")


def _reason(report: pytest.TestReport) -> str:
    told = report.longrepr
    return str(told[2] if isinstance(told, tuple) else told).removeprefix("Skipped: ")
