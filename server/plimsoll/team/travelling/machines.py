"""The names by which machines know each other: for people the host's name, told apart by an id."""

_MARK = "#"
_LENGTH = 8
"""Characters of a machine's id that tell it from another of the same name."""


def machine_label(host: str, machine_id: str) -> str:
    """Return the name under which a machine writes at the team's server."""
    return f"{shown_machine(host) or 'a machine'}{_MARK}{machine_id[:_LENGTH]}"


def shown_machine(label: str, own: str = "") -> str:
    """Return a machine's name for people; ``own``: this one's label, which may be named alike."""
    name = label.partition(_MARK)[0]
    if own and label != own and name == own.partition(_MARK)[0]:
        return f"another {name}"
    return name


def is_machine(holder: str, label: str) -> bool:
    """Tell whether the holder of a lease is a machine; a process may be named behind it."""
    return holder == label or holder.startswith(f"{label} ")
