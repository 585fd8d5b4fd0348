"""The file by which a folder suggests a shared project: `.plimsoll/project`, with no address."""

import logging
from pathlib import Path
from uuid import UUID

from plimsoll.errors import InvalidInput
from plimsoll.storage.shared.status import SuggestedProject

FILE = Path(".plimsoll") / "project"
LONGEST_NAME = 200
_MOST_BYTES = 4_096

log = logging.getLogger(__name__)


def read_suggestion(root: Path) -> SuggestedProject | None:
    """Read the project that a folder suggests; None where there is no such file, or no good one."""
    try:
        with (root / FILE).open("rb") as file:
            text = file.read(_MOST_BYTES).decode()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        log.info("%s is not read: %s", FILE, type(error).__name__)
        return None
    # Late: few folders have such a file.
    import tomllib

    try:
        return _read_fields(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValueError) as error:
        log.info("%s suggests no project: %s", FILE, type(error).__name__)
        return None


def refuse_other_suggestion(root: Path) -> None:
    """Raise InvalidInput where the folder has such a file already."""
    if (root / FILE).exists():
        raise InvalidInput(
            f"This folder has a file {FILE} already.",
            remedy="Join the project that it suggests, or remove the file first.",
        )


def write_suggestion(root: Path, suggested: SuggestedProject) -> None:
    """Write the file, which must not be there yet.

    Raises:
        InvalidInput: It cannot be written, or was made meanwhile.
    """
    try:
        (root / FILE).parent.mkdir(exist_ok=True)
        with (root / FILE).open("x", encoding="utf-8") as file:
            file.write(_text_of(suggested))
    except OSError as error:
        raise InvalidInput(
            f"The project was made and joined, but {FILE} cannot be written: {error.strerror}.",
            remedy="Write it yourself: " + _text_of(suggested).replace("\n", " ").strip(),
        ) from error


def _text_of(suggested: SuggestedProject) -> str:
    # A name has no line break and no control character, so only these two signs mean anything.
    name = suggested.name.replace("\\", "\\\\").replace('"', '\\"')
    return f'id = "{suggested.project}"\nname = "{name}"\n'


def is_name(name: str) -> bool:
    """Tell whether a text can be the name of a project."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def _read_fields(found: dict[str, object]) -> SuggestedProject:
    """Check the fields of the file; raises ValueError."""
    project, name = found.get("id"), found.get("name")
    if not isinstance(project, str) or not isinstance(name, str) or not is_name(name):
        raise ValueError(FILE)
    return SuggestedProject(project=str(UUID(project)), name=name)
