"""`plimsoll bench --mine`: the sessions that a person has had, the newest of all folders."""

import re
from dataclasses import replace

from cli.shell import Shell


def test_the_sessions_of_all_folders_are_compared_and_nothing_of_them_is_changed(shell: Shell):
    other = replace(shell, folder=shell.folder.parent / "other")
    other.folder.mkdir()
    model = shell.script()
    for place in (shell, other):
        assert place.run("run", "Where does it start?", **model).returncode == 0
    before = shell.run("sessions").stdout
    done = shell.run("bench", "--mine", "--window", "16384", **model)
    told = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert told.startswith("2 sessions, 2 requests, a window of 16,384 tokens")
    assert "what the person said" in told
    assert shell.run("sessions").stdout == before


def test_a_page_of_own_sessions_says_nothing_that_was_said_in_them(shell: Shell):
    model = shell.script()
    assert shell.run("run", "Is hunter2hunter2 the password?", **model).returncode == 0
    done = shell.run("bench", "--mine", "--html", "mine.html", **model)
    assert done.returncode == 0, done.stderr
    page = (shell.folder / "mine.html").read_text()
    assert "hunter2" not in page
    assert re.search(r"<h3>Session of \d{4}-\d\d-\d\d, \d\d:\d\d UTC</h3>", page)


def test_a_person_without_sessions_is_told_so(shell: Shell):
    done = shell.run("bench", "--mine")
    assert (done.returncode, b"No session was found." in done.stderr) == (1, True)
