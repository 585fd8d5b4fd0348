"""What is done in a session and shows in its requests: one scene for each way."""

from collections.abc import Callable, Mapping

from product.vendors.answering import Call, Step
from product.vendors.playing import ALLOWED, DECLINED, RUN, Stage, read

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
IMAGE = {"type": "image", "mimeType": "image/png", "data": PNG}
Scene = Callable[[Stage], None]


def parallel_calls(stage: Stage) -> None:
    both = (read("a.txt"), read("b.txt"), Call("grep", {"pattern": "beta"}))
    stage.turn("Read both.", Step("I look.", both), Step(calls=both), Step("Read."))


def odd_names(stage: Stage) -> None:
    """Calls of tools that do not exist, and arguments that the tool does not take."""
    odd = (Call("mcp.files/read it"), Call("1" * 80), Call("file_read", {"nope": 1e300}))
    stage.turn("Read it.", Step("", odd), Step("It failed."))


def stop_in_an_answer(stage: Stage) -> None:
    turn = stage.say("Tell me.", Step("A long answer.", holds=True))
    stage.product.update("textDelta", turn)
    stage.stop()
    stage.ends(turn, "cancelled")


def stop_before_a_word(stage: Stage) -> None:
    stage.turn("Hello.", Step("Hello."))
    turn = stage.say("Tell me more.", Step(holds=True))
    stage.vendor.holding.wait()
    stage.stop()
    stage.ends(turn, "cancelled")


def stop_at_a_call(stage: Stage) -> None:
    """Of two calls one is done and one waits for the person."""
    turn = stage.say("Run it.", Step("I run it.", (read("a.txt"), RUN)))
    stage.question()
    stage.stop()
    stage.ends(turn, "cancelled")


def steer(stage: Stage) -> None:
    """The person says more while a call is open."""
    turn = stage.say("Run it.", Step("", (RUN,)), Step("So done."))
    question = stage.question()
    stage.call("session/prompt", content=[{"type": "text", "text": "Use tabs."}], when="steer")
    stage.answer(question, ALLOWED)
    stage.ends(turn)


def reject(stage: Stage) -> None:
    turn = stage.say("Run it twice.", Step("", (RUN, read("a.txt"))), Step("Then not."))
    stage.answer(stage.question(), DECLINED)
    stage.ends(turn)


def nested_rules(stage: Stage) -> None:
    """A file below brings the rules of its folder."""
    stage.turn("Read c.", Step("", (read("inner/c.txt"),)), Step("Read."))


def image(stage: Stage) -> None:
    stage.turn("What is this?", Step("A boat."), shown=IMAGE)
    stage.turn("And this?", Step("I look.", (read("a.txt"),)), Step("A dot."), shown=IMAGE)


def mode(stage: Stage) -> None:
    """Modes change between turns, and while one runs."""
    stage.turn("Look.", Step("", (read("a.txt"),)), Step("Seen."))
    stage.call("session/setMode", mode="plan")
    stage.turn("Think.", Step("", (read("b.txt"),)), Step("Thought."))
    stage.call("session/setMode", mode="edit")
    turn = stage.say("Run it.", Step("", (RUN,)))
    question = stage.question()
    # From here on no call is allowed, and the vendor answers as it does to a summary.
    stage.call("session/setMode", mode="ask")
    stage.answer(question, ALLOWED)
    stage.ends(turn)
    stage.call("session/setMode", mode="edit")


def pin(stage: Stage) -> None:
    """Something is pinned between turns, and while one runs."""
    stage.call("pin/add", text="Tabs, not spaces.")
    stage.turn("Look.", Step("", (read("a.txt"),)), Step("Seen."))
    turn = stage.say("Run it.", Step("", (RUN,)), Step("Ran."))
    question = stage.question()
    stage.call("pin/add", text="No semicolons.")
    stage.answer(question, ALLOWED)
    stage.ends(turn)


def plan(stage: Stage) -> None:
    """One plan is sent back, one is accepted, which changes the mode within the turn."""
    stage.begin("plan")
    proposed = Call("plan", {"steps": ["Read it", "Mend it"], "checks": ["Run it"]})
    proposing = Step("I plan.", (proposed,))
    turn = stage.say("Plan it.", proposing, proposing, Step("", (read("a.txt"),)), Step("Done."))
    for answer in (DECLINED, ALLOWED):
        question = stage.question()
        # Before the answer, which brings the next one.
        stage.product.forget()
        stage.answer(question, answer)
    stage.ends(turn)


def fork(stage: Stage) -> None:
    """A fork behind a call, and one at the end."""
    stage.turn("Look.", Step("I look.", (read("a.txt"),)), Step("Seen."))
    asked = [each["id"] for each in stage.messages() if each["role"] == "assistant"]
    whole = stage.session
    for where in ({"messageId": asked[0]}, {}):
        stage.session = whole
        stage.session = stage.call("session/fork", **where)["session"]["id"]
        stage.turn("Then go on.", Step("", (read("b.txt"),)), Step("Gone."))


def rewind(stage: Stage) -> None:
    """Back before the last prompt, forward again, back once more, and on from there."""
    stage.turn("Look.", Step("", (read("a.txt"),)), Step("Seen."))
    stage.turn("Look there.", Step("", (read("b.txt"),)), Step("Seen too."))
    prompts = [each["id"] for each in stage.messages() if each["role"] == "user"]
    edit = stage.call("session/rewind", messageId=prompts[-1])["editId"]
    stage.call("context/undo", editId=edit)
    stage.turn("And there?", Step("There."))
    stage.call("session/rewind", messageId=prompts[-1])
    stage.turn("No, here.", Step("", (read("inner/c.txt"),)), Step("Here."))


def compact(stage: Stage) -> None:
    """By a digest and by a summary of the model, each with a turn behind it; one is undone."""
    for strategy in ("digest", "model"):
        for _ in range(3):
            stage.turn("Look.", Step("", (read("a.txt"), read("b.txt"))), Step("Seen. " * 200))
        receipt = stage.call("context/compact", strategy=strategy, anyway=True)["receipt"]
        stage.turn("What now?", Step("", (read("a.txt"),)), Step("This."))
    stage.call("context/undo", editId=receipt["id"])


def switch(stage: Stage) -> None:
    """To a model of another provider, with its names, ids and reasoning, and back."""
    stage.turn("Look.", Step("I look.", (read("a.txt"),)), Step("Seen."))
    odd = [{"name": "mcp.files/read it", "arguments": {}}, {"name": "file_read", "arguments": {}}]
    stage.switch({"reasoning": "Hm.", "calls": odd}, {"reasoning": "So.", "text": ["It failed."]})
    turn = stage.say("And there?")
    stage.ends(turn)
    stage.switch_back()


def restart(stage: Stage) -> None:
    """Behind an answer, and behind a turn that was stopped at a call."""
    stage.turn("Look.", Step("", (read("a.txt"), read("b.txt"))), Step("Seen."))
    stop_at_a_call(stage)
    stage.restart()


def subagent(stage: Stage) -> None:
    asked = {"description": "look", "prompt": "Look for alpha.", "kind": "explore"}
    agent = Call("subagent", asked)
    found = (Step("I look.", (read("a.txt"),)), Step("It is in a.txt."))
    stage.turn("Find it.", Step("", (agent,)), *found, Step("Found."))


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene
    for scene in (
        *(parallel_calls, odd_names, stop_in_an_answer, stop_before_a_word, stop_at_a_call, steer),
        *(reject, nested_rules, image, mode, pin, plan, fork, rewind, compact, switch, restart),
        subagent,
    )
}


def play(scene: Scene, stage: Stage) -> list[str]:
    """Play a scene and say something after it; returns the needless refusals."""
    stage.begin()
    scene(stage)
    stage.turn("And now?", Step("Now this."))
    return stage.vendor.needless()
