"""Approvals: all of what would happen is shown, and whatever is no clear yes is a no."""

import io
import os
import pty
import select
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import AddressQuestion, CallShown, MadeQuestion, SpendQuestion
from plimsoll.terminal.approvals import (
    TerminalAsker,
    always,
    call_lines,
    changed_plan,
    decision,
    decision_on_made,
    filled_form,
    question,
)
from plimsoll.terminal.keyboard import PlainKeyboard
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.screen import Screen
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.ports.made import MadeFile
from plimsoll.tools.ports.permission import PermissionScope
from plimsoll.tools.process.confinement.base import UNCONFINED, MovedAside

DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\x1b[8m"


def call(**intent) -> CallShown:
    made = Intent(title="Run it", ask=True, plan=None, **intent)
    return CallShown(
        id="c1",
        item="m1.0",
        name="shell",
        arguments="{}",
        traits=ToolTraits(kind="execute"),
        intent=made,
    )


@pytest.fixture
def terminal():
    """Both ends of a pseudo-terminal: a person's keyboard, and what the program reads."""
    keyboard, program = pty.openpty()
    yield keyboard, program
    os.close(keyboard)
    os.close(program)


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("y", Decision(allowed=True)),
        (" YES ", Decision(allowed=True)),
        ("a", Decision(allowed=True, for_session=True)),
        ("n", Decision(allowed=False)),
        ("", Decision(allowed=False)),
        ("d", Decision(allowed=False, for_session=True)),
        ("use the other file", Decision(allowed=False, reason="use the other file")),
        ("yess", Decision(allowed=False, reason="yess")),
        (None, Decision(allowed=False)),
    ],
)
def test_what_an_answer_means(answer, meant):
    assert decision(answer) == meant


def test_the_whole_command_or_change_is_shown():
    command = "rm -rf x \\\n  && " + "y" * 5_000
    assert ("  $ " + command, "") in list(call_lines(call(command=command)))
    address = "https://docs.example.org/" + "y" * 1_000
    assert (f"  {address}", "") in list(call_lines(call(address=address)))
    styles = [style for _, style in call_lines(call(diff=DIFF))]
    assert styles == ["bold", "red", "green", "cyan", "red", "green"]


def test_an_answer_for_the_session_is_offered_only_where_it_holds():
    assert "in this session" in question(call(command="x"))
    assert "in this session" not in question(call(command="x", why_each_time="It runs later."))


SCOPES = tuple(
    PermissionScope(kind=kind, subject=kind, what=what, covers=covers, offered=offered)
    for kind, what, covers, offered in (
        ("command", "`npm test`", "exactly these words", True),
        ("firstWords", "`npm test …`", "alone or with names of files", True),
        ("edits", "edits below `x`", "", False),
    )
)


@pytest.mark.parametrize(
    ("answer", "place"),
    [("1", 0), (" 2 ", 1), ("3", None), ("0", None), ("1 2", None), (None, None)],
)
def test_what_lasts_is_offered_by_a_number_with_its_scope(answer, place):
    asked = replace(call(command="npm test", lasting=SCOPES), asked_again="It changed.")
    rows = [text for text, _ in call_lines(asked)]
    assert rows[1] == "  It changed."
    assert rows[-2:] == [
        "  [1] always allow `npm test`, in this folder: exactly these words",
        "  [2] always allow `npm test …`, in this folder: alone or with names of files",
    ]
    assert "[1] or [2] always, [n] no" in question(asked)
    meant = always(answer, asked)
    assert meant == (None if place is None else Decision(allowed=True, always=place))


async def test_a_person_is_asked_and_what_was_typed_before_does_not_count(terminal):
    keyboard, program = terminal
    told = io.StringIO()
    screen = Screen(io.StringIO(), Answering(told, keyboard))
    questions = PlainKeyboard(screen, Lines(program), person=True)
    asker = TerminalAsker(screen, questions, 60, auto=False)
    os.write(keyboard, b"y\n")
    # What is typed comes through the kernel a moment later.
    assert select.select([program], [], [], 120)[0]
    assert await asker.ask("s", "t", call(diff=DIFF)) == Decision(allowed=False, reason="not that")
    assert "+new\\x1b[8m" in told.getvalue()


class Answering(io.StringIO):
    """Standard error of a person who answers as soon as the question stands there."""

    def __init__(self, told: io.StringIO, keyboard: int) -> None:
        super().__init__()
        self._told = told
        self._keyboard = keyboard

    def write(self, text: str) -> int:
        self._told.write(text)
        if "Allow?" in text:
            os.write(self._keyboard, b"not that\n")
        return len(text)


async def test_without_an_answer_in_time_it_is_a_no(terminal):
    _, program = terminal
    screen = Screen(io.StringIO(), io.StringIO())
    questions = PlainKeyboard(screen, Lines(program), person=True)
    asker = TerminalAsker(screen, questions, 0.01, auto=False)
    answer = await asker.ask("s", "t", call(command="x"))
    assert answer == Decision(allowed=False, reason="nobody answered in time", by="nobody")


async def test_without_a_terminal_it_is_a_no_that_names_the_way_out():
    told = io.StringIO()
    asker = TerminalAsker(Screen(io.StringIO(), told), None, 60, auto=False)
    assert not asker.declined
    assert not (await asker.ask("s", "t", call(command="x"))).allowed
    assert asker.declined
    assert "rejected: Run it" in told.getvalue()
    assert "--auto-approve" in told.getvalue()


async def test_auto_approve_says_what_it_allows():
    told = io.StringIO()
    asker = TerminalAsker(Screen(io.StringIO(), told), None, 60, auto=True)
    free = call(command="x", confinement=UNCONFINED)
    assert await asker.ask("s", "t", free) == Decision(allowed=True, by="rule")
    assert "approved by --auto-approve: Run it (no sandbox on this machine" in told.getvalue()


async def test_auto_approve_lets_no_session_go_to_another_address():
    told = io.StringIO()
    asker = TerminalAsker(Screen(io.StringIO(), told), None, 60, auto=True)
    asked = replace(call(), address=AddressQuestion("http://127.0.0.1:1", "https://b.example"))
    answer = await asker.ask("s", "t", asked)
    assert (answer.allowed, answer.by) == (False, "nobody")
    # The error that follows says what to do.
    assert told.getvalue() == ""
    assert "Send it there" in question(asked)


async def test_auto_approve_passes_no_limit_of_spending():
    told = io.StringIO()
    asker = TerminalAsker(Screen(io.StringIO(), told), None, 60, auto=True)
    spend = SpendQuestion(scope="turn", unit="tokens", limit=9, spent=8, next=2)
    asked = replace(call(), spend=spend)
    assert not (await asker.ask("s", "t", asked)).allowed
    assert "rejected: Run it" in told.getvalue()
    assert "--auto-approve allows" not in told.getvalue()
    assert "the same amount again" in question(asked)


def made(*names: str) -> CallShown:
    moved = MovedAside(path=Path("/w/x"), place=Path("/aside/x"), why="a shell runs it")
    files = (
        MadeFile(name=name, moved=moved, diff="+++ b/x\n+x\n", whole=name != "b", stamp="")
        for name in names
    )
    return replace(call(), made=MadeQuestion(tuple(files)))


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("y", Decision(allowed=True)),
        ("2, 1", Decision(allowed=True, kept=("a", "b"))),
        ("3", Decision(allowed=True, kept=("c",))),
        ("7", Decision(allowed=False, kept=())),
        ("", Decision(allowed=False)),
        ("n", Decision(allowed=False)),
        ("d", Decision(allowed=False)),
        ("not that one", Decision(allowed=False, reason="not that one")),
        (None, Decision(allowed=False)),
    ],
)
def test_which_files_that_a_command_made_are_kept(answer, meant):
    asked = made("a", "b", "c")
    assert asked.made is not None
    assert decision_on_made(answer, asked.made) == meant


def test_the_files_that_a_command_made_are_shown_with_numbers():
    asked = made("a", "b")
    assert [text for text, _ in call_lines(asked)] == [
        "? Run it",
        *("  1. a: a shell runs it", "  +++ b/x", "  +x"),
        *("  2. b: a shell runs it", "  +++ b/x", "  +x"),
        "  Not all of it is shown. It is in /aside/x.",
    ]
    assert "[1 3] these alone" in question(asked)


@pytest.mark.parametrize("auto", [True, False])
async def test_without_a_person_nothing_is_kept_that_a_command_made(auto):
    told = io.StringIO()
    asker = TerminalAsker(Screen(io.StringIO(), told), None, 60, auto=auto)
    assert await asker.ask("s", "t", made("a")) == Decision(allowed=False, by="nobody")
    # The session says where it is.
    assert told.getvalue() == ""
    assert not asker.declined


@pytest.mark.parametrize(("coverage", "style"), [("full", "green"), ("partial", "yellow")])
def test_what_a_command_is_kept_from_is_shown(coverage, style):
    kept_from = replace(UNCONFINED, coverage=coverage, summary="partly sandboxed: no TCP")
    rows = list(call_lines(call(command="x", confinement=kept_from)))
    assert ("  partly sandboxed: no TCP", style) in rows


def test_an_answer_for_the_session_says_what_it_covers():
    covered = call(command="x", approval="x", covers="exactly this command")
    assert ("  [a] allows exactly this command, in this session", "dim") in list(
        call_lines(covered)
    )
    each_time = replace(covered.intent, why_each_time="the network")
    assert "[a]" not in str(list(call_lines(replace(covered, intent=each_time))))


async def test_lines_come_whole_from_any_pieces():
    reading, writing = os.pipe()
    lines = Lines(reading)
    os.write(writing, b"one\r\ntwo\nth")
    assert await lines.read() == "one"
    assert await lines.read() == "two"
    os.write(writing, "reeä".encode())
    os.close(writing)
    assert await lines.read() == "threeä"
    assert await lines.read() is None
    os.close(reading)


PLAN = "Plan:\n1. Read\n2. Mend\n\nFiles: a.py"


@pytest.mark.parametrize(
    ("answer", "plan"),
    [
        ("-1", "Plan:\n1. Mend\n\nFiles: a.py"),
        ("2 Oil it", "Plan:\n1. Read\n2. Oil it\n\nFiles: a.py"),
        ("1. Look", "Plan:\n1. Look\n2. Mend\n\nFiles: a.py"),
        ("+ Paint", "Plan:\n1. Read\n2. Mend\n3. Paint\n\nFiles: a.py"),
        ("-3", None),
        ("0 x", None),
        ("2", None),
        ("Too long", None),
        ("", None),
    ],
)
def test_a_step_of_a_plan_is_changed_dropped_or_added(answer, plan):
    assert changed_plan(PLAN, answer) == plan


def test_the_last_step_cannot_be_dropped():
    assert changed_plan("Plan:\n1. Read", "-1") is None


class Answers:
    """A person whose answers are known beforehand."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    async def answer(self, question):
        self.asked.append(question)
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("answers", "meant"),
    [
        (("y",), Decision(allowed=True)),
        (
            ("-1", "+ Paint", "y"),
            Decision(allowed=True, edited="Plan:\n1. Mend\n2. Paint\n\nFiles: a.py"),
        ),
        (("Too few steps.",), Decision(allowed=False, reason="Too few steps.")),
        (("-1", "n"), Decision(allowed=False)),
        (("d",), Decision(allowed=False)),
    ],
)
async def test_a_plan_is_accepted_changed_or_sent_back_at_the_terminal(answers, meant):
    told, person = io.StringIO(), Answers(*answers)
    asker = TerminalAsker(Screen(io.StringIO(), told), person, 60, auto=False)
    assert await asker.ask("s1", "t1", call(proposal=PLAN)) == meant
    assert "  1. Read\n  2. Mend\n" in told.getvalue()
    assert all(asked.startswith("Accept the plan?") for asked in person.asked)


FORM = "Who are you?\n\n1. name (string): Ada\n2. age (integer; optional):"


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("1 Grace: Hopper", FORM.replace("Ada", "Grace: Hopper")),
        ("2. 40", f"{FORM} 40"),
        ("3 x", None),
        ("not so", None),
        ("", None),
    ],
)
def test_a_line_of_a_form_is_filled_in(answer, form):
    assert filled_form(FORM, answer) == form


def test_a_form_is_asked_about_as_one():
    asked = replace(call(proposal=FORM), is_form=True)
    assert question(asked).startswith("Send the answer?")
