"""What a hook's output says: it can hold back and name, and nothing in it allows."""

import json

import pytest

from plimsoll.session.hooks.answers import HookAnswer, read_answer
from plimsoll.tools.ports.hooks import EVENTS, HookOutput


def answer(event, found: object) -> HookAnswer:
    return read_answer(event, HookOutput(output=json.dumps(found)))


@pytest.mark.parametrize("event", EVENTS)
def test_exit_code_2_blocks_what_can_be_blocked(event):
    found = read_answer(event, HookOutput(code=2, output='{"decision": "allow"}', errors=" no \n"))
    wanted = {"PreToolUse": "deny", "PreCompact": "postpone"}.get(event, "block")
    if event in ("SessionStart", "PostCompact"):
        assert found.verdict is None
    else:
        assert (found.verdict, found.reason) == (wanted, "no")


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    "output",
    [
        HookOutput(code=1, output='{"decision": "block"}'),
        HookOutput(problem="timeout", output='{"decision": "block"}'),
        HookOutput(output='{"decision": "block"'),
    ],
)
def test_a_broken_hook_decides_nothing(event, output):
    found = read_answer(event, output)
    assert found == HookAnswer(fault=found.fault)
    assert found.fault


@pytest.mark.parametrize("event", EVENTS)
def test_silence_is_no_fault(event):
    assert read_answer(event, HookOutput()) == HookAnswer()


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    "found",
    [
        {"decision": "allow"},
        {"decision": "approve", "continue": True},
        {"hookSpecificOutput": {"permissionDecision": "allow"}},
        {"hookSpecificOutput": []},
    ],
)
def test_nothing_that_allows_is_read(event, found):
    assert answer(event, found) == HookAnswer()


def test_plain_text_is_for_the_model_where_a_prompt_is_said():
    said = HookOutput(output="the build is red\n")
    assert read_answer("UserPromptSubmit", said).context == "the build is red"
    assert read_answer("SessionStart", said).context == "the build is red"
    assert read_answer("PreToolUse", said).fault == "no JSON"


def test_before_a_compaction_it_postpones_and_names_what_is_kept():
    found = answer("PreCompact", {"decision": "postpone", "reason": "wait", "keep": ["a", 7, " "]})
    assert found == HookAnswer(verdict="postpone", reason="wait", keep=("a",))
    many = answer("PreCompact", {"decision": "allow", "keep": ["x" * 5_000] * 50})
    assert many.verdict is None
    assert [len(text) for text in many.keep] == [1_000] * 20


def test_only_before_a_call_are_its_arguments_changed():
    changed = {"hookSpecificOutput": {"updatedInput": {"path": "a"}}}
    assert answer("PreToolUse", changed).changed_input == {"path": "a"}
    assert answer("PostToolUse", changed).changed_input is None
