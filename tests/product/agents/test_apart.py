"""Agents in worktrees of their own, over the real server: confined, asked about, killed."""

import os
import random
import time

import pytest

from left_out import not_on_this_machine
from sandboxes import find_bubblewrap
from session.agents.scripts import apart, calls, read, rule, words, write
from tools.git.worktrees.builders import commit, git, put, state_of

pytestmark = pytest.mark.slow
PERMISSION = "plimsoll/session/requestPermission"
ALLOW = {"outcome": "selected", "optionId": "allowOnce"}
DECLINE = {"outcome": "selected", "optionId": "rejectOnce"}


def shell(command):
    return {"name": "shell", "arguments": {"command": command}}


def leftovers(product):
    return [
        *(str(path) for path in (product.home / "data/projects").glob("*/worktrees/*")),
        *git(product.workspace, "worktree", "list").splitlines()[1:],
    ]


def loaded(product, session=None):
    params = {"workspaceFolder": product.uri, **({"sessionId": session} if session else {})}
    return product.call("plimsoll/session/load", params)


def results(product, session):
    parts = [part for each in loaded(product, session)["messages"] for part in each["parts"]]
    return [part["text"] for part in parts if part["type"] == "toolResult"]


def test_commands_see_the_tree_and_its_dependencies_and_write_to_the_tree_alone(start):
    if find_bubblewrap(os.environ["PATH"]) is None:
        not_on_this_machine("bubblewrap")
    there = "$(dirname $(readlink node_modules))"
    command = (
        "cat node_modules/m.js; echo x > in.txt; echo y > node_modules/y.js; "
        f"echo y > {there}/a.txt; cat {there}/a.txt; git status --porcelain; git add -A; "
        "git commit -qm x; git config a.b c; true"
    )
    rules = [
        rule("^Go", calls(apart("the task", "CHILD")), words("Done.")),
        rule("CHILD", calls(shell(command)), words("Changed.")),
    ]
    product = start({"rules": rules}, PLIMSOLL_PERMISSION__CONFINED_COMMANDS="true")
    root = commit(product.workspace, {"a.txt": "a\n", ".gitignore": "node_modules\n"})
    put(root, {"node_modules/m.js": "the module\n"})
    before = state_of(root)
    asked = []

    def answer(params):
        asked.append(params["toolCall"])
        return ALLOW

    product.responses[PERMISSION] = answer
    product.open()
    session = product.new_session()
    product.turn(session, "Go")
    (call,) = asked
    assert call["title"] == "Merge in.txt of “the task”"
    assert call["kind"] == "edit"
    assert call["agent"]["isolated"] is True
    assert (root / "in.txt").read_text() == "x\n"
    assert (root / "a.txt").read_text() == "a\n"
    assert [path.name for path in (root / "node_modules").iterdir()] == ["m.js"]
    (child,) = product.call(
        "plimsoll/session/list", {"workspaceFolder": product.uri, "parentId": session}
    )["sessions"]
    (seen,) = results(product, child["id"])
    assert "the module" in seen
    assert "?? in.txt" in seen
    assert "a\n" not in seen.splitlines()
    assert leftovers(product) == []
    assert state_of(root) == before
    # What the agent has changed is among the changes that a person keeps or undoes.
    (file,) = product.call("plimsoll/hunk/list", {"sessionId": session})["files"]
    assert file["uri"] == (root / "in.txt").as_uri()
    made = [p for m in loaded(product, session)["messages"] for p in m["parts"]]
    (again,) = [part for part in made if part["type"] == "toolCall"]
    assert again["toolCall"]["agent"]["isolated"] is True


@pytest.mark.parametrize("answer", ["declined", "open"])
def test_after_a_kill_the_work_of_an_agent_is_in_a_branch_that_the_next_start_names(start, answer):
    rules = [
        rule("^Go", calls(apart("the task", "CHILD")), words("Done.")),
        rule(
            "CHILD", calls(write("b.txt")), calls(read("a.txt")), words({"gate": "a"}, "Written.")
        ),
    ]
    first = start({"rules": rules})
    root = commit(first.workspace, {"a.txt": "a\n"})
    first.responses[PERMISSION] = lambda _params: DECLINE
    first.open()
    session = first.new_session()
    turn = first.prompt(session, "Go")
    if answer == "declined":
        (first.home / "a").touch()
        first.update("turnEnded", turn)
        assert "since the user did not want it merged" in results(first, session)[0]
    else:
        # It reads after it has written.
        first.wait_for(lambda message: "Read a.txt" in str(message.get("params")))
    first.process.kill()
    first.process.wait()
    second = start({"rules": rules})
    second.open()
    loaded(second)
    branch = git(root, "branch", "--list", "--format=%(refname:short)", "plimsoll/*").strip()
    assert git(root, "show", f"{branch}:b.txt") == "x\n"
    assert not (root / "b.txt").exists()
    assert leftovers(second) == []
    if answer == "open":
        notice = second.update("notice")
        assert branch in notice["markdown"]


def edit(name, old, new):
    return {"name": "file_edit", "arguments": {"path": name, "old_string": old, "new_string": new}}


def lines_in(folder):
    found = (path for path in folder.rglob("*.txt") if ".git" not in path.parts)
    return {line for path in found for line in path.read_text().splitlines()}


@pytest.mark.parametrize("seed", range(2))
def test_four_writers_killed_at_any_moment_lose_no_line_and_leave_nothing(start, seed):
    killed_among_four(start, random.Random(seed).random() * 2.0)


def killed_among_four(start, seconds, home=None):
    """Kill the server among four writers; what stood in a tree is there after the next start."""
    where = {} if home is None else {"home": home}
    names = [f"w{n}" for n in range(4)]
    rules = [
        rule("^Go", calls(*(apart(name, f"CHILD-{name}") for name in names)), words("Done.")),
        *(
            rule(
                f"CHILD-{name}",
                calls(edit("a.txt", "line 3\n", f"line 3 {name}\n")),
                calls(edit(f"{int(name[1]) // 2}.txt", "line 8\n", f"line 8 {name}\n")),
                calls(write(f"{name}.txt", f"new {name}\n")),
                words("Changed."),
            )
            for name in names
        ),
    ]
    first = start({"rules": rules}, **where)
    text = "".join(f"line {n}\n" for n in range(20))
    root = commit(first.workspace, dict.fromkeys(("a.txt", "0.txt", "1.txt"), text))
    first.responses[PERMISSION] = lambda _params: ALLOW
    first.open()
    first.prompt(first.new_session(), "Go")
    time.sleep(seconds)
    first.process.kill()
    first.process.wait()
    before = lines_in(root)
    for tree in (first.home / "data/projects").glob("*/worktrees/*/plimsoll-*"):
        before |= lines_in(tree)
    second = start({"rules": rules}, **where)
    second.open()
    loaded(second)
    branches = git(root, "branch", "--list", "--format=%(refname:short)", "plimsoll/*").split()
    kept = {row for each in branches for row in git(root, "grep", "-h", "", each).splitlines()}
    assert before <= lines_in(root) | kept
    assert leftovers(second) == []
    assert list((second.home / "data/projects").glob("*/worktrees")) == []
    git(root, "fsck", "--strict")
