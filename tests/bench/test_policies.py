"""The recipes beside which Plimsoll is measured."""

from plimsoll.bench.looking import Tally
from plimsoll.bench.measuring import play
from plimsoll.bench.policies import floor_policy, policies_in
from plimsoll.bench.recording import recording
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.transfer.incoming import Incoming, IncomingCall

LEDGER = Ledger(lambda text: -(-len(text) // 4))


def said(role: Role, text: str, call: str | None = None, **more: object) -> Incoming:
    parts = (Part(kind=PartKind.TEXT, text=text),) if text else ()
    calls = (IncomingCall(call, "shell", {"command": f"cat {call}.txt"}),) if call else ()
    return Incoming(role=role, parts=parts, calls=calls, **more)


def session() -> list[Incoming]:
    """Return a session of results with much in common, whose end repeats a line of all."""
    messages = [said(Role.USER, "Look through it.")]
    for number in range(14):
        rows = [f"row {row} of it is as long as any" for row in range(900)]
        text = "\n".join([*rows, f"part_{number} is grey", *rows[:number]])
        messages.append(said(Role.ASSISTANT, "", call=f"c{number}"))
        messages.append(said(Role.TOOL, text, call_id=f"c{number}"))
    return [*messages, said(Role.ASSISTANT, "It was:\nrow 17 of it is as long as any")]


def test_each_rule_stays_within_its_window_and_the_floor_is_under_all_others():
    heard = recording("s", session(), LEDGER.bare)
    window = 65_536
    floor = floor_policy(window, heard.last_text_uses, heard.requests)
    policies = (*policies_in(window, {"Plimsoll": PipelineSettings()}), floor)
    scores = {each.name: play(heard, each, LEDGER, window) for each in policies}
    over = {name for name, score in scores.items() if score.over}
    assert over == {"no reduction"}
    assert scores["no reduction"].sight.spans == Tally(1, 1)
    least = scores["knows the future"]
    assert least.sight.spans.stood == 1
    others = [score for name, score in scores.items() if name != "Plimsoll"]
    assert min(others, key=lambda score: score.whole_cost) is least
    assert scores["keep results, summary"].summaries > 0
