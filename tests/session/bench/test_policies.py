"""The recipes beside which Plimsoll is measured."""

from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.bench.measuring import play, recording
from plimsoll.session.bench.policies import POLICIES
from plimsoll.session.transfer.incoming import Incoming, IncomingCall

LEDGER = Ledger(lambda text: -(-len(text) // 4))


def said(role: Role, text: str, call: str | None = None, **more: object) -> Incoming:
    parts = (Part(kind=PartKind.TEXT, text=text),) if text else ()
    calls = (IncomingCall(call, "shell", {"command": f"cat {call}.txt"}),) if call else ()
    return Incoming(role=role, parts=parts, calls=calls, **more)


def session() -> list[Incoming]:
    """Return a session of results with much in common, whose end uses two words of an early one."""
    messages = [said(Role.USER, "Look through it.")]
    for number in range(14):
        rows = [f"row {row} of it is as long as any" for row in range(900)]
        hue = "crimson" if number == 1 else "grey"
        text = "\n".join([*rows, f"part_{number} is {hue}", *rows[:number]])
        messages.append(said(Role.ASSISTANT, "", call=f"c{number}"))
        messages.append(said(Role.TOOL, text, call_id=f"c{number}"))
    return [*messages, said(Role.ASSISTANT, "It was part_1, in crimson.")]


def test_each_recipe_keeps_what_it_is_named_for():
    """A note of words keeps both words, one of names one of them, a mask none."""
    one = recording("s", session())
    assert [each.text for each in one.words] == ["crimson", "part_1"]
    stood = {
        "no reduction": 2,
        "sliding mask, keep 10": 0,
        "clear over 30k, keep 3": 0,
        "clear over 30k, keep 3, at least 5k": 0,
        "refer alone": 2,
        "referenced or not, names 0": 0,
        "line numbers and words, notes of 600": 2,
    }
    pointed = "pointers, clear over 30k, notes of 150"
    policies = [each for each in POLICIES if each.name in {*stood, pointed}]
    scores = {each.name: play(one, each, LEDGER, 1_000_000) for each in policies}
    assert {name: scores[name].words.stood for name in stood} == stood
    assert scores[pointed].words.stood >= 1
    # Pointers enter small, so less has to be cleared.
    assert scores[pointed].steps < scores["clear over 30k, keep 3"].steps
