"""The context: its meter, its report, its items, and the receipts of reductions."""

from typing import Literal

from pydantic import StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import ItemState, ItemTokens, Range, SpendScope, SpendUnit

Zone = TypeAliasType("Zone", Literal["ok", "warning", "compact", "blocking", "infeasible"])
Basis = TypeAliasType("Basis", Literal["counted", "estimated"])
WindowSource = TypeAliasType(
    "WindowSource", Literal["setting", "server", "table", "learned", "assumed"]
)
StageName = TypeAliasType(
    "StageName",
    Literal[
        "truncate",
        "refer",
        "dedup",
        "prune",
        "digest",
        "compact",
        "trim",
        "evict",
        "restore",
    ],
)
ReceiptStatus = TypeAliasType(
    "ReceiptStatus", Literal["planned", "inProgress", "completed", "failed", "cancelled"]
)
ItemKind = TypeAliasType(
    "ItemKind",
    Literal[
        "system",
        "instructions",
        "memories",
        "recall",
        "pins",
        "tasks",
        "tools",
        "summary",
        "decisions",
        "user",
        "assistant",
        "reasoning",
        "toolResults",
        "attachments",
        "draft",
    ],
)

MissCause = TypeAliasType("MissCause", Literal["first", "model", "expired", "rewritten", "unknown"])


class MeterPart(Wire):
    """The tokens of all items of one kind."""

    kind: ItemKind | str
    tokens: int


class Thresholds(Wire):
    """The load in tokens at which each of the three zones begins."""

    warning: int
    compact: int
    blocking: int


class LastMeasured(Wire):
    """The provider's figures for the last request, beside our own count of it."""

    request_id: str
    input_tokens: int
    cached_tokens: int | None = None
    our_count: int


class Meter(Wire):
    """The load of the next request, in tokens, by our own count.

    `sum(parts.tokens) == used` and `percent == 100 * used / effective`. `windowSource` says who
    says how large the window is; `learned`: the server, as it refused or cut a request.
    """

    session_id: str
    used: int
    window: int
    window_source: WindowSource | str | None = None
    effective: int
    reserved_output: int
    percent: float
    zone: Zone | str
    basis: Basis | str
    margin_tokens: int
    thresholds: Thresholds
    parts: tuple[MeterPart, ...]
    turns_left: int | None = None
    last_measured: LastMeasured | None = None


class ReceiptItem(ItemTokens):
    """An item that a reduction changed; `where` says where its whole text can be had."""

    where: str


class EndedConstraint(Wire):
    """An instruction that is not carried on, and the later one that ended it."""

    constraint: str
    ended_by: str


class Lost(Wire):
    """Names, instructions and tasks of the reduced items that are nowhere in view any more.

    The names that were used most come first, and of the instructions those that would have stayed
    longest. `identifiersTotal` and `constraintsTotal` count those that are not listed too.
    `ended`: those that a later one ended; `plimsoll/context/restoreRule` takes that back.
    """

    identifiers: tuple[str, ...]
    constraints: tuple[str, ...]
    tasks: tuple[str, ...]
    identifiers_total: int | None = None
    constraints_total: int | None = None
    ended: tuple[EndedConstraint, ...] | None = None


class Infeasible(Wire):
    """Why a request cannot fit: it is `needsTokens` too large; `items` are the largest in it."""

    needs_tokens: int
    items: tuple[ItemTokens, ...]


class Receipt(Wire):
    """One reduction by one stage: what left, what it cost, where it still is; `id` is the `editId`.

    `prefixRewritten` counts the tokens of the prefix that no longer match the provider's cache,
    `expired` says that a whole text is no longer kept.
    """

    id: str
    stage: StageName | str
    status: ReceiptStatus | str
    at: str
    why: str
    tokens_before: int
    tokens_after: int
    items: tuple[ReceiptItem, ...]
    lost: Lost
    undone: bool
    expired: bool | None = None
    model: str | None = None
    tokens_spent: int | None = None
    prefix_rewritten: int
    infeasible: Infeasible | None = None


class ItemSource(Wire):
    """The document that an item's text comes from; `version` is the SHA-256 of what was read.

    `stale` says that the document has changed since.
    """

    uri: str
    range: Range | None = None
    version: str | None = None
    stale: bool


ImportOutcome = TypeAliasType(
    "ImportOutcome",
    Literal["followed", "missing", "refused", "outside", "met", "tooDeep", "tooMany"],
)


class RulesImport(Wire):
    """A file that a rules file points on to; only the text of one that is `followed` is sent.

    `refused`: it may not be read. `met`: its text stands there already. `tooDeep`, `tooMany`: more
    than five files lead on to each other, or more than fifty are named. `tokens`: of its own text.
    """

    path: str
    outcome: ImportOutcome | str
    tokens: int


class ContextItem(Wire):
    """One part of one message: the unit that is counted, pinned, evicted and restored.

    A call and its result have the same `callId`. `imports`: what a rules file points on to.
    """

    id: str
    kind: ItemKind | str
    title: str
    tokens: int
    original_tokens: int
    state: ItemState | str
    turn: int
    pinned: bool
    source: ItemSource | None = None
    why: str | None = None
    call_id: str | None = None
    imports: tuple[RulesImport, ...] | None = None


class FileTokens(Wire):
    """A workspace file: its whole size in tokens, and the part that is in the request."""

    path: str
    raw_tokens: int
    injected_tokens: int


class NamedTokens(Wire):
    """A section of the system text, or the schema of a tool, with its tokens."""

    name: str
    tokens: int


class CacheReport(Wire):
    """The tokens of the prefix that stay as they are, and those that the provider had cached."""

    stable_prefix: int
    cached_tokens: int | None = None
    hit_rate: float | None = None


class Advice(Wire):
    """Something that a person could do, and the tokens that it would free.

    `itemIds` are the items to evict; without them it is another step: `context.full` is a
    compaction.
    """

    code: str
    message: str
    saves: int
    item_ids: tuple[str, ...] | None = None


class CacheMiss(Wire):
    """Tokens that the provider's cache might have held and that were sent anew, and why.

    `expired`: the provider kept them no longer. `rewritten`: `editIds` changed what stands before
    them. `money` is what it cost more than from the cache, in US dollars; absent: not known.
    """

    cause: MissCause | str
    tokens: int
    edit_ids: tuple[str, ...] | None = None
    money: float | None = None


class PastRequest(Wire):
    """A request to the model, by the log; what an older log does not say is absent.

    `tokens` is our own count, where there is one; `inputTokens`, `cachedTokens` and `outputTokens`
    are the provider's. `effective` is what it could have carried. `reductions` are the receipts of
    what was reduced since the request before it. Where a provider has reported no cache, no `miss`.
    """

    turn: int
    at: str
    model: str
    tokens: int
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    effective: int | None = None
    reductions: tuple[str, ...] | None = None
    miss: CacheMiss | None = None


class SpendLimit(Wire):
    """A limit that is set: of the session, or of its last turn; `setting` is its name.

    Tokens, or with the unit `money` US dollars; without `spent` the prices are not known.
    """

    scope: SpendScope | str
    unit: SpendUnit | str
    most: float
    spent: float | None = None
    setting: str


class Spending(Wire):
    """What a session has spent: tokens, `cached` being part of `input`, and US dollars.

    `money` is an estimate by the vendor's prices; absent: they are not known.
    """

    input: int
    cached: int
    output: int
    money: float | None = None
    limits: tuple[SpendLimit, ...]


SkillSource = TypeAliasType("SkillSource", Literal["person", "folder"])


class Skill(Wire):
    """A skill, the person's own or the folder's; `tokens`: of its line in each request.

    `shortened`: its description is cut there, for all of them take more than 2 % of the window.
    `asksForTools`: it names tools that shall be allowed, which has no effect.
    """

    name: str
    description: str
    source: SkillSource | str
    tokens: int
    enabled: bool
    shortened: bool = False
    asks_for_tools: bool = False


class SkillOwner(Wire):
    """The session whose folder's skills are meant."""

    session_id: str


class SkillSwitch(SkillOwner):
    """The switch of a skill, which holds in all sessions of the folder, also later ones."""

    name: str
    enabled: StrictBool


class SkillsResult(Wire):
    """All skills; those of the folder only while it is trusted."""

    skills: tuple[Skill, ...]


class ContextReport(Wire):
    """All that the next request carries; parts, tools, sections and files sum up the same items.

    `history`: the newest requests so far, oldest first.
    """

    meter: Meter
    pending: tuple[Receipt, ...]
    items: tuple[ContextItem, ...] | None = None
    files: tuple[FileTokens, ...]
    system_sections: tuple[NamedTokens, ...]
    tools: tuple[NamedTokens, ...]
    receipts: tuple[Receipt, ...]
    cache: CacheReport
    advice: tuple[Advice, ...]
    history: tuple[PastRequest, ...] | None = None
    spending: Spending | None = None
    skills: tuple[Skill, ...] = ()
