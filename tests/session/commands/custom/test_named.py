"""Custom commands in a session: called by name, never sent unseen, switched, never in our way."""

from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.commands.custom.named import ExpandedCommand
from plimsoll.session.commands.slash import SLASHES, Slash, called_command, run_slash
from plimsoll.session.commands.speaking import Speaking
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import CommandAnswered
from session.harness import Harness, harness


def command(folder: Path, name: str, text: str = "Do $ARGUMENTS.") -> None:
    path = folder / "work/.claude/commands" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def answered(own: Harness, typed: str) -> ExpandedCommand:
    slash = await called_command(PromptText(typed, ()), own.project)
    assert slash is not None
    reply = await run_slash(slash, own.project, own.session)
    assert isinstance(reply.data, ExpandedCommand)
    return reply.data


async def test_a_command_becomes_a_prompt_and_nothing_is_sent(tmp_path: Path):
    command(tmp_path, "git/commit")
    command(tmp_path, "Fix_it2")
    async with harness(tmp_path, {"text": ["No."]}) as own:
        assert (await answered(own, "/git:commit the parser")).prompt.text == "Do the parser."
        assert (await answered(own, "/Fix_it2 all")).prompt.text == "Do all."
        assert own.said() == []


async def test_the_words_of_a_command_on_the_wire_are_an_answer_and_no_prompt(tmp_path: Path):
    command(tmp_path, "fix", "```\nDo it.\n```\n!`git status`")
    async with harness(tmp_path, {"text": ["No."]}) as own:
        speaking = Speaking()
        await speaking.say(own.project, own.session, [PromptText("/fix", ())])
        await speaking.settle()
        (shown,) = own.heard(CommandAnswered)
        assert "It is not sent" in shown.markdown
        assert "````\n```\nDo it.\n```\n!`git status`\n````" in shown.markdown
        assert "are not run" in shown.markdown
        assert own.said() == []


async def test_a_name_of_ours_is_never_shadowed(tmp_path: Path):
    for name in ("compact", "Help", "quit", "commit-message"):
        command(tmp_path, name)
    async with harness(tmp_path) as own:
        for typed in ("/compact", "/help", "/commit-message x"):
            slash = await called_command(PromptText(typed), own.project)
            assert slash is not None and slash.name in SLASHES
        assert await called_command(PromptText("/Help"), own.project) is None
        listed = (await run_slash(Slash("commands", ""), own.project, own.session)).markdown
        assert listed.count("has the name of a command of Plimsoll: not used") == 4


async def test_what_is_no_command_stays_what_it_was(tmp_path: Path):
    async with harness(tmp_path) as own:
        for typed in ("/git:commit", "/Users/me", "/x2", "//fix", "fix", "/a:", "/:a"):
            assert await called_command(PromptText(typed), own.project) is None
        slash = await called_command(PromptText("/nothing"), own.project)
        assert slash == Slash("nothing", "")
        with pytest.raises(InvalidInput, match="There is no command `/nothing`"):
            await run_slash(slash, own.project, own.session)


async def test_without_trust_the_folder_has_no_command(tmp_path: Path):
    command(tmp_path, "git/commit")
    async with harness(tmp_path, trusted=False) as own:
        assert await called_command(PromptText("/git:commit"), own.project) is None
        listed = (await run_slash(Slash("commands", ""), own.project, own.session)).markdown
        assert "git:commit" not in listed and "the folder is not trusted" in listed


async def test_a_switch_holds_until_it_is_taken_back(tmp_path: Path):
    command(tmp_path, "fix", "---\ndescription: Fixes *it*\nargument-hint: '[what]'\n---\nFix it.")
    async with harness(tmp_path) as own:
        run = own.project, own.session
        listed = (await run_slash(Slash("commands", ""), *run)).markdown
        assert listed.startswith("- `/fix` \\[what\\] (of this folder, ")
        assert listed.endswith(" tokens once sent): Fixes \\*it\\*")
        off = (await run_slash(Slash("commands", "off fix"), *run)).markdown
        assert "(of this folder, off)" in off
        with pytest.raises(InvalidInput, match="is switched off"):
            await run_slash(Slash("fix", ""), *run)
        await run_slash(Slash("commands", "on fix"), *run)
        assert (await answered(own, "/fix")).prompt.text == "Fix it."
        with pytest.raises(NotFound):
            await run_slash(Slash("commands", "off compact"), *run)
        with pytest.raises(InvalidInput, match="takes on or off"):
            await run_slash(Slash("commands", "fix"), *run)


async def test_what_cannot_be_used_is_named_where_it_is_called(tmp_path: Path):
    command(tmp_path, "fix", "---\nnever ends")
    async with harness(tmp_path) as own:
        with pytest.raises(InvalidInput, match=r"commands/fix\.md has a front matter without"):
            await run_slash(Slash("fix", ""), own.project, own.session)
        listed = (await run_slash(Slash("commands", ""), own.project, own.session)).markdown
        assert "fix.md has a front matter without an end: not used" in listed
