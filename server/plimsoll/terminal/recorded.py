"""Recorded sessions in files: one message a line, or an export of ours; also gzipped."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from plimsoll.errors import InvalidInput, LogInvalid
from plimsoll.lsp.features.convert.messages import incoming
from plimsoll.lsp.wire.base import error_details
from plimsoll.lsp.wire.content import RawMessage
from plimsoll.session.transfer.exports import Exported, imported, is_export
from plimsoll.session.transfer.incoming import Incoming

GZIP = b"\x1f\x8b"


def recorded(path: Path) -> Exported | tuple[Incoming, ...]:
    """The session in a file.

    Raises:
        InvalidInput: The file cannot be read.
        LogInvalid: It holds something else, or a line of it cannot be read.
    """
    text = _text(path)
    if is_export(text.partition("\n")[0]):
        return imported(text)
    messages = tuple(_messages(path, text))
    if not messages:
        raise LogInvalid(f"{path} holds no message.", remedy=REMEDY)
    return messages


REMEDY = 'Give a recorded session: one JSON object a line, {"role": "user", "content": "…"}.'


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if raw.startswith(GZIP) else raw).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogInvalid(
            f"{path} is no text: byte {error.start} is no UTF-8.", remedy=REMEDY
        ) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LogInvalid(f"{path} cannot be unpacked: {error}.", remedy=REMEDY) from error
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be read: {error.strerror}.", remedy="Name a file that you may read."
        ) from error


def _messages(path: Path, text: str) -> Iterator[Incoming]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield incoming(_message(f"{path}:{number}", line))


def _message(place: str, line: str) -> RawMessage:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LogInvalid(f"{place} is no JSON.", remedy=REMEDY) from error
    try:
        return RawMessage.model_validate(value)
    except ValidationError as error:
        first = cast("dict[str, object]", error_details(error)[0])
        where = ".".join(str(step) for step in cast("list[object]", first["loc"]))
        told = f"{where}: {first['msg']}" if where else str(first["msg"])
        raise LogInvalid(f"{place} is no message: {told}.", remedy=REMEDY) from error
