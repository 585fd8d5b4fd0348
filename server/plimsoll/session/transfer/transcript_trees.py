"""Selects the rows of a transcript that belong to its session: each once, no abandoned branch.

Claude Code writes rows that name their parent: a resume may write rows again, and who goes back to
an earlier prompt begins another branch. Codex writes a row that says how many turns were taken
back. Neither format is published; this is how their files were seen to be.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

Row = Mapping[str, object]
_NOTHING: Row = {}


def rows_of_branch(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of Claude Code that lead to the newest one, in the order of the file."""
    first: dict[str, int] = {}
    for number, row in enumerate(rows):
        first.setdefault(_uuid(row), number)
    own = [number for number, row in enumerate(rows) if _uuid(row) and not row.get("isSidechain")]
    if not own:
        return list(rows)
    kept = _ancestors(rows, first, leaf=first[_uuid(rows[own[-1]])])
    _add_siblings(rows, first, kept)
    return [row for number, row in enumerate(rows) if number in kept or not _uuid(row)]


def _ancestors(rows: Sequence[Row], first: Mapping[str, int], leaf: int) -> set[int]:
    """Return the numbers of the rows from the leaf up to the root."""
    kept: set[int] = set()
    at: int | None = leaf
    while at is not None and at not in kept:
        kept.add(at)
        at = _parent(rows, first, at)
    return kept


def _parent(rows: Sequence[Row], first: Mapping[str, int], number: int) -> int | None:
    row = rows[number]
    named = row.get("parentUuid") or row.get("logicalParentUuid")
    if isinstance(named, str) and named in first:
        return first[named]
    cut = named is not None or row.get("subtype") == "compact_boundary"
    if not cut and not row.get("isCompactSummary"):
        # A root: the first prompt, or another one in its place.
        return None
    # The row that it names is not in the file: what stands before it came before it.
    before = (each for each in range(number - 1, -1, -1) if _is_first(rows, first, each))
    return next(before, None)


def _is_first(rows: Sequence[Row], first: Mapping[str, int], number: int) -> bool:
    own = _uuid(rows[number])
    return bool(own) and first[own] == number and not rows[number].get("isSidechain")


def _add_siblings(rows: Sequence[Row], first: Mapping[str, int], kept: set[int]) -> None:
    """Add the other rows of each kept answer: its further blocks, and results of its calls.

    Of parallel calls only the last result leads on to the next answer.
    """
    answers = {name for number in kept if (name := _answer(rows[number]))}
    more = {
        number
        for number, row in enumerate(rows)
        if _is_first(rows, first, number) and _answer(row) in answers
    }
    kept |= more
    called = {call for number in kept for call in _ids(rows[number], "tool_use", "id")}
    answered = {call for number in kept for call in _results(rows[number])}
    for number, row in enumerate(rows):
        results = _results(row)
        if number in kept or not results or not _is_first(rows, first, number):
            continue
        if results <= called - answered:
            kept.add(number)
            answered |= results


def _uuid(row: Row) -> str:
    own = row.get("uuid")
    return own if isinstance(own, str) else ""


def _answer(row: Row) -> str:
    """Return the id of the answer to which a row belongs as a block."""
    own = _mapping(row.get("message")).get("id") if row.get("type") == "assistant" else None
    return own if isinstance(own, str) else ""


def _results(row: Row) -> set[str]:
    return _ids(row, "tool_result", "tool_use_id")


def _ids(row: Row, kind: str, name: str) -> set[str]:
    content = _mapping(row.get("message")).get("content")
    blocks = cast("list[object]", content) if isinstance(content, list) else []
    found = (_mapping(block) for block in blocks)
    return {str(block.get(name)) for block in found if block.get("type") == kind}


def rows_not_rolled_back(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of Codex, each once, without the turns that were taken back."""
    kept: list[Row] = []
    seen: set[str] = set()
    for row in rows:
        payload = _mapping(row.get("payload"))
        if payload.get("type") == "thread_rolled_back":
            _roll_back(kept, payload.get("num_turns"))
            continue
        whole = json.dumps(row, sort_keys=True)
        call = f"{payload.get('type')} {payload.get('call_id')}" if payload.get("call_id") else ""
        of_call = bool(call) and row.get("type") == "response_item"
        if whole in seen or (of_call and call in seen):
            continue
        seen |= {whole, call} if of_call else {whole}
        kept.append(row)
    return kept


def _roll_back(kept: list[Row], turns: object) -> None:
    """Drop the newest turns, each from its prompt on."""
    left = turns if isinstance(turns, int) else 0
    while kept and left > 0:
        left -= _is_prompt(kept.pop())


SURROUNDINGS = ("<environment_context>", "<user_instructions>", "# AGENTS.md")
"""What Codex says in the name of its user before the first prompt."""


def _is_prompt(row: Row) -> bool:
    payload = _mapping(row.get("payload"))
    if row.get("type") != "response_item" or payload.get("role") != "user":
        return False
    content = payload.get("content")
    blocks = cast("list[object]", content) if isinstance(content, list) else []
    texts = [text for block in blocks if isinstance(text := _mapping(block).get("text"), str)]
    return not "".join(texts).lstrip().startswith(SURROUNDINGS)


def _mapping(value: object) -> Row:
    return cast("Row", value) if isinstance(value, dict) else _NOTHING
