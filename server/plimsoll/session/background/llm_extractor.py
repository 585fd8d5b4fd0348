"""The utility model as a reader of a session: what it is asked with, and what that costs."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Noted, Said
from plimsoll.context.log.messages import Call, PartKind
from plimsoll.errors import RequestInvalid
from plimsoll.memory.extraction.extraction_loop import Opening, shared_opening
from plimsoll.memory.extraction.job import Extraction
from plimsoll.memory.extraction.phrases import Reading
from plimsoll.memory.extraction.steps import Ask, ModelReply
from plimsoll.memory.extraction.turns import first_unread
from plimsoll.memory.types import Memory
from plimsoll.providers.base import Request, Usage
from plimsoll.session.asking.beside import ask_beside
from plimsoll.session.asking.calibration import is_believed
from plimsoll.session.asking.gate import may_work_beside
from plimsoll.session.asking.kept_answer import answer_parts
from plimsoll.session.asking.request import request_for
from plimsoll.session.asking.response import ResponseBuilder, new_response, was_sent
from plimsoll.session.asking.spending import unreported_note
from plimsoll.session.memory.memory_tools import holds_foreign_text
from plimsoll.session.ports.events import UsageReported
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.reduction.utility_model import is_silent, utility_of
from plimsoll.session.session import Session
from plimsoll.session.state.cost import usage_note

CHARACTERS = 2
"""Characters to read for each token of the window: half of the usual leaves room to answer."""


class LlmExtractor:
    """One reading of a session for memories by the utility model."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reported: list[tuple[str, Usage]] = []
        """Models with what they were reported to take."""
        self._notes: list[Noted] = []
        """What each request cost, by report or by our own count."""

    async def read(self, said: Sequence[Said], reading: Reading) -> list[Memory]:
        """Ask the utility model for memories; none are found if it writes no prose.

        Raises:
            ProviderError: It failed; the same messages are read the next time.
            AddressChanged: The session may not go there, as AddressRejected: nothing was sent.
            StoreError: Nothing was kept; the same messages are read the next time.
        """
        state = self._session.state
        utility = await utility_of(state.model, state.models, state.voice)
        if is_silent(utility):
            return []
        if not may_work_beside(state, utility.id, "extraction"):
            return []
        opening = await self._reuse_request(utility, said, reading)
        most = None if opening else utility.budget.effective * CHARACTERS

        async def model(step: Ask) -> ModelReply:
            return await self._ask(utility, step)

        store = state.memories.all.store
        instructed = await holds_foreign_text(state.log.fold, state.memories.all)
        job = Extraction(
            store=store,
            reading=reading,
            model=model,
            opening=opening,
            instructed=instructed,
            most_characters=most,
        )
        return await job.run(said)

    async def _reuse_request(
        self, utility: Model, said: Sequence[Said], reading: Reading
    ) -> Opening | None:
        """Reuse the conversation's own request, if the model is the same and it has all messages.

        Messages covered since the last reading would be missed, and are read as a transcript.
        """
        state = self._session.state
        if utility.id != state.model.id:
            return None
        fold = state.log.fold
        cursor = await state.memories.all.store.cursor(state.id, "model")
        fresh = {message.id for message in said[first_unread(said, cursor, reading.order) :]}
        covered = (group for group in fold.groups if group.cover is not None)
        if any(message.id in fresh for group in covered for message in group.said):
            return None
        try:
            request = request_for(fold, state.model.budget, state.model.name)
        except RequestInvalid:
            # Too large for the window as it stands: the transcript is read in parts.
            return None
        return shared_opening(request.messages, request.tools)

    async def _ask(self, utility: Model, step: Ask) -> ModelReply:
        request = Request(
            model=utility.name,
            messages=step.messages,
            tools=step.tools,
            max_output=utility.budget.reserve,
        )
        response = new_response()
        # Nobody waits for it, so no wait is told.
        state = self._session.state
        try:
            await ask_beside(state, utility, request, response, purpose="extraction")
        except BaseException as error:
            if was_sent(response, error):
                self._note(utility, request, response)
            raise
        self._note(utility, request, response)
        calls = [part for part in answer_parts(response, whole=True) if part.kind is PartKind.CALL]
        return ModelReply(
            "".join(response.text),
            tuple(Call(c.call_id or "", c.name or "", c.text, c.opaque) for c in calls),
        )

    def _note(self, utility: Model, request: Request, response: ResponseBuilder) -> None:
        """Record the cost of one request, by our own count if no report is plausible."""
        count, clock = utility.ledger.bare, self._session.state.clock
        usage, read = response.usage, sum(count(message.text) for message in request.messages)
        if usage is not None and is_believed(read, usage.input):
            self._reported.append((utility.id, usage))
            self._notes.append(usage_note(usage, "extraction", utility.id, clock))
            return
        made = [*response.text, *(call.arguments for call in response.calls)]
        own = Tokens(read, 0, sum(map(count, made)))
        self._notes.append(unreported_note("", utility.id, own, clock, purpose="extraction"))

    async def note_cost(self) -> None:
        """Report the cost of the reading, and note it in the log."""
        for model, usage in self._reported:
            self._session.state.voice.emit(UsageReported("", "extraction", model, usage))
        await self._session.note(*self._notes)
