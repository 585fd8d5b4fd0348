"""`/hooks`: the hooks that are set and what came of them."""

import pytest

from plimsoll.session.commands.slash import Slash, run_slash
from plimsoll.session.hooks.listing import NONE, UNTRUSTED
from session.hooks.hooked import READ, hook, hooked, script


async def listed(own) -> str:
    reply = await run_slash(Slash("hooks", ""), own.project, own.session)
    return reply.markdown


@pytest.mark.slow
async def test_hooks_are_listed_with_their_last_runs(tmp_path):
    hooks = [hook("PreToolUse", "echo no >&2; exit 2", "Read"), hook("Stop", "true", seconds=5)]
    async with hooked(tmp_path, hooks, *script(READ)) as own:
        await own.turn("Do it.")
        text = await listed(own)
        assert "- PreToolUse for `Read`: `echo no >&2; exit 2`, at most 120 s" in text
        assert "- Stop: `true`, at most 5 s" in text
        assert "- PreToolUse: `echo no >&2; exit 2` denied the call, " in text


async def test_without_hooks_it_says_where_they_are_set(tmp_path):
    async with hooked(tmp_path, []) as own:
        assert await listed(own) == NONE


async def test_in_a_folder_that_is_not_trusted_it_says_that_none_runs(tmp_path):
    async with hooked(tmp_path, [hook("Stop", "true")], trusted=False) as own:
        assert UNTRUSTED in await listed(own)
