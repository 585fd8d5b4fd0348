"""The recipes beside which Plimsoll is measured."""

from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.stages.pipeline import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.bench.measuring import Tally, play, recording
from plimsoll.session.bench.policies import POLICIES, floor_policy, sight_policies
from plimsoll.session.bench.sight import play_sight, sight_recording
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
    return [
        *messages,
        said(Role.ASSISTANT, "It was part_1, in crimson:\nrow 17 of it is as long as any"),
    ]


def test_each_recipe_keeps_what_it_is_named_for():
    one = recording("s", session())
    assert [each.text for each in one.words] == ["crimson", "long", "part_1"]
    stood = {
        "no reduction": 3,
        "sliding mask, keep 10": 1,
        "clear over 30k, keep 3": 1,
        "clear over 30k, keep 3, at least 5k": 1,
        "refer alone": 3,
    }
    policies = [each for each in POLICIES if each.name in stood]
    scores = {each.name: play(one, each, LEDGER, 1_000_000) for each in policies}
    assert {name: scores[name].words.stood for name in stood} == stood


def test_each_rule_stays_within_its_window_and_the_floor_is_under_all_others():
    heard = sight_recording("s", session(), LEDGER.bare)
    window = 65_536
    floor = floor_policy(window, heard.last_text_uses, heard.requests)
    policies = (*sight_policies(window, {"Plimsoll": PipelineSettings()}), floor)
    scores = {each.name: play_sight(heard, each, LEDGER, window, tools={}) for each in policies}
    over = {name for name, score in scores.items() if score.over}
    assert over == {"no reduction"}
    assert scores["no reduction"].spans == Tally(1, 1)
    least = scores["knows the future"]
    assert least.spans.stood == 1
    others = [score for name, score in scores.items() if name != "Plimsoll"]
    assert min(others, key=lambda score: score.whole_cost) is least
    assert scores["never prune, summary"].summaries > 0
