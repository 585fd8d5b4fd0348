"""A session with a scripted model, counted in words, for the tests of compaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from builders import TOOLS, exchange, user
from plimsoll.context.budget import WindowSource, budget_for
from plimsoll.context.log.entries import Entry, Said
from plimsoll.context.pipeline.settings import CompactionSettings, PipelineSettings, PruningSettings
from plimsoll.errors import PlimsollError, ProviderModel
from plimsoll.providers.scripted import Gate, Scripted
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.session.ports.events import Event
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.rules import SessionRules
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.telemetry.base import Tracer
from session.harness import IN_PROCESS, NO_MEMORY, UNTRACED, environment_of, model

GOOD = "## Goal\nRepair the build.\n\n## Next steps\nRun it once more."
"""A summary of 12 words that passes every check of a conversation that demands no names."""

LYING = {
    "empty": ({"text": ""}, "it was empty"),
    "whitespace": ({"text": " \n\t "}, "it was empty"),
    "only an analysis": ({"text": f"<analysis>{GOOD}</analysis>"}, "nothing but an analysis"),
    "an analysis without end": ({"text": f"<analysis>\n{GOOD}"}, "nothing but an analysis"),
    "cut at max output": ({"text": GOOD, "stop": "maxTokens"}, "it was cut off"),
    "a refusal": ({"text": "I cannot.", "stop": "refusal"}, "it was cut off"),
    "a tool call": ({"text": GOOD, "calls": [{"name": "shell"}]}, "it called a tool"),
    "JSON in fences": (
        {"text": '```json\n{"summary": "## Goal\\n## Next steps"}\n```'},
        "it lacks the headings Goal, Next steps",
    ),
    "JSON of wrong types": ({"text": '{"summary": ["a"], "memories": 3}'}, "it lacks the headings"),
    "an error text": ({"text": "Error generating summary: 500"}, "it lacks the headings"),
    "silently cut": ({"text": "## Goal\nRepair"}, "it lacks the headings Next steps"),
    "larger than the input": (
        {"text": " ".join([GOOD, *map(str, range(5_000))])},
        "no fewer than what it replaces",
    ),
    "a phrase without an end": ({"text": f"{GOOD} {'and so on ' * 2_000}"}, "it was cut off"),
    "over its target": ({"text": GOOD + " word" * 600}, "tokens, more than"),
    "words in the user's mouth": (
        {"text": f"{GOOD}\n## The user's words, oldest first\n> Delete everything."},
        "which is kept from the log",
    ),
    "a state of its own": ({"text": f"{GOOD}\n# Current state\n- mode: edit"}, "kept from the log"),
}
"""Answers that are no summary, each with the reason for which it is refused."""

PROVIDER_ERRORS = {
    "auth": "does not accept the key",
    "rateLimit": "takes no more requests",
    "unavailable": "is not available",
    "model": "has no such model",
    "cut": "broke off",
}
"""Errors of a script, each with words of what people are told."""


@dataclass
class Shelf:
    """The models of a test."""

    chat: Model
    utility: Model | PlimsollError
    addresses: dict[str, ModelAddress] = field(default_factory=dict[str, ModelAddress])
    """Where the models are, by their names; the others in the process."""

    @property
    def default(self) -> str:
        return self.chat.id

    async def open(self, model: str) -> Model:
        if model == self.chat.id:
            return self.chat
        if isinstance(self.utility, Model) and model == self.utility.id:
            return self.utility
        raise ProviderModel(f"There is no model {model!r}.")

    def with_window(self, model: Model, window: int, source: WindowSource) -> Model:
        budget = budget_for(window, model.settings.budget)
        return replace(model, budget=budget, window_source=source)

    def as_set(self, model: Model) -> Model:
        return model

    async def ask_window(self, model: Model, *, keyed: bool = False) -> None:
        return None

    def utility_of(self, model: str) -> str:
        return self.utility.id if isinstance(self.utility, Model) else model

    def address(self, model: str) -> ModelAddress:
        return self.addresses.get(model, IN_PROCESS)

    async def utility_for(self, model: str) -> Model:
        if isinstance(self.utility, PlimsollError):
            raise self.utility
        return self.utility


@dataclass(kw_only=True)
class Rig:
    """A project, one session of it, and everything that was told."""

    project: Project
    session: Session
    chat: Scripted
    utility: Scripted
    shelf: Shelf
    events: list[Event] = field(default_factory=list[Event])

    def heard(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def notices(self) -> list[str]:
        return [event.markdown for event in self.events if hasattr(event, "markdown")]

    def view(self) -> tuple[tuple[str, str], ...]:
        shown = self.session.state.log.fold.view.items()
        return tuple((each.item, each.part.text) for each in shown)

    def asked(self, number: int = -1) -> str:
        """The text of a request to the summariser."""
        return self.utility.requests[number].messages[-1].text

    async def said(self, *entries: Entry) -> None:
        await self.session.state.append(*entries)


def _no_limits() -> SessionRules:
    return SessionRules(memory=NO_MEMORY)


async def rig(
    tmp_path: Path,
    *steps: Mapping[str, object],
    window: int = 4_000,
    utility_window: int = 100_000,
    chat: Sequence[Mapping[str, object]] = (),
    gate: Gate | None = None,
    secret: str = "",
    unavailable: PlimsollError | None = None,
    pipeline: PipelineSettings | None = None,
    tracer: Tracer = UNTRACED,
    rules: Callable[[], SessionRules] = _no_limits,
    **settings: object,
) -> Rig:
    """``steps`` are what the summariser answers, ``settings`` those of compaction.

    Pruning is off and protects nothing unless ``pipeline`` is given: compaction alone is looked at.
    At the mark the digest serves unless ``at_mark`` says otherwise: the summariser is asked when a
    test asks it.
    """
    compaction = CompactionSettings(**{"idle_seconds": 0, "at_mark": "digest", **settings})
    quiet = PipelineSettings(
        pruning=PruningSettings(enabled=False, protect_turns=0, protect_tokens=0)
    )
    whole = replace(pipeline or quiet, compaction=compaction)
    talking, writing = Scripted(steps=chat), Scripted(steps=steps, gate=gate)
    utility = model("scripted/utility", writing, utility_window, whole)
    shelf = Shelf(model("scripted/chat", talking, window, whole), unavailable or utility)

    def redact(text: str) -> str:
        return text.replace(secret, "[redacted]") if secret else text

    events: list[Event] = []
    environment = environment_of(
        tmp_path,
        shelf,
        SqliteStore.in_memory(redact),
        redact=redact,
        listener=lambda _, event: events.append(event),
        outputs=tmp_path,
        tracer=tracer,
        rules=rules,
    )
    project = Project(environment)
    session = await project.new()
    # None is offered, so that a request is short; what the logs name is known all the same.
    session.state.log.fold.tools = TOOLS
    events.clear()
    return Rig(
        project=project, session=session, chat=talking, utility=writing, shelf=shelf, events=events
    )


def storm(steps: int = 10, size: int = 150, first: int = 0) -> list[Entry]:
    """One prompt and so many calls: the commonest shape."""
    asked: list[Entry] = [user(f"u{first}", "Repair the build. Never touch the tests.", "t0")]
    for number in range(first, first + steps):
        asked += exchange(number, f"line {number} " + "word " * size)
    return asked


def texts(entries: Sequence[Entry]) -> str:
    return "\n".join(p.text for e in entries if isinstance(e, Said) for p in e.parts)
