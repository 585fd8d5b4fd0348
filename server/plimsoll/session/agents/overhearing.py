"""How a session hears of its subagents: what they do now, and what they ask of the person."""

from dataclasses import replace

from plimsoll.session.ports.asker import Asker, Decision
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.events import (
    AgentShown,
    CallChanged,
    CallMade,
    CallShown,
    Event,
    Listener,
    UsageReported,
)
from plimsoll.session.state.session_state import Caller


def beneath(environment: Environment, caller: Caller) -> Environment:
    """Return a subagent's environment, whose questions and events go to its caller's session."""
    asking = AskingFor(caller, environment.asker)
    return replace(environment, asker=asking, listener=Overhearing(caller, asking, environment))


class AskingFor:
    """Asks the person for a subagent, in its caller's session, as a call under its name."""

    def __init__(self, caller: Caller, asker: Asker) -> None:
        self.shown: set[str] = set()
        """The calls that the caller's session shows."""
        self._caller = caller
        self._asker = asker

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Ask for a decision; any client can answer, also one that knows no subagents."""
        del session_id, turn
        caller = self._caller
        own = _with_agent_name(call, caller)
        self.shown.add(call.id)
        caller.state.voice.emit(CallMade(caller.place.turn, own))
        caller.state.voice.emit(
            CallChanged(turn=caller.place.turn, call_id=call.id, status="waiting")
        )
        decision = await self._asker.ask(caller.state.id, caller.place.turn, own)
        status = "running" if decision.allowed else "rejected"
        caller.state.voice.emit(CallChanged(turn=caller.place.turn, call_id=call.id, status=status))
        return decision


def _with_agent_name(call: CallShown, caller: Caller) -> CallShown:
    """Put the asking subagent's name into the title of a call, which every client shows."""
    who, intent = caller.shown, call.intent
    title = f"{who.kind}: {who.description} - {call.title}"
    named = None if intent is None else replace(intent, title=title)
    return replace(call, item="", intent=named, agent=call.agent or who)


class Overhearing:
    """Passes on a subagent's events, and shows in its caller's card what it does."""

    def __init__(self, caller: Caller, asking: AskingFor, environment: Environment) -> None:
        self._caller = caller
        self._asking = asking
        self._listener: Listener = environment.listener
        self._now = caller.shown

    def __call__(self, session_id: str, event: Event) -> None:
        """Handle an event of the subagent."""
        self._listener(session_id, event)
        match event:
            case CallMade():
                self._tell(replace(self._now, doing=event.call.title))
            case UsageReported():
                took = event.usage.input + event.usage.output
                self._tell(replace(self._now, tokens=self._now.tokens + took))
            case CallChanged() if event.call_id in self._asking.shown:
                if event.status in {"completed", "failed"}:
                    caller = self._caller
                    caller.state.voice.emit(replace(event, turn=caller.place.turn, item=None))
            case _:
                pass

    def _tell(self, now: AgentShown) -> None:
        self._now, caller = now, self._caller
        took = f"{now.tokens:,} tokens"
        words = f"{now.doing} · {took}" if now.doing else took
        turn, call = caller.place.turn, caller.place.call_id
        caller.state.voice.emit(
            CallChanged(turn=turn, call_id=call, status="running", output=words, agent=now)
        )
