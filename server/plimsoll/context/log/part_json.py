"""Writes a part of a message as JSON fields, and reads it back."""

from collections.abc import Callable, Mapping

from plimsoll.context.log.call_end import CallEnd, RejectedBy, Rejection
from plimsoll.context.log.counts import Counts
from plimsoll.context.log.json_fields import (
    Fields,
    as_fields,
    flag_field,
    list_field,
    maybe_text,
    member_field,
    number_field,
    optional_field,
    text_field,
    wrong_field,
)
from plimsoll.context.log.messages import (
    ATTACHED,
    OF_TOOLS,
    Part,
    PartKind,
    Source,
    rewrite_json,
)
from plimsoll.context.log.traits import UNKNOWN, Tools
from plimsoll.text.speech.pasted import Ranges, WrittenText, carry_over, in_order

Change = Callable[[str], str]
"""Rewrites a free text."""

_KINDS = {str(kind): kind for kind in PartKind}
_ENDS = {str(end): end for end in CallEnd}
_REJECTED_BY: Mapping[str, RejectedBy] = {
    "person": "person",
    "earlier": "earlier",
    "nobody": "nobody",
}


def part_fields(part: Part, change: Change) -> dict[str, object]:
    """Return the fields of a part; ``change`` rewrites its free texts."""
    text = rewrite_json(part.text, change) if part.kind is PartKind.CALL else change(part.text)
    fields: dict[str, object] = {"kind": part.kind, "text": text}
    fields |= without_nulls(
        callId=part.call_id,
        name=rewrite_text(part.name, change),
        failed=part.failed or None,
        opaque=None if part.opaque is None else rewrite_json(part.opaque, change),
        exitCode=part.exit_code,
        milliseconds=part.milliseconds,
        counts=_counts_fields(part.counts),
        changed=[change(name) for name in part.changed] or None,
        ended=part.ended if part.kind is PartKind.RESULT else None,
        rejection=_rejection_fields(part.rejection, change),
        approved=rewrite_text(part.approved, change),
        refused=rewrite_text(part.refused, change),
        pasted=carry_over(WrittenText(part.text, part.pasted), text).pasted,
    )
    fields |= {"attached": rewrite_text(part.attached, change)} if part.kind in ATTACHED else {}
    return fields | source_fields(part.source, change)


def _rejection_fields(rejection: Rejection | None, change: Change) -> dict[str, object] | None:
    if rejection is None:
        return None
    return {"by": rejection.by, **without_nulls(reason=rewrite_text(rejection.reason, change))}


def _counts_fields(counts: Counts | None) -> dict[str, object] | None:
    if counts is None:
        return None
    return without_nulls(
        matches=counts.matches,
        files=counts.files,
        searched=counts.searched,
        lines=counts.lines,
        more=counts.more or None,
    )


def source_fields(source: Source | None, change: Change) -> dict[str, object]:
    """Return the JSON field of a source; empty without one."""
    if source is None:
        return {}
    known = {"version": source.version, "linesVersion": source.lines_version}
    return {"source": {"uri": change(source.uri), **without_nulls(lines=source.lines, **known)}}


def without_nulls(**fields: object) -> dict[str, object]:
    """Build the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def rewrite_text(text: str | None, change: Change) -> str | None:
    """Apply ``change`` to a text that may be missing."""
    return None if text is None else change(text)


def read_part(fields: Fields, tools: Tools) -> Part:
    """Read a part, adding the traits of its tool; raises LogInvalid, as all functions here do."""
    kind, name = member_field(fields, "kind", _KINDS), maybe_text(fields, "name")
    return Part(
        kind=kind,
        text=text_field(fields, "text"),
        call_id=maybe_text(fields, "callId"),
        name=name,
        source=optional_field(fields, "source", read_source),
        failed=optional_field(fields, "failed", flag_field) or False,
        opaque=maybe_text(fields, "opaque"),
        exit_code=optional_field(fields, "exitCode", number_field),
        milliseconds=optional_field(fields, "milliseconds", number_field),
        counts=optional_field(fields, "counts", _read_counts),
        attached=maybe_text(fields, "attached") if kind in ATTACHED else None,
        changed=tuple(map(str, list_field(fields, "changed"))) if "changed" in fields else (),
        ended=member_field(fields, "ended", _ENDS, CallEnd.RAN),
        rejection=optional_field(fields, "rejection", _read_rejection),
        approved=maybe_text(fields, "approved"),
        refused=maybe_text(fields, "refused"),
        pasted=optional_field(fields, "pasted", _read_pasted),
        traits=tools.get(name or "", UNKNOWN) if kind in OF_TOOLS else UNKNOWN,
    )


def _read_rejection(fields: Fields, name: str) -> Rejection:
    rejection = as_fields(fields[name], name)
    return Rejection(member_field(rejection, "by", _REJECTED_BY), maybe_text(rejection, "reason"))


def _read_counts(fields: Fields, name: str) -> Counts:
    counts = as_fields(fields[name], name)
    return Counts(
        matches=optional_field(counts, "matches", number_field),
        files=optional_field(counts, "files", number_field),
        searched=optional_field(counts, "searched", number_field),
        lines=optional_field(counts, "lines", number_field),
        more=optional_field(counts, "more", flag_field) or False,
    )


def _read_pasted(fields: Fields, name: str) -> Ranges:
    return in_order(_read_range(each, name) for each in list_field(fields, name))


def _read_range(value: object, name: str) -> tuple[int, int]:
    match value:
        case [int(start), int(end)] if 0 <= start <= end:
            return (start, end)
        case _:
            raise wrong_field(name, "a list of pairs of numbers")


def read_source(fields: Fields, name: str) -> Source:
    """Read the source of a text."""
    source = as_fields(fields[name], name)
    lines, version = optional_field(source, "lines", _read_lines), maybe_text(source, "version")
    return Source(text_field(source, "uri"), lines, version, maybe_text(source, "linesVersion"))


def _read_lines(fields: Fields, name: str) -> tuple[int, int]:
    match list_field(fields, name):
        case [int(first), int(last)]:
            return (first, last)
        case _:
            raise wrong_field(name, "two numbers")
