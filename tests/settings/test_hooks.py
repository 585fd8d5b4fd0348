"""Hooks in the person's own file: the forms that are read, and that no other place sets one."""

import tomllib

import pytest

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.hooks import HookSetting
from plimsoll.settings.layers import Layer
from plimsoll.settings.sources import client_layer, environment_layer, merge


def read(text: str):
    return merge([Layer("config.toml", tomllib.loads(text))]).hooks


def test_hooks_are_read_in_their_order_with_matcher_and_timeout():
    found = read(
        """
        [[hooks.PreToolUse]]
        command = "first"
        matcher = "Edit|Write"
        timeout = 5
        [[hooks.PreToolUse]]
        command = "second"
        matcher = "*"
        [[hooks.PostToolUse]]
        command = "third"
        type = "command"
        """
    )
    assert found.PreToolUse == (HookSetting("first", "Edit|Write", 5), HookSetting("second"))
    assert found.PostToolUse == (HookSetting("third"),)


def test_the_nested_form_of_other_agents_is_read():
    found = read(
        """
        [[hooks.PostToolUse]]
        matcher = "Bash"
        hooks = [{type = "command", command = "a"}, {command = "b", timeout = 3}]
        """
    )
    assert found.PostToolUse == (HookSetting("a", "Bash"), HookSetting("b", "Bash", 3))


@pytest.mark.parametrize(
    "entry",
    [
        "{}",
        '{command = ""}',
        "{command = 7}",
        '{command = "a", matcher = "("}',
        '{command = "a", matcher = 3}',
        '{command = "a", timeout = 0}',
        '{command = "a", timeout = 601}',
        '{command = "a", timeout = true}',
        '{command = "a", type = "prompt"}',
        '{command = "a", unconfined = true}',
        '{hooks = "a"}',
        '{hooks = ["a"]}',
        '{hooks = [{command = "a"}], command = "b"}',
        '"a"',
    ],
)
def test_what_is_no_hook_is_refused(entry):
    with pytest.raises(SettingsInvalid, match="a list of hooks"):
        read(f"hooks.PreToolUse = [{entry}]")


def test_an_event_that_is_not_known_is_named():
    with pytest.raises(SettingsInvalid, match=r"Did you mean hooks\.PreToolUse"):
        read('hooks.PreToolUsed = [{command = "a"}]')


@pytest.mark.parametrize(
    "layer",
    [
        client_layer({"hooks": {"PreToolUse": [{"command": "a"}]}}),
        client_layer({"hooks": {"postToolUse": [{"command": "a"}]}}),
        environment_layer({"PLIMSOLL_HOOKS__POST_TOOL_USE": "a"}),
    ],
)
def test_neither_an_editor_nor_the_environment_sets_a_hook(layer):
    with pytest.raises(SettingsInvalid, match=r"hooks stand in config\.toml alone"):
        merge([layer])


def test_no_table_of_a_model_sets_a_hook():
    with pytest.raises(SettingsInvalid):
        read('[models."openai/x".hooks]\nPostToolUse = [{command = "a"}]')
