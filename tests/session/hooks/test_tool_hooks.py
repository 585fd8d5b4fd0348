"""Hooks around tool calls: they hold back and change, and the gates stand as before."""

import asyncio
import json

import pytest

from plimsoll.session.hooks.tool_hooks import CHANGED
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import HookRan
from session.harness import ALLOWED, SECRET
from session.hooks.hooked import (
    READ,
    RUN,
    WRITE,
    decisions,
    hook,
    hooked,
    notices,
    python,
    results,
    says,
    script,
)
from tools.mcp.memory_host import MemoryHost, a_tool, an_offer

pytestmark = pytest.mark.slow
NO = Decision(allowed=False)
ANY_SHELL = Decision(allowed=True, for_session=True)


def pre(**fields: object) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}})


async def test_a_hook_is_given_the_call_as_other_agents_give_it(tmp_path):
    told = python("json.dump(given, open('given.json', 'w'))")
    async with hooked(tmp_path, [hook("PreToolUse", told)], *script(READ)) as own:
        ended = await own.turn("Do it.")
        given = json.loads((own.folder / "given.json").read_text())
        call = next(part for part in own.entries if getattr(part, "role", "") == "assistant")
        assert given == {
            "session_id": own.session.id,
            "cwd": str(own.folder),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "file_read",
            "tool_use_id": call.parts[0].call_id,
            "tool_input": {"path": "load.txt"},
        }
        assert ended.reason == "endTurn"
        (ran,) = own.heard(HookRan)
        assert (ran.turn, ran.event, ran.decision) == (ended.turn, "PreToolUse", None)
        assert list(own.session.state.hooks.runs) == [ran]


@pytest.mark.parametrize(
    "command",
    [
        says(pre(permissionDecision="deny", permissionDecisionReason="not on Fridays")),
        says('{"decision": "block", "reason": "not on Fridays"}'),
        says('{"continue": false, "stopReason": "not on Fridays"}'),
        "cat >/dev/null; echo 'not on Fridays' >&2; exit 2",
    ],
)
async def test_a_hook_denies_a_call_and_its_reason_is_quoted(tmp_path, command):
    async with hooked(tmp_path, [hook("PreToolUse", command)], *script(WRITE)) as own:
        assert (await own.turn("Do it.")).reason == "endTurn"
        await own.consistent()
        (answer,) = results(own)
        first, *quoted = answer.split("\n")
        assert first.startswith("[Not run: denied by the user's hook `cat >/dev/null; ")
        assert "untrusted text" in first
        assert quoted == ["> not on Fridays"]
        assert own.person.asked == []
        assert not (own.folder / "new.txt").exists()
        assert decisions(own) == ["deny"]


@pytest.mark.parametrize(
    "answer",
    [
        pre(permissionDecision="allow"),
        '{"decision": "approve"}',
        pre(permissionDecision="allow", updatedInput={"command": "touch other"}),
        '{"permissionDecision": "allow", "allow": true, "ask": false}',
    ],
)
async def test_no_answer_allows_what_the_person_would_be_asked_about(tmp_path, answer):
    own_hook = hook("PreToolUse", says(answer))
    async with hooked(tmp_path, [own_hook], *script(RUN), answers=[NO]) as own:
        await own.turn("Do it.")
        assert len(own.person.asked) == 1
        assert sorted(path.name for path in own.folder.iterdir()) == ["load.txt"]


async def test_changed_arguments_are_what_the_person_is_asked_about_and_what_runs(tmp_path):
    change = hook("PreToolUse", says(pre(updatedInput={"command": "touch other"})), "Bash")
    async with hooked(tmp_path, [change], *script(RUN)) as own:
        await own.turn("Do it.")
        (asked,) = own.person.asked
        assert asked.title == "Run touch other"
        assert asked.intent.why_each_time == CHANGED.format(name=own.heard(HookRan)[0].name)
        assert (own.folder / "other").exists()
        assert not (own.folder / "ran").exists()
        assert 'changed the arguments of this call to {"command":"touch other"}' in results(own)[0]
        assert decisions(own) == ["changed"]


async def test_what_was_allowed_for_the_session_covers_no_changed_call(tmp_path):
    program = (
        "new = given['tool_input']['command'] == 'touch b' and {'command': 'touch ran'}\n"
        "print(json.dumps({'hookSpecificOutput': {'updatedInput': new or None}}))"
    )
    change = hook("PreToolUse", python(program), "shell")
    second = {"name": "shell", "arguments": {"command": "touch b"}}
    steps = ({"calls": [RUN]}, {"calls": [RUN]}, {"calls": [second]}, {"text": "Done."})
    async with hooked(tmp_path, [change], *steps, answers=[ANY_SHELL, NO]) as own:
        await own.turn("Do it.")
        assert [asked.title for asked in own.person.asked] == ["Run touch ran", "Run touch ran"]
        assert "declined" in results(own)[-1]


@pytest.mark.parametrize(
    "changed", [{"path": "/etc/passwd"}, {"path": 7}, {}, {"path": "load.txt", "more": "x"}]
)
async def test_changed_arguments_pass_the_tools_own_check(tmp_path, changed):
    change = hook("PreToolUse", says(pre(updatedInput=changed)))
    async with hooked(tmp_path, [change], *script(READ), answers=[NO]) as own:
        assert (await own.turn("Do it.")).reason == "endTurn"
        await own.consistent()
        assert "root:" not in results(own)[0]
        assert "harbour" not in results(own)[0]


async def test_a_hook_may_have_a_call_asked_about_that_would_not_be(tmp_path):
    asks = hook("PreToolUse", says(pre(permissionDecision="ask")), "Read")
    async with hooked(tmp_path, [asks], *script(READ), answers=[NO]) as own:
        await own.turn("Do it.")
        assert len(own.person.asked) == 1
        assert decisions(own) == ["ask"]


async def test_hooks_run_in_their_order_and_the_first_no_ends_them(tmp_path):
    first = hook("PreToolUse", says(pre(updatedInput={"path": "other.txt"})))
    second = hook("PreToolUse", python("print(given['tool_input'], file=sys.stderr)\nexit(2)"))
    third = hook("PreToolUse", "touch third")
    async with hooked(tmp_path, [first, second, third], *script(READ)) as own:
        await own.turn("Do it.")
        assert "> {'path': 'other.txt'}" in results(own)[0]
        assert decisions(own) == ["changed", "deny"]
        assert not (own.folder / "third").exists()


async def test_a_matcher_names_a_tool_by_our_name_or_by_that_of_other_agents(tmp_path):
    names = ("file_read", "Read", "Edit|Read", "file_.*", "Rea", "read", "shell")
    hooks = [hook("PreToolUse", f"touch {n}", each) for n, each in enumerate(names)]
    async with hooked(tmp_path, hooks, *script(READ)) as own:
        await own.turn("Do it.")
        ran = sorted(path.name for path in own.folder.iterdir() if path.name != "load.txt")
        assert ran == ["0", "1", "2", "3"]


async def test_no_hook_runs_for_a_call_that_does_not(tmp_path):
    bad = {"name": "file_read", "arguments": {"path": 7}}
    hooks = [hook("PreToolUse", "touch before"), hook("PostToolUse", "touch after")]
    async with hooked(tmp_path, hooks, *script(bad)) as own:
        await own.turn("Do it.")
        assert own.heard(HookRan) == []


async def test_no_hook_runs_in_a_folder_that_is_not_trusted(tmp_path):
    async with hooked(
        tmp_path, [hook("PreToolUse", "touch before")], *script(READ), trusted=False
    ) as own:
        await own.turn("Do it.")
        assert own.heard(HookRan) == []
        assert "harbour" in results(own)[0]


async def test_a_hook_after_a_call_reads_its_result_and_adds_words(tmp_path):
    program = (
        "got = given['tool_response']\n"
        "words = f\"{got['failed']} {got['exit_code']} {got['text'].strip()}\"\n"
        "print(json.dumps({'hookSpecificOutput': {'additionalContext': words}}))"
    )
    run = {"name": "shell", "arguments": {"command": f"echo {SECRET}"}}
    after = hook("PostToolUse", python(program))
    async with hooked(tmp_path, [after], *script(run)) as own:
        await own.turn("Do it.")
        await own.consistent()
        (answer,) = results(own)
        assert "the user's hook `" in answer
        assert answer.endswith("> False 0 (redacted]\n> [exit code: 0]")
        assert decisions(own) == ["said"]


@pytest.mark.parametrize(
    "command",
    ["echo 'run the tests' >&2; exit 2", says('{"decision":"block","reason":"run the tests"}')],
)
async def test_a_hook_after_a_call_that_blocks_tells_the_model_why(tmp_path, command):
    async with hooked(tmp_path, [hook("PostToolUse", command)], *script(WRITE)) as own:
        await own.turn("Do it.")
        assert (own.folder / "new.txt").read_text() == "x\n"
        assert results(own)[0].endswith("\n> run the tests")
        assert decisions(own) == ["block"]


async def test_words_of_a_hook_are_cut_as_any_result(tmp_path):
    flood = python("sys.stderr.write('word ' * 100000)\nexit(2)")
    async with hooked(tmp_path, [hook("PreToolUse", flood)], *script(READ)) as own:
        await own.turn("Do it.")
        await own.consistent()
        assert own.session.state.log.fold.view.tokens < 32_000


async def test_a_cancel_during_a_hook_ends_it_and_what_was_done_stands(tmp_path):
    slow = hook("PostToolUse", "touch began; sleep 60", seconds=60)
    async with hooked(tmp_path, [slow], *script(WRITE)) as own:
        turn = asyncio.create_task(own.turn("Do it."))
        while not (own.folder / "began").exists():
            await asyncio.sleep(0.01)
        assert await own.session.cancel()
        assert (await turn).reason == "cancelled"
        await own.consistent()
        assert "interrupted" not in results(own)[0]
        assert (own.folder / "new.txt").exists()


async def test_a_broken_hook_is_named_once_and_decides_nothing(tmp_path):
    broken = hook("PreToolUse", "exit 7")
    steps = ({"calls": [READ]}, {"calls": [READ]}, {"text": "Done."})
    async with hooked(tmp_path, [broken], *steps) as own:
        assert (await own.turn("Do it.")).reason == "endTurn"
        assert decisions(own) == ["failed", "failed"]
        told = [words for words in notices(own) if "did not work" in words]
        assert told == [
            "The hook `exit 7` (PreToolUse) did not work: exit code 7. It decided nothing."
        ]


async def test_without_a_sandbox_hooks_are_asked_about_once(tmp_path):
    hooks = [hook("PreToolUse", "touch before"), hook("PostToolUse", "touch after")]
    async with hooked(tmp_path, hooks, *script(READ), sandbox=None, answers=[NO, ALLOWED]) as own:
        await own.turn("Do it.")
        (asked,) = own.person.asked
        assert asked.intent.command == "touch before\ntouch after"
        assert asked.intent.confinement.coverage == "none"
        assert own.heard(HookRan) == []
        assert "harbour" in results(own)[0]
        assert any("without" in words or "No sandbox" in words for words in notices(own))


async def test_allowed_without_a_sandbox_they_run_and_nobody_is_asked_again(tmp_path):
    steps = ({"calls": [READ]}, {"calls": [READ]}, {"text": "Done."})
    async with hooked(tmp_path, [hook("PreToolUse", "touch before")], *steps, sandbox=None) as own:
        await own.turn("Do it.")
        assert len(own.person.asked) == 1
        assert decisions(own) == [None, None]
        assert (own.folder / "before").exists()


@pytest.mark.parametrize("spelled", [{"text": "x"}, '{"text": "x"}'])
async def test_a_tool_of_a_server_has_its_own_name_and_arguments_for_hooks(tmp_path, spelled):
    host = MemoryHost([an_offer(a_tool("echo", text={"type": "string"}))])
    inner = {"name": "mcp__box__echo", "arguments": spelled}
    told = python("json.dump(given, open('given.json', 'w'))")
    changed = says(pre(updatedInput={"text": "y"}))
    hooks = [
        hook("PreToolUse", told, "mcp__box__.*"),
        hook("PreToolUse", changed, "mcp__box__echo"),
        hook("PreToolUse", says(pre(permissionDecision="deny")), "call_tool|mcp__other__.*"),
        hook("PostToolUse", told.replace("given.json", "after.json"), "mcp__box__echo"),
    ]
    steps = script({"name": "call_tool", "arguments": inner})
    async with hooked(tmp_path, hooks, *steps, mcp=host) as own:
        await own.turn("Do it.")
        given = json.loads((own.folder / "given.json").read_text())
        assert (given["tool_name"], given["tool_input"]) == ("mcp__box__echo", {"text": "x"})
        after = json.loads((own.folder / "after.json").read_text())
        assert (after["tool_name"], after["tool_input"]) == ("mcp__box__echo", {"text": "y"})
        assert host.calls == [("mcp__box__echo", {"text": "y"})]
        assert [call.title for call in own.person.asked] == ["box: echo"]
