"""A chat goes on with a session of another machine: it is picked by its name, and asked about."""

from argparse import Namespace
from io import StringIO

from plimsoll.session.ports.content import PromptText
from plimsoll.terminal.commands.other_machines import NEWER, QUESTION, READ_ONLY, tell_newer
from plimsoll.terminal.offers import session_choices
from plimsoll.terminal.opening import session_of
from plimsoll.terminal.screen import Screen
from session.test_travelling import let_go, two_machines
from terminal.test_rewind import Person, chat_of

ASKED = QUESTION.format(machine="galley")


async def test_it_is_offered_with_its_machine(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        (choice,) = await session_choices(two.own.project, two.own.session)
        assert choice.value == one.id
        assert choice.label.startswith("Where does the work stand? · on galley · ")


async def test_one_that_another_machine_uses_is_taken_over_on_a_persons_word(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        out, person = StringIO(), Person("n", "what?", "y")
        with chat_of(two.own, person, out, there=True) as chat:
            await chat.answer(PromptText(f"/resume {one.id}"))
            assert chat.session.id == one.id
            assert person.asked == [ASKED]
            await chat.answer(PromptText("Go on."))
            assert person.asked == [ASKED] * 2
            assert out.getvalue().count(READ_ONLY) == 2
            assert chat.draft == PromptText("Go on.")
            assert chat.session.state.record.turns == 1
            await chat.answer(PromptText("Go on."))
            assert chat.session.state.record.turns == 2
            await chat.answer(PromptText("And on."))
            assert chat.session.state.record.turns == 3
        # Once is enough.
        assert person.asked == [ASKED] * 3


async def test_a_pipe_is_told_how_it_is_taken_over(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        out, nobody = StringIO(), Person()
        with chat_of(two.own, nobody, out, there=False) as chat:
            await chat.answer(PromptText(f"/resume {one.id}"))
            await chat.answer(PromptText("Go on."))
        told = " ".join(out.getvalue().split())
        assert "The session is open on the machine galley, which is using it." in told
        assert f"`plimsoll chat --resume {one.id}`" in told


async def test_a_server_that_is_away_keeps_nobody_from_reading_it(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        out, person = StringIO(), Person("y")
        with chat_of(two.own, person, out, there=True) as chat:
            session = await two.load(one.id)
            two.machine.harbour.is_away = True
            await chat.answer(PromptText(f"/resume {session.id}"))
        told = " ".join(out.getvalue().split())
        assert "The team's server does not answer." in told
        assert "Where does the work stand?" in told
        two.machine.harbour.is_away = False


async def test_the_latest_one_is_told_of_where_it_is_on_another_machine(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        await let_go(one)
        out = StringIO()
        await tell_newer(two.own.project, two.own.session, Screen(out, out))
        told = NEWER.format(title="Where does the work stand?", machine="galley")
        assert out.getvalue() == f"{told}\n"
        await two.turn(two.id, "What is to be done?")
        out = StringIO()
        await tell_newer(two.own.project, two.own.session, Screen(out, out))
        assert out.getvalue() == ""


async def test_where_no_session_is_here_the_latest_is_that_of_another_machine(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        latest = Namespace(resume=True)
        assert (await session_of(latest, two.own.project)).id == two.id
        await two.own.project.delete(two.id)
        assert (await session_of(latest, two.own.project)).id == one.id
