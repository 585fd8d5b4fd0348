import { expect, test } from "vitest";
import {
  asPaste,
  changedDraft,
  type Draft,
  draftOf,
  inOrder,
  joinedDrafts,
  type Ranges,
  returnedDraft,
  trimmed,
} from "../../src/text/pasted";

const marked = (text: string): Draft => {
  const open = text.indexOf("[");
  const close = text.indexOf("]");
  return open < 0
    ? { text, pasted: [] }
    : { text: text.replace(/[[\]]/g, ""), pasted: [[open, close - 1]] };
};

const shown = ({ text, pasted }: Draft): string =>
  pasted.reduceRight(
    (all, [from, to]) => `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`,
    text,
  );

test.each([
  ["typed at its end", "a [bcd]", "a bcd!", 6, "a [bcd]!"],
  ["typed at its beginning", "[bcd]", "!bcd", 1, "![bcd]"],
  ["typed inside", "[bcd]", "b!cd", 2, "[b!cd]"],
  ["the same sign at its end", "[aa]", "aaa", 3, "[aa]a"],
  ["the same sign at its beginning", "[aa]", "aaa", 1, "a[aa]"],
  ["the same sign inside", "[aa]", "aaa", 2, "[aaa]"],
  ["a part of it changed", "x [bcd]", "x bXd", 4, "x [bXd]"],
  ["its end and more changed", "[bcd] x", "bX", 2, "[bX]"],
  ["all of it typed anew", "x [bcd] y", "x new y", 5, "x new y"],
  ["a part of it deleted", "[bcd] x", "bd x", 1, "[bd] x"],
  ["all of it deleted", "x[bcd]y", "xy", 1, "xy"],
  ["deleted before it", "xy[bcd]", "y[bcd]".replace(/[[\]]/g, ""), 0, "y[bcd]"],
])("what is %s", (_name, before, after, caret, wanted) => {
  expect(shown(changedDraft(marked(before), after, "typed", caret))).toBe(wanted);
});

test("what is brought in is pasted, and what is reworded within a paste stays so", () => {
  expect(shown(changedDraft(marked("ab"), "aXb", "pasted", 2))).toBe("a[X]b");
  expect(shown(changedDraft(marked("a [teh] b"), "a the b", "reworded", 5))).toBe("a [the] b");
  expect(shown(changedDraft(marked("teh [b]"), "the b", "reworded", 3))).toBe("the [b]");
});

test("a draft is sent without white space around it, and joined with another", () => {
  expect(shown(trimmed(marked("  a [b  ]")))).toBe("a [b]");
  expect(shown(trimmed({ text: " \n ", pasted: [[0, 3]] }))).toBe("");
  expect(shown(joinedDrafts(marked("[a]b"), "\n\n", marked("c[d]")))).toBe("[a]b\n\nc[d]");
});

test("what comes back without a word of its pastes counts as pasted", () => {
  expect(draftOf([{ type: "text", text: "a" }])).toEqual(asPaste("a"));
  expect(draftOf([{ type: "text", text: "ab", pasted: [[0, 1]] }])).toEqual(marked("[a]b"));
  expect(returnedDraft("ab", [{ type: "text", text: "ab", pasted: [] }]).pasted).toEqual([]);
  expect(returnedDraft("other", [{ type: "text", text: "ab", pasted: [] }])).toEqual(
    asPaste("other"),
  );
});

test("a thousand changes keep the law", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const draw = numbers(seed);
    let draft: Draft = { text: "", pasted: [] };
    for (let step = 0; step < 20; step += 1) {
      const start = draw(draft.text.length + 1);
      const end = start + draw(draft.text.length - start + 1);
      const came = Array.from({ length: draw(4) }, () => "ab"[draw(2)]).join("");
      const kind = draw(3) === 0 ? "pasted" : "typed";
      const text = draft.text.slice(0, start) + came + draft.text.slice(end);
      const after = changedDraft(draft, text, kind, start + came.length);
      const was = marks(draft);
      const now = marks(after);
      // What is left of a paste is one: the signs beside the change, wherever equal ones begin.
      expect(count(now)).toBeGreaterThanOrEqual(
        count([...was.slice(0, start), ...was.slice(end)]) - came.length,
      );
      if (kind === "typed" && count(was) === 0) {
        expect(count(now)).toBe(0);
      }
      if (kind === "pasted" && start === end) {
        expect(now.slice(start, start + came.length).every(Boolean)).toBe(true);
      }
      expect(after.pasted).toEqual(inOrder(after.pasted));
      draft = after;
    }
  }
});

function marks({ text, pasted }: { text: string; pasted: Ranges }): boolean[] {
  return [...text].map((_, at) => pasted.some(([from, to]) => from <= at && at < to));
}

function count(values: readonly boolean[]): number {
  return values.filter(Boolean).length;
}

/** Numbers below a bound, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}
