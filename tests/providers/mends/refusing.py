"""Made-up sessions and servers that refuse something of them, by chance: for tests and faults."""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from plimsoll.context.log.messages import Call, Image, Message, Role, ToolSchema
from plimsoll.errors import ProviderError
from plimsoll.providers.anthropic import request_body as messages_body
from plimsoll.providers.base import Mended, Request, TextDelta
from plimsoll.providers.http.refusals import refusal_of
from plimsoll.providers.mends.known import KnownMends, Rows
from plimsoll.providers.mends.mending import Mending, Server
from plimsoll.providers.openai import request_body as chat_body
from plimsoll.providers.openai_responses import request_body as responses_body
from plimsoll.providers.reasoning import Asked
from providers.mends.rules import RULES, Body, Rule, fit, texts

ADDRESS, MODEL = "http://127.0.0.1:1/v1", "m"
DIALECTS: Mapping[str, Callable[[Request], Body]] = {
    "chat": partial(chat_body, address=ADDRESS),
    "messages": partial(messages_body, address=ADDRESS),
    "responses": partial(responses_body, address=ADDRESS),
}
SCHEMA = {
    "type": "object",
    "properties": {
        "format": {"type": "string", "format": "uri"},
        "properties": {"type": "object", "additionalProperties": False},
    },
    "additionalProperties": False,
}
TOOLS = (ToolSchema("file-read", "Reads.", SCHEMA), ToolSchema("server.tool", "Does.", SCHEMA))


class Scenes:
    """Scenes of a session, one after the other."""

    def __init__(self, dialect: str, chance: random.Random) -> None:
        self.chance = chance
        self.said: list[str] = []
        self.messages: list[Message] = [
            Message(id="s", role=Role.SYSTEM, text="You are an agent.", items=("frame.system",))
        ]
        self.asked = Asked(dialect, ADDRESS, MODEL)

    def user(self, *shown: Image) -> None:
        words = f"say-{len(self.said)}-{self.chance.randrange(10**6)}"
        self.said.append(words)
        name = f"u{len(self.messages)}"
        self.messages.append(
            Message(id=name, role=Role.USER, text=words, items=(f"{name}.0",), images=shown)
        )

    def note(self) -> None:
        name = f"n{len(self.messages)}"
        self.messages.append(Message(id=name, role=Role.USER, text="[mode]", items=("frame.mode",)))

    def answer(self, signed: str | None = None) -> None:
        """``signed``: how this server signs; none: as it or another one did."""
        self._said("An answer.", (), signed)

    def called(self) -> None:
        number, chance = len(self.messages), self.chance
        names = ("file-read", "server.tool", "file_read<|channel|>x", "x" * 90)
        ids = (f"call_{number}", f"call_{number}" + "k" * 75, f"functions.x:{number}", f"t{number}")
        made = [
            Call(f"{chance.choice(ids)}{n}", chance.choice(names), '{"format":"a"}')
            for n in range(chance.randrange(1, 4))
        ]
        self._said(chance.choice(("", "I look.")), tuple(made))
        for call in made:
            shown = (self.image(),) if chance.random() < 0.15 else ()
            self.messages.append(
                Message(
                    id=f"r{len(self.messages)}",
                    role=Role.TOOL,
                    text=chance.choice(("found", "found", "")),
                    call_id=call.id,
                    items=(f"r{len(self.messages)}.0",),
                    images=shown,
                )
            )

    def image(self) -> Image:
        return Image("image/png", f"{self.chance.choice(('GOOD', 'BAD0'))}{len(self.messages):04}")

    def _said(self, text: str, made: tuple[Call, ...], signed: str | None = None) -> None:
        name = f"a{len(self.messages)}"
        own = Message(id=name, role=Role.ASSISTANT, text=text, calls=made, items=(f"{name}.0",))
        if self.chance.random() < 0.4:
            own = replace(own, reasoning="hm", signature=self._signature(signed))
        self.messages.append(own)

    def _signature(self, signed: str | None) -> str:
        sig = signed or self.chance.choice(("SIG-OLD", "SIG-NEW"))
        whole = {
            "chat": {"text": "reasoning_content"},
            "messages": {
                "blocks": [{"thought": {"type": "thinking", "signature": sig}, "length": 2}]
            },
            "responses": {
                "items": [{"reasoning": {"type": "reasoning", "encrypted_content": sig}}]
            },
        }[self.asked.dialect]
        return self.asked.encode_kept(whole, "hm" if self.asked.dialect == "messages" else "")

    def play(self, scenes: int) -> None:
        for _ in range(scenes):
            kind = self.chance.randrange(8)
            if kind == 0:
                self.note()
            if kind in {1, 2}:
                self.user(self.image())
            else:
                self.user()
            # A prompt may fail, a turn may be stopped, and a note or a person may steer it.
            for _ in range(self.chance.randrange(3)):
                self.called()
                if self.chance.random() < 0.3:
                    self.chance.choice((self.note, self.user))()
            if self.chance.random() < 0.7:
                self.answer()


@dataclass(kw_only=True)
class Outcome:
    """What came of one case."""

    told: list[str]
    tries: int
    again: int
    """Refusals that the second prompt met."""
    missing: list[str]
    """What a person said, and no request held."""


class Stranded(AssertionError):
    """A prompt that no mend helped."""


def play(chance: random.Random, rows_kept: Rows | None = None) -> Outcome:
    """Play one session against a server with one rule or two; then a second prompt."""
    dialect = chance.choice([*DIALECTS])
    fitting = [rule for rule in RULES if dialect[0] in rule.dialects]
    rules = chance.sample(fitting, chance.choice((1, 1, 2)))
    rules = rules if fit(*rules[:1], *rules[-1:]) else rules[:1]
    said = [(rule, chance.choice(rule.words)) for rule in rules]
    scenes, known = Scenes(dialect, chance), KnownMends(rows_kept)
    scenes.play(chance.randrange(1, 6))
    scenes.user()
    told, tries, _ = ask(known, dialect, said, scenes)
    scenes.answer("SIG-NEW")
    scenes.user()
    # Another process, as after a restart.
    again = KnownMends(rows_kept) if rows_kept is not None else known
    more, refused, body = ask(again, dialect, said, scenes)
    held = "\n".join(texts(body))
    missing = [words for words in scenes.said if words not in held]
    return Outcome(told=[*told, *more], tries=tries, again=refused, missing=missing)


def ask(
    known: KnownMends, dialect: str, said: list[tuple[Rule, str]], scenes: Scenes
) -> tuple[list[str], int, Body]:
    """Ask until it answers; returns what was told, how often it was refused, what was sent."""
    request = Request(model=MODEL, messages=tuple(scenes.messages), tools=TOOLS, max_output=16_000)
    mending, refused = Mending(known, Server(ADDRESS, MODEL), request), 0
    while True:
        body = json.loads(json.dumps(mending.body(DIALECTS[dialect](mending.request))))
        broken = next((words for rule, words in said if rule.breaks(body)), None)
        if broken is None:
            chunks = mending.with_report(TextDelta("hi"))
            return [each.told for each in chunks if isinstance(each, Mended)], refused, body
        refused += 1
        names = re.findall(r"server_tool_\w+", json.dumps(body.get("tools", ())))
        words = broken.replace("server_tool_{}", names[0] if names else "")
        error = ProviderError(words)
        error.refusal = refusal_of(words, 400)
        if not mending.try_mends(error):
            raise Stranded(f"{dialect}: {[words for _, words in said]} after {refused} tries")
