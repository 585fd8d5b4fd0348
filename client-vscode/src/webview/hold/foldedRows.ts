import { type HoldRow, REMOVED_STATES } from "../../context/hold/rows";
import { plural } from "../../text/format";

/** Fewer than so many rows are shown as they are. */
const LEAST_FOLDED = 3;

/** An item is small below this share of the load, and below so many tokens in any case. */
const SMALL_SHARE = 0.005;
const SMALL_TOKENS = 50;

/** One row for all rows that belong together, which opens: the rows that matter stay in sight. */
interface Fold {
  readonly id: string;
  readonly title: (count: number) => string;
  holds(row: HoldRow, used: number): boolean;
}

const FOLDS: readonly Fold[] = [
  { id: "fixed", title: () => "Always sent", holds: ({ group }) => group === "fixed" },
  {
    id: "removed",
    title: (count) => plural(count, "removed item"),
    holds: ({ form }) => REMOVED_STATES.has(form),
  },
  { id: "small", title: (count) => plural(count, "small item"), holds: isSmall },
];

const CONVERSATION: ReadonlySet<string> = new Set(["you", "agent", "files", "runs"]);

function isSmall(row: HoldRow, used: number): boolean {
  const { group, tokens, stale, state, form } = row;
  const asked = stale || state.startsWith("pinned") || REMOVED_STATES.has(form);
  return CONVERSATION.has(group) && !asked && tokens < Math.max(SMALL_TOKENS, SMALL_SHARE * used);
}

/** The rows with what is small, what has left and what is always sent in one row each. */
export function folded(rows: readonly HoldRow[], used: number): HoldRow[] {
  const waiting = new Set(rows.filter((row) => row.folded === undefined && row.kind !== "summary"));
  const made = FOLDS.flatMap((fold) => {
    const held = [...waiting].filter((row) => fold.holds(row, used));
    const [first] = held;
    if (first === undefined || held.length < LEAST_FOLDED) {
      return [];
    }
    for (const row of held) {
      waiting.delete(row);
    }
    return [foldRow(fold, first, held)];
  });
  const shown = rows.filter(
    (row) => waiting.has(row) || row.folded !== undefined || row.kind === "summary",
  );
  return [...shown, ...made];
}

function foldRow(fold: Fold, first: HoldRow, held: readonly HoldRow[]): HoldRow {
  const title = fold.title(held.length);
  return {
    id: fold.id,
    kind: fold.id,
    group: first.group,
    title,
    state: fold.id === "fixed" ? plural(held.length, "item") : "",
    form: "verbatim",
    stale: false,
    tokens: held.reduce((sum, { tokens }) => sum + tokens, 0),
    turn: Math.max(...held.map(({ turn }) => turn)),
    why: "",
    actions: [],
    folded: held,
  };
}
