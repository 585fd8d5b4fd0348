"""Random refusals: no session is stranded, no second prompt meets what the first one met."""

import random

import pytest

from plimsoll.context.log.messages import Role
from plimsoll.providers.base import Request
from plimsoll.providers.mends.known import KnownMends
from plimsoll.providers.mends.mending import Mending, Server
from plimsoll.storage.rows_file import RowsFile
from providers.mends.refusing import ADDRESS, DIALECTS, MODEL, TOOLS, Scenes, play
from providers.mends.rules import Body, rows

CASES = 300


@pytest.mark.parametrize("seed", [26])
def test_no_refusal_strands_a_session(seed: int, tmp_path):
    for number in range(CASES):
        chance = random.Random(f"{seed}-{number}")
        rows = RowsFile(tmp_path / f"{number}.json", lambda _: None)
        outcome = play(chance, rows if number % 2 else None)
        assert (number, outcome.again, outcome.missing) == (number, 0, [])
        assert len(outcome.told) == len(set(outcome.told))


@pytest.mark.parametrize("dialect", ["chat", "responses"])
def test_where_nothing_is_refused_each_request_begins_with_the_one_before(dialect: str):
    for number in range(60):
        scenes = Scenes(dialect, random.Random(number))
        scenes.play(6)
        before: list[Body] = []
        for end, message in enumerate(scenes.messages, 1):
            more = scenes.messages[end : end + 1]
            if message.role is Role.TOOL and more and more[0].role is Role.TOOL:
                # No request is made while a result is missing.
                continue
            request = Request(model=MODEL, messages=tuple(scenes.messages[:end]), tools=TOOLS)
            mending = Mending(KnownMends(), Server(ADDRESS, MODEL), request)
            now = rows(mending.body(DIALECTS[dialect](mending.request)))
            assert now[: len(before)] == before
            before = now
