"""`/sandbox`: what commands are kept from, and a lesser sandbox that is taken for what is meant."""

from functools import partial
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.slash import Slash, run_slash
from plimsoll.tools.process.confinement.base import Probed
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.confinement.weakening import compare_with_known
from sandboxes import NO_BUBBLEWRAP, PassThrough, confining
from session.harness import harness


async def test_a_lesser_sandbox_is_shown_with_its_reason_and_taken(tmp_path: Path):
    known = ["bubblewrap"]

    def probe() -> Probed:
        found = Probed(PassThrough(rung="landlock", coverage="partial"), (NO_BUBBLEWRAP,))
        return Probed(
            found.sandbox,
            less=compare_with_known(found, known[-1]).less,
            accept=partial(known.append, "landlock"),
        )

    def lesser(root: Path) -> Confining:
        return Confining(Probing(probe), confining(root, PassThrough()).access)

    async with harness(tmp_path, confining=lesser) as own:

        async def said(rest: str) -> str:
            return (await run_slash(Slash("sandbox", rest), own.project, own.session)).markdown

        shown = await said("")
        assert shown.startswith("Commands are sandboxed: writes only in this folder, no network.")
        assert (
            "bwrap is not installed. To go on with less protection, write `/sandbox accept`."
            in shown
        )
        assert known == ["bubblewrap"]
        with pytest.raises(InvalidInput, match="/sandbox takes accept"):
            await said("accept all")
        assert "From now on that is what counts" in await said("accept")
        assert known == ["bubblewrap", "landlock"]
        assert "\n" not in await said("")
        assert "the strongest sandbox that has worked" in await said("accept")
        assert known == ["bubblewrap", "landlock"]


async def test_without_a_sandbox_that_is_said(tmp_path: Path):
    async with harness(tmp_path) as own:
        found = await run_slash(Slash("sandbox", ""), own.project, own.session)
        assert "can do all that you can" in found.markdown
