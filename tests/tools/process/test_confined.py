"""A command and its sandbox: what is shown of it, what is run, and what is said when it fails."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.apart.own_folder import OwnFolder
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import UNCONFINED, Access, MovedAside
from plimsoll.tools.process.confinement.confining import OUTSIDE
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.held_back import held_back
from plimsoll.tools.process.shell import APART_WHY, OUTSIDE_WHY
from sandboxes import PassThrough, confining


@pytest.fixture
def context(context: CallContext) -> CallContext:
    return replace(context, confining=confining(context.root, PassThrough()))


def test_the_person_is_told_what_a_command_is_kept_from(prepare):
    intent = prepare("shell", command="make")
    assert intent.confinement.summary == "sandboxed: writes only in this folder, no network"
    assert intent.confinement.coverage == "full"
    assert intent.title == "Run make"


def test_a_command_with_network_is_another_command(prepare):
    plain, asked = prepare("shell", command="make"), prepare("shell", command="make", network=True)
    assert asked.title == "Run with network make"
    assert asked.confinement.network
    assert asked.approval != plain.approval
    assert asked.approval == "shell:foreground+network:120:make"
    tricky = prepare("shell", command="+network:120:make")
    assert tricky.approval != asked.approval


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({}, "foreground+registries"),
        ({"background": True}, "background+registries"),
        ({"network": True}, "foreground+network"),
    ],
)
def test_a_command_with_package_registries_is_another_one_too(tools, context, more, key):
    def access(asked: bool) -> Access:
        known = context.confining.access(asked)
        return replace(known, registries=Registries(("packages.example.org",)))

    there = replace(context, confining=replace(context.confining, access=access))
    intent = tools["shell"].prepare({"command": "make", **more}, there)
    assert intent.approval == f"shell:{key}:120:make"


def test_a_background_command_that_is_not_known_is_said_with_those_that_are(tools, context):
    with pytest.raises(ToolFailed, match=r"no background command 'sh-1'\. Known: none\."):
        tools["shell_read"].prepare({"id": "sh-1"}, context)


def test_outside_the_sandbox_is_asked_about_each_time(prepare):
    intent = prepare("shell", command="make", unconfined=True, background=True, timeout=5)
    assert intent.title == "Run outside the sandbox in the background for at most 5 s make"
    assert intent.confinement == OUTSIDE
    assert intent.why_each_time == OUTSIDE_WHY
    assert intent.approval == ""


def test_where_there_is_no_sandbox_nothing_is_outside(tools, context):
    there = replace(context, confining=confining(context.root, None))
    plain, outside = (
        tools["shell"].prepare({"command": "make", **more}, there)
        for more in ({}, {"unconfined": True})
    )
    assert plain == outside
    assert plain.confinement == UNCONFINED


def test_for_an_agent_with_a_worktree_none_runs_outside_and_none_is_allowed_from_there(
    tools, context, tmp_path
):
    apart = replace(context, own_folder=OwnFolder(tmp_path / "main", ()))
    with pytest.raises(ToolFailed, match="Outside the sandbox no command runs"):
        tools["shell"].prepare({"command": "make", "unconfined": True}, apart)
    inside, plain = (tools["shell"].prepare({"command": "make"}, each) for each in (apart, context))
    assert inside.approval != plain.approval
    bare = replace(apart, confining=confining(context.root, None))
    intent = tools["shell"].prepare({"command": "make"}, bare)
    assert (intent.approval, intent.why_each_time) == ("", APART_WHY)


def test_a_person_s_network_is_said(tools, context):
    there = replace(context, confining=confining(context.root, PassThrough(), network=True))
    intent = tools["shell"].prepare({"command": "make"}, there)
    assert intent.confinement.network
    assert intent.plan.access.network


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "told"), [({}, "yes"), ({"network": True}, "network"), ({"unconfined": True}, "")]
)
async def test_what_was_shown_is_how_it_runs(more, told, use):
    outcome = await use("shell", command="echo ${CONFINED-}", **more)
    assert outcome.text == f"{told or '[no output]'}\n[exit code: 0]"


FILES = "sh: 1: cannot create /etc/x: Read-only file system"
NETWORK = "curl: (6) Could not resolve host: example.org"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "code", "found"),
    [
        (FILES, 1, "files"),
        ("mkdir: cannot create directory '/x': Permission denied", 1, "files"),
        ("OSError: [Errno 1] Operation not permitted: '.git/config'", 1, "files"),
        (NETWORK, 6, "network"),
        ("connect: Network is unreachable", 2, "network"),
        ("1 test failed", 1, None),
        (FILES, 0, None),
        ("cat: /srv/data/rates.csv: No such file or directory", 1, "files"),
        ("Error: ENOENT: no such file or directory, open '/data/x'", 1, "files"),
        ("cat: /usr/share/gone: No such file or directory", 1, None),
        ("cat: src/gone.py: No such file or directory", 1, None),
    ],
)
async def test_a_failure_by_the_sandbox_is_said_as_the_guess_that_it_is(said, code, found, use):
    outcome = await use("shell", command=f'echo "{said}"; exit {code}')
    assert outcome.held_back == found
    assert ("It may have failed because" in outcome.text) == (found is not None)
    assert ("unconfined: true" in outcome.text) == (found == "files")
    assert ("network: true" in outcome.text) == (found == "network")


def test_what_was_not_confined_did_not_fail_by_it(context):
    assert held_back(FILES, 1, None) is None
    access = context.confining.access(True)
    assert held_back(NETWORK, 1, access) is None


@pytest.mark.slow
async def test_a_background_command_that_fails_later_says_it_too(use):
    command = f"echo '{FILES}'; until [ -e go ]; do sleep 0.01; done; exit 1"
    begun = await use("shell", command=command, background=True)
    name = begun.text.rpartition("id: ")[2].rstrip("]")
    while FILES not in begun.text:
        begun = await use("shell_read", id=name)
    await use("shell", command="touch go")
    outcome = await use("shell_read", id=name)
    while outcome.exit_code is None:
        outcome = await use("shell_read", id=name)
    assert outcome.held_back == "files"


@pytest.mark.slow
async def test_who_acts_on_the_folder_hears_of_a_command_what_was_moved_aside(tools, context):
    moved = MovedAside(path=context.root / ".git", place=Path("/kept/.git"), why="git runs hooks")
    heard = []
    there = replace(
        context,
        confining=confining(context.root, PassThrough(moves=(moved,))),
        hear_command=heard.append,
    )
    outcome = await tools["shell"].run(tools["shell"].prepare({"command": "true"}, there), there)
    assert outcome.text.split("\n") == ["[no output]", "[exit code: 0]"]
    (command,) = heard
    assert (command.command, command.is_over) == ("true", True)
    assert [command.take_moved(), command.take_moved()] == [(moved,), ()]


@pytest.mark.slow
async def test_a_new_link_out_is_said_and_what_is_written_through_it_is_asked_about(tools, context):
    outside, guarded = context.root.parent / "outside", PassThrough(guards=True)
    there = replace(context, confining=confining(context.root, guarded))
    command = f"ln -s {outside} out.js; mkdir d; ln -s / d/all; ln -s out.js second"
    outcome = await tools["shell"].run(tools["shell"].prepare({"command": command}, there), there)
    told = next(line for line in outcome.text.split("\n") if "links" in line)
    assert all(f"{name} -> " in told for name in ("out.js", "second", "d/all"))
    for name in ("out.js", "second", f"d/all{outside}"):
        intent = tools["file_write"].prepare({"path": name, "content": "x"}, there)
        assert intent.ask
        assert f"{outside} (outside the workspace)" in intent.title
        # With a number of its own: no answer for the session covers it.
        assert intent.approval.startswith(f"edit:{outside}#")
