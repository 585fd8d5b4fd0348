"""Whatever stands in a log that came from elsewhere: the session opens, is shown, and goes on."""

import asyncio
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import AT
from examples import examples
from plimsoll.context.log.entries import Framed, Noted, Passage, Slot, TaskItem
from plimsoll.context.log.messages import Source
from plimsoll.context.log.notes import unreadable_notes
from plimsoll.context.view.frames import is_readable
from plimsoll.context.view.request_messages import render
from plimsoll.lsp.features.convert import context, conversations, messages, meters
from plimsoll.lsp.transport.bodies import encode
from plimsoll.lsp.wire.base import dump
from plimsoll.session.commands.cost_markdown import cost_markdown
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.project import Project
from plimsoll.session.reduction.inspection import pending, report
from plimsoll.session.state.cost import cost_rows
from session.harness import harness

TEXTS = st.text(max_size=20) | st.text(st.characters(categories=("Cs", "Cc", "Lu")), max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(10**20, 10**400) | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
KINDS = ["stale", "fresh", "usage", "turn", "breaker", "calibration", "postponed"]
FIELDS = ["model", "factor", "band", "used", "failures", "until", "line", "purpose", "input"]
"""Of our notes: near misses break more than noise does."""
NEAR = st.dictionaries(st.sampled_from([*FIELDS, "cached", "output"]), JSON, min_size=1)
DATA = (
    TEXTS
    | st.sampled_from(["", "[]", "null", "NaN", "[" * 100_000, '{"used":1e999}', '{"a":' * 5_000])
    | (JSON | NEAR).map(json.dumps)
)
NOTES = st.builds(
    Noted,
    id=st.just("n"),
    at=st.just(AT),
    what=st.sampled_from(KINDS) | TEXTS,
    item=st.none() | TEXTS | st.sampled_from(["m1.0", "frame.system"]),
    data=DATA,
)
SLOTS = ["system", "mode", "toolChoice", "memories", "recall", "tasks", "pins", "instructions.a"]
SCHEMA = '{"name":"grep","description":"d","parameters":{"type":"object"}}'
DEEP = SCHEMA.replace('"object"', "[" * 400 + "]" * 400)
FRAMES = st.builds(
    Framed,
    id=st.just("f"),
    at=st.just(AT),
    slot=st.sampled_from([*SLOTS, "tools.grep", "tools."]) | TEXTS.map("tools.".__add__) | TEXTS,
    kind=st.sampled_from(Slot),
    text=st.none()
    | DATA
    | st.sampled_from([SCHEMA, DEEP, '{"name":"a"}', SCHEMA[:-1] + ',"x":1}']),
    place=st.sampled_from(["head", "tail"]),
    source=st.none()
    | st.builds(Source, st.sampled_from(["http://[", "file://[", "file:///a%00b"]) | TEXTS),
    original=st.none() | st.integers(),
    passages=st.lists(st.builds(Passage, st.integers(1, 9), st.none() | TEXTS)).map(tuple),
    tasks=st.lists(st.builds(TaskItem, TEXTS, st.just("pending"))).map(tuple),
)


def everything_of(own, session) -> list[object]:
    """All that a client asks of a session as it opens it, in its wire form."""
    state = session.state
    with pending(state.load) as (view, planned):
        shown = [messages.raw_message(each) for each in render(view)]
        shown += [messages.tool_schema(each) for each in view.schemas]
        shown += [context.receipt(each) for each in planned]
    load = meters.meter(session.id, state.load.meter(7))
    whole = context.report(load, report(state), detail=True, offset=0, limit=None)
    said = conversations.conversation(state.log.fold)
    cost = cost_markdown(
        cost_rows(state.log.fold.entries), state.account.summary(), state.account.cost_of
    )
    return [*shown, whole, *said, cost, load]


def left_out(entries) -> list[Framed]:
    return [each for each in entries if isinstance(each, Framed) and not is_readable(each)]


async def opened(entries) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with harness(Path(folder), {"text": "Yes."}, {"text": "Still."}) as own:
            await own.turn("Are you there?")
            numbered = [replace(entry, id=f"x{number}") for number, entry in enumerate(entries)]
            await own.store.append(own.session.id, numbered, len(own.entries))
            again = Project(own.project.environment)
            session = await again.load(own.session.id)
            for shown in everything_of(own, session):
                encode({"result": dump(shown)}, dump)
            own.session = session
            ended = await own.turn("And now?")
            assert (ended.reason, ended.error) == ("endTurn", None)
            assert len(await own.store.entries(session.id)) == len(own.entries)
            told = [e for e in own.heard(NoticeGiven) if "cannot be read" in e.markdown]
            assert len(told) == bool(unreadable_notes(own.entries) or left_out(own.entries))
            await session.close()


@settings(max_examples=examples(100))
@given(st.lists(NOTES, min_size=1, max_size=4))
def test_a_session_with_any_notes_opens_is_shown_and_goes_on(notes):
    asyncio.run(opened(notes))


@settings(max_examples=examples(100))
@given(st.lists(FRAMES, min_size=1, max_size=4))
def test_a_session_with_any_frames_opens_is_shown_and_goes_on(frames):
    asyncio.run(opened(frames))
