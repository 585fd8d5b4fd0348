"""Names of shared projects."""

from plimsoll.errors import InvalidInput
from plimsoll.storage.shared.project_file import LONGEST_NAME, is_name


def checked_name(name: str) -> str:
    """Return a name as a project can have it; raises InvalidInput."""
    if not is_name(name.strip()):
        raise InvalidInput(
            "That cannot be the name of a project.",
            remedy=f"Take one line of at most {LONGEST_NAME} characters.",
        )
    return name.strip()
