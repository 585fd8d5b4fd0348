"""In whose name a session works: its own person's, or that of the session that called it."""

from plimsoll.session.state.session_state import SessionState


def person_of(state: SessionState) -> SessionState:
    """Return the session in which the person speaks for whom this one works."""
    while state.caller is not None:
        state = state.caller.state
    return state
