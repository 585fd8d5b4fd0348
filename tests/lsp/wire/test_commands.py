import pytest
from pydantic import ValidationError

from plimsoll.lsp.wire.commands import COMMAND_PREFIX, COMMANDS, SLASH_COMMANDS
from plimsoll.lsp.wire.methods import REQUESTS
from plimsoll.lsp.wire.pins import PinAddParams, PinOwner, PinRemoveParams
from plimsoll.lsp.wire.service import SendParams

COMMAND_NAMES = """
newSession resumeSession listSessions send cancel setMode setModel rewind fork compact
previewCompaction postpone undo evict restore explain contextReport rules restoreRule pin pins
unpin remember memories updateMemory reviewMemory forget restoreMemory shareMemory importMemories
commitMessage cost team createTeam joinTeam leaveTeam acceptAuthor linkProject skills
switchSkill custom switchCustom expandCommand hunks keepHunks undoHunks permissions
removePermission
"""

SLASH_NAMES = """
compact undo rewind context view pin pins unpin remember memories forget unforget inbox
accept reject share sessions resume new mode model rules skills agents commands mcp
permissions profile aside sandbox hooks commit-message cost help
"""


def test_the_commands_are_those_of_the_contract():
    assert list(COMMANDS) == [COMMAND_PREFIX + name for name in COMMAND_NAMES.split()]
    assert all(name == command.id for name, command in COMMANDS.items())


def test_every_command_takes_the_params_of_its_method():
    for command in COMMANDS.values():
        if command.method is not None:
            assert command.params is REQUESTS[command.method].params
    assert COMMANDS["plimsoll.server.send"].params is SendParams


def test_the_slash_commands_are_those_of_the_contract_and_stand_for_commands():
    assert [slash.name for slash in SLASH_COMMANDS] == SLASH_NAMES.split()
    assert {slash.command for slash in SLASH_COMMANDS} <= {None, *COMMANDS}
    without = [slash.name for slash in SLASH_COMMANDS if slash.command is None]
    assert without == ["view", "mcp", "profile", "aside", "sandbox", "hooks", "help"]


def test_send_waits_unless_told_otherwise():
    assert SendParams.model_validate({"text": "hello"}).wait is True
    assert SendParams.model_validate({"text": "hello", "wait": False}).wait is False


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        (PinAddParams, {"sessionId": "s"}),
        (PinAddParams, {"sessionId": "s", "text": "a", "itemId": "m.0"}),
        (PinAddParams, {"text": "a"}),
        (PinAddParams, {"sessionId": "s", "text": ""}),
        (PinOwner, {}),
        (PinRemoveParams, {"sessionId": "s"}),
        (PinRemoveParams, {"pinId": "p", "number": 1}),
        (PinRemoveParams, {"sessionId": "s", "number": 0}),
    ],
)
def test_a_pin_needs_one_owner_and_one_content(model, sent):
    with pytest.raises(ValidationError):
        model.model_validate(sent)
