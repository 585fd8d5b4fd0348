"""A commit message: what the model is asked, what is taken of its answer, and what it costs."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, ProviderAnswer, ProviderError, SpendLimitReached
from plimsoll.session.background.commit_message import message_in, write_commit_message
from plimsoll.session.commands.slash import parse_command, run_slash
from plimsoll.session.ports.events import UsageReported
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.cost import cost_rows
from plimsoll.tools.ports.repository import DiffOfFiles, WorkingChanges
from session.harness import SECRET, harness
from session.known_repository import know

STAGED = DiffOfFiles(("M a.py", "A .env"), f"--- a/a.py\n+KEY = '{SECRET}'\n")
CHANGES = WorkingChanges(
    staged=STAGED,
    unstaged=DiffOfFiles(("M b.py",), "--- a/b.py\n"),
    untracked=("c.py",),
    withheld=(".env",),
)
NOTHING = DiffOfFiles()
ANSWER = {"text": "feat: add a key", "usage": {"input": 400, "output": 6}}


@pytest.mark.parametrize(
    ("answer", "beginning", "message"),
    [
        ("fix: a\n\nWhy.\n", "", "fix: a\n\nWhy."),
        ("```text\nfix: a\n\nb\n```", "", "fix: a\n\nb"),
        ('"fix: a"', "", "fix: a"),
        ("fix:\u202e a\x1b[31m \n\u200bb", "", "fix: a[31m\nb"),
        ("fix(x): a", "fix(x):", "fix(x): a"),
        ("a", "fix(x): ", "fix(x): a"),
        ("And why.", "fix: a\n\nb", "fix: a\n\nb\n\nAnd why."),
    ],
)
def test_the_message_is_what_the_answer_holds(answer: str, beginning: str, message: str):
    assert message_in(answer, beginning) == message


def test_an_answer_without_a_word_is_no_message():
    with pytest.raises(ProviderAnswer, match="wrote no commit message"):
        message_in("```\n```")


async def test_the_model_is_asked_once_beside_the_conversation(tmp_path: Path):
    async with harness(tmp_path, {"text": "Hello."}, ANSWER, {"text": "Bye."}) as h:
        await h.turn("Hi")
        know(h.session.state, CHANGES, "feat: begin", "fix: mend")
        written = await write_commit_message(h.session, "feat")
        assert (written.text, written.staged) == ("feat: add a key", True)
        (asked,) = h.provider.requests[-1].messages
        assert SECRET not in asked.text
        for part in ("<subjects>\nfeat: begin\nfix: mend\n</subjects>", "<beginning>\nfeat\n"):
            assert part in asked.text
        assert asked.text.endswith(
            "<change>\nM a.py\nA .env\n\n--- a/a.py\n+KEY = '[redacted]'\n</change>"
        )
        await h.turn("Bye")
        assert "<change>" not in repr(h.provider.requests[-1].messages)
        (row,) = (r for r in cost_rows(h.entries) if r.purpose == "commitMessage")
        assert (row.input, row.output) == (400, 6)
        assert [e.purpose for e in h.heard(UsageReported)].count("commitMessage") == 1
        await h.consistent()


async def test_what_is_not_staged_counts_where_nothing_is_and_the_command_says_so(tmp_path: Path):
    async with harness(tmp_path, ANSWER) as h:
        know(h.session.state, replace(CHANGES, staged=NOTHING))
        slash = parse_command("/commit-message")
        assert slash is not None
        reply = await run_slash(slash, h.project, h.session)
        assert reply.markdown == (
            "A commit message for all changed files, as nothing is staged:\n\n"
            "```text\nfeat: add a key\n```"
        )
        assert "--- a/b.py" in h.provider.requests[-1].messages[0].text


async def test_a_large_change_is_cut_to_half_the_window(tmp_path: Path):
    long = replace(STAGED, diff="".join(f"+line {number}\n" for number in range(30_000)))
    async with harness(tmp_path, ANSWER, window=16_000) as h:
        know(h.session.state, replace(CHANGES, staged=long))
        await write_commit_message(h.session)
        text = h.provider.requests[-1].messages[0].text
        assert "[truncated: 30,001 lines" in text
        assert h.session.state.model.ledger.bare(text) < 8_500


async def test_nothing_is_asked_where_nothing_can_come_of_it(tmp_path: Path):
    spent = SessionRules(spending=(SpendLimit("session", "tokens", 100),))
    async with harness(tmp_path, ANSWER, allowed=spent) as h:
        state = h.session.state
        know(state, replace(CHANGES, staged=NOTHING, unstaged=NOTHING))
        with pytest.raises(InvalidInput, match="no file that git knows is changed"):
            await write_commit_message(h.session)
        know(state, CHANGES, trusted=False)
        with pytest.raises(InvalidInput, match="not trusted"):
            await write_commit_message(h.session)
        know(state, CHANGES)
        with pytest.raises(SpendLimitReached, match="spend_limit_tokens"):
            await write_commit_message(h.session)
        assert h.provider.requests == []


async def test_a_model_that_fails_says_so_and_can_be_asked_again(tmp_path: Path):
    broken = {"error": "unavailable"}
    async with harness(tmp_path, broken, ANSWER) as h:
        know(h.session.state, CHANGES)
        with pytest.raises(ProviderError):
            await write_commit_message(h.session)
        assert (await write_commit_message(h.session)).text == "feat: add a key"
