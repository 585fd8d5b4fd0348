"""The one place where ids are made of what is no entry, or is named before its entry is made."""

from plimsoll.session.ports.clock import Clock


def new_session_id(clock: Clock) -> str:
    """Make the id of a session."""
    return clock.new_id("s")


def new_turn_id(clock: Clock) -> str:
    """Make the id of a turn, or of a command that is answered as one."""
    return clock.new_id("t")


def new_message_id(clock: Clock) -> str:
    """Make the id of a message, also of one that is shown while it arrives."""
    return clock.new_id("m")


def new_question_id(clock: Clock) -> str:
    """Make the id of a question to the person, or of a prompt in the queue."""
    return clock.new_id("q")


def new_pin_id(clock: Clock) -> str:
    """Make the id of a pin that is copied or imported."""
    return clock.new_id("p")


def new_memory_id(clock: Clock) -> str:
    """Make the id of a memory."""
    return clock.new_id("k")
