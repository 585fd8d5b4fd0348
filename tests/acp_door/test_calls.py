"""Calls as a person at a client of ACP is asked about them."""

from pathlib import Path

from plimsoll.acp.convert.calls import tool_call
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.events import CallShown, MadeQuestion
from plimsoll.tools.process.confinement.base import MovedAside
from plimsoll.tools.process.made import look


def test_what_a_command_made_is_shown_with_what_is_no_line_of_it(tmp_path: Path):
    root, aside = tmp_path / "work", tmp_path / "aside"
    hook, link = aside / "hook", aside / "link"
    aside.mkdir()
    hook.write_text("true\n")
    hook.chmod(0o755)
    link.symlink_to("elsewhere")
    moved = [
        MovedAside(path=root / ".git" / each.name, place=each, why="git runs it")
        for each in (hook, link)
    ]
    call = CallShown(
        id="made",
        item="",
        name="shell",
        arguments="{}",
        traits=ToolTraits(kind="execute", verb="Run"),
        made=MadeQuestion(look(moved, root)),
    )
    told = str([each for each in tool_call(call, root)["content"] if each["type"] == "content"])
    assert ".git/hook: it can be run as a program" in told
    assert ".git/link: a link to elsewhere" in told
