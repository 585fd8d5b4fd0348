"""Two sessions that edit one file: the second is told by whom, and reads again before it edits."""

from plimsoll.session.ports.content import PromptText
from session.agents.scripts import calls, read, rule, words, write
from session.harness import harness


async def test_the_second_one_reads_again_before_it_edits(tmp_path):
    rules = [
        rule("^Read", calls(read("a.txt")), words("Read.")),
        rule("^First", calls(write("a.txt", "first\n")), words("Written.")),
        rule(
            "^Second",
            calls(write("a.txt", "second\n")),
            calls(read("a.txt")),
            calls(write("a.txt", "second\n")),
            words("Written."),
        ),
    ]
    async with harness(tmp_path, rules=rules, files=True) as own:
        (own.folder / "a.txt").write_text("7\n")
        await own.turn("Read")
        other = await own.project.new()
        for text in ("First", "First"):
            await other.prompt([PromptText(text)])
            await other.wait()
        await own.turn("Second")
        results = [text for role, text in own.said() if role == "tool"]
        assert results[1].startswith("a.txt was changed by another session (First) after you read")
        assert (own.folder / "a.txt").read_text() == "second\n"
