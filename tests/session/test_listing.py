"""Lists of a folder's sessions, with those that are on the person's other machines alone."""

from plimsoll.session.commands.slash import Slash, run_slash
from plimsoll.session.listing import ListedSession, list_sessions, list_used
from session.test_travelling import let_go, two_machines


async def test_a_session_on_another_machine_is_listed_with_its_name_until_it_is_here(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        there, here = await list_sessions(two.own.project)
        assert (there.record.id, there.machine) == (one.id, "galley")
        assert (here.record.id, here.machine) == (two.id, None)
        # Nothing was said in the one that is here.
        assert await list_used(two.own.project, 5) == [there]
        await two.turn(two.id, "What is to be done?")
        assert [each.machine for each in await list_used(two.own.project, 5)] == [None, "galley"]
        assert [each.machine for each in await list_used(two.own.project, 1)] == [None]
        session = await two.load(one.id)
        assert ListedSession(session.state.record) in await list_sessions(two.own.project)


async def test_the_commands_list_it_with_the_machine_and_go_on_with_it(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        await let_go(one)
        session = await two.load(two.id)
        listed = await run_slash(Slash("sessions", ""), two.own.project, session)
        (row,) = listed.markdown.split("\n")
        assert row.startswith(f"- `{one.id}` **Where does the work stand?**, ")
        assert row.endswith(", 1 turn, on galley")
        resumed = await run_slash(Slash("resume", ""), two.own.project, session)
        assert resumed.session is not None
        assert resumed.session.id == one.id
