"""Gates of a tool call: what no person needs to be asked about, and what a person decides."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.decisions.record import all_events
from plimsoll.context.log.call_end import CallEnd, Rejection
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Role
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallChanged, CallMade, NoticeGiven
from plimsoll.session.ports.rules import SessionRules
from plimsoll.session.state.approvals import UnaskedOffered
from plimsoll.session.turn.tool_calls import REJECTED, UNANSWERED
from plimsoll.tools.process.confinement.confining import Confining
from sandboxes import PassThrough, confining
from session.harness import ALLOWED, SECRET, harness, made_in

READ = {"name": "file_read", "arguments": {"path": "load.txt"}}
WRITE = {"name": "file_write", "arguments": {"path": "new.txt", "content": "x\n"}}
RUN = {"name": "shell", "arguments": {"command": "touch ran"}}
UNKNOWN = {"name": "no_such_tool", "arguments": {}}
NO = Decision(allowed=False)


async def called(own) -> list[str]:
    """Play the script; returns the results of its calls."""
    ended = await own.turn("Do it.")
    assert ended.reason == "endTurn", ended
    await own.consistent()
    return [text for role, text in own.said() if role == "tool"]


def statuses(own) -> list[str]:
    return [event.status for event in own.heard(CallChanged)]


def ends(own) -> list[tuple[object, object, object]]:
    """How each call ended, who declined it, and what was allowed for the session with it."""
    parts = (e.parts[0] for e in own.entries if isinstance(e, Said) and e.role is Role.TOOL)
    return [(part.ended, part.rejection, part.approved) for part in parts]


def script(*calls):
    return {"calls": list(calls)}, {"text": "Done."}


@pytest.mark.parametrize(
    ("mode", "call", "refusal"),
    [
        ("plan", WRITE, "file_write does not run in plan mode"),
        ("plan", RUN, "shell does not run in plan mode"),
        ("ask", READ, "No tool runs in ask mode"),
        ("ask", WRITE, "No tool runs in ask mode"),
    ],
)
async def test_a_mode_refuses_at_the_tool_whatever_the_model_says(tmp_path, mode, call, refusal):
    async with harness(tmp_path, *script(call), mode=mode) as own:
        (own.folder / "load.txt").write_text("7\n")
        (answer,) = await called(own)
        assert answer.startswith(refusal)
        assert own.person.asked == []
        assert statuses(own) == ["failed"]
        assert sorted(path.name for path in own.folder.iterdir()) == ["load.txt"]


async def test_reading_runs_in_plan_mode(tmp_path):
    async with harness(tmp_path, *script(READ), mode="plan") as own:
        (own.folder / "load.txt").write_text("7\n")
        assert "7" in (await called(own))[0]


@pytest.mark.parametrize("call", [WRITE, RUN])
async def test_nothing_acts_in_a_folder_that_is_not_trusted(tmp_path, call):
    async with harness(tmp_path, *script(call, READ), trusted=False) as own:
        (own.folder / "load.txt").write_text("7\n")
        refused, read = await called(own)
        assert "has not trusted this folder" in refused
        assert "7" in read
        assert own.person.asked == []
        assert sorted(path.name for path in own.folder.iterdir()) == ["load.txt"]


async def test_trust_that_is_taken_back_while_a_person_thinks_counts(tmp_path):
    async with harness(tmp_path, *script(WRITE)) as own:

        async def ask(*_):
            own.trust[0] = False
            return ALLOWED

        own.person.ask = ask
        assert await called(own) == ["The folder is no longer trusted; nothing was run."]
        assert not (own.folder / "new.txt").exists()


async def test_a_tool_that_is_not_there_is_answered_with_those_that_are(tmp_path):
    async with harness(tmp_path, *script({"name": "rm_all", "arguments": {}})) as own:
        (answer,) = await called(own)
        assert answer.startswith("There is no tool 'rm_all'. The tools are: file_read, file_write,")


@pytest.mark.parametrize("text", ['{"path": "load.t', "[1]", '"load.txt"', "null", "path=load.txt"])
async def test_arguments_that_are_no_object_are_answered_and_never_repaired(tmp_path, text):
    call = {"name": "file_read", "arguments": text}
    async with harness(tmp_path, *script(call)) as own:
        (answer,) = await called(own)
        assert answer.startswith("The arguments were no JSON object, so nothing was run.")
        assert text[:8] in answer
        (sent,) = [m.calls[0] for m in own.provider.requests[-1].messages if m.calls]
        assert sent.arguments == "{}"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"path": 7}, {"path": "load.txt", "offset": "one"}, {"path": "../outside.txt"}],
)
async def test_a_tool_s_own_check_is_answered_to_the_model(tmp_path, arguments):
    call = {"name": "file_read", "arguments": arguments}
    async with harness(tmp_path, *script(call), answers=[NO]) as own:
        (tmp_path / "outside.txt").write_text("the whole outside")
        (answer,) = await called(own)
        assert "the whole outside" not in answer
        assert statuses(own)[-1] in ("failed", "rejected")


@pytest.mark.slow
async def test_a_person_sees_exactly_what_happens_and_says_yes(tmp_path):
    async with harness(tmp_path, *script(WRITE, RUN)) as own:
        await called(own)
        write, run = own.person.asked
        assert "+x" in write.intent.diff
        assert run.intent.command == "touch ran"
        assert (own.folder / "new.txt").read_text() == "x\n"
        assert (own.folder / "ran").exists()
        assert statuses(own) == ["waiting", "running", "completed"] * 2
        assert [event.call.intent for event in own.heard(CallMade)] == [write.intent, run.intent]


async def test_no_is_told_to_the_model_with_its_reason(tmp_path):
    no = Decision(allowed=False, reason="Use the other file.")
    async with harness(tmp_path, *script(WRITE), answers=[no]) as own:
        assert await called(own) == [f"{REJECTED} Reason: Use the other file."]
        assert not (own.folder / "new.txt").exists()
        assert statuses(own) == ["waiting", "rejected"]
        assert REJECTED in repr(own.provider.requests[-1].messages)
        (answer,) = ends(own)
        assert answer == (CallEnd.DECLINED, Rejection("person", "Use the other file."), None)


async def test_what_nobody_answered_is_no_refusal_by_the_user(tmp_path):
    silence = Decision(allowed=False, reason="nobody answered in time", by="nobody")
    async with harness(tmp_path, *script(WRITE), answers=[silence]) as own:
        assert await called(own) == [f"{UNANSWERED} Reason: nobody answered in time"]
        (answer,) = ends(own)
        assert answer == (CallEnd.DECLINED, Rejection("nobody", "nobody answered in time"), None)


async def test_a_result_says_what_was_allowed_for_the_session_once(tmp_path):
    always = Decision(allowed=True, for_session=True)
    again = {"name": "file_write", "arguments": {"path": "new.txt", "content": "y\n"}}
    async with harness(tmp_path, *script(WRITE, again, UNKNOWN), answers=[always]) as own:
        await called(own)
        covers = own.person.asked[0].intent.covers
        assert covers
        assert ends(own) == [
            (CallEnd.RAN, None, covers),
            (CallEnd.RAN, None, None),
            (CallEnd.NOT_RUN, None, None),
        ]


@pytest.mark.slow
async def test_an_answer_for_the_session_holds_for_the_same_thing_alone(tmp_path):
    other = {"name": "shell", "arguments": {"command": "touch other"}}
    always = Decision(allowed=True, for_session=True)
    async with harness(tmp_path, *script(RUN, RUN, other, RUN), answers=[always, NO]) as own:
        answers = await called(own)
        assert [call.intent.command for call in own.person.asked] == ["touch ran", "touch other"]
        assert answers[2].startswith(REJECTED)
        assert not (own.folder / "other").exists()
        copy = await own.project.fork(own.session.id)
        call = own.person.asked[0]
        assert await own.session.state.approvals.decide(own.session.id, "t", call) == replace(
            always, by="earlier"
        )
        assert len(own.person.asked) == 2
        assert await copy.state.approvals.decide(copy.id, "t", call) == NO
        assert len(own.person.asked) == 3


@pytest.mark.slow
async def test_yes_once_is_asked_again(tmp_path):
    async with harness(tmp_path, *script(RUN, RUN), answers=[ALLOWED, NO]) as own:
        answers = await called(own)
        assert [answer.startswith(REJECTED) for answer in answers] == [False, True]
        assert len(own.person.asked) == 2


async def test_no_for_the_session_is_not_asked_again(tmp_path):
    never = Decision(allowed=False, for_session=True)
    async with harness(tmp_path, *script(RUN, RUN), answers=[never, ALLOWED]) as own:
        answers = await called(own)
        assert [answer.startswith(REJECTED) for answer in answers] == [True, True]
        assert len(own.person.asked) == 1
        assert not (own.folder / "ran").exists()


@pytest.mark.slow
async def test_a_yes_covers_neither_the_background_nor_another_time_limit(tmp_path):
    always = Decision(allowed=True, for_session=True)
    behind = {"name": "shell", "arguments": {"command": "touch ran", "background": True}}
    longer = {"name": "shell", "arguments": {"command": "touch ran", "timeout": 600}}
    async with harness(tmp_path, *script(RUN, behind, longer), answers=[always, NO]) as own:
        answers = await called(own)
        assert [answer.startswith(REJECTED) for answer in answers] == [False, True, True]
        assert len({call.intent.title for call in own.person.asked}) == 3


def in_sandbox(root: Path) -> Confining:
    return confining(root, PassThrough())


@pytest.mark.parametrize("before", range(60, 150, 6))
async def test_no_part_of_a_secret_stands_where_a_title_is_cut(tmp_path, before):
    command = f"echo {'a' * before}{SECRET}{'b' * 100}"
    call = {"name": "shell", "arguments": {"command": command}}
    async with harness(tmp_path, *script(call), answers=[NO]) as own:
        await called(own)
        title = own.person.asked[0].title
        assert title.endswith("more characters)")
        assert SECRET[:4] not in title


@pytest.mark.slow
async def test_a_confined_command_runs_unasked_and_outside_it_is_asked_about(tmp_path):
    outside = {"name": "shell", "arguments": {"command": "touch ran", "unconfined": True}}
    steps = script(RUN, outside)
    async with harness(
        tmp_path,
        *steps,
        answers=[NO],
        confining=in_sandbox,
        allowed=SessionRules(confined_unasked=True),
    ) as own:
        first, second = await called(own)
        assert "[exit code: 0]" in first
        assert second.startswith(REJECTED)
        (asked,) = own.person.asked
        assert asked.intent.title == "Run outside the sandbox touch ran"
        assert asked.intent.why_each_time is not None


@pytest.mark.slow
async def test_what_a_background_command_makes_is_moved_aside_before_the_next_call(tmp_path):
    def guarding(root: Path) -> Confining:
        return confining(root, PassThrough(guards=True))

    def shell(command: str, **more: object) -> dict[str, object]:
        return {"name": "shell", "arguments": {"command": command, **more}}

    planting = shell("echo planted > AGENTS.md; touch made; exec sleep 600", background=True)
    write = {"name": "file_write", "arguments": {"path": "AGENTS.md", "content": "agreed\n"}}
    read = {"name": "file_read", "arguments": {"path": "AGENTS.md"}}
    # The next command begins when it has made something: else that would be the next one's.
    later = {"text": [{"gate": "made"}], "calls": [shell("true"), read, write, read]}
    steps = {"calls": [planting]}, later, {"text": "Done."}
    gate = made_in(tmp_path / "work")
    async with harness(tmp_path, *steps, confining=guarding, gate=gate) as own:
        _, _, missing, _, found = await called(own)
        assert "planted" not in missing
        # What the person agreed to stays, though the command still runs.
        assert "agreed" in found
        (notice,) = own.heard(NoticeGiven)
        assert notice.markdown.startswith(f"{own.folder.resolve()}/AGENTS.md was moved to ")
        aside = list((tmp_path.resolve()).rglob("AGENTS.md.aside"))
        assert [path.read_text() for path in aside] == ["planted\n"]


@pytest.mark.slow
async def test_after_three_confined_commands_it_is_offered_to_ask_no_more(tmp_path):
    async with harness(tmp_path, *script(*[RUN] * 5), confining=in_sandbox) as own:
        await called(own)
        (offer,) = own.heard(NoticeGiven)
        assert offer.data == UnaskedOffered()
        before = own.events[: own.events.index(offer)]
        ended = [e for e in before if isinstance(e, CallChanged) and e.status == "completed"]
        assert len(ended) == 3


@pytest.mark.slow
async def test_that_the_sandbox_may_have_held_a_command_back_is_told(tmp_path):
    failing = {"name": "shell", "arguments": {"command": "echo 'x: Read-only file system'; false"}}
    async with harness(tmp_path, *script(failing), confining=in_sandbox) as own:
        await called(own)
        assert own.heard(CallChanged)[-1].held_back == "files"


@pytest.mark.slow
async def test_a_yes_for_the_session_ends_with_trust_and_does_not_return_with_it(tmp_path):
    always = Decision(allowed=True, for_session=True)
    async with harness(tmp_path, *script(RUN), answers=[always, NO]) as own:
        await called(own)
        await own.project.sessions.lose_trust()
        call = own.person.asked[0]
        assert await own.session.state.approvals.decide(own.session.id, "t", call) == NO


async def test_a_yes_that_is_given_after_trust_was_lost_does_not_stand(tmp_path):
    always = Decision(allowed=True, for_session=True)
    async with harness(tmp_path, *script(WRITE), answers=[always]) as own:
        approvals = own.session.state.approvals

        async def losing(*_question: object) -> Decision:
            await own.project.sessions.lose_trust()
            return always

        asked, own.person.ask = own.person.ask, losing
        await called(own)
        own.person.ask = asked
        call = own.heard(CallMade)[0].call
        await approvals.decide(own.session.id, "t", call)
        assert own.person.asked == [call]


THREE = "a\n1\nb\n2\nc\n3\nd\n"
RAISE = {
    "name": "file_write",
    "arguments": {"path": "load.txt", "content": "a\n10\nb\n20\nc\n30\nd\n"},
}


@pytest.mark.parametrize(
    ("kept", "reason", "left", "told"),
    [
        (None, None, "a\n10\nb\n20\nc\n30\nd\n", "Changed load.txt (+3 -3 lines)."),
        ((2, 0, 1, 9), None, "a\n10\nb\n20\nc\n30\nd\n", "Changed load.txt (+3 -3 lines)."),
        (
            (2, 0),
            "two is right",
            "a\n10\nb\n2\nc\n30\nd\n",
            (
                "Changed load.txt (+2 -2 lines).\nThe user kept 2 of the 3 hunks of your change, "
                "and refused these, which are not in the file:\n@@ -4,1 +4,1 @@\n-2\n+20\n"
                "Reason: two is right"
            ),
        ),
        ((), "no", THREE, f"{REJECTED} Reason: no"),
    ],
)
async def test_of_a_change_exactly_the_hunks_are_made_that_a_person_keeps(
    tmp_path, kept, reason, left, told
):
    answer = Decision(allowed=True, kept_hunks=kept, reason=reason)
    async with harness(tmp_path, *script(RAISE), answers=(answer,)) as own:
        (own.folder / "load.txt").write_text(THREE)
        assert await called(own) == [told]
        assert (own.folder / "load.txt").read_text() == left
        (asked,) = own.person.asked
        assert [(h.start, h.end, h.text) for h in asked.intent.hunks] == [
            (1, 2, "10\n"),
            (3, 4, "20\n"),
            (5, 6, "30\n"),
        ]
        refused = [e.what for e in all_events(own.session.state.log.indexes)]
        if kept == (2, 0):
            assert refused == ["file_write load.txt, of it: @@ -4,1 +4,1 @@ ⏎ -2 ⏎ +20"]
        # What people see of it in the end is what was made.
        shown = own.heard(CallMade)[-1].call.intent.diff
        assert ("+20" in shown) == ("20" in left or left == THREE)
