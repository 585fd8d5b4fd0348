"""`plimsoll replay`: runs a recorded session through the pipeline, without a model.

A recording is a file of one message a line, a list of messages as a request of chat completions has
it, an export of ours, or a transcript of Claude Code or Codex; also gzipped.
"""

import asyncio
import gzip
import json
import os
import zlib
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from plimsoll.app.app import known_tools
from plimsoll.context.budget import Meter, meter_of
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.report.receipts import Receipt, receipts
from plimsoll.context.report.report import advice, file_uses, report_items
from plimsoll.errors import InvalidInput, LogInvalid
from plimsoll.lsp.features.convert import context, meters
from plimsoll.lsp.features.convert.messages import incoming
from plimsoll.lsp.wire.base import error_details
from plimsoll.lsp.wire.content import RawMessage
from plimsoll.models import OpenModels
from plimsoll.session.commands.markdown import receipt_words
from plimsoll.session.ports.model import Model
from plimsoll.session.reduction.inspection import Report, room_in
from plimsoll.session.transfer.exports import Exported, is_export, parse_export
from plimsoll.session.transfer.incoming import Incoming
from plimsoll.session.transfer.replay import Replay, ReplayEvent, RequestMade, RequestUnfit
from plimsoll.session.transfer.transcripts import transcript
from plimsoll.terminal.json_lines import plain_object, print_report, with_kind
from plimsoll.terminal.opening import settings_of
from plimsoll.terminal.report import show, show_meter
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import plural

GZIP = b"\x1f\x8b"
MOST_BYTES = 256_000_000
"""Of a recording, unpacked; a small file can unpack to any size."""


def read_recording(path: Path) -> Exported | tuple[Incoming, ...]:
    """Read the session in a file.

    Raises:
        InvalidInput: The file cannot be read.
        LogInvalid: It holds something else, or a line of it cannot be read.
    """
    text = _text(path)
    if is_export(text.partition("\n")[0]):
        return parse_export(text)
    found = transcript(text)
    messages = tuple(_messages(path, text)) if found is None else found
    if not messages:
        raise LogInvalid(f"{path} holds no message.", remedy=REMEDY)
    return messages


REMEDY = 'Give a recorded session: one JSON object a line, {"role": "user", "content": "…"}.'


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogInvalid(
            f"{path} is not text: byte {error.start} is not UTF-8.", remedy=REMEDY
        ) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LogInvalid(f"{path} cannot be unpacked: {error}.", remedy=REMEDY) from error
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be read: {error.strerror}.", remedy="Name a file that you may read."
        ) from error


def _bytes(path: Path) -> bytes:
    """Read a file, unpacked, up to the size limit of a recording."""
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        with gzip.open(file) if packed else file as stream:
            found = stream.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise InvalidInput(
            f"{path} holds more than {MOST_BYTES:,} bytes{' unpacked' if packed else ''}.",
            remedy="Replay a part of it: one JSON object a line.",
        )
    return found


def _messages(path: Path, text: str) -> Iterator[Incoming]:
    listed = _parse_list(text)
    if listed is not None:
        for number, value in enumerate(listed, 1):
            yield incoming(_message(f"{path}, message {number},", value))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield incoming(_message(f"{path}:{number}", _json(f"{path}:{number}", line)))


def _parse_list(text: str) -> Sequence[object] | None:
    """Return the messages of a text that is one list, or an object with one; otherwise None."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        # One object a line is read to the end of the first.
        return None
    held = cast("Mapping[str, object]", value).get("messages") if isinstance(value, dict) else value
    return cast("Sequence[object]", held) if isinstance(held, list) else None


def _json(place: str, line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LogInvalid(f"{place} is not JSON.", remedy=REMEDY) from error


def _message(place: str, value: object) -> RawMessage:
    try:
        return RawMessage.model_validate(value)
    except ValidationError as error:
        first = cast("dict[str, object]", error_details(error)[0])
        where = ".".join(str(step) for step in cast("list[object]", first["loc"]))
        told = f"{where}: {first['msg']}" if where else str(first["msg"])
        raise LogInvalid(f"{place} is not a message: {told}.", remedy=REMEDY) from error


@dataclass(slots=True, kw_only=True)
class Sums:
    """The totals of a replay."""

    requests: int = 0
    largest: int = 0
    """Tokens of the largest request."""
    reductions: int = 0
    unfit: int = 0
    broken: int = 0

    def take(self, event: ReplayEvent) -> None:
        """Add an event to the totals."""
        if isinstance(event, RequestMade):
            self.requests += 1
            self.largest = max(self.largest, event.tokens)
            self.broken += bool(event.broken)
        elif isinstance(event, RequestUnfit):
            self.unfit += 1
        elif isinstance(event, Receipt):
            self.reductions += 1


def replay(options: Namespace, screen: Screen) -> int:
    """Replay a session; 0 if each request was valid, or was reported as one that cannot fit."""
    model = asyncio.run(model_of(options))
    path = Path(options.file)
    held = read_recording(path)
    run = Replay(options.window or model.budget.window, model.ledger, model.settings, known_tools())
    events = run.play_log(held.entries) if isinstance(held, Exported) else run.play(held)
    sums, name = Sums(), path.name
    for event in events:
        sums.take(event)
        if options.json:
            screen.object(_object(event, name))
        else:
            _tell(event, screen)
    found = _report(run)
    if options.json:
        print_report(name, found, screen)
    else:
        _tell_sums(sums, run.budget.window, screen)
        _tell_report(found, screen, whole=options.report)
    return 1 if sums.broken else 0


async def model_of(options: Namespace) -> Model:
    """Open the model that is set, for its window and its tokens."""
    models = OpenModels(settings_of(options), os.environ)
    try:
        return await models.open(models.default)
    finally:
        await models.close()


def _object(event: ReplayEvent, name: str) -> Mapping[str, object]:
    if isinstance(event, Receipt):
        return with_kind("reduction", context.receipt(event))
    if isinstance(event, Meter):
        return with_kind("meter", meters.meter(name, event))
    if isinstance(event, RequestUnfit):
        items = [plain_object(weight) for weight in context.weights(event.heaviest)]
        told = {"kind": "infeasible", "index": event.index, "needsTokens": event.missing}
        return {**told, "items": items}
    broken = [violation.message for violation in event.broken]
    return {
        "kind": "request",
        "index": event.index,
        "tokens": event.tokens,
        "sha256": event.sha256,
        **({"violations": broken} if broken else {}),
    }


def _tell(event: ReplayEvent, screen: Screen) -> None:
    for line in _lines(event):
        screen.line(line)


def _lines(event: ReplayEvent) -> Iterator[str]:
    if isinstance(event, Receipt):
        yield f"⊖ {event.stage.value}: {receipt_words(event)} ({event.why})"
    elif isinstance(event, RequestUnfit):
        largest = ", ".join(f"{one.title} ({one.tokens:,})" for one in event.heaviest[:3])
        yield (
            f"! request {event.index} needs {event.missing:,} tokens more than there are; the "
            f"largest that must stay: {largest}"
        )
    elif isinstance(event, RequestMade):
        for violation in event.broken:
            yield f"! request {event.index} is not valid: {violation.message}"


def _report(run: Replay) -> Report:
    meter = meter_of(run.fold.view, run.budget)
    items = report_items(run.indexes, run.fold.view)
    room = room_in(
        NextRequest(indexes=run.indexes, budget=run.budget, settings=run.settings), meter
    )
    return Report(
        meter=meter,
        pending=(),
        items=items,
        files=file_uses(items),
        receipts=receipts(run.indexes),
        advice=advice(items, meter, room),
        stable_prefix=meter.used,
    )


def _tell_sums(sums: Sums, window: int, screen: Screen) -> None:
    screen.line(
        f"{plural(sums.requests, 'request')} in a window of {window:,} tokens, the largest of "
        f"{sums.largest:,}; {plural(sums.reductions, 'reduction')}, "
        f"{sums.unfit:,} that did not fit."
    )


def _tell_report(found: Report, screen: Screen, *, whole: bool) -> None:
    if whole:
        show(found, screen)
    else:
        show_meter(found.meter, screen)
