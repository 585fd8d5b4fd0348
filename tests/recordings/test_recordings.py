"""Our recordings can be made anew, and those of others are all there, or are counted."""

import json

import pytest

from recordings.beside import OTHERS, OWN_SESSIONS, SESSIONS_OF_OTHERS, STREAMS_OF_OTHERS, of_others
from recordings.make_sessions import STORIES, recorded

LARGEST = 2_000_000


def outline(text: str) -> list[tuple[str, list[str]]]:
    """Who speaks, and what is called, message by message."""
    rows = [json.loads(line) for line in text.splitlines()]
    return [(row["role"], [call["name"] for call in row.get("tool_calls", ())]) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("name", STORIES)
async def test_the_product_still_makes_our_sessions(name: str):
    kept = (OWN_SESSIONS / f"{name}.jsonl").read_text("utf-8")

    assert outline(await recorded(STORIES[name]())) == outline(kept)


def test_our_sessions_are_small_and_each_has_its_story():
    files = sorted(OWN_SESSIONS.iterdir())

    assert [path.name for path in files] == [f"{name}.jsonl" for name in sorted(STORIES)]
    assert sum(path.stat().st_size for path in files) < LARGEST


@of_others
def test_every_recording_of_others_is_named():
    there = {path.name for path in (OTHERS / "trajectories").glob("*.jsonl*")}

    assert there == set(SESSIONS_OF_OTHERS)
    for dialect, names in STREAMS_OF_OTHERS.items():
        assert {path.name for path in (OTHERS / "sse").glob(f"{dialect}*.sse")} == set(names)
