"""Profiles in the real server: by argument, by the editor's setting, by `/profile`."""

import subprocess
import sys
from pathlib import Path

import pytest

from product.harness import Product

pytestmark = pytest.mark.slow
ECHO = {"mode": "echo", "rules": []}


def marks(product: Product, session: str) -> tuple[float, str]:
    """The compact mark as a share of the effective window, and the profile by name."""
    meter = product.call("plimsoll/context/report", {"sessionId": session})["meter"]
    status = product.call("plimsoll/status", {})
    return round(meter["thresholds"]["compact"] / meter["effective"], 2), status["profile"]


def test_the_profile_of_the_command_line_holds_under_what_a_person_sets(tmp_path: Path):
    command = ("-m", *Product.PROGRAM, "serve", "--profile", "large-codebase")
    with Product(tmp_path, ECHO, command) as product:
        product.open()
        assert marks(product, product.new_session()) == (0.6, "large-codebase")
    with Product(tmp_path, ECHO, command, PLIMSOLL_COMPACTION__THRESHOLD="0.5") as product:
        product.open()
        assert marks(product, product.new_session()) == (0.5, "large-codebase")


def test_the_profile_of_the_editor_wins_and_slash_profile_acts_on_the_open_session(tmp_path: Path):
    command = ("-m", *Product.PROGRAM, "serve", "--profile", "cheap")
    with Product(tmp_path, ECHO, command) as product:
        product.open(settings={"profile": "large-codebase"})
        session, other = product.new_session(), product.new_session()
        assert marks(product, session) == (0.6, "large-codebase")
        turn = product.turn(session, "/profile cheap")
        assert any("Profile: **cheap**" in update.get("markdown", "") for update in turn)
        assert marks(product, session) == marks(product, other) == (0.85, "cheap")
        assert marks(product, product.new_session()) == (0.85, "cheap")
    with Product(tmp_path, ECHO) as product:
        product.open()
        assert marks(product, session)[1] == "default"


@pytest.mark.parametrize("command", ["serve", "run", "chat"])
def test_an_unknown_profile_is_refused_and_those_that_are_named(command: str):
    words = [sys.executable, "-m", "plimsoll", command, "--profile", "cheep"]
    ended = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert ended.returncode == 2
    assert "'cheep'" in ended.stderr and "'long-refactoring', 'large-codebase'" in ended.stderr
