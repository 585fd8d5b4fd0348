"""A person in a chat on a real terminal: editing, pasting, completion, what is kept."""

import json
import signal
import sqlite3
import stat
from pathlib import Path

from cli.shell import ESCAPE, Person, Shell, rows, wrote

UP, ESCAPE_KEY, TAB, CTRL_C, CTRL_D = "\x1b[A", "\x1b", "\t", "\x03", "\x04"
HANGS = {"when": "hang", "steps": [{"text": ["Thinking"], "error": "hang"}]}
KEY = "sk-proj-Zx81QmT4vBn7KpLs92WcYdFgHjR5aEuO3iNt6XbV"


def chat(person: Person, shell: Shell, *script: dict[str, object], **variables: str) -> None:
    person.start("chat", **shell.script(*script), **variables)
    person.sees("of 112k")


def said(shell: Shell) -> list[str]:
    """What people said in all sessions, as the store has it."""
    (database,) = shell.folder.parent.glob("data/projects/*/plimsoll.db")
    with sqlite3.connect(database) as store:
        bodies = [json.loads(body) for (body,) in store.execute("SELECT body FROM entries")]
    return [body["parts"][0]["text"] for body in bodies if body.get("role") == "user"]


def history(shell: Shell) -> Path:
    (file,) = shell.folder.parent.glob("data/projects/*/history")
    return file


def test_a_long_line_and_many_lines_that_are_pasted_are_one_prompt_each(
    shell: Shell, person: Person
):
    """Case 36: a line of over 4,095 bytes was cut, and each pasted line became a prompt."""
    long = " ".join(f"word{n}" for n in range(2_400))
    many = "\n".join(f"line {n}" for n in range(50))
    assert len(long) > 20_000
    chat(person, shell)
    person.pastes(long)
    person.sees("word2399")
    person.types("\r")
    person.sees_the_next_prompt()
    person.pastes(many)
    person.sees("line 49")
    person.types("\r")
    person.sees_the_next_prompt()
    person.types(CTRL_D)
    assert person.ends() == 0
    assert said(shell) == [long, many]


def test_lines_are_added_and_prompts_come_back(shell: Shell, person: Person):
    chat(person, shell)
    person.types("one\\\rtwo\x1b\rthree\r")
    person.sees_the_next_prompt()
    person.types(f"key {KEY}\r")
    person.sees_the_next_prompt()
    person.types(CTRL_D)
    assert person.ends() == 0
    assert stat.S_IMODE(history(shell).stat().st_mode) == 0o600
    assert history(shell).read_text() == json.dumps("one\ntwo\nthree") + "\n"
    person.again()
    chat(person, shell)
    person.types(f"{UP}!\r")
    person.sees_the_next_prompt()
    person.types(CTRL_D)
    assert person.ends() == 0
    assert said(shell)[-1] == "one\ntwo\nthree!"


def test_commands_and_files_are_completed(shell: Shell, person: Person):
    (shell.folder / ".gitignore").write_text("ledger.log\n")
    (shell.folder / "ledger.log").write_text("")
    chat(person, shell)
    # A list that follows another is drawn by what differs, so each stands on a prompt of its own.
    person.types("see @ledg")
    person.sees("ledger.py")
    assert "ledger.log" not in person.read
    person.types(f"{TAB} now\r")
    person.sees_the_next_prompt()
    person.types("/mem")
    person.sees("List what is remembered")
    person.types(f"{CTRL_C}{CTRL_D}")
    assert person.ends() == 0
    assert said(shell) == ["see @ledger.py now"]
    (shown,) = rows(shell.run("report", "--json"))
    assert any("ledger.py" in item["title"] for item in shown["items"])


def test_a_long_row_of_a_list_shows_its_beginning(shell: Shell, person: Person):
    shell.run("run", "the first of them " + "and so on " * 30, **shell.script())
    chat(person, shell)
    person.types("/resume\r")
    person.sees("letters to narrow")
    person.sees("> the first of them and so on")
    person.types("\r")
    person.sees("Resumed the first of them")
    person.types("more\r")
    person.sees_the_next_prompt()
    person.types(CTRL_D)
    assert person.ends() == 0


def test_a_session_is_picked(shell: Shell, person: Person):
    shell.run("run", "the first of them", **shell.script())
    shell.run("run", "the second one", **shell.script())
    chat(person, shell)
    person.types("/resume\r")
    # The empty one that was just opened is no choice.
    person.sees("letters to narrow")
    assert "untitled" not in person.read
    person.types("first\r")
    person.sees("Resumed the first of them")
    person.sees("> the first of them")
    person.types("more\r")
    person.sees_the_next_prompt()
    person.types(CTRL_D)
    assert person.ends() == 0
    listed = {record["title"]: record["turns"] for record in rows(shell.run("sessions", "--json"))}
    assert listed["the first of them"] == 2


def test_an_interrupt_ends_a_turn_and_what_was_typed_meanwhile_stays(shell: Shell, person: Person):
    chat(person, shell, HANGS)
    person.types("hang\r")
    person.sees("Thinking")
    person.pastes("typed\nahead")
    person.process.send_signal(signal.SIGINT)
    person.sees_the_next_prompt()
    assert "Cancelled." in person.read
    person.sees("ahead")
    person.types("\r")
    person.sees_the_next_prompt()
    person.types(CTRL_C)
    assert person.ends() == 130
    assert said(shell) == ["hang", "typed\nahead"]
    assert "Traceback" not in person.read


def test_a_question_is_answered_and_ctrl_c_at_it_ends_the_turn(shell: Shell, person: Person):
    chat(person, shell, wrote())
    person.types("write\r")
    person.sees("Allow?")
    assert "+line" in ESCAPE.sub("", person.read)
    person.types(CTRL_C)
    person.sees_the_next_prompt()
    assert "Cancelled." in person.read
    assert not (shell.folder / "new.txt").exists()
    person.types("write\r")
    person.sees_again("Allow?")
    person.types("y\r")
    person.sees_the_next_prompt()
    assert "Done." in person.read
    person.types(CTRL_D)
    assert person.ends() == 0
    assert (shell.folder / "new.txt").read_text() == "line\n"


def test_a_simple_terminal_gets_plain_lines(shell: Shell, person: Person):
    person.start("chat", **{**shell.script(), "TERM": "dumb"})
    person.sees("> ")
    person.types("hello\n")
    person.sees("of 112k")
    person.types(CTRL_D)
    assert person.ends() == 0
    assert said(shell) == ["hello"]
