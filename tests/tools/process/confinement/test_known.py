"""Which sandbox has worked on a machine is kept, and a lesser one is said each time."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.rules import find_sandbox
from plimsoll.tools.process.confinement.base import UNCONFINED, Access, Probed, Rung, Unavailable
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.confinement.known import UNKNOWN, keep_sandbox, kept_sandbox
from plimsoll.tools.process.confinement.weakening import compare_with_known
from sandboxes import NO_BUBBLEWRAP, PassThrough, confining

GONE = Probed(PassThrough(rung="landlock", coverage="partial"), (NO_BUBBLEWRAP,))


def test_it_is_kept_for_its_owner_alone(tmp_path: Path):
    data = tmp_path / "data"
    assert kept_sandbox(data, "m1") is None
    keep_sandbox(data, "m1", "bubblewrap")
    assert kept_sandbox(data, "m1") == "bubblewrap"
    assert (data / "sandbox").stat().st_mode & 0o777 == 0o600
    # Of a home that two machines share, one says nothing of the other.
    assert kept_sandbox(data, "m2") is None


@pytest.mark.parametrize("text", ["", "\0\0", "m1", "m1 bubble wrap", "m1 \xff", "x" * 10_000])
def test_what_is_damaged_is_unknown(tmp_path: Path, text: str):
    (tmp_path / "sandbox").write_text(text, "latin-1")
    assert kept_sandbox(tmp_path, "m1") == UNKNOWN


def test_a_folder_in_its_place_is_unknown(tmp_path: Path):
    (tmp_path / "sandbox").mkdir()
    assert kept_sandbox(tmp_path, "m1") == UNKNOWN


@pytest.mark.parametrize(
    ("now", "known", "less"),
    [
        ("bubblewrap", None, False),
        ("bubblewrap", "landlock", False),
        ("bubblewrap", UNKNOWN, False),
        ("landlock", "landlock", False),
        ("landlock", None, False),
        ("none", None, False),
        ("landlock", "bubblewrap", True),
        ("none", "landlock", True),
        ("landlock", UNKNOWN, True),
        ("none", "a rung of later", True),
    ],
)
def test_less_than_what_worked_is_said(now: Rung, known: str | None, less: bool):
    sandbox = None if now == "none" else PassThrough(rung=now)
    found = Probed(sandbox, (NO_BUBBLEWRAP,))
    assert (compare_with_known(found, known).less is not None) == less


def test_the_reason_is_said_with_what_to_do():
    assert compare_with_known(GONE, "bubblewrap").less == (
        "The sandbox bubblewrap worked on this machine before, and does not work now, because "
        "bwrap is not installed. To go on with less protection, write `/sandbox accept`."
    )


def test_what_could_not_be_tried_is_no_sandbox_that_is_missing():
    broken = Unavailable("bubblewrap", "It did not answer within 5 s.", broken=True)
    assert compare_with_known(Probed(None, (broken,)), None).less == (
        "Whether the sandbox bubblewrap works is not known. It did not answer within 5 s."
    )


@pytest.mark.slow
@pytest.mark.usefixtures("bubblewrap_program")
def test_a_machine_remembers_what_worked(tmp_path: Path):
    assert find_sandbox(os.environ, (), data=tmp_path).less is None
    assert (tmp_path / "sandbox").read_text().endswith(" bubblewrap\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "bwrap").chmod(0o755)
    kept = (tmp_path / "sandbox").read_bytes()
    without = find_sandbox({**os.environ, "PATH": f"{tmp_path}/bin"}, (), data=tmp_path)
    # Beside a program that does not work the packaged one is tried, where it is installed.
    assert (without.less is None) == (without.sandbox is not None and without.unavailable == ())
    assert (tmp_path / "sandbox").read_bytes() == kept


@pytest.mark.parametrize("known", ["m1 bubblewrap\n", "\0"])
def test_a_person_takes_a_lesser_one_for_what_is_meant(tmp_path: Path, known: str):
    (tmp_path / "sandbox").write_text(known)

    def probe() -> Probed:
        accept = partial(keep_sandbox, tmp_path, "m1", "landlock")
        return replace(compare_with_known(GONE, kept_sandbox(tmp_path, "m1")), accept=accept)

    own = Confining(Probing(probe), confining(tmp_path, PassThrough()).access)
    assert "`/sandbox accept`" in (own.less() or "")
    own.accept_less()
    assert (own.less(), kept_sandbox(tmp_path, "m1")) == (None, "landlock")
    # Nor is it less than what this process had itself.
    own.probing.look_again()
    assert own.less() is None


def test_a_yes_of_a_stronger_sandbox_covers_nothing_in_a_lesser_one_that_was_taken(tools, context):
    def approval(rung: Rung) -> str:
        own = Probed(PassThrough(rung=rung))
        there = Confining(Probing(lambda: own), confining(context.root, PassThrough()).access)
        found = tools["shell"].prepare({"command": "make"}, replace(context, confining=there))
        return found.approval

    assert len({approval(rung) for rung in ("bubblewrap", "landlock", "seatbelt")}) == 3


@pytest.mark.slow
def test_doctor_leaves_nothing_behind(tmp_path: Path):
    data = tmp_path / "data"
    find_sandbox({"PATH": ""}, (), data=data, keep=False)
    assert not data.exists()


def test_a_command_of_a_sandbox_that_is_gone_is_not_run(tmp_path: Path):
    found = [Probed(PassThrough()), GONE, Probed(None, (NO_BUBBLEWRAP,))]
    own = Confining(Probing(lambda: found.pop(0)), confining(tmp_path, PassThrough()).access)
    planned = own.plan_access(network=False)
    assert own.less() is None
    for told in ("bubblewrap", "bubblewrap"):
        own.probing.look_again()
        with pytest.raises(ToolFailed, match="Nothing was run: the sandbox in which") as error:
            own.confine(("/bin/true",), planned, "bubblewrap")
        assert told in str(error.value)
        assert own.less() is not None


def test_a_command_in_a_lesser_sandbox_is_asked_about_each_time(tools, context):
    lesser = Confining(
        Probing(lambda: compare_with_known(GONE, "bubblewrap")),
        confining(context.root, PassThrough()).access,
    )
    intent = tools["shell"].prepare({"command": "make"}, replace(context, confining=lesser))
    assert intent.why_each_time is not None
    assert intent.why_each_time.startswith("The sandbox bubblewrap worked on this machine before")
    # No answer of a better time covers it.
    assert intent.approval == ""


@pytest.mark.slow
async def test_a_sandbox_that_is_removed_runs_nothing_and_the_next_command_asks(
    tools, context, bubblewrap_program: Path
):
    program = context.root.parent / "bwrap"
    program.write_text(f'#!/bin/sh\nexec {bubblewrap_program} "$@"\n')
    program.chmod(0o755)
    real = Bubblewrap(program=program, environment=context.environment)
    found = [Probed(real), Probed(None, (NO_BUBBLEWRAP,))]
    caches = context.root.parent / "c" / "own"
    access = Access(root=context.root, home=Path.home(), caches=caches)
    own = Confining(Probing(lambda: found.pop(0)), lambda _: access)
    there, shell = replace(context, confining=own), tools["shell"]
    intent = shell.prepare({"command": "echo ran >> ran"}, there)
    assert (intent.why_each_time, (await shell.run(intent, there)).exit_code) == (None, 0)
    program.unlink()
    outcome = await shell.run(intent, there)
    assert "[nothing of it was run: its sandbox could not be started]" in outcome.text
    # The yes that was given is for what was shown: now nothing is run by it.
    with pytest.raises(ToolFailed, match="Nothing was run"):
        await shell.run(intent, there)
    assert (context.root / "ran").read_text() == "ran\n"
    asked = shell.prepare({"command": "echo ran >> ran"}, there)
    assert asked.confinement == UNCONFINED
    assert asked.approval == ""
    assert asked.why_each_time is not None
    assert "bwrap is not installed" in asked.why_each_time
