"""A tool call on the wire, as people see it."""

import json
from collections.abc import Mapping

from plimsoll.context.log.counts import Counts
from plimsoll.context.log.traits import ToolTraits
from plimsoll.context.report.titles import call_words
from plimsoll.lsp.features.convert.messages import range_of
from plimsoll.lsp.wire import content
from plimsoll.session.ports import events
from plimsoll.session.ports.events import AgentShown, CallShown
from plimsoll.text.hunks import ShownHunk
from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.intent import AnyIntent, Location
from plimsoll.tools.process.confinement.base import Confinement


def tool_call(call: CallShown) -> content.ToolCall:
    """Convert a call as people see it; its detail says exactly what it will do."""
    intent = call.intent
    arguments = json.loads(call.arguments)
    detail, asked = None, call.spend or call.address or call.made
    if intent is not None and (_shows_detail(intent) or asked):
        detail = content.ToolCallDetail(
            command=intent.command,
            how=intent.how,
            address=intent.address,
            diff="".join(file.diff for file in call.made.files) if call.made else intent.diff,
            plan=intent.proposal,
            asked_each_time=intent.why_each_time,
            asked_again=call.asked_again,
            confinement=confinement(intent.confinement) if intent.confinement else None,
            spend=spend_question(call.spend) if call.spend else None,
            address_change=address_question(call.address) if call.address else None,
            made=made_files(call.made) if call.made else None,
            hunks=tuple(map(_hunk, intent.hunks)) or None,
        )
    return content.ToolCall(
        id=call.id,
        item_id=call.item,
        name=call.name,
        title=intent.title if intent else earlier_title(call.name, call.traits, arguments),
        arguments=arguments,
        kind="address" if call.address else call.traits.kind,
        detail=detail,
        locations=tuple(_location(each) for each in intent.locations) if intent else (),
        agent=agent_view(call.agent) if call.agent else None,
    )


def _shows_detail(intent: AnyIntent) -> bool:
    return bool(intent.command or intent.address or intent.diff or intent.proposal)


def agent_view(agent: AgentShown) -> content.AgentView:
    """Convert a subagent, as it is shown with a call."""
    return content.AgentView(
        session_id=agent.session,
        kind=agent.kind,
        description=agent.description,
        doing=agent.doing or None,
        tokens=agent.tokens or None,
        isolated=agent.isolated or None,
    )


def spend_question(asked: events.SpendQuestion) -> content.SpendQuestion:
    """Convert the question whether more may be spent."""
    return content.SpendQuestion(
        scope=asked.scope,
        unit=asked.unit,
        limit=asked.limit,
        spent=asked.spent,
        next=asked.next,
    )


def address_question(asked: events.AddressQuestion) -> content.AddressQuestion:
    """Convert the question whether a session may go to another address."""
    return content.AddressQuestion(known=asked.known, now=asked.now)


def made_files(asked: events.MadeQuestion) -> tuple[content.MadeFile, ...]:
    """Convert the protected files that a command made."""
    return tuple(
        content.MadeFile(path=file.name, why=file.moved.why, diff=file.diff, whole=file.whole)
        for file in asked.files
    )


def confinement(found: Confinement) -> content.Confinement:
    """Convert the confinement of a command."""
    return content.Confinement(
        rung=found.rung,
        coverage=found.coverage,
        network=found.network,
        registries=found.registries or None,
        summary=found.summary,
    )


def earlier_title(name: str, traits: ToolTraits, arguments: Mapping[str, object]) -> str:
    """Return the title of a past call that is not prepared again: its tool's verb and subject."""
    verb, about = call_words(name, traits, arguments)
    return f"{verb} {visible_line(about, limit=120)}" if about else verb


def _hunk(found: ShownHunk) -> content.ProposedHunk:
    start, end = (content.Position(line=n, character=0) for n in (found.start, found.end))
    return content.ProposedHunk(range=content.Range(start=start, end=end), new_text=found.text)


def _location(found: Location) -> content.Location:
    return content.Location(uri=found.path.as_uri(), range=range_of(found.lines))


def counts_of(counts: Counts | None) -> content.Counts | None:
    """Convert the counts of a call's result: matches of a search, lines of a read."""
    if counts is None:
        return None
    return content.Counts(
        matches=counts.matches,
        files=counts.files,
        searched=counts.searched,
        lines=counts.lines,
        more=counts.more or None,
    )
