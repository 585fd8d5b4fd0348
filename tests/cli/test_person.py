"""A person at a terminal: approvals, what Ctrl-C does, and a line that is written for an editor."""

import signal
from pathlib import Path

import pytest

from cli.shell import ESCAPE, Person, Shell, rows, wrote


def test_a_person_sees_the_change_and_allows_it(shell: Shell, person: Person):
    person.start("run", "--report", "write", **shell.script(wrote()))
    person.sees("Allow?")
    assert "+line" in ESCAPE.sub("", person.read)
    assert not (shell.folder / "new.txt").exists()
    person.types("y\n")
    assert person.ends() == 0
    assert (shell.folder / "new.txt").read_text() == "line\n"
    assert "█" in person.read


def test_a_person_declines_with_a_reason(shell: Shell, person: Person):
    person.start("run", "write", **shell.script(wrote()))
    person.sees("Allow?")
    person.types("not here\n")
    assert person.ends() == 1
    assert not (shell.folder / "new.txt").exists()
    assert "not here" in ESCAPE.sub("", person.read)


def test_everything_is_forgotten_only_by_the_word(shell: Shell, person: Person):
    shell.run("run", "hello", **shell.script())
    for typed, code, left in (("yes\n", 1, 1), ("forget\n", 0, 0)):
        person.read = ""
        person.start("forget-everything")
        person.sees("Type 'forget'")
        person.types(typed)
        assert person.ends() == code
        assert len(rows(shell.run("sessions", "--json"))) == left


HANGS = {"when": "hang", "steps": [{"text": ["Thinking"], "error": "hang"}]}


def test_the_first_interrupt_cancels_the_turn(shell: Shell, person: Person):
    person.start("run", "hang", **shell.script(HANGS))
    person.sees("Thinking")
    person.process.send_signal(signal.SIGINT)
    assert person.ends() == 130
    assert "Cancelled." in ESCAPE.sub("", person.read)
    assert "Traceback" not in person.read


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "is_written"), [("y\r", True), ("\r", False), ("no\r", False)])
def test_the_line_for_an_editor_is_written_on_a_persons_word(
    person: Person, typed: str, is_written: bool, tmp_path: Path
):
    person.start("editor", "nvim", "--install", XDG_CONFIG_HOME=str(tmp_path / "config"))
    person.sees("Write it? [y/N]")
    person.types(typed)
    person.sees("Written." if is_written else "Nothing was changed.")
    assert (tmp_path / "config" / "nvim" / "plugin" / "plimsoll.lua").exists() == is_written
