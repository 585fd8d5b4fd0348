"""Turns: what is said, done and kept, and how they end when something goes wrong."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Edited, Noted, Said
from plimsoll.context.log.messages import Role
from plimsoll.errors import Busy, InvalidInput, ProviderAuth, ProviderOverflow, StoreUnavailable
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    MessageSaid,
    MeterMoved,
    NoticeGiven,
    ReductionApplied,
    SessionChanged,
    TextArrived,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.turn.acting import CUT
from session.harness import SECRET, harness

READ = {"name": "file_read", "arguments": {"path": "load.txt"}}
PAUSE = {"gate": "middle"}


def shown(request, role: Role) -> list[str]:
    return [message.text for message in request.messages if message.role is role]


async def test_an_answer_streams_is_kept_and_ends_the_turn(tmp_path):
    usage = {"input": 90, "output": 7, "cached": 60}
    async with harness(tmp_path, {"text": ["Two ", "words."], "usage": usage}) as own:
        ended = await own.turn("Say two words.")
        assert ended == TurnEnded(ended.turn, "endTurn")
        assert own.said() == [("user", "Say two words."), ("assistant", "Two words.")]
        assert [event.text for event in own.heard(TextArrived)] == ["Two ", "words."]
        assert (own.heard(TurnStarted)[0].turn, own.heard(TurnEnded)) == (ended.turn, [ended])
        assert own.heard(UsageReported)[0].usage.cached == 60
        assert own.session.state.load.measured.input_tokens == 90
        (request,) = own.provider.requests
        assert shown(request, Role.USER) == ["Say two words."]
        assert [tool.name for tool in request.tools] == list(own.project.environment.tools)
        assert own.session.state.record.title == "Say two words."
        assert own.session.state.record.turns == 1
        assert own.session.last_answer() == "Two words."
        await own.consistent()


@pytest.mark.parametrize(("finished", "reason"), [("maxTokens", "maxTokens"), ("endTurn", "error")])
async def test_an_answer_of_reasoning_alone_is_kept_and_the_next_request_is_valid(
    tmp_path, finished, reason
):
    thought = {"reasoning": "Let me think about it.", "stop": finished}
    async with harness(tmp_path, thought, {"text": "Seven."}) as own:
        assert (await own.turn("How many?")).reason == reason
        kept = own.session.state.log.fold.entries[-4:]
        assert any(
            "Let me think" in part.text for e in kept if isinstance(e, Said) for part in e.parts
        )
        assert (await own.turn("And now?")).reason == "endTurn"
        assert shown(own.provider.requests[-1], Role.ASSISTANT) == []
        assert shown(own.provider.requests[-1], Role.USER) == ["How many?", "And now?"]
        await own.consistent()


async def test_tool_calls_run_in_their_order_and_their_results_go_back(tmp_path):
    glob = {"name": "glob", "arguments": {"pattern": "*.txt"}}
    calls = {"text": "I look.", "reasoning": "Where?", "calls": [READ, glob]}
    async with harness(tmp_path, calls, {"text": "It is 7."}) as own:
        (own.folder / "load.txt").write_text("7\n")
        assert (await own.turn("What is the load?")).reason == "endTurn"
        _, second = own.provider.requests
        results = shown(second, Role.TOOL)
        assert "7" in results[0]
        assert "load.txt" in results[1]
        assert [event.call.name for event in own.heard(CallMade)] == ["file_read", "glob"]
        steps = [(event.call_id, event.status) for event in own.heard(CallChanged)]
        first, other = (event.call.id for event in own.heard(CallMade))
        assert steps == [
            (first, "running"),
            (first, "completed"),
            (other, "running"),
            (other, "completed"),
        ]
        assert own.person.asked == []
        await own.consistent()


async def test_what_is_kept_holds_no_secret(tmp_path):
    async with harness(tmp_path, {"calls": [READ]}, {"text": f"It is {SECRET}."}) as own:
        (own.folder / "load.txt").write_text(f"key={SECRET}\n")
        await own.turn(f"My key is {SECRET}.")
        assert SECRET not in repr(await own.store.entries(own.session.id))
        assert all(SECRET not in repr(request.messages) for request in own.provider.requests)
        assert SECRET not in repr([own.session.state.record, own.heard(MessageSaid)])
        assert SECRET not in repr(own.heard(SessionChanged))


async def test_a_whole_call_of_an_answer_that_ended_at_its_limit_is_not_run(tmp_path):
    write = {"name": "file_write", "arguments": {"path": "new.txt", "content": "x"}}
    cut = {"text": "I will", "calls": [write], "stop": "maxTokens"}
    async with harness(tmp_path, cut, {"text": "Again."}) as own:
        assert (await own.turn("Do it.")).reason == "endTurn"
        assert not (own.folder / "new.txt").exists()
        assert own.person.asked == []
        assert shown(own.provider.requests[-1], Role.TOOL) == [CUT]
        assert [event.status for event in own.heard(CallChanged)] == ["failed"]
        await own.consistent()


class Quoting:
    """A provider whose error quotes the key that it was sent."""

    async def stream(self, request):
        raise ProviderAuth(f"The host said: no such key {SECRET}.")
        yield request

    async def close(self): ...


async def test_an_error_that_people_see_holds_no_secret(tmp_path):
    async with harness(tmp_path, provider=Quoting()) as own:
        ended = await own.turn("Do it.")
        assert "The host said" in ended.error.message
        assert SECRET not in ended.error.message


async def test_the_ends_that_a_model_can_come_to(tmp_path):
    steps = [{"text": "cut", "stop": "maxTokens"}, {"text": "no", "stop": "refusal"}]
    async with harness(tmp_path, *steps) as own:
        assert (await own.turn("one")).reason == "maxTokens"
        assert (await own.turn("two")).reason == "refusal"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("auth", "providerAuth"),
        ("rateLimit", "providerRateLimited"),
        ("unavailable", "providerUnavailable"),
        ("model", "providerModel"),
        ("cut", "providerAnswer"),
    ],
)
async def test_a_failing_provider_ends_the_turn_with_its_error(tmp_path, error, kind):
    """The text that people have seen stays; calls that did not come whole are never run."""
    write = {"name": "file_write", "arguments": {"path": "new.txt", "content": "x"}}
    broken = {"text": "I will", "calls": [write], "error": error}
    async with harness(tmp_path, broken, {"text": "Again."}) as own:
        ended = await own.turn("Do it.")
        assert (ended.reason, ended.error.kind) == ("error", kind)
        assert ended.error.remedy
        assert own.said() == [("user", "Do it."), ("assistant", "I will")]
        assert not (own.folder / "new.txt").exists()
        await own.consistent()
        assert (await own.turn("Go on.")).reason == "endTurn"


async def test_an_error_before_any_text_leaves_the_question_alone(tmp_path):
    async with harness(tmp_path, {"error": "auth"}) as own:
        ended = await own.turn("Do it.")
        assert isinstance(ended.error, ProviderAuth)
        assert own.said() == [("user", "Do it.")]


async def test_a_prompt_that_the_provider_finds_too_long_is_recovered_once(tmp_path):
    steps = [{"text": "word " * 300}] * 6
    async with harness(tmp_path, *steps, {"error": "overflow"}, {"text": "Done."}) as own:
        for number in range(6):
            await own.turn(f"Question {number}.")
        before = own.session.state.log.fold.view.tokens
        assert (await own.turn("One more.")).reason == "endTurn"
        refused, again = own.provider.requests[-2:]
        assert len(again.messages) < len(refused.messages)
        (edit,) = [entry for entry in own.entries if isinstance(entry, Edited)]
        assert own.heard(ReductionApplied)[0].receipt.id == edit.id
        assert edit.after < edit.before
        assert own.session.state.log.fold.view.tokens < before
        assert [event.level for event in own.heard(NoticeGiven)] == ["warning"]
        assert shown(again, Role.USER)[-1] == "One more."
        await own.consistent()


async def test_a_second_refusal_is_an_honest_error(tmp_path):
    steps = [{"text": "word " * 300}] * 6
    async with harness(tmp_path, *steps, {"error": "overflow"}, {"error": "overflow"}) as own:
        for number in range(6):
            await own.turn(f"Question {number}.")
        ended = await own.turn("One more.")
        assert isinstance(ended.error, ProviderOverflow)
        assert len(own.provider.requests) == 8


async def test_what_cannot_fit_is_said_without_asking_the_model(tmp_path):
    async with harness(tmp_path, {"text": "never"}, window=4_000) as own:
        ended = await own.turn("word " * 5_000)
        assert ended.reason == "contextLimit"
        assert ended.error.data["needsTokens"] > 1_000
        assert ended.error.data["items"][0]["tokens"] > 5_000
        assert own.provider.requests == []
        await own.consistent()


async def test_one_turn_at_a_time(tmp_path):
    opened = asyncio.Event()
    step = {"text": [PAUSE, "Done."]}
    async with harness(tmp_path, step, gate=lambda _: opened.wait()) as own:
        turn = await own.session.prompt([PromptText("First.")])
        for refused in (
            own.session.prompt([PromptText("Second.")]),
            own.session.rewind("m1"),
            own.session.set_model("scripted/large"),
            own.project.delete(own.session.id),
        ):
            with pytest.raises(Busy) as busy:
                await refused
            assert busy.value.data["turnId"] == turn
        await own.session.pin("It holds.", None)
        await own.session.set_mode("plan")
        opened.set()
        assert (await own.session.wait()).reason == "endTurn"
        assert [text for role, text in own.said() if role == "user"] == ["First."]


async def test_a_pin_and_a_mode_that_come_in_the_middle_count_from_the_next_request(tmp_path):
    opened = asyncio.Event()
    step = {"text": [PAUSE], "calls": [READ]}
    async with harness(tmp_path, step, {"text": "Done."}, gate=lambda _: opened.wait()) as own:
        await own.session.prompt([PromptText("First.")])
        await own.session.pin("Never touch the tests.", None)
        await own.session.set_mode("ask")
        opened.set()
        await own.session.wait()
        first, second = own.provider.requests
        assert "Never touch the tests." not in repr(first.messages)
        assert "Never touch the tests." in repr(second.messages)
        assert (first.tool_choice, second.tool_choice) == ("auto", "none")
        assert second.tools == first.tools
        assert own.said()[-2][1].startswith("No tool runs in ask mode.")


async def test_nothing_is_said_for_an_empty_message(tmp_path):
    async with harness(tmp_path) as own:
        with pytest.raises(InvalidInput):
            await own.session.prompt([PromptText(" \n")])
        assert own.said() == []
        await own.consistent()


async def test_the_meter_moves_with_each_entry_and_sums(tmp_path):
    async with harness(tmp_path, {"calls": [READ]}, {"text": "Done."}) as own:
        await own.turn("Read it.")
        meters = [event.meter for event in own.heard(MeterMoved)]
        assert all(sum(meter.parts.values()) == meter.used for meter in meters)
        assert meters[-1].used == own.session.state.log.fold.view.tokens > meters[0].used


async def test_a_long_result_is_cut_and_kept_whole_where_the_model_can_find_it(tmp_path):
    async with harness(tmp_path, {"calls": [READ]}, {"text": "Done."}) as own:
        whole = "".join(f"line {number}\n" for number in range(1_990))
        (own.folder / "load.txt").write_text(whole)
        await own.turn("Read it.")
        # Whether the tool or its arrival has cut it: what stands in the request is short.
        result = shown(own.provider.requests[-1], Role.TOOL)[0]
        assert own.session.state.log.fold.ledger.bare(result) <= 6_000
        await own.consistent()


async def test_usage_is_a_note_of_the_log(tmp_path):
    usage = {"input": 90, "output": 7}
    async with harness(tmp_path, {"text": "Yes.", "usage": usage}) as own:
        await own.turn("Well?")
        notes = [e for e in own.entries if isinstance(e, Noted) and e.what == "usage"]
        assert ['"input":90' in note.data for note in notes] == [True]


@pytest.mark.parametrize("usage", [None, (0, 0), (1, 1), (0, 5), (10**9, 5)])
async def test_usage_that_cannot_be_right_is_replaced_by_our_own_count(tmp_path, usage):
    told = {} if usage is None else {"usage": dict(zip(("input", "output"), usage, strict=True))}
    async with harness(tmp_path, {"text": "Yes, it is.", **told}) as own:
        await own.turn("Well?")
        (row,) = cost_rows(own.entries)
        sent = row.input
        assert 500 < sent < 5_000
        assert row.output >= 3
        assert row.estimated == sent + row.output
        assert own.session.state.account.summary().tokens.input == sent
        assert own.session.state.load.measured is None


async def test_what_was_sent_costs_though_the_answer_breaks_off(tmp_path):
    async with harness(tmp_path, {"text": "Half an ans", "error": "cut"}) as own:
        assert (await own.turn("Well?")).reason == "error"
        (row,) = cost_rows(own.entries)
        assert row.input > 500
        assert row.output > 0


async def test_what_was_refused_costs_nothing(tmp_path):
    async with harness(tmp_path, {"error": "auth"}) as own:
        assert (await own.turn("Well?")).reason == "error"
        assert cost_rows(own.entries) == ()


async def test_a_turn_that_grows_past_the_mark_is_reduced_before_its_next_request(tmp_path):
    """goose #11072 checks only between turns, and dies in the middle of one."""
    reads = [
        {"calls": [{"name": "file_read", "arguments": {"path": f"{n}.txt"}}]} for n in range(9)
    ]
    async with harness(tmp_path, *reads, {"text": "Done."}, window=8_192) as own:
        for number in range(9):
            rows = "\n".join(f"row{number}_{row} of it" for row in range(300))
            (own.folder / f"{number}.txt").write_text(rows)
        assert (await own.turn("Read them all.")).reason == "endTurn"
        budget = own.session.state.model.budget
        sizes = [sum(len(m.text.split()) for m in r.messages) for r in own.provider.requests]
        assert len(sizes) == 10
        assert max(sizes) <= budget.effective
        assert sum(len(text.split()) for _, text in own.said()) > budget.effective
        assert own.heard(ReductionApplied)
        await own.consistent()


@pytest.mark.slow
async def test_what_cannot_be_kept_in_a_file_is_cut_and_both_people_and_model_are_told(tmp_path):
    """A disk that is full or not ours: the notice names no file, and the log has the whole."""

    class Full:
        def write(self, call_id: str, text: str) -> Path:
            raise StoreUnavailable("The disk is full.")

    step = {"calls": [{"name": "shell", "arguments": {"command": "seq 9000"}}]}
    async with harness(tmp_path, step, {"text": "Done."}) as own:
        state = own.session.state
        files = replace(state.environment.files, spill=lambda _: Full())
        state.environment = replace(state.environment, files=files)
        await own.turn("Count.")
        (told,) = [e for e in own.heard(NoticeGiven) if e.level == "warning"]
        assert told.markdown == "The disk is full. The whole output is in the log."
        (result,) = shown(own.provider.requests[-1], Role.TOOL)
        assert "[truncated: " in result
        assert "The whole is in" not in result
        assert "\n4500\n" in next(text for role, text in own.said() if role == "tool")
        await own.consistent()


async def test_a_store_that_fails_at_the_end_of_a_turn_leaves_no_turn_without_its_end(tmp_path):
    async def close_the_store(_: str) -> None:
        await own.store.close()

    async with harness(tmp_path, {"text": ["Half", PAUSE, "."]}, gate=close_the_store) as own:
        ended = await own.turn("Say it.")
        assert ended.reason == "error"
        assert isinstance(ended.error, StoreUnavailable)
        assert own.heard(TurnEnded) == [ended]
        assert not own.session.running


async def test_a_card_shows_the_output_of_its_call_whatever_enters_meanwhile(tmp_path):
    tasks = {"name": "tasks", "arguments": {"tasks": [{"title": "Look", "status": "pending"}]}}
    async with harness(tmp_path, {"calls": [tasks, READ]}, {"text": "Done."}) as own:
        (own.folder / "load.txt").write_text("7\n")
        await own.turn("Read it.")
        shown = [event.output for event in own.heard(CallChanged) if event.status == "completed"]
        assert shown == ["1 task, 1 of them open.", "1\t7"]
