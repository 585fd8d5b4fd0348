"""The events of a session, shown to a person at a terminal."""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import groupby

from plimsoll.context.budget import Meter
from plimsoll.context.index.calls import object_of
from plimsoll.context.log.counts import counts_words
from plimsoll.context.log.json_fields import exit_note
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.context.view.fold import Fold
from plimsoll.session.commands.markdown import receipt_words
from plimsoll.session.layers.tasks import task_lines
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    CallShown,
    Event,
    HookRan,
    MeterMoved,
    NoticeGiven,
    ReasoningArrived,
    ReductionApplied,
    ReductionPlanned,
    SessionChanged,
    TasksChanged,
    TextArrived,
    UsageReported,
    WaitLasted,
)
from plimsoll.terminal.screen import Screen, one_line
from plimsoll.terminal.waiting import LAST, RULE, RunningLines, WaitingLine, seconds_words
from plimsoll.text.plain_patterns import plain_pattern
from plimsoll.tools.ports.hooks import DECIDED

STYLES = {"info": "dim", "warning": "yellow", "error": "red"}
FAILED = {"failed": "red", "rejected": "yellow"}
RAN = frozenset({"completed", "failed"})
ENDED = frozenset({*RAN, "rejected"})
LOOKING = frozenset({"read", "search"})
"""The kinds of calls that are told once they have ended, with how much they found."""
HOLDING = {"failed": "red", "deny": "yellow", "block": "yellow"}
"""The styles of what hooks decided; all else is dim."""
LINE_END, LONGEST_LINE = "\n", 160
GREP = "grep"
FOLDED = 5
"""The last lines of a command's output that are shown at its end."""

MOST_PROMPTS = 3
"""The prompts of a session that one goes on with, which are shown with what came of them."""


def show_conversation(fold: Fold, screen: Screen) -> None:
    """Print the last messages of a resumed conversation, without its tool calls."""
    said = [each for group in fold.groups for each in group.visible]
    prompts = [at for at, each in enumerate(said) if each.role is Role.USER]
    if not prompts:
        return
    start = prompts[-MOST_PROMPTS:][0]
    earlier = len(prompts) - len(prompts[-MOST_PROMPTS:])
    if earlier:
        screen.note(f"… {earlier} earlier {'prompt' if earlier == 1 else 'prompts'}")
    for is_call, run in groupby(said[start:], lambda each: each.role is Role.TOOL):
        if is_call:
            calls = len(list(run))
            screen.note(f"· {calls} tool {'call' if calls == 1 else 'calls'}")
            continue
        for each in run:
            words = "\n".join(
                part.text for part in each.parts if part.kind is PartKind.TEXT
            ).strip()
            if words and each.role is Role.USER:
                screen.note(f"\n> {words}", "bold")
            elif words:
                screen.markdown(words)


class Show:
    """Prints a session's events: streams the answer, and tells the rest in short lines."""

    def __init__(self, screen: Screen) -> None:
        self.meter: Meter | None = None
        """The meter that was shown last."""
        self._screen = screen
        self._message = ""
        self._waiting = WaitingLine(screen)
        self._running = RunningLines(screen)
        self._commands: set[str] = set()
        """The ids of the calls that run a command."""
        self._looking: dict[str, str] = {}
        """The lines of the calls that are told once they have ended, by their ids."""

    def __call__(self, session_id: str, event: Event) -> None:
        """Show one event; see ``Listener``."""
        del session_id
        if isinstance(event, MeterMoved):
            self.meter = event.meter
        elif isinstance(event, WaitLasted):
            self._waiting.show(event)
        elif not isinstance(event, UsageReported | SessionChanged):
            self._waiting.end()
            self._print(event)

    @contextmanager
    def waits_over(self) -> Generator[None]:
        """Erase the lines of waits and of running commands at the end of the block."""
        try:
            yield
        finally:
            self._waiting.end()
            self._running.end()
            for line in self._looking.values():
                self._screen.note(line)
            self._looking.clear()

    def _print(self, event: Event) -> None:
        if isinstance(event, TextArrived):
            self._text(event)
        elif isinstance(event, ReasoningArrived):
            self._reasoning(event)
        elif isinstance(event, CallMade):
            self._call_made(event.call)
        elif isinstance(event, CallChanged):
            self._call_changed(event)
        elif isinstance(event, NoticeGiven):
            self._screen.note(event.markdown, STYLES[event.level])
        elif isinstance(event, TasksChanged):
            self._screen.note("\n".join(f"  {line}" for line in task_lines(event.tasks)))
        elif isinstance(event, HookRan):
            self._screen.note(f"· {hook_words(event)}", HOLDING.get(event.decision or "", "dim"))
        elif isinstance(event, ReductionApplied | ReductionPlanned):
            self._screen.note(f"⊖ {receipt_words(event.receipt)}", "cyan")

    def _call_made(self, call: CallShown) -> None:
        line = f"· {call_line(call)}"
        if call.traits.kind in LOOKING:
            self._looking[call.id] = line
            self._screen.passing(line)
            return
        self._screen.note(line)
        if call.traits.runs:
            self._commands.add(call.id)

    def _call_changed(self, event: CallChanged) -> None:
        line = self._looking.pop(event.call_id, None) if event.status in ENDED else None
        if line is not None:
            found = f": {counts_words(event.counts)}" if event.counts else ""
            self._screen.note(f"{line}{found}")
        output = event.output or ""
        shown = self._screen.can_pass and event.call_id in self._commands
        if shown and event.status == "running":
            self._running.show(output, event.since)
        elif shown and event.status in RAN:
            self._running.end()
            self._screen.note(format_end(event), FAILED.get(event.status, "dim"))
        elif event.status in FAILED and not _is_said_by_the_asker(event):
            self._screen.note(f"  {event.status}: {one_line(output)}", FAILED[event.status])

    def _text(self, event: TextArrived) -> None:
        if event.message != self._message:
            self._message = event.message
            self._screen.end_line()
        self._screen.stream(event.text)

    def _reasoning(self, event: ReasoningArrived) -> None:
        if event.message != self._message:
            self._message = event.message
            self._screen.note("· thinking")


def hook_words(ran: HookRan) -> str:
    """Return a hook's run on one line: its event and name, what it decided and how long it took."""
    decided = f": {DECIDED[ran.decision]}" if ran.decision else ""
    name = one_line(ran.name)
    return f"{ran.event} hook {name}{decided}, {seconds_words(ran.milliseconds)}"


def format_end(event: CallChanged) -> str:
    """Return the end of a command's output, folded, with its exit code and its seconds."""
    output, code = event.output or "", event.exit_code
    if code is None or event.milliseconds is None:
        return fold_output(output)
    output = output.removesuffix(exit_note(code)).rstrip(LINE_END)
    last = f"{LAST}exit code {code}, {seconds_words(event.milliseconds)}"
    return LINE_END.join(filter(None, (output and fold_output(output), last)))


def fold_output(output: str) -> str:
    """Return the last lines of an output, each after a bar, and the number of lines left out."""
    lines = output.rstrip(LINE_END).split(LINE_END)
    left = len(lines) - FOLDED
    head = [f"{RULE}… {left} lines"] if left > 1 else []
    kept = lines[-FOLDED:] if head else lines
    return LINE_END.join([*head, *(f"{RULE}{line[:LONGEST_LINE]}" for line in kept)])


def _is_said_by_the_asker(event: CallChanged) -> bool:
    """Tell whether the question about a call has already shown that it was not allowed."""
    return event.rejection is not None and event.rejection.by == "nobody"


def call_line(call: CallShown) -> str:
    """Describe a tool call in one line: by its title, or by its tool and arguments."""
    named = object_of(call.arguments)
    if call.name == GREP:
        pattern = str(named.get("pattern", ""))
        return one_line(call.title.replace(pattern, plain_pattern(pattern)))
    if call.intent is not None or call.traits.subject in named:
        return one_line(call.title)
    values = " ".join(str(value) for value in named.values())
    return one_line(f"{call.name} {values}")
