"""Which folder is somebody's home: never the system, whatever HOME says."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.seen.home import NOWHERE, account_homes, home_folder


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the system knew no such account."""
    monkeypatch.setattr(os, "getuid", lambda: 4_123_456_789)


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(
    "named",
    ["", "/", "/usr", "/usr/share", "/nix", "home", "/gone/away", "/etc/hostname", "/proc/self"],
)
def test_who_has_no_home_has_none_though_home_names_something(named: str):
    assert account_homes() == ()
    assert home_folder({"HOME": named}) == home_folder({}) == NOWHERE


@pytest.mark.usefixtures("nobody")
def test_home_is_the_real_folder_that_is_named(tmp_path: Path):
    (tmp_path / "home").mkdir()
    (tmp_path / "link").symlink_to("home")
    real = Path(os.path.realpath(tmp_path)) / "home"
    assert home_folder({"HOME": str(tmp_path / "link")}) == real


def test_where_home_names_nothing_it_is_the_account_s():
    assert home_folder({"HOME": "/usr"}) == next(iter(account_homes()), NOWHERE)
