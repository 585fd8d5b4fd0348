"""Approvals on a terminal: the exact effect of a call is shown, and silence is a no."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace

from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallShown, MadeQuestion
from plimsoll.terminal.keyboard import Questions
from plimsoll.terminal.screen import Screen
from plimsoll.text.lines import lines_of
from plimsoll.tools.ports.intent import AnyIntent

QUESTION = (
    "Allow? [y] once, [a] in this session, [n] no, [d] never in this session, or type why not: "
)
QUESTION_EACH_TIME = "Allow? [y] once, [n] no, or type why not: "
QUESTION_PLAN = (
    "Accept the plan? [y] yes, [-2] without step 2, [2 words] these words as step 2, [+ words] one "
    "step more, [n] no, or type what should change: "
)
QUESTION_FORM = (
    "Send the answer? [y] as it stands, [2 words] these words on line 2, [n] no, nothing is sent: "
)
QUESTION_SPEND = (
    "Go on? [y] for the same amount again, [a] and ask no more in this session, [n] stop: "
)
QUESTION_ADDRESS = "Send it there, from now on? [y] yes, [n] no, nothing is sent: "
QUESTION_MADE = "Keep? [y] all, [1 3] these alone, [n] set aside, or type why not: "
ANSWERS = {
    "y": Decision(allowed=True),
    "yes": Decision(allowed=True),
    "a": Decision(allowed=True, for_session=True),
    "n": Decision(allowed=False),
    "no": Decision(allowed=False),
    "": Decision(allowed=False),
    "d": Decision(allowed=False, for_session=True),
}


class TerminalAsker:
    """Asks on the terminal; without one, or without an answer in time, the answer is no."""

    def __init__(
        self, screen: Screen, questions: Questions | None, seconds: float, *, auto: bool
    ) -> None:
        """``questions`` is None without a terminal; ``auto`` allows every call."""
        self._screen = screen
        self._questions = questions
        self._seconds = seconds
        self._auto = auto
        self._one_at_a_time = asyncio.Lock()
        self.declined = False
        """Whether something that the agent wanted to do was declined."""

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Ask for the decision about a call; see ``Asker``."""
        del session_id, turn
        decision = await self._decide(call)
        # What a command has made already is kept or set aside: that declines nothing.
        self.declined = self.declined or not (decision.allowed or call.made)
        return decision

    async def _decide(self, call: CallShown) -> Decision:
        title = call.intent.title if call.intent else call.name
        if call.made is not None and (self._auto or self._questions is None):
            # Nobody looked at it; the session says where it is.
            return Decision(allowed=False, by="nobody")
        # A limit is for the hours in which nobody looks; and another address is no change here.
        if self._auto and call.spend is None and call.address is None:
            self._screen.note(f"· approved by --auto-approve: {title}{_kept_from(call)}")
            return Decision(allowed=True, by="rule")
        if self._questions is None:
            # What becomes of another address says itself what to set.
            if call.address is None:
                remedy = "" if call.spend else "; --auto-approve allows everything"
                self._screen.note(
                    f"· rejected: {title}. It needs an approval and there is no terminal to ask on"
                    f"{remedy}.",
                    "yellow",
                )
            return Decision(allowed=False, reason="nobody could be asked", by="nobody")
        async with self._one_at_a_time:
            return await self._put(call, self._questions)

    async def _put(self, call: CallShown, questions: Questions) -> Decision:
        for text, style in call_lines(call):
            self._screen.note(text, style)
        plan = call.intent.proposal if call.intent else None
        if plan is not None:
            return await self._put_plan(call, plan, questions)
        return await self._ask_person(call, questions)

    async def _put_plan(self, call: CallShown, plan: str, questions: Questions) -> Decision:
        """Ask until the plan is accepted or sent back; what was changed is shown again."""
        edited: str | None = None
        while True:
            answered = await self._ask_person(call, questions)
            if answered.allowed:
                return Decision(allowed=True, edited=edited)
            change = filled_form if call.is_form else changed_plan
            changed = change(edited or plan, answered.reason or "")
            if changed is None or answered.by == "nobody":
                return replace(answered, for_session=False)
            edited = changed
            for text, style in _plan_lines(changed):
                self._screen.note(text, style)

    async def _ask_person(self, call: CallShown, questions: Questions) -> Decision:
        try:
            answer = await asyncio.wait_for(questions.answer(question(call)), self._seconds)
        except TimeoutError:
            self._screen.note(f"\nNo answer within {self._seconds:.0f} s: rejected.", "yellow")
            return Decision(allowed=False, reason="nobody answered in time", by="nobody")
        if call.made is not None:
            return decision_on_made(answer, call.made)
        return always(answer, call) or decision(answer)


def question(call: CallShown) -> str:
    """Return the question with its possible answers; some calls can be allowed only once."""
    if call.spend is not None:
        return QUESTION_SPEND
    if call.address is not None:
        return QUESTION_ADDRESS
    if call.made is not None:
        return QUESTION_MADE
    if call.is_form:
        return QUESTION_FORM
    if call.intent is not None and call.intent.proposal is not None:
        return QUESTION_PLAN
    each_time = call.intent is not None and call.intent.why_each_time is not None
    if each_time or not call.always:
        return QUESTION_EACH_TIME if each_time else QUESTION
    keys = " or ".join(f"[{n}]" for n, _ in enumerate(call.always, start=1))
    return QUESTION.replace("[n] no", f"{keys} always, [n] no")


def _kept_from(call: CallShown) -> str:
    confinement = call.intent.confinement if call.intent else None
    return f" ({confinement.summary})" if confinement else ""


def decision(answer: str | None) -> Decision:
    """Read the decision from an answer; words that are no choice reject, and are the reason."""
    words = (answer or "").strip()
    return ANSWERS.get(words.lower(), Decision(allowed=False, reason=words))


def always(answer: str | None, call: CallShown) -> Decision | None:
    """Read which offered permission an answer allows for good; None if it is another answer."""
    words = (answer or "").strip()
    if not words.isdecimal() or not 1 <= int(words) <= len(call.always):
        return None
    return Decision(allowed=True, always=int(words) - 1)


def decision_on_made(answer: str | None, made: MadeQuestion) -> Decision:
    """Read which of the files that a command made are kept: all, none, or those of some numbers."""
    words = (answer or "").replace(",", " ").split()
    if not words or not all(word.isdecimal() for word in words):
        return replace(decision(answer), for_session=False)
    chosen = {int(word) for word in words}
    names = tuple(file.name for n, file in enumerate(made.files, start=1) if n in chosen)
    return Decision(allowed=bool(names), kept=names)


def call_lines(call: CallShown) -> Iterator[tuple[str, str]]:
    """List all that a call would do, as lines with their styles."""
    intent = call.intent
    yield f"? {intent.title if intent else call.name}", "bold"
    if intent is None:
        return
    if intent.why_each_time is not None:
        yield f"  Asked each time, because of {intent.why_each_time}.", "yellow"
    if call.asked_again is not None:
        yield f"  {call.asked_again}", "yellow"
    yield from _exact_lines(intent)
    if intent.confinement is not None:
        style = {"full": "green", "partial": "yellow", "none": "yellow"}
        yield f"  {intent.confinement.summary}", style[intent.confinement.coverage]
    if intent.covers and question(call) is QUESTION:
        yield f"  [a] allows {intent.covers}, in this session", "dim"
    yield from _plan_lines(intent.proposal or "")
    yield from _diff_lines(intent.readable_diff)
    for number, scope in enumerate(call.always, start=1):
        yield f"  [{number}] always allow {scope.what}, in this folder: {scope.covers}", ""
    for number, file in enumerate(call.made.files if call.made else (), start=1):
        yield f"  {number}. {file.name}: {file.moved.why}", "bold"
        yield from _diff_lines(file.readable_diff)
        if not file.whole:
            yield f"  Not all of it is shown. It is in {file.moved.shown_place}.", "yellow"


def _exact_lines(intent: AnyIntent) -> Iterator[tuple[str, str]]:
    """List the command that a call runs, or the address that it asks."""
    if intent.command is not None:
        yield f"  $ {intent.command}", ""
    for line in lines_of(intent.address or ""):
        yield f"  {line}", ""


def _diff_lines(diff: str) -> Iterator[tuple[str, str]]:
    for line in lines_of(diff):
        yield f"  {line}", {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")


def _plan_lines(plan: str) -> Iterator[tuple[str, str]]:
    for line in lines_of(plan):
        yield f"  {line}", ""


_FORM_LINE = re.compile(r"(\d+\. .*?(?: \([^)]*\))?:)(?: .*)?\Z")
_FIELD = re.compile(r"(\d+)[.)]?\s+(.*)")


def filled_form(form: str, answer: str) -> str | None:
    """Write an answer's words behind the colon of a line of a form; None if it names no line."""
    found = _FIELD.fullmatch(answer.strip())
    lines = list(lines_of(form))
    place = next(
        (n for n, line in enumerate(lines) if found and line.startswith(f"{found[1]}. ")), None
    )
    if found is None or place is None:
        return None
    lines[place] = _FORM_LINE.sub(lambda line: f"{line[1]} {found[2]}", lines[place])
    return "\n".join(lines)


_CHANGE = re.compile(r"(-)(\d+)|(\+)\s*(\S.*)|(\d+)[.)]?\s+(\S.*)")
_STEP = re.compile(r"\d+\. ")


def changed_plan(plan: str, answer: str) -> str | None:
    """Change one step of a plan as an answer says; None if it names no step of the plan.

    A plan keeps at least one step: without any it is no plan, and is sent back.
    """
    found = _CHANGE.fullmatch(answer.strip())
    lines = list(lines_of(plan))
    places = [place for place, line in enumerate(lines) if _STEP.match(line)]
    if found is None or not places:
        return None
    dropped, added = found[1] is not None, found[3] is not None
    number = len(places) if added else int(found[2] or found[5])
    if not 1 <= number <= len(places) or (dropped and len(places) == 1):
        return None
    place, words = places[number - 1], found[4] or found[6]
    new = [] if dropped else [f"0. {words}"]
    lines[place : place + 1] = [lines[place], *new] if added else new
    count = 0
    for at, line in enumerate(lines):
        if _STEP.match(line):
            count += 1
            lines[at] = _STEP.sub(f"{count}. ", line, count=1)
    return "\n".join(lines)
