import asyncio
import json
from pathlib import Path

import pytest

from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.errors import (
    ProviderAnswer,
    ProviderAuth,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Finished,
    ProviderOptions,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from plimsoll.providers.scripted import Scripted
from providers.support import collected, outcome, request, text_of


def asked(*texts: str) -> list[Message]:
    return [Message(id=f"m{n}", role=Role.USER, text=text) for n, text in enumerate(texts)]


def answered(text: str, *calls: Call) -> Message:
    return Message(id=f"a-{text}", role=Role.ASSISTANT, text=text, calls=calls)


async def test_steps_are_used_up_in_order():
    full = {
        "reasoning": "hm",
        "signature": "s",
        "text": ["a", "b"],
        "calls": [{"id": "c", "name": "grep", "arguments": {"pattern": "x"}}],
        "usage": {"input": 1, "output": 2, "cached": 1},
    }
    provider = Scripted(steps=[full, {"text": "end", "stop": "maxTokens"}])
    assert await collected(provider) == [
        ReasoningDelta("hm", "s"),
        TextDelta("a"),
        TextDelta("b"),
        CallStarted("c", "grep"),
        CallFinished("c", "grep", '{"pattern":"x"}'),
        Usage(1, 2, 1),
        Finished("toolCalls"),
    ]
    assert await collected(provider) == [TextDelta("end"), Finished("maxTokens")]
    with pytest.raises(ProviderAnswer, match="no step left"):
        await collected(provider)
    assert provider.requests == [request()] * 3


async def test_a_rule_counts_answers_since_the_question_so_it_holds_over_a_restart():
    rules = [{"when": "(?i)budget", "steps": [{"calls": [{"name": "grep"}]}, {"text": "done"}]}]
    first = request(*asked("Where is the Budget?"))
    second = request(*asked("Where is the Budget?"), answered("", Call("c", "grep", "{}")))
    assert (await collected(Scripted(rules=rules), first))[-1] == Finished("toolCalls")
    assert text_of(await collected(Scripted(rules=rules), second)) == "done"
    other = request(*asked("Where is the budget?", "And the ledger?"))
    with pytest.raises(ProviderAnswer, match="And the ledger"):
        await collected(Scripted(rules=rules), other)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("auth", ProviderAuth),
        ("overflow", ProviderOverflow),
        ("rateLimit", ProviderRateLimited),
        ("unavailable", ProviderUnavailable),
        ("model", ProviderModel),
        ("cut", ProviderAnswer),
    ],
)
async def test_an_error_comes_before_any_whole_call(error: str, kind: type[Exception]):
    step = {"text": ["half"], "calls": [{"id": "c", "name": "grep"}], "error": error}
    chunks, raised = await outcome(Scripted(steps=[step]))
    assert type(raised) is kind
    assert chunks == [TextDelta("half"), CallStarted("c", "grep")]


async def test_a_gate_holds_the_stream_until_it_opens():
    gates = {"one": asyncio.Event()}
    provider = Scripted(
        steps=[{"text": ["a", {"gate": "one"}, {"pause": 0.001}, "b"]}],
        gate=lambda name: gates[name].wait(),
    )
    chunks = provider.stream(request())
    assert await anext(chunks) == TextDelta("a")
    waiting = asyncio.ensure_future(anext(chunks))
    await asyncio.sleep(0)
    assert not waiting.done()
    gates["one"].set()
    assert await waiting == TextDelta("b")


async def test_a_script_in_a_file_waits_for_a_file_beside_it(tmp_path: Path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"steps": [{"text": ["a", {"gate": "go"}, "b"]}], "mode": "echo"}))
    provider = Scripted(ProviderOptions(name=str(script)))
    chunks = provider.stream(request())
    assert await anext(chunks) == TextDelta("a")
    waiting = asyncio.ensure_future(anext(chunks))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not waiting.done()
    (tmp_path / "go").touch()
    assert await waiting == TextDelta("b")
    assert await anext(chunks) == Finished("endTurn")
    assert text_of(await collected(provider)) == "hello"


async def test_a_list_is_a_script_too(tmp_path: Path):
    script = tmp_path / "script.json"
    script.write_text('[{"text": "one"}]')
    assert text_of(await collected(Scripted(ProviderOptions(name=str(script))))) == "one"


BROKEN_SCRIPTS = [
    "{broken",
    "7",
    '[{"txt": "x"}]',
    '["step"]',
    '[{"error": "unheard of"}]',
    '[{"usage": {"tokens": 1}}]',
    '[{"calls": [{"arguments": {}}]}]',
    '{"rules": [{"when": "x", "steps": [{"y": 1}]}]}',
    '{"rules": [{"when": "("}]}',
    '{"rules": [{"steps": []}]}',
    '{"mode": "oracle"}',
    '{"stepz": []}',
]


@pytest.mark.parametrize("text", [None, *BROKEN_SCRIPTS])
def test_a_script_that_cannot_be_played(tmp_path: Path, text: str | None):
    script = tmp_path / "script.json"
    if text is not None:
        script.write_text(text)
    with pytest.raises(ProviderModel) as raised:
        Scripted(ProviderOptions(name=str(script)))
    assert raised.value.remedy


async def test_echo_repeats_the_newest_question():
    provider = Scripted(ProviderOptions(name="echo"))
    said = await collected(provider, request(*asked("one", "two  words\n\nand 😀")))
    assert text_of(said) == "two  words\n\nand 😀"
    assert len(said) > 3
    assert text_of(await collected(provider, request(*asked("")))) == ""


async def test_a_script_of_a_file_or_a_name_keeps_no_requests():
    provider = Scripted(ProviderOptions(name="echo"))
    await collected(provider, request())
    assert provider.requests == []


MARK = 'CALL file_read {"path": "a {b}"}'


@pytest.mark.parametrize(
    "messages",
    [
        asked(f"please {MARK} now"),
        [Message(id="s", role=Role.SYSTEM, text=f"memory: {MARK}"), *asked("hi")],
        [
            *asked("q"),
            answered("x"),
            Message(id="t", role=Role.TOOL, text=f"a.py:3:# {MARK} and", call_id="c"),
        ],
    ],
)
async def test_the_obedient_model_does_what_any_new_text_says(messages: list[Message]):
    chunks = await collected(Scripted(ProviderOptions(name="obedient")), request(*messages))
    calls = [(c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)]
    assert calls == [("file_read", '{"path":"a {b}"}')]


async def test_the_obedient_model_obeys_all_of_it_but_not_twice():
    provider = Scripted(ProviderOptions(name="obedient"))
    both = f"{MARK}\nCALL shell {{broken\n"
    chunks = await collected(provider, request(*asked(both)))
    assert [(c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)] == [
        ("file_read", '{"path":"a {b}"}'),
        ("shell", "{broken"),
    ]
    again = await collected(provider, request(*asked(both), answered("x"), *asked("thanks")))
    assert again[-1] == Finished("endTurn")


async def test_calls_have_ids_of_their_own_also_after_a_restart():
    step = {"calls": [{"name": "grep"}, {"name": "grep"}]}
    first = await collected(Scripted(steps=[step]), request(*asked("one")))
    calls = [c for c in first if isinstance(c, CallFinished)]
    history = [*asked("one"), answered("", *(Call(c.id, c.name, c.arguments) for c in calls))]
    later = await collected(Scripted(steps=[step]), request(*history))
    ids = [c.id for c in [*first, *later] if isinstance(c, CallFinished)]
    assert len(set(ids)) == 4
