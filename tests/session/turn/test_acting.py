"""Acting on an answer: what people see of a call while it runs."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from plimsoll.context.log.messages import Part, PartKind, ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import NotFound
from plimsoll.redaction.secrets import Secrets, StreamRedactor
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.events import CallChanged, CallMade
from plimsoll.session.reduction.inspection import output_so_far, whole_result
from plimsoll.session.turn.acting import LONGEST_LINE, SHOWN_LINES
from plimsoll.session.turn.tool_calls import prepare, run
from plimsoll.tools.editor.knowledge import Diagnostic, NoKnowledge
from plimsoll.tools.ports.intent import Intent, Outcome
from session.harness import SECRET, harness

COMMAND = (
    f"seq 30; printf 'x%.0s' {{1..400}}; echo; echo {SECRET}; echo end; "
    "until [ -e go ]; do sleep 0.01; done"
)


@pytest.mark.slow
async def test_people_see_the_last_lines_of_a_command_that_runs(tmp_path):
    call = {"name": "shell", "arguments": {"command": COMMAND}}
    async with harness(tmp_path, {"calls": [call]}, {"text": "Done."}) as own:
        state = own.session.state
        stream = partial(StreamRedactor, Secrets({"KEY": SECRET}))
        state.environment = replace(state.environment, open_stream=stream)
        turn = asyncio.create_task(own.turn("Do it."))

        def shown() -> list[str]:
            return [each.output for each in own.heard(CallChanged) if each.output is not None]

        while not any(text.endswith("\nend") for text in shown()):
            assert not turn.done()
            await asyncio.sleep(0.01)
        so_far = await output_so_far(state, own.heard(CallMade)[-1].call.id)
        (own.folder / "go").touch()
        await turn
        lines = next(text for text in shown() if text.endswith("\nend")).split("\n")
        assert len(lines) == SHOWN_LINES
        assert lines[-3] == "x" * LONGEST_LINE
        assert SECRET not in "".join(shown())
        (result,) = [text for role, text in own.said() if role == "tool"]
        assert result.count("\n29\n") == 1
        end = own.heard(CallChanged)[-1]
        assert (end.exit_code, end.item is not None) == (0, True)
        assert whole_result(state.log, end.item) == result
        assert so_far.startswith("\n".join(map(str, range(1, 31))))
        assert so_far.endswith("\nend\n")
        assert "x" * 400 in so_far
        assert SECRET not in so_far
        with pytest.raises(NotFound) as gone:
            await output_so_far(state, end.call_id)
        assert gone.value.kind == "runningCommandNotFound"


async def test_people_see_what_a_call_returned_though_the_model_has_it_already(tmp_path):
    call = {"calls": [{"name": "file_read", "arguments": {"path": "a.py"}}]}
    async with harness(tmp_path, call, call, {"text": "Done."}) as own:
        (own.folder / "a.py").write_text("".join(f"LIMIT_{n} = {n}\n" for n in range(60)))
        await own.turn("Read it twice.")
        ends = [each for each in own.heard(CallChanged) if each.status == "completed"]
        assert "LIMIT_59 = 59" in ends[0].output
        assert ends[1].output == ends[0].output
        texts = [line.shown[0].part.text for line in own.session.state.log.fold.view.lines]
        assert any(text.startswith("[unchanged since turn 1: file_read a.py") for text in texts)


class Checked(NoKnowledge):
    """An editor that finds an error in each file once it was changed."""

    async def diagnostics(self, root, paths, *, changed=False):
        found = [
            Diagnostic(path=path, line=1, severity="error", message="no such name", source="ts")
            for path in paths
        ]
        return {each.path: [each] for each in found} if changed else {}


async def test_the_problems_that_a_change_brings_stand_in_its_result(tmp_path):
    call = {"name": "file_write", "arguments": {"path": "a.py", "content": "x = y\n"}}
    async with harness(tmp_path, {"calls": [call]}, {"text": "Done."}) as own:
        state = own.session.state
        context = state.environment.call_context
        context = replace(context, knowledge=Checked(), trusted=lambda: True)
        state.environment = replace(state.environment, call_context=context)
        await own.turn("Write it.")
        (result,) = [text for role, text in own.said() if role == "tool"]
    assert "a.py:1 error: no such name [ts]" in result


class Ticking(CountedClock):
    """A clock that goes on by a second and a quarter with each look."""

    at = 1_000.0

    def seconds(self) -> float:
        self.at += 1.25
        return self.at


class Command:
    """A command that ends at once, without a process."""

    schema = ToolSchema("make_it", "Makes it.", {"type": "object"})
    reading = True

    def __init__(self, exit_code: int | None, *, runs: bool) -> None:
        self.exit_code = exit_code
        self.traits = ToolTraits(kind="execute", runs=runs)

    def prepare(self, arguments, context):
        return Intent(title="Make it", ask=False, plan=None)

    async def run(self, intent, context):
        return Outcome(text="made", exit_code=self.exit_code)


@pytest.mark.parametrize(
    ("tool", "milliseconds"),
    [
        (Command(0, runs=True), 1250),
        (Command(None, runs=True), None),
        (Command(0, runs=False), None),
    ],
    ids=["a command", "one that runs on", "no command"],
)
async def test_the_time_that_a_command_took_is_told_once_it_has_ended(tmp_path, tool, milliseconds):
    steps = {"calls": [{"name": "make_it", "arguments": {}}]}, {"text": "Done."}
    async with harness(tmp_path, *steps, clock=Ticking()) as own:
        state = own.session.state
        state.environment = replace(state.environment, tools={"make_it": tool})
        assert (await own.turn("Make it.")).reason == "endTurn"
        end = own.heard(CallChanged)[-1]
        assert (end.status, end.output, end.milliseconds) == ("completed", "made", milliseconds)


class Speaking(Command):
    """A command that writes as it runs, and whose whole output can be read meanwhile."""

    def __init__(self, output: str) -> None:
        super().__init__(0, runs=True)
        self.output = output

    async def run(self, intent, context):
        async def read() -> str:
            return self.output

        context.lend_output(read)
        context.hear_output(self.output)
        self.so_far = await self.look()
        return await super().run(intent, context)


async def test_of_an_output_people_see_the_last_lines_without_secrets_while_it_runs(tmp_path):
    rows = [*map(str, range(30)), "x" * 900, SECRET, "end", ""]
    tool = Speaking("\n".join(rows))
    steps = {"calls": [{"name": "make_it", "arguments": {}}]}, {"text": "Done."}
    async with harness(tmp_path, *steps) as own:
        state = own.session.state
        stream = partial(StreamRedactor, Secrets({"KEY": SECRET}))
        tools = {"make_it": tool}
        state.environment = replace(state.environment, tools=tools, open_stream=stream)
        tool.look = lambda: output_so_far(state, own.heard(CallMade)[-1].call.id)
        assert (await own.turn("Make it.")).reason == "endTurn"
        begun, shown, _ = own.heard(CallChanged)
        assert (begun.status, begun.output, shown.status) == ("running", None, "running")
        assert (begun.since is not None, shown.since) == (True, begun.since)
        lines = shown.output.split("\n")
        assert len(lines) == 10
        assert (lines[0], lines[-3], lines[-1]) == ("23", "x" * 300, "end")
        assert SECRET not in shown.output
        assert tool.so_far.count("x") == 900
        with pytest.raises(NotFound):
            await output_so_far(state, begun.call_id)


class Acted(Command):
    """A tool that tells when it ran."""

    def __init__(self, told: list[str]) -> None:
        super().__init__(0, runs=True)
        self.told = told

    async def run(self, intent, context):
        self.told.append("ran")
        return await super().run(intent, context)


async def test_what_a_command_before_it_made_is_moved_aside_before_a_call_runs(tmp_path):
    told: list[str] = []

    async def settle() -> None:
        told.append("settled")

    async with harness(tmp_path) as own:
        environment = replace(own.session.state.environment, tools={"make_it": Acted(told)})
        call = Part(kind=PartKind.CALL, text="{}", call_id="c1", name="make_it")
        context = environment.call_context
        ready = await prepare(
            call, "a1.0", mode="edit", environment=environment, call_context=context
        )
        outcome = await run(
            ready,
            own.session.id,
            turn="t1",
            approvals=own.session.state.approvals,
            environment=environment,
            hear=lambda _, status: told.append(status),
            settle=settle,
        )
        assert (outcome.text, outcome.milliseconds) == ("made", 0)
        assert told == ["running", "settled", "ran"]


async def test_what_became_of_made_files_is_told_with_the_next_result_once(tmp_path):
    call = {"calls": [{"name": "make_it", "arguments": {}}]}
    async with harness(tmp_path, call, call, {"text": "Done."}) as own:
        state = own.session.state
        state.environment = replace(state.environment, tools={"make_it": Command(0, runs=True)})
        state.made.untold.append("One file was moved aside.")
        assert (await own.turn("Make it.")).reason == "endTurn"
        results = [text for role, text in own.said() if role == "tool"]
        assert results == ["made\nOne file was moved aside.", "made"]
