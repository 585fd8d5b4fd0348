"""One hook's process: what it is given and says, its end, and what it cannot do to us."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.hooks import HookOutput, HookRequest
from plimsoll.tools.process.hook_process import MOST_ERRORS, run_hook
from plimsoll.tools.process.processes import Processes
from sandboxes import PassThrough, confining

pytestmark = pytest.mark.slow


@pytest.fixture
async def run(context: CallContext, tmp_path: Path) -> AsyncIterator:
    processes, sandbox = Processes(), PassThrough()
    there = replace(context, confining=confining(context.root, sandbox))

    async def run(command: str, *, given: str = "{}", seconds: float = 120, **more) -> HookOutput:
        request = HookRequest(command=command, given=given, seconds=seconds, **more)
        return await run_hook(processes, tmp_path / "own", request, there)

    run.sandbox, run.context, run.processes = sandbox, there, processes
    yield run
    await processes.close()


async def test_input_output_errors_and_code_are_told_apart(run):
    done = await run("cat; echo wrong >&2; exit 3", given='{"a": "ä"}')
    assert done == HookOutput(code=3, output='{"a": "ä"}', errors="wrong\n")


async def test_an_input_of_megabytes_need_not_be_read(run):
    assert await run("echo '{}'", given="x" * 5_000_000) == HookOutput(output="{}\n")


async def test_no_sign_of_a_command_is_one_of_the_shell_around_it(run):
    done = await run("echo \"')}\" '${PLIMSOLL_HOOK}' # {shell} ) }")
    assert done == HookOutput(output="')} ${PLIMSOLL_HOOK}\n")


async def test_it_is_told_the_folder_as_by_other_agents(run):
    done = await run("pwd; echo $CLAUDE_PROJECT_DIR; echo ${CONFINED-}")
    root = str(run.context.root)
    assert done.output.split("\n")[:3] == [root, root, "yes"]


async def test_what_hangs_is_ended_in_time_and_what_it_left_keeps_nobody_waiting(run):
    loop = asyncio.get_running_loop()
    assert (await run("sleep 60", seconds=0.5)).problem == "timeout"
    began = loop.time()
    assert await run("sleep 60 & echo '{}'", seconds=50) == HookOutput(output="{}\n")
    assert loop.time() - began < 40


@pytest.mark.parametrize("command", ["yes", "yes >&2"])
async def test_too_much_output_ends_it(run, command):
    assert (await run(command)).problem == "too much output"


async def test_many_errors_are_read_up_to_a_limit(run):
    done = await run("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 2")
    assert (done.code, len(done.errors)) == (2, MOST_ERRORS)


async def test_a_file_in_the_place_of_ours_is_not_read(run, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("treasure")
    folder = '"$(dirname "$(readlink /proc/$$/fd/0)")"'
    swap = f"rm errors; ln -s {secret} errors"
    done = await run(f"cd {folder}; {swap}; echo said >&2; exit 2")
    assert (done.problem, done.code, done.errors) == (None, 2, "said\n")


async def test_a_code_in_the_place_of_ours_does_not_count(run, tmp_path):
    folder = '"$(dirname "$(readlink /proc/$$/fd/0)")"'
    done = await run(f"cd {folder}; rm code; ln -s {tmp_path / 'other'} code; exit 0")
    # What says in its place that all is well is not heard: a hook that is not understood denies.
    assert (tmp_path / "other").read_text() == "0\n"
    assert done == HookOutput(code=1)


async def test_without_a_sandbox_a_confined_hook_does_not_begin(run, context):
    request = HookRequest(command="touch ran", given="{}", seconds=5)
    for there in (context, replace(context, confining=confining(context.root, None))):
        done = await run_hook(run.processes, Path("/nowhere"), request, there)
        assert done.problem == "not started"
    assert not (context.root / "ran").exists()


async def test_only_with_a_persons_word_it_runs_as_it_is(run):
    assert (await run("echo ${CONFINED-no}", confined=False)).output == "no\n"


async def test_it_may_read_the_persons_own_programs(run, tmp_path):
    (tmp_path / "own").mkdir()
    await run("true")
    assert run.sandbox.accesses[-1].readable == (tmp_path / "own",)


async def test_nothing_of_it_stays_behind(run):
    done = await run("readlink /proc/$$/fd/0")
    folder = Path(done.output.strip()).parent
    assert folder.name.startswith("plimsoll-hook-")
    assert not folder.exists()


async def test_a_cancel_ends_it(run):
    began = run.context.root / "began"
    task = asyncio.create_task(run("echo $$ >began.tmp; mv began.tmp began; exec sleep 60"))
    while not began.exists():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(int(began.read_text()), 0)
