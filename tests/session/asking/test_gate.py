"""Before each request a session's address is looked at; its person is asked about another one."""

import ast
import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import plimsoll
from plimsoll.errors import AddressChanged, StoreUnavailable
from plimsoll.session.asking.gate import accept_set
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.background.drafting import draft_in
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallChanged, CallMade, NoticeGiven
from plimsoll.session.ports.rules import MemoryRules, SessionRules
from plimsoll.session.project import Project
from plimsoll.session.state.cost import cost_rows
from plimsoll.storage.base import HeldAddress
from plimsoll.storage.sqlite import SqliteStore
from session.agents.scripts import agent, calls, rule, words
from session.background.test_beside_turn import beside, filled, turn, writer
from session.background.test_extraction_worker import MODEL, watched
from session.harness import ALLOWED, Harness, harness, redact
from session.reduction.compaction_rig import GOOD, rig, storm
from test_architecture import tree

A = ModelAddress("http://127.0.0.1:8080", "machine")
B = ModelAddress("https://api.example.org", "network")
C = ModelAddress("https://api.example.com", "network")
NO = Decision(allowed=False)
NOBODY = Decision(allowed=False, by="nobody")
FINE = {"text": "Fine."}


def move(own: Harness, small: ModelAddress, large: ModelAddress | None = None) -> None:
    """Set where the models are: the small one answers and summarises."""
    own.project.environment.models.addresses.update(
        {"scripted/small": small, "scripted/large": large or small}
    )


def held(own: Harness) -> list[str]:
    return [each.address for each in own.session.state.record.addresses]


async def reopened(own: Harness) -> None:
    """Restart: the session is read from the store."""
    await own.project.live.pop(own.session.id).close()
    own.session = await own.project.load(own.session.id)


async def test_a_session_takes_the_address_at_which_it_begins(tmp_path):
    async with harness(tmp_path, *[FINE] * 3) as own:
        move(own, A)
        await own.turn("One.")
        await own.turn("Two.")
        await reopened(own)
        assert (await own.turn("Three.")).reason == "endTurn"
        assert own.person.asked == []
        assert own.session.state.record.addresses == (HeldAddress(A.address, "here"),)


@pytest.mark.parametrize("restarts", [False, True])
async def test_another_address_is_asked_about_and_a_yes_stays(tmp_path, restarts):
    async with harness(tmp_path, *[FINE] * 3) as own:
        move(own, A)
        await own.turn("One.")
        move(own, B)
        if restarts:
            await reopened(own)
        assert (await own.turn("Two.")).reason == "endTurn"
        [asked] = own.person.asked
        assert asked.title == (
            "So far this session went to http://127.0.0.1:8080. Send all of it to "
            "https://api.example.org?"
        )
        assert (asked.name, asked.address.now) == ("address", B.address)
        assert own.heard(CallChanged)[-1].status == "completed"
        await reopened(own)
        assert (await own.turn("Three.")).reason == "endTurn"
        move(own, A)
        assert (await own.turn("Back.")).reason == "error"  # The script is over, not the way.
        assert len(own.person.asked) == 1
        assert held(own) == [B.address, A.address]


async def test_a_no_ends_the_turn_in_one_sentence_and_sends_nothing(tmp_path):
    async with harness(tmp_path, FINE, FINE, answers=[NO]) as own:
        move(own, A)
        await own.turn("One.")
        move(own, B)
        ended = await own.turn("Two.")
        assert (ended.reason, ended.error) == ("rejected", None)
        [notice] = own.heard(NoticeGiven)
        assert notice.markdown == (
            "Nothing was sent: so far this session went to http://127.0.0.1:8080, and you did not "
            "let it go to https://api.example.org."
        )
        assert own.heard(CallChanged)[-1].status == "rejected"
        assert len(own.provider.requests) == 1
        await own.consistent()
        # The next turn asks again; where it was held, it goes on unasked.
        await own.turn("Three.")
        assert len(own.person.asked) == 2
        move(own, A)
        assert (await own.turn("Four.")).reason == "endTurn"


async def test_where_nobody_can_be_asked_it_is_refused_with_what_to_do(tmp_path):
    async with harness(tmp_path, FINE, FINE, answers=[NOBODY]) as own:
        move(own, A)
        await own.turn("One.")
        move(own, B)
        ended = await own.turn("Two.")
        assert (ended.reason, ended.error.kind) == ("error", "addressChanged")
        assert ended.error.data == {"known": A.address, "now": B.address}
        assert "--accept-address" in ended.error.remedy
        assert len(own.provider.requests) == 1
        await accept_set(own.session.state)
        assert (await own.turn("Three.")).reason == "endTurn"


async def test_a_model_that_a_person_chooses_is_such_a_word(tmp_path):
    async with harness(tmp_path, FINE, FINE, answers=[NO]) as own:
        move(own, A, B)
        await own.turn("One.")
        await own.session.set_model("scripted/large")
        assert (await own.turn("Two.")).reason == "endTurn"
        assert own.person.asked == []
        assert held(own) == [B.address, A.address]


async def test_a_loopback_address_counts_with_its_machine(tmp_path):
    store = SqliteStore.in_memory(redact)
    async with harness(tmp_path, FINE, FINE, answers=[NO], store=store) as own:
        move(own, A)
        await own.turn("One.")
        environment = own.project.environment
        there = replace(environment, machine=replace(environment.machine, id="there"))
        await own.project.live.pop(own.session.id).close()
        own.session = await Project(there).load(own.session.id)
        assert (await own.turn("Two.")).reason == "rejected"
        assert "http://127.0.0.1:8080 on another machine. Send" in own.person.asked[0].title
        await own.session.close()


async def test_a_session_without_an_address_takes_the_next_one_alone(tmp_path):
    """One of a release before: what was set as it began is not known any more."""
    async with harness(tmp_path, FINE, FINE, answers=[NO]) as own:
        move(own, A, B)
        await own.session.set_model("scripted/large")
        await own.turn("One.")
        state = own.session.state
        await state.save(replace(state.record, addresses=()))
        assert (await own.turn("Two.")).reason == "endTurn"
        assert held(own) == [B.address]


async def test_another_provider_in_the_place_of_a_model_that_is_gone_is_asked_about(tmp_path):
    async with harness(tmp_path, FINE, FINE, answers=[NO]) as own:
        move(own, B, A)
        await own.session.set_model("scripted/large")
        await own.turn("One.")
        state = own.session.state
        await state.save(
            replace(state.record, model="gone/away", addresses=(A.held_address("here"),))
        )
        await reopened(own)
        assert own.session.state.model.id == "scripted/small"
        assert (await own.turn("Two.")).reason == "rejected"
        assert len(own.provider.requests) == 1


async def test_a_fork_is_held_where_its_source_is(tmp_path):
    async with harness(tmp_path, FINE, FINE, answers=[NO]) as own:
        move(own, A)
        await own.turn("One.")
        own.session = await own.project.fork(own.session.id)
        assert held(own) == [A.address]
        move(own, B)
        assert (await own.turn("Two.")).reason == "rejected"
        assert len(own.provider.requests) == 1


async def test_an_export_carries_no_address(tmp_path):
    async with harness(tmp_path, FINE, FINE, answers=[NO]) as own:
        move(own, A)
        await own.turn("One.")
        told = await own.project.export(own.session.id)
        assert "127.0.0.1" not in told
        own.session = await own.project.take_in(told)
        assert held(own) == []


@pytest.mark.parametrize("agent_model", [None, "scripted/large"])
async def test_a_subagent_elsewhere_is_asked_about_once_in_its_callers_session(
    tmp_path, agent_model
):
    rules = [
        rule("^Go", calls(agent("look", "CHILD")), words("Done.")),
        rule("CHILD", words("It is so.")),
    ]
    allowed = SessionRules(agent_model=agent_model)
    async with harness(tmp_path, rules=rules, allowed=allowed, answers=[ALLOWED]) as own:
        move(own, A, A)
        await own.turn("Go")
        assert own.person.asked == []
        move(own, A, B)
        await own.turn("Go on")
        await own.turn("Go again")
        asked = [each.title for each in own.person.asked if each.address]
        if agent_model is None:
            assert asked == []
            return
        assert len(asked) == 1
        assert asked[0].endswith("Send all of it to https://api.example.org for a subagent?")
        assert held(own) == [A.address, B.address]
        newest = (await own.store.agents_of(own.session.id))[-1]
        assert [each.address for each in newest.addresses] == [B.address]


async def test_a_subagent_that_may_not_go_there_sends_nothing_and_the_turn_goes_on(tmp_path):
    rules = [
        rule("^Go", calls(agent("a", "CHILD"), agent("b", "CHILD")), words("Done.")),
        rule("CHILD", words("It is so.")),
    ]
    allowed = SessionRules(agent_model="scripted/large")
    async with harness(tmp_path, rules=rules, allowed=allowed, answers=[NO]) as own:
        move(own, A, A)
        await own.turn("Go")
        before = len(own.provider.requests)
        move(own, A, B)
        assert (await own.turn("Go")).reason == "endTurn"
        assert len(own.provider.requests) == before + 2
        # Two at once, and one question.
        assert len(own.person.asked) == 1


async def test_reading_for_memories_elsewhere_waits_for_the_next_turn_to_ask(tmp_path):
    async with harness(tmp_path, *[FINE] * 6, memory=MODEL, answers=[NO]) as own:
        reading = watched(own)
        move(own, A, A)
        await own.session.set_model("scripted/large")
        await own.turn("One.")
        await reading.settle()
        sent = len(own.provider.requests)
        move(own, B, A)
        await own.turn("Two.")
        await reading.settle()
        # Nobody is there in the background: nothing is asked, nothing sent.
        assert (len(own.provider.requests), own.person.asked) == (sent + 1, [])
        assert own.heard(NoticeGiven) == []
        own.memory.append(MemoryRules(recall=0, extraction="off"))
        assert (await own.turn("Three.")).reason == "endTurn"
        [asked] = own.person.asked
        assert asked.title.endswith("to https://api.example.org to have it read for memories?")
        assert (await own.turn("Four.")).reason == "endTurn"
        assert len(own.person.asked) == 1


async def test_what_a_person_compacts_is_asked_about_though_no_turn_runs(tmp_path):
    own = await rig(tmp_path, {"text": GOOD}, {"text": GOOD}, chat=[FINE])
    own.shelf.addresses.update({"scripted/chat": A, "scripted/utility": A})
    await own.said(*storm())
    await accept_set(own.session.state)
    own.shelf.addresses["scripted/utility"] = B
    # The person of the rig says no to everything.
    receipt = await compact_in(own.session)
    assert own.utility.requests == []
    assert receipt.before > receipt.after
    assert "you did not let it go to https://api.example.org" in own.notices[-1]
    assert cost_rows(own.session.state.log.fold.entries) == ()
    own.shelf.addresses["scripted/utility"] = C
    await own.said(*storm(first=20))
    with pytest.raises(AddressChanged):
        await draft_in(own.session, "", None)
    assert own.utility.requests == []
    await own.project.close()


async def test_a_summary_beside_the_turn_waits_for_the_next_turn_to_ask(tmp_path):
    own = await beside(tmp_path, {"text": GOOD})
    own.shelf.addresses.update({"scripted/chat": A, "scripted/utility": A})
    await accept_set(own.session.state)
    own.shelf.addresses["scripted/utility"] = B
    await filled(own, 0.77)
    for asked in (0, 1, 1):
        await turn(own)
        await writer(own).settle()
        titles = [event.call.title for event in own.heard(CallMade)]
        assert [each for each in titles if B.address in each] == titles
        assert (len(titles), own.utility.requests) == (asked, [])
    await own.project.close()


async def test_a_summary_that_may_not_be_asked_for_does_not_open_the_breaker(tmp_path):
    own = await rig(tmp_path, {"text": GOOD}, chat=[FINE], max_failures=1)
    own.shelf.addresses.update({"scripted/chat": A, "scripted/utility": A})
    await own.said(*storm())
    await accept_set(own.session.state)
    own.shelf.addresses["scripted/utility"] = B
    await compact_in(own.session)
    own.shelf.addresses["scripted/utility"] = A
    await own.said(*storm(first=20))
    await compact_in(own.session)
    assert len(own.utility.requests) == 1
    await own.project.close()


async def test_a_setting_that_changes_while_the_question_is_open_is_asked_about_anew(tmp_path):
    async with harness(tmp_path, FINE, FINE) as own:
        move(own, A)
        await own.turn("One.")
        move(own, B)
        answer = own.person.ask

        async def changes(session_id, turn, call):
            move(own, C)
            return await answer(session_id, turn, call)

        own.person.ask = changes
        assert (await own.turn("Two.")).reason == "endTurn"
        assert [each.address.now for each in own.person.asked] == [B.address, C.address]


async def test_an_answer_that_cannot_be_kept_sends_nothing(tmp_path, monkeypatch):
    async with harness(tmp_path, FINE, FINE) as own:
        move(own, A)
        await own.turn("One.")
        move(own, B)
        update, full = own.store.update, [True]

        async def refuses(record, known):
            if record.addresses != known.addresses and full[0]:
                raise StoreUnavailable("No space is left.")
            return await update(record, known)

        monkeypatch.setattr(own.store, "update", refuses)
        ended = await own.turn("Two.")
        assert (ended.error.kind, len(own.provider.requests)) == ("storeUnavailable", 1)
        full[0] = False
        assert (await own.turn("Three.")).reason == "endTurn"
        assert len(own.person.asked) == 2


async def test_a_cancel_while_the_question_is_open_sends_nothing(tmp_path):
    async with harness(tmp_path, FINE, FINE) as own:
        move(own, A)
        await own.turn("One.")
        cost = cost_rows(own.entries)
        move(own, B)
        asked = asyncio.Event()

        async def waits(session_id, turn, call):
            asked.set()
            await asyncio.Event().wait()

        own.person.ask = waits
        running = asyncio.create_task(own.turn("Two."))
        await asked.wait()
        await own.session.cancel()
        assert (await running).reason == "cancelled"
        assert (len(own.provider.requests), held(own)) == (1, [A.address])
        assert cost_rows(own.entries) == cost


def test_requests_with_a_session_in_them_are_made_in_one_place():
    """Only ``ask`` streams from a provider, and it has to be given the gate."""
    root = Path(plimsoll.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "stream"
        and "providers" not in path.parts
    }
    # The model's check sends a question of its own; the screen and the web are no providers.
    passed_on = {"models.py", "model_servers.py", "terminal/show.py", "tools/web/requesting.py"}
    assert found - passed_on == {"session/asking/response.py"}
