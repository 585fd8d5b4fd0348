"""Asking the utility model for a summary: in parts where need be, and a second time at most."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from plimsoll.context.log.messages import Message, Role
from plimsoll.context.stages.summary import (
    NEEDED,
    SummaryAnswer,
    SummaryDemands,
    SummaryTask,
    SummaryWishes,
    parts_that_fit,
    prompt_for,
    refusal,
    summary_in,
    task_for,
)
from plimsoll.context.view.view import Group
from plimsoll.errors import AddressChanged, PlimsollError, ProviderError, ProviderOverflow
from plimsoll.providers.base import Request, Waiting
from plimsoll.session.asking.beside import ask_beside
from plimsoll.session.asking.calibration import is_believed
from plimsoll.session.asking.response import ResponseBuilder, new_response, was_sent
from plimsoll.session.asking.spending import unreported_note
from plimsoll.session.asking.waiting import tell_wait
from plimsoll.session.log.session_log import KeepsNotes
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.reduction.breaker import SummaryBreaker
from plimsoll.session.state.cost import usage_note
from plimsoll.session.state.session_state import SessionState
from plimsoll.telemetry.base import ERROR, error_kind

CUT_TRIES = 3
"""How often it is asked where a passing fault cuts what nobody has seen."""
ATTEMPTS = 2
"""The first, and one that names what was missing."""
LEAST_INPUT = 500
"""Tokens; a model that can read no more at a time cannot summarise."""
MOST_PARTS = 6
"""Requests for one summary, but for a second try; what would take more is left to the digest."""
FRAME = 100
"""Tokens of the request around the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """The task of a summary: the conversation to summarise and its limits."""

    groups: Sequence[Group]
    target: int
    """Most tokens of the summary."""
    replaced: int
    """Tokens that it takes the place of."""
    instructions: str
    waited_for: bool
    """A person asked for it, who is told when the model is waited for; the breaker is tried."""
    keep: KeepsNotes
    """Keeps what it cost."""


@dataclass(frozen=True, slots=True)
class Written:
    """A summary that passed the checks."""

    text: str
    spent: int
    """Tokens that it cost, the attempts that failed included."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the model wrote no summary that could be used."""

    reason: str
    error: PlimsollError | None = None
    text: str = ""
    """The summary that the checks refused; empty where there is none."""
    spent: int = 0


async def written_by(
    utility: Model, state: SessionState, commission: Commission
) -> Written | Failure:
    """Let the model write a summary that passes the checks; split a too long prompt once."""
    with state.tracer.span("compaction", "compaction", {}) as span:
        result = await _write_summary(utility, state, commission)
        if isinstance(result, Failure):
            span[ERROR] = "unusable" if result.error is None else error_kind(result.error)
    return result


async def _write_summary(
    utility: Model, state: SessionState, commission: Commission
) -> Written | Failure:
    wishes = wishes_of(state.model, commission.instructions)
    told = f"{wishes.prompt}\n{wishes.guidance}\n{wishes.instructions}"
    rules, effective = utility.ledger.bare(told) + 400, utility.budget.effective
    limit = effective - utility.margin(effective) - rules - commission.target - FRAME
    reading = partial(task_for, limit=limit, count=utility.ledger.bare)
    task = await asyncio.to_thread(reading, commission.groups, commission.target)
    asking = _Asking(utility, state, task=task, commission=commission)
    breaker = SummaryBreaker(state, commission.keep)
    failure, refused = Failure(""), None
    for _ in range(ATTEMPTS):
        if not await asking.divide(limit):
            failure = Failure(too_small(utility))
            break
        try:
            refused = await asking.attempt(refused)
        except ProviderOverflow as error:
            failure, limit = Failure(error.message, error), limit // 2
        except AddressChanged as error:
            return Failure(error.message, error)
        except ProviderError as error:
            # The port has retried already; another try would only cost as much again.
            failure = Failure(error.message, error)
            break
        else:
            if refused is None:
                return Written(asking.text, asking.spent)
            reason = f"the summary could not be used: {refused}"
            failure = Failure(reason, text=asking.refused, spent=asking.spent)
        await breaker.count_failure(utility.id)
        if not commission.waited_for and breaker.is_open(utility.id):
            return failure
    else:
        return failure
    await breaker.count_failure(utility.id)
    return failure


def too_small(utility: Model) -> str:
    """Make the failure of a model too small to read the conversation in few enough parts."""
    assumed = " (assumed)" if utility.window_source == "assumed" else ""
    return (
        f"the window of {utility.id}, {utility.budget.window:,} tokens{assumed}, is too small to "
        "read the conversation"
    )


def wishes_of(model: Model, instructions: str) -> SummaryWishes:
    """Return the wishes for a summary: the guidance of the settings and of a person."""
    settings = model.settings.compaction
    return SummaryWishes(settings.prompt, settings.guidance, instructions)


def demands_of(model: Model, required: Sequence[str], target: int, replaced: int) -> SummaryDemands:
    """Return the checks for a summary; a person's own prompt decides about its headings."""
    headings = () if model.settings.compaction.prompt else NEEDED
    return SummaryDemands(required, headings, target, replaced)


class _Asking:
    """The attempts at one summary, and what they cost."""

    def __init__(
        self, utility: Model, state: SessionState, task: SummaryTask, commission: Commission
    ) -> None:
        self.text = ""
        """The summary of the parts that were read."""
        self.refused = ""
        self.spent = 0
        self._utility = utility
        self._state = state
        self._task = task
        self._commission = commission
        self._limit = 0
        self._parts: list[str] = []
        self._sizes: list[int] = []
        """Tokens of the parts: one that is given up is noted without another count of it."""
        self._read = 0
        """Parts that stand in the summary."""

    async def divide(self, limit: int) -> bool:
        """Divide the conversation into parts of so many tokens; tell whether they are few enough.

        With a new limit the reading starts again.
        """
        if limit == self._limit:
            return True
        if limit < LEAST_INPUT:
            return False
        self._limit, self.text, self._read = limit, "", 0
        count = self._utility.ledger.bare
        self._parts = await asyncio.to_thread(parts_that_fit, self._task.blocks, limit, count)
        self._sizes = await asyncio.to_thread(lambda: [*map(count, self._parts)])
        return len(self._parts) <= MOST_PARTS

    async def attempt(self, refused: str | None) -> str | None:
        """Summarise the parts left; returns why the summary is refused, None if it is good."""
        wishes = wishes_of(self._state.model, self._commission.instructions)
        prompt = prompt_for(self._task, wishes, refused)
        for piece in self._parts[self._read :]:
            last = self._read == len(self._parts) - 1
            before = f"[{self._task.mark} summary of what came before]\n{self.text}\n\n"
            text = f"{before if self.text else ''}{piece}\n\n{prompt}"
            extra = self._utility.ledger.bare(before + prompt)
            response = await self._ask(text, self._sizes[self._read] + extra)
            raw = "".join(response.text)
            answer = SummaryAnswer(raw, response.finished == "endTurn", bool(response.calls))
            reason = refusal(answer, self._demands(last=last), self._state.model.ledger.bare)
            if reason:
                self.refused = summary_in(raw)
                return reason
            self.text, self._read = summary_in(raw), self._read + 1
        return None

    def _demands(self, *, last: bool) -> SummaryDemands:
        """Return the checks for a part's summary: only the last has all required headings."""
        required = self._task.required if last else ()
        commission = self._commission
        return demands_of(self._state.model, required, commission.target, commission.replaced)

    async def _ask(self, text: str, tokens: int) -> ResponseBuilder:
        """Ask the model, again if a passing fault cut its answer, of which nobody saw any.

        The provider has already retried failures before the first word.
        """
        for _ in range(CUT_TRIES - 1):
            response = new_response()
            try:
                await self._hear(response, text, tokens)
            except ProviderError as error:
                if error.passing is None or not (response.text or response.reasoning):
                    raise
            else:
                if response.finished != "cut":
                    return response
        response = new_response()
        await self._hear(response, text, tokens)
        return response

    async def _hear(self, response: ResponseBuilder, text: str, tokens: int) -> None:
        utility = self._utility
        message = Message(id="summary", role=Role.USER, text=text)
        request = Request(
            model=utility.name, messages=(message,), max_output=utility.budget.reserve
        )
        read = True
        try:
            await ask_beside(
                self._state,
                utility,
                request,
                response,
                purpose="compaction",
                waited_for=self._commission.waited_for,
                wait=self._wait,
            )
        except BaseException as error:
            # A request that was refused, or never sent, costs nothing.
            read = was_sent(response, error)
            raise
        finally:
            if read:
                self.spent += await self._note(response, tokens)

    def _wait(self, waiting: Waiting) -> None:
        if self._commission.waited_for:
            voice, clock = self._state.voice, self._state.clock
            tell_wait(voice, clock, waiting, turn="", model=self._utility.name)

    async def _note(self, response: ResponseBuilder, tokens: int) -> int:
        """Note the usage that the provider reported, and return the call's tokens."""
        count = self._utility.ledger.bare
        model, clock, usage = self._utility.id, self._state.clock, response.usage
        own = Tokens(tokens, 0, count("".join(response.text)))
        if usage is not None and is_believed(own.input, usage.input):
            await self._commission.keep(usage_note(usage, "compaction", model, clock))
            return usage.input + usage.output
        note = unreported_note("", model, own, clock, purpose="compaction")
        await self._commission.keep(note)
        return own.input + own.output
