import { expect, it, vi } from "vitest";
import { cutsOf } from "../../src/commands/preview";
import { draftText } from "../../src/context/summaryDrafts";
import type { Entry } from "../../src/session/state";

vi.mock("vscode", () => ({}));

const user = (id: string, text: string): Entry => ({ kind: "user", id, text, attachments: [] });
const answer = (id: string): Entry => ({
  kind: "answer",
  id,
  turnId: "t",
  text: "Done.",
  reasoning: "",
  streaming: false,
});

it("offers the usual cut, and one before each prompt that something was said before", () => {
  const entries = [user("u1", "First"), answer("a1"), user("u2", "Then\nthat"), answer("a2")];
  expect(cutsOf([...entries, user("u3", "Last")])).toEqual([
    { label: "All but the newest part" },
    { label: "Everything before “Last”", untilMessageId: "a2" },
    { label: "Everything before “Then that”", untilMessageId: "a1" },
  ]);
  expect(cutsOf([user("u1", "First")])).toHaveLength(1);
});

it("says what a draft takes the place of, and what its checks object to", () => {
  const draft = { text: "", kept: "", untilMessageId: "m", tokens: 800, mostTokens: 12_300 };
  expect(draftText({ ...draft, missed: [] })).toContain("of 800 tokens takes the place of 12,300.");
  expect(draftText({ ...draft, missed: ["it does not name a.py"] })).toContain(
    "Check it: it does not name a.py.",
  );
});
