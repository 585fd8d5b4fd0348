"""What a session says beside its answers, as messages and updates for a client of ACP."""

from acp import schema

from acp_door.schema import check
from plimsoll.acp.convert.updates import available_commands, beside_markdown, plan
from plimsoll.context.log.entries import TaskItem
from plimsoll.session.commands.slash import SLASHES
from plimsoll.session.ports.events import CommandAnswered, HookRan, NoticeGiven, TurnStarted


def test_a_notice_is_set_apart_and_the_answer_of_a_command_is_not():
    assert beside_markdown(NoticeGiven("one\n\ntwo", "warning")) == "> ⚠ one\n>\n> two"
    assert beside_markdown(CommandAnswered("**one**", command="/pins")) == "**one**"
    assert beside_markdown(CommandAnswered("no", "error", command="/x")) == "> ✗ no"
    assert beside_markdown(TurnStarted("t1")) is None


def test_a_hook_is_told_where_it_decided_something():
    ran = HookRan(turn="t1", event="PreToolUse", name="guard.sh")
    assert beside_markdown(ran) is None
    denied = HookRan(turn="t1", event="PreToolUse", name="guard.sh", decision="deny")
    assert beside_markdown(denied) == "> PreToolUse hook `guard.sh` denied the call."


def test_subtasks_follow_their_task():
    tasks = [TaskItem("a", "inProgress", (TaskItem("b", "cancelled"),)), TaskItem("c", "pending")]
    update = plan(tasks)
    check(schema.SessionNotification, {"sessionId": "s", "update": update})
    assert [(each["content"], each["status"]) for each in update["entries"]] == [
        ("a", "in_progress"),
        ("b", "completed"),
        ("c", "pending"),
    ]


def test_each_command_is_offered_but_those_that_open_another_session():
    update = available_commands()
    check(schema.SessionNotification, {"sessionId": "s", "update": update})
    offered = {each["name"] for each in update["availableCommands"]}
    assert offered == SLASHES.keys() - {"new", "resume", "sessions"}
