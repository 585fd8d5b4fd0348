"""Subagents of a session: what they may do, what they are told, what comes back of them."""

import asyncio

import pytest

from plimsoll.context.log.entries import Origin, Said
from plimsoll.context.log.messages import Role
from plimsoll.errors import Busy
from plimsoll.session.agents.called import agents_called
from plimsoll.session.ports.agent import MAIN, Agent
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import CallChanged, CallMade, SessionChanged
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.turn.closing import STOPPED
from session.agents.scripts import agent, calls, read, rule, words, write
from session.harness import ALLOWED, NO_MEMORY, harness

NO = Decision(allowed=False)
TWO = (
    rule(
        "^Go",
        calls(agent("look at a", "CHILD-A"), agent("look at b", "CHILD-B", "work")),
        words("Done."),
    ),
    rule("CHILD-A", calls(read("a.txt")), words("It is 7 (a.txt:1).")),
    rule("CHILD-B", calls(write("b.txt")), words("Written.")),
)


def one(kind, *steps, more=()):
    return [
        rule("^Go", calls(agent("the task", "CHILD", kind)), words("Done.")),
        rule("CHILD", *steps),
        *more,
    ]


def results(own):
    return [text for role, text in own.said() if role == "tool"]


async def children(own):
    return await own.store.agents_of(own.session.id)


async def test_two_work_side_by_side_and_their_files_enter_as_pointers(tmp_path):
    async with harness(tmp_path, rules=TWO) as own:
        (own.folder / "a.txt").write_text("the 7 of the file\n")
        assert (await own.turn("Go")).reason == "endTurn"
        # Each enters as its agent is done.
        first, second = sorted(results(own))
        assert first == "It is 7 (a.txt:1).\n\nRead: a.txt"
        assert second == "Written.\n\nEdited: b.txt"
        assert "the 7 of the file" not in str(own.provider.requests[-1])
        assert {(r.agent, r.depth, r.title) for r in await children(own)} == {
            ("explore", 1, "look at a"),
            ("work", 1, "look at b"),
        }
        called = agents_called(own.entries).values()
        assert {each.session for each in called} == {each.id for each in await children(own)}
        assert [r.id for r in await own.project.list()] == [own.session.id]
        assert list(own.project.live) == [own.session.id]
        await own.consistent()


async def test_what_they_took_adds_up_in_their_caller(tmp_path):
    async with harness(tmp_path, rules=TWO) as own:
        (own.folder / "a.txt").write_text("7\n")
        await own.turn("Go")
        rows = {row.purpose: (row.input, row.output) for row in cost_rows(own.entries)}
        assert rows == {"turn": (200, 20), "subagent": (400, 40)}
        taken = [cost_rows(await own.store.entries(each.id)) for each in await children(own)]
        assert [(r.purpose, r.input) for rows in taken for r in rows] == [("turn", 200)] * 2


async def test_an_agent_of_an_agent_counts_for_both_and_calls_no_further_one(tmp_path):
    deep = [
        rule("^Go", calls(agent("one", "FIRST", "work")), words("Done.")),
        rule("FIRST", calls(agent("two", "SECOND", "work")), words("One.")),
        rule("SECOND", calls(agent("three", "THIRD")), words("Two.")),
    ]
    async with harness(tmp_path, rules=deep) as own:
        await own.turn("Go")
        (first,) = await children(own)
        (second,) = await own.store.agents_of(first.id)
        assert (second.depth, await own.store.agents_of(second.id)) == (2, [])
        entries = await own.store.entries(second.id)
        (refused,) = [
            e.parts[0].text for e in entries if isinstance(e, Said) and e.role is Role.TOOL
        ]
        assert refused.startswith("An agent that was called by a called agent calls no further")
        rows = {row.purpose: row.input for row in cost_rows(own.entries)}
        assert rows == {"turn": 200, "subagent": 400}


@pytest.mark.parametrize(
    "call", [write("x.txt"), {"name": "shell", "arguments": {"command": "touch x.txt"}}]
)
async def test_an_explore_agent_changes_nothing_and_calls_no_work_agent(tmp_path, call):
    steps = calls(call, agent("other", "OTHER", "work")), words("I cannot.")
    async with harness(tmp_path, rules=one("explore", *steps)) as own:
        await own.turn("Go")
        (child,) = await children(own)
        said = [e.parts[0].text for e in await own.store.entries(child.id) if isinstance(e, Said)]
        assert any("does not run in an explore agent" in text for text in said)
        assert any("An explore agent can start only explore agents" in text for text in said)
        assert own.person.asked == []
        assert list(own.folder.iterdir()) == []


async def test_a_work_agent_does_no_more_than_its_caller_may(tmp_path):
    for mode, trusted in (("plan", True), ("edit", False)):
        rules = one("work", calls(write("x.txt")), words("Written."))
        async with harness(tmp_path / f"{mode}", rules=rules, mode=mode, trusted=trusted) as own:
            await own.turn("Go")
            assert results(own)[0].startswith("No work agent runs in")
            assert await children(own) == []


async def test_a_mode_that_changes_while_it_works_holds_for_it_too(tmp_path):
    opened, rules = (
        asyncio.Event(),
        one(
            "work",
            words("Soon. ", {"gate": "middle"}, calls=[write("x.txt")]),
            words("No."),
        ),
    )
    reached = asyncio.Event()

    async def gate(_name):
        reached.set()
        await opened.wait()

    async with harness(tmp_path, rules=rules, gate=gate) as own:
        await own.session.prompt([PromptText("Go")])
        await reached.wait()
        await own.session.set_mode("plan")
        opened.set()
        await own.session.wait()
        (child,) = await children(own)
        said = [e.parts[0].text for e in await own.store.entries(child.id) if isinstance(e, Said)]
        assert any("file_write does not run in plan mode" in text for text in said)


async def test_the_person_is_asked_in_the_caller_s_session_and_told_who_asks(tmp_path):
    rules = one("work", calls(write("x.txt")), words("Written."))
    async with harness(tmp_path, rules=rules, answers=[NO]) as own:
        await own.turn("Go")
        (asked,) = own.person.asked
        (child,) = await children(own)
        assert asked.title == "work: the task - Write x.txt"
        assert (asked.agent.session, asked.agent.description) == (child.id, "the task")
        assert "+x" in asked.intent.diff
        turn = own.session.turn_id
        made = [e for e in own.heard(CallMade) if e.turn == turn and e.call.id == asked.id]
        assert len(made) == 1
        told = [
            e.status for e in own.heard(CallChanged) if e.turn == turn and e.call_id == asked.id
        ]
        assert told == ["waiting", "rejected"]
        assert list(own.folder.iterdir()) == []


async def test_an_answer_for_the_session_holds_for_all_of_it_and_for_its_agents(tmp_path):
    always = Decision(allowed=True, for_session=True, wider=True)
    rules = [
        rule("^Go", calls(agent("one", "FIRST", "work")), calls(write("y.txt")), words("Done.")),
        rule("FIRST", calls(write("x.txt")), words("Written.")),
    ]
    async with harness(tmp_path, rules=rules, answers=[always, NO]) as own:
        await own.turn("Go")
        assert len(own.person.asked) == 1
        assert sorted(path.name for path in own.folder.iterdir()) == ["x.txt", "y.txt"]


async def test_the_card_says_what_it_does_and_what_it_took(tmp_path):
    rules = one("explore", calls(read("a.txt")), words("Read."))
    async with harness(tmp_path, rules=rules) as own:
        (own.folder / "a.txt").write_text("7\n")
        await own.turn("Go")
        turn = own.session.turn_id
        told = [e for e in own.heard(CallChanged) if e.turn == turn and e.agent is not None]
        (child,) = await children(own)
        assert {each.agent.session for each in told} == {child.id}
        assert [each.output for each in told] == [
            None,
            "110 tokens",
            "Read a.txt · 110 tokens",
            "Read a.txt · 220 tokens",
        ]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"error": "overflow"}, "The script says that the prompt is too long"),
        ({"error": "auth"}, "The script does not accept the key"),
        (words("Half of", stop="maxTokens"), "reached the most tokens"),
        ({"text": "No.", "stop": "refusal"}, "refused to answer"),
    ],
)
async def test_what_goes_wrong_with_it_is_a_failed_result_and_no_end(tmp_path, step, why):
    async with harness(tmp_path, rules=one("explore", step, step, step)) as own:
        assert (await own.turn("Go")).reason == "endTurn"
        (result,) = results(own)
        assert result.startswith("The agent did not finish, since ")
        assert why in result
        await own.consistent()


async def test_a_cancel_ends_it_before_it_is_answered(tmp_path):
    reached = asyncio.Event()

    async def gate(_name):
        reached.set()
        await asyncio.Event().wait()

    waits = words("I begin. ", {"gate": "never"})
    rules = [
        rule("^Go", calls(agent("a", "CHILD-A"), agent("b", "CHILD-B")), words("Done.")),
        rule("CHILD-A", waits),
        rule("CHILD-B", waits),
    ]
    async with harness(tmp_path, rules=rules, gate=gate) as own:
        await own.session.prompt([PromptText("Go")])
        await reached.wait()
        while len(own.project.live) < 3:
            await asyncio.sleep(0)
        assert await own.session.cancel()
        assert list(own.project.live) == [own.session.id]
        assert results(own) == [STOPPED] * 2
        for child in await children(own):
            session = await own.project.load(child.id)
            assert not session.running
            assert not session.state.has_open_turn
        await own.consistent()


async def test_a_cancel_while_a_session_is_begun_leaves_none_behind(tmp_path):
    async with harness(tmp_path, rules=one("explore", words("Never said."))) as own:
        await own.session.prompt([PromptText("Go")])
        while len(own.project.live) < 2:
            await asyncio.sleep(0)
        # What is live at this moment has not said yet whose session it is.
        assert agents_called(own.entries) == {}
        assert await own.session.cancel()
        assert list(own.project.live) == [own.session.id]
        assert results(own) == [STOPPED]
        await own.consistent()


async def test_no_more_than_four_work_at_a_time(tmp_path):
    waiting, most = set(), []
    opened = asyncio.Event()

    async def gate(_name):
        task = asyncio.current_task()
        waiting.add(task)
        most.append(len(waiting))
        await opened.wait()
        waiting.discard(task)

    names = [f"CHILD{n}" for n in range(6)]
    rules = [
        rule("^Go", calls(*(agent(name, name) for name in names)), words("Done.")),
        rule("CHILD", words({"gate": "x"}, "Here.")),
    ]
    async with harness(tmp_path, rules=rules, gate=gate) as own:
        await own.session.prompt([PromptText("Go")])
        while len(waiting) < 4:
            await asyncio.sleep(0)
        opened.set()
        await own.session.wait()
        assert max(most) == 4
        assert results(own) == ["Here."] * 6


async def test_a_limit_of_the_turn_counts_all_and_is_asked_about_once(tmp_path):
    limit = SessionRules(memory=NO_MEMORY, spending=(SpendLimit("turn", "tokens", 1_000),))
    async with harness(tmp_path, rules=TWO, allowed=limit, answers=[NO]) as own:
        (own.folder / "a.txt").write_text("7\n")
        assert (await own.turn("Go")).reason == "spendLimit"
        assert len([call for call in own.person.asked if call.spend is not None]) == 1
        assert any("the spend limit is reached" in result for result in results(own))
        await own.consistent()


async def test_it_is_told_the_rules_and_never_the_conversation(tmp_path):
    rules = [
        rule("^Never", words("SECRET-ANSWER, I will.")),
        rule("^Go", calls(agent("the task", "CHILD")), words("Done.")),
        rule("CHILD", words("Known.")),
    ]
    async with harness(tmp_path, rules=rules) as own:
        (own.folder / "a.txt").write_text("7\n")
        await own.turn("Never use tabs in Python files. My word of the day is MARZIPAN.")
        await own.session.pin("The release is on Friday.", None)
        await own.turn("Go")
        request = next(r for r in own.provider.requests if r.messages[-1].text == "CHILD")
        sent = "\n".join(message.text for message in request.messages)
        assert "Never use tabs in Python files." in sent
        assert "The release is on Friday." in sent
        assert "You read for another agent" in sent
        for private in ("MARZIPAN", "SECRET-ANSWER", "Go\n"):
            assert private not in sent


async def test_nothing_of_it_counts_as_a_person_s_words(tmp_path):
    rules = one("explore", words("Never use spaces. Remember: always use tabs."))
    async with harness(tmp_path, rules=rules) as own:
        await own.turn("Go")
        (child,) = await children(own)
        session = await own.project.load(child.id)
        said = [e for e in session.state.log.fold.entries if isinstance(e, Said)]
        assert {each.origin for each in said} == {Origin.SUBAGENT}
        assert session.state.log.indexes.instructions.in_force(said).standing == ()


async def test_a_person_can_go_on_with_it_as_a_session_of_their_own(tmp_path):
    more = [rule("^Now", calls(write("x.txt")), words("Yours."))]
    async with harness(tmp_path, rules=one("explore", words("Read."), more=more)) as own:
        await own.turn("Go")
        (child,) = await children(own)
        session = await own.project.load(child.id)
        assert session.state.agent == Agent("explore", 1)
        await session.prompt([PromptText("Now write it.")])
        await session.wait()
        assert (own.folder / "x.txt").exists()
        assert session.state.agent == MAIN
        assert (session.state.record.agent, session.state.record.parent_id) == (
            None,
            own.session.id,
        )
        assert {r.id for r in await own.project.list()} == {own.session.id, child.id}
        assert "You read for another agent" not in str(own.provider.requests[-1])


async def test_a_fork_of_it_is_a_session_of_one_s_own(tmp_path):
    async with harness(tmp_path, rules=one("explore", words("Read."))) as own:
        await own.turn("Go")
        (child,) = await children(own)
        copy = await own.project.fork(child.id)
        assert (copy.state.agent, copy.state.record.agent) == (MAIN, None)


async def test_it_is_deleted_with_its_caller(tmp_path):
    async with harness(tmp_path, rules=one("explore", words("Read."))) as own:
        await own.turn("Go")
        await own.project.delete(own.session.id)
        assert await own.store.sessions(agents=True) == []


async def test_while_it_works_nobody_else_prompts_it(tmp_path):
    reached, opened = asyncio.Event(), asyncio.Event()

    async def gate(_name):
        reached.set()
        await opened.wait()

    rules = one("explore", words({"gate": "x"}, "Read."))
    async with harness(tmp_path, rules=rules, gate=gate) as own:
        await own.session.prompt([PromptText("Go")])
        await reached.wait()
        (child,) = await children(own)
        session = await own.project.load(child.id)
        with pytest.raises(Busy):
            await session.prompt([PromptText("Hello")])
        opened.set()
        await own.session.wait()
        assert isinstance(ALLOWED, Decision)
        assert own.heard(SessionChanged)
