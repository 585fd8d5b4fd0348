"""What became of files, in words for people."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from plimsoll.session.checkpoints.restoring import FileResult, Restored
from plimsoll.text.paths import name_in


def restored_markdown(restored: Restored, root: Path) -> str:
    """Say how many files were restored, and name each file that has a remark."""
    done = [file for file in restored.files if file.action != "left"]
    left = [file for file in restored.files if file.action == "left"]
    lines = [f"{_pluralise(len(done), 'file')} restored."]
    lines.extend(_list_explained("Perhaps not as at the prompt:", done, root))
    lines.extend(_list_explained("Left as they are:", left, root))
    if restored.commands:
        ran = _pluralise(restored.commands, "command")
        lines.append(f"\nNot undone: what {ran} changed since.")
    return "\n".join(lines)


def foreseen_markdown(restored: Restored, root: Path) -> str:
    """Say what a rewind would do to each file, and why it would leave others."""
    done = [file for file in restored.files if file.action != "left"]
    left = [file for file in restored.files if file.action == "left"]
    lines = [f"{_pluralise(len(done), 'file')} would be restored."]
    if done:
        lines.append("")
    lines.extend(_would(file, root) for file in done)
    lines.extend(_list_explained("Would be left as they are:", left, root))
    if restored.commands:
        ran = _pluralise(restored.commands, "command")
        lines.append(f"\nNot undone: what {ran} changed since.")
    return "\n".join(lines)


def _would(file: FileResult, root: Path) -> str:
    act = "would be removed" if file.action == "removed" else "would be as it was then"
    return f"- `{_name(file, root)}` {act}" + (f": {file.why}" if file.why is not None else "")


def _list_explained(title: str, files: Iterable[FileResult], root: Path) -> Iterator[str]:
    rows = [f"- `{_name(file, root)}`: {file.why}" for file in files if file.why is not None]
    if rows:
        yield f"\n{title}\n"
        yield from rows


def rewind_markdown(restored: Restored | None, root: Path, *, before: bool) -> str:
    """Say what a rewind did; None for ``restored``: to no file. ``before``: without its prompt."""
    files = "Files stay as they are." if restored is None else _about_files(restored, root)
    left = "The prompt and what came after it" if before else "What came after the prompt"
    return _paragraphs(f"{left} left the conversation.", files)


def brought_back_markdown(restored: Restored | None, root: Path) -> str:
    """Say what the undo of a rewind did."""
    files = "" if restored is None else _about_files(restored, root)
    return _paragraphs("What had left the conversation is back.", files)


def _about_files(restored: Restored, root: Path) -> str:
    return restored_markdown(restored, root) if restored.files or restored.commands else ""


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def _name(file: FileResult, root: Path) -> str:
    return " ".join(name_in(root, file.path).replace("`", "'").split())


def _pluralise(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count or 'No'} {word}s"
