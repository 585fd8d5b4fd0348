"""What a person sends: text, files, images and selections, as parts of a message and as a title."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from plimsoll.context.log.images import LARGEST_IMAGE, image_bytes, image_type
from plimsoll.context.log.messages import Part, PartKind, Source
from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.storage.base import SessionRecord
from plimsoll.text.lines import line_range, lines_of, version_of, version_of_lines
from plimsoll.text.paths import name_in
from plimsoll.text.speech.pasted import (
    Ranges,
    WrittenText,
    carry_over,
    from_utf16,
    to_utf16,
)
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.file_access import AttachmentReader

LARGEST_ATTACHMENT = 2_000_000
"""Bytes of an attached file; a larger one is for the tools to read in pieces."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """A text that a person sent, and which ranges of it were pasted."""

    text: str
    pasted: Ranges | None = None
    """What of it was pasted, in characters; none: nobody said."""

    @classmethod
    def from_client(cls, text: str, pasted: Sequence[tuple[int, int]] | None) -> "PromptText":
        """Make a prompt text from a client's text and its pasted ranges, in UTF-16 units.

        Raises:
            InvalidInput: They do not lie in the text.
        """
        if pasted is None:
            return cls(text)
        ranges = from_utf16(pasted, text)
        if ranges is None:
            raise InvalidInput(
                f"The pasted ranges do not lie in the text: {str(tuple(pasted))[:80]}.",
                remedy="Send each as from and to in UTF-16 units of the text, or leave them out.",
            )
        return cls(text, ranges)

    @property
    def told_ranges(self) -> Ranges | None:
        """The pasted ranges in UTF-16 units; None if they are unknown."""
        return None if self.pasted is None else to_utf16(self.pasted, self.text)

    def with_text(self, text: str) -> "PromptText":
        """Return another form of the same text, with the pasted ranges carried over."""
        found = carry_over(WrittenText(self.text, self.pasted), text)
        return PromptText(found.text, found.pasted)


def is_used(record: SessionRecord) -> bool:
    """Tell whether a session has messages; one that was only opened may be deleted."""
    return bool(record.turns or record.title)


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file, or some lines of it, from 1; a folder is listed."""

    path: Path
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ImageData:
    """An image as base64."""

    mime_type: str
    data: str


@dataclass(frozen=True, slots=True)
class Selection:
    """A text that was selected in a file."""

    path: Path
    lines: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text that an editor shows beside files: its problems, the output of a terminal."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class RepositoryChanges:
    """The changes of the folder's git repository; read when the prompt is said."""


Attachable = PromptText | FileRef | ImageData | Selection | Excerpt
"""What can stand in a message as it is."""
Content = Attachable | RepositoryChanges


def parts_of(
    content: Sequence[Attachable],
    context: CallContext,
    read: AttachmentReader,
    sees_images: bool | None = None,
) -> tuple[Part, ...]:
    """Build the parts of a user's message; reads files, so it belongs on a worker thread.

    ``sees_images``: whether the model takes images; None: unknown.

    Raises:
        InvalidInput: A file cannot be attached, or the message is empty.
    """
    parts = tuple(_part(each, context, read) for each in content)
    if not any(part.text.strip() for part in parts):
        raise InvalidInput("The message is empty.", remedy="Write something to send.")
    if sees_images is False and any(part.kind is PartKind.IMAGE for part in parts):
        raise InvalidInput(
            "The model of this session sees no images.",
            remedy="Leave the image out and describe it, or choose a model that sees images.",
        )
    return parts


def _part(content: Attachable, context: CallContext, read: AttachmentReader) -> Part:
    if isinstance(content, PromptText):
        return Part(kind=PartKind.TEXT, text=content.text, pasted=content.pasted)
    if isinstance(content, ImageData):
        return _image(content)
    if isinstance(content, Selection):
        source = Source(content.path.as_uri(), content.lines)
        name = name_in(context.root, content.path)
        return _attachment_part(PartKind.SELECTION, name, content.text, source)
    if isinstance(content, Excerpt):
        return _attachment_part(PartKind.SELECTION, " ".join(content.title.split()), content.text)
    return _file(content, context, read)


def _file(content: FileRef, context: CallContext, read: AttachmentReader) -> Part:
    try:
        file = read(content.path, context, LARGEST_ATTACHMENT)
    except ToolFailed as error:
        raise InvalidInput(f"The file was not attached: {error.message}") from error
    if file.media_type is not None and file.media_type.startswith("image/"):
        source = Source(file.path.as_uri())
        return Part(kind=PartKind.IMAGE, text=file.text, name=file.media_type, source=source)
    if file.is_folder:
        name = "./" if file.path == context.root else f"{name_in(context.root, file.path)}/"
        # Without a source: no file is stale because something in its folder changed.
        return _attachment_part(PartKind.FILE, name, file.text)
    text = _excerpt(file.text, content.lines)
    lines_version = None if content.lines is None else version_of_lines(lines_of(text))
    source = Source(file.path.as_uri(), content.lines, version_of(file.text), lines_version)
    part = _attachment_part(PartKind.FILE, name_in(context.root, file.path), text, source)
    return replace(part, name=file.media_type)


def _image(content: ImageData) -> Part:
    """Make a part of an image from a client; its first bytes decide its type."""
    data = image_bytes(content.data)
    kind = image_type(data) if data is not None else None
    if data is None or kind is None:
        raise InvalidInput(
            f"The image ({content.mime_type[:60]}) is not PNG, JPEG, GIF or WebP in base64.",
            remedy="Send it in one of these forms.",
        )
    if len(data) > LARGEST_IMAGE:
        raise InvalidInput(
            f"The image has {len(data):,} bytes, more than the {LARGEST_IMAGE:,} that models take.",
            remedy="Make it smaller.",
        )
    return Part(kind=PartKind.IMAGE, text=content.data, name=kind)


def _excerpt(text: str, lines: tuple[int, int] | None) -> str:
    if lines is None:
        return text
    return "\n".join(islice(lines_of(text), lines[0] - 1, lines[1]))


def _attachment_part(
    kind: PartKind,
    name: str,
    text: str,
    source: Source | None = None,
) -> Part:
    """Make the part of an attached text: its name, its lines and the text."""
    lines = source.lines if source is not None else None
    name = f"{name}:{line_range(*lines)}" if lines else name
    fenced = f"[attached {name}]\n{text}\n[end of {name}]"
    return Part(kind=kind, text=fenced, source=source, attached=name)


TITLE_LENGTH = 60
LONGEST_TITLE = 200
"""Characters of a title that a person gives."""
PREVIEW_LENGTH = 160
"""Characters of a session's title and preview."""
_LOOKED_AT = 8_000
_LINE_LENGTH = 400
"""Characters in which a title is looked for; markup that never ends costs time."""

_CODE_BLOCK = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINE_MARKS = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(\*{1,3}|(?<!\w)_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"(`+)(.+?)\1")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


def title_of(text: str) -> str:
    """Return a title for a text: its first line that is no code, else its first line."""
    text = text[:_LOOKED_AT]
    prose = _CODE_BLOCK.sub("", text)
    lines = (_plain(line) for line in lines_of(prose))
    found = next((line for line in lines if line), None)
    return shorten(found or _first_code_line(text), TITLE_LENGTH)


def preview_of(text: str) -> str:
    """Return the beginning of a message on one line."""
    return shorten(" ".join(text[:_LOOKED_AT].split()), PREVIEW_LENGTH)


def shorten(text: str, most: int) -> str:
    """Shorten a text to as many whole words as fit, with an ellipsis."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    if not text[most - 1].isspace():
        start = cut.rfind(" ")
        # A long word, or a script without spaces, is cut where it stands.
        cut = cut[:start] if start > most // 2 else cut
    return f"{cut.rstrip(' ,;:-')}…"


def _plain(line: str) -> str:
    line = line[:_LINE_LENGTH]
    line = _TAG.sub("", _LINK.sub(r"\1", _LINE_MARKS.sub("", line)))
    line = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", _CODE.sub(r"\2", line)))
    plain = " ".join(line.split())
    return plain if any(character.isalnum() for character in plain) else ""


def _first_code_line(text: str) -> str:
    lines = (line.strip() for line in lines_of(text))
    said = (line for line in lines if line and not line.startswith(("```", "~~~")))
    return " ".join(next(said, "").split())


def checked_title(title: str) -> str:
    """Return a person's title as one line; raises InvalidInput if it is too long."""
    words = " ".join(title.split())
    if not words or len(words) > LONGEST_TITLE:
        message = f"A title has 1 to {LONGEST_TITLE} characters, not {len(words)}."
        raise InvalidInput(message, remedy="Give the session a shorter title, of a few words.")
    return words


def with_prompt(record: SessionRecord, parts: Sequence[Part], now: str) -> SessionRecord:
    """Return a session's record after a prompt: with a title, its preview and time."""
    words = "\n".join(part.text for part in parts if part.kind is PartKind.TEXT)
    title = record.title or title_of(words)
    return replace(record, title=title, preview=preview_of(words), updated_at=now)
