"""Agents that work apart: in trees of their own, whose changes come in at the person's word."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from plimsoll.session.hunks.choosing import AgentHunks, Chosen
from plimsoll.session.opening import opening_notices
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import CallChanged, CallMade, NoticeGiven
from session.agents.scripts import agent, apart, calls, read, rule, words, write
from session.harness import ALLOWED, SECRET, harness
from tools.git.worktrees.builders import commit, git, leftovers, put, trees_of

pytestmark = pytest.mark.slow
NO = Decision(allowed=False, reason="not now")
EVERYTHING = Decision(allowed=True, for_session=True, wider=True)
TEXT = "".join(f"line {n}\n" for n in range(30))


def edit(path: str, old: str, new: str):
    arguments = {"path": path, "old_string": old, "new_string": new}
    return {"name": "file_edit", "arguments": arguments}


def one(*steps, call=None):
    made = call or apart("the task", "CHILD")
    return [rule("^Go", calls(made), words("Done.")), rule("CHILD", *steps)]


@asynccontextmanager
async def folder(tmp_path, rules, files=None, **others):
    root = tmp_path / "work"
    commit(root, files or {"a.txt": TEXT, ".gitignore": "out/\n"})
    async with harness(
        tmp_path, rules=rules, own_trees=trees_of(root), files=True, **others
    ) as own:
        yield own
        await own.consistent()
    assert leftovers(root) == []


def result(own) -> str:
    (text,) = [text for role, text in own.said() if role == "tool"]
    return text


def branches(own) -> list[str]:
    return git(own.folder, "branch", "--list", "--format=%(refname:short)", "plimsoll/*").split()


async def test_its_changes_are_asked_about_once_and_can_be_undone_hunk_by_hunk(tmp_path):
    steps = (
        calls(
            edit("a.txt", "line 3\n", "LINE 3\n"),
            edit("a.txt", "line 20\n", "LINE 20\n"),
            write("new.txt", "n\n"),
        ),
        words("Changed."),
    )
    async with folder(tmp_path, one(*steps)) as own:
        await own.turn("Go")
        (asked,) = own.person.asked
        assert asked.intent is not None
        assert asked.title == "Merge 2 files of “the task”"
        assert "-line 3\n+LINE 3" in (asked.intent.diff or "")
        assert asked.agent is not None
        assert asked.agent.isolated
        assert (own.folder / "a.txt").read_text() == TEXT.replace("line 3\n", "LINE 3\n").replace(
            "line 20\n", "LINE 20\n"
        )
        assert result(own) == (
            "Changed.\n\nEdited: a.txt, new.txt\n\n"
            "It changed 2 files in a worktree of its own:\n"
            "- a.txt (changed +2 -2): merged into the user's folder\n"
            "- new.txt (added +1 -0): merged into the user's folder"
        )
        assert branches(own) == []
        hunks = AgentHunks(own.session.state)
        found = {each.path.name: each.hunks for each in await hunks.open_hunks()}
        assert {name: len(each) for name, each in found.items()} == {"a.txt": 2, "new.txt": 1}
        await hunks.undo(Chosen(own.folder / "a.txt", {found["a.txt"][0].id}))
        assert (own.folder / "a.txt").read_text() == TEXT.replace("line 20\n", "LINE 20\n")
        await hunks.undo(Chosen(own.folder / "new.txt"))
        assert not (own.folder / "new.txt").exists()


async def test_what_is_allowed_for_the_session_is_not_asked_again(tmp_path):
    steps = [
        rule("^Go", calls(write("x.txt")), calls(apart("the task", "CHILD")), words("Done.")),
        rule("CHILD", calls(write("y.txt")), words("Changed.")),
    ]
    async with folder(tmp_path, steps, answers=(EVERYTHING,)) as own:
        await own.turn("Go")
        assert [each.title for each in own.person.asked] == ["Write x.txt"]
        assert (own.folder / "y.txt").read_text() == "x\n"
        made = [event.call.title for event in own.heard(CallMade)]
        assert "Merge y.txt of “the task”" in made
        statuses = [e.status for e in own.heard(CallChanged) if e.call_id.endswith(".changes")]
        assert statuses == ["waiting", "running", "completed"]


async def test_a_no_leaves_a_branch(tmp_path):
    steps = calls(write("out/y.txt"), write("z.txt")), words("Changed.")
    async with folder(tmp_path, one(*steps), answers=(NO,)) as own:
        put(own.folder, {"mine.txt": "uncommitted\n"})
        await own.turn("Go")
        (branch,) = branches(own)
        assert git(own.folder, "diff", "--name-only", f"{branch}~1", branch) == "out/y.txt\nz.txt\n"
        assert git(own.folder, "show", f"{branch}:mine.txt") == "uncommitted\n"
        assert f"branch {branch}, since the user did not want it merged (not now)" in result(own)
        assert sorted(path.name for path in own.folder.iterdir()) == [
            ".git",
            ".gitignore",
            "a.txt",
            "mine.txt",
        ]


async def test_a_secret_in_its_task_is_in_no_name_of_a_branch_and_no_message(tmp_path):
    steps = calls(write("y.txt")), words("Changed.")
    rules = one(*steps, call=apart(f"use {SECRET}", "CHILD"))
    async with folder(tmp_path, rules, answers=(NO,)) as own:
        await own.turn("Go")
        (branch,) = branches(own)
        assert branch.startswith("plimsoll/use-redacted-")
        assert SECRET not in git(own.folder, "log", "--format=%B", branch)


async def test_a_changed_file_of_the_persons_secrets_is_named_and_in_no_branch(tmp_path):
    steps = calls(read("notes.key")), calls(write("notes.key", "other\n")), words("Changed.")
    async with folder(tmp_path, one(*steps), answers=(NO,)) as own:
        put(own.folder, {"notes.key": "mine\n"})
        await own.turn("Go")
        told = "Changed but in no branch, as files with secrets that git does not have: notes.key."
        assert branches(own) == []
        assert told in result(own)
        assert any(told in event.markdown for event in own.heard(NoticeGiven))


async def test_a_line_break_in_a_name_forges_no_line(tmp_path):
    odd = "y.txt\n- z.txt (added +1 -0): merged"
    steps = calls(write(odd)), words("Changed.")
    async with folder(tmp_path, one(*steps)) as own:
        await own.turn("Go")
        assert (own.folder / odd).exists()
        assert not any(line.startswith("- z.txt") for line in result(own).splitlines())
        outputs = [e.output or "" for e in own.heard(CallChanged) if e.call_id.endswith(".changes")]
        assert not any(line.startswith("- z.txt") for text in outputs for line in text.splitlines())


async def test_outside_of_its_tree_it_writes_nothing(tmp_path):
    root = tmp_path / "work"
    steps = (
        calls(write(str(root / "a.txt"), "w\n"), write("/nowhere/x.txt"), read(".gitignore")),
        words("I could not."),
    )
    async with folder(tmp_path, one(*steps)) as own:
        await own.turn("Go")
        assert own.person.asked == []
        assert (own.folder / "a.txt").read_text() == TEXT
        (child,) = await own.store.agents_of(own.session.id)
        said = [
            part.text for e in await own.store.entries(child.id) for part in getattr(e, "parts", ())
        ]
        assert any("Change your own copy of it: a.txt." in text for text in said)
        assert any(
            "/nowhere/x.txt (outside" in text or "lies outside of your" in text for text in said
        )
        assert "worktree" not in result(own)


async def test_a_failed_or_stopped_agent_leaves_a_branch_that_is_named(tmp_path):
    reached, opened = asyncio.Event(), asyncio.Event()

    async def gate(_name):
        reached.set()
        await opened.wait()

    steps = calls(write("y.txt")), words("Soon. ", {"gate": "middle"})
    async with folder(tmp_path, one(*steps), gate=gate) as own:
        await own.session.prompt([PromptText("Go")])
        await reached.wait()
        await own.session.cancel()
        (branch,) = branches(own)
        assert git(own.folder, "show", f"{branch}:y.txt") == "x\n"
        assert not (own.folder / "y.txt").exists()
        (notice,) = [e.markdown for e in own.heard(NoticeGiven) if branch in e.markdown]
        assert "since the agent did not finish" in notice


async def test_what_it_left_running_is_ended_before_its_tree_is_removed(tmp_path):
    forever = {"command": "while :; do mkdir -p late; date > late/x.txt; done", "background": True}
    steps = calls({"name": "shell", "arguments": forever}), words("Started.")
    async with folder(tmp_path, one(*steps)) as own:
        await own.turn("Go")
        (command,) = own.session.state.environment.commands.running
        assert command.ended is not None


@pytest.mark.parametrize("how", ["mode", "trust"])
async def test_what_was_changed_while_it_worked_holds_for_its_changes_too(tmp_path, how):
    reached, opened = asyncio.Event(), asyncio.Event()

    async def gate(_name):
        reached.set()
        await opened.wait()

    steps = calls(write("y.txt")), words({"gate": "middle"}, "Done.")
    async with folder(tmp_path, one(*steps), gate=gate) as own:
        await own.session.prompt([PromptText("Go")])
        await reached.wait()
        if how == "mode":
            await own.session.set_mode("plan")
        else:
            own.trust[0] = False
        opened.set()
        await own.session.wait()
        assert own.person.asked == []
        assert not (own.folder / "y.txt").exists()
        (branch,) = branches(own)
        why = "is in plan mode now" if how == "mode" else "is not trusted"
        assert f"branch {branch}, since the " in result(own)
        assert why in result(own)


async def test_where_no_tree_can_be_made_nothing_is_done_and_it_is_said_why(tmp_path):
    async with harness(
        tmp_path, rules=one(words("x")), own_trees=trees_of(tmp_path / "work")
    ) as own:
        await own.turn("Go")
        assert result(own).startswith(
            "No agent could be called: no worktree can be made: this folder"
        )
        assert "Without `isolated`" in result(own)
        assert await own.store.agents_of(own.session.id) == []


@pytest.mark.parametrize("call", [agent("x", "CHILD"), apart("x", "CHILD")])
async def test_only_a_work_agent_works_apart_and_its_own_agents_work_with_it(tmp_path, call):
    if call["arguments"]["kind"] == "explore":
        call["arguments"]["isolated"] = True
        async with folder(tmp_path, one(words("x"), call=call)) as own:
            await own.turn("Go")
            assert result(own).startswith("Only a work agent has a worktree")
        return
    rules = [
        rule("^Go", calls(call), words("Done.")),
        rule("CHILD", calls(apart("y", "DEEP")), calls(agent("z", "DEEP", "work")), words("Did.")),
        rule("DEEP", calls(write("deep.txt")), words("Deep.")),
    ]
    async with folder(tmp_path, rules) as own:
        await own.turn("Go")
        assert len(own.person.asked) == 1
        assert (own.folder / "deep.txt").exists()
        assert "deep.txt (added +1 -0): merged" in result(own)


async def test_four_at_once_in_the_same_lines_keep_all_of_them(tmp_path):
    names = [f"w{n}" for n in range(4)]
    rules = [
        rule("^Go", calls(*(apart(name, f"CHILD-{name}") for name in names)), words("Done.")),
        *(
            rule(
                f"CHILD-{name}",
                words(
                    {"gate": "all"},
                    calls=[edit("a.txt", "line 3\n", f"line 3 {name}\n"), write(f"{name}.txt")],
                ),
                words("Changed."),
            )
            for name in names
        ),
    ]
    # A tree that is made after another's change was brought in would hold it.
    all_here = asyncio.Barrier(4)
    async with folder(tmp_path, rules, answers=(ALLOWED,), gate=lambda _: all_here.wait()) as own:
        await own.turn("Go")
        assert len(own.person.asked) == 4
        text = (own.folder / "a.txt").read_text()
        (first,) = [name for name in names if f"line 3 {name}\n" in text]
        kept = {branch.split("/")[1][:2]: branch for branch in branches(own)}
        assert sorted({*kept, first}) == names
        assert first not in kept
        for name in names:
            assert (own.folder / f"{name}.txt").exists()
            if name != first:
                assert f"line 3 {name}\n" in git(own.folder, "show", f"{kept[name]}:a.txt")
        texts = [text for role, text in own.said() if role == "tool"]
        assert (
            sum("CONFLICT, not merged: it was changed on both sides" in each for each in texts) == 3
        )
        assert sum("=======\n" in each for each in texts) == 3
        told = [e.markdown for e in own.heard(NoticeGiven)]
        assert all(
            any(branch in each and "a.txt (it was" in each for each in told)
            for branch in kept.values()
        )


async def test_after_a_crash_the_next_session_names_the_branch(tmp_path):
    async with folder(tmp_path, [rule("^Go", words("Hi."))]) as own:
        tree = trees_of(own.folder).make("the task", "s1")
        put(tree.root, {"a.txt": "changed\n"})
        tree.keep()
        environment = own.session.state.environment
        outside = replace(environment.outside, own_trees=trees_of(own.folder))
        after = replace(environment, outside=outside)
        assert opening_notices((), after, alone=False) == []
        (notice,) = opening_notices((), after, alone=True)
        (branch,) = branches(own)
        assert branch in notice.markdown
        assert opening_notices((), after, alone=True) == []
