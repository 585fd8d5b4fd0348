import { expect, test } from "vitest";
import { WrittenDraft } from "../../../../src/webview/chat/composer/writtenDraft";

const typed = (draft: WrittenDraft, text: string): void =>
  draft.changed(text, "insertText", text.length);

test.each(["insertFromPaste", "insertFromDrop", "insertFromYank", "something new"])(
  "%s is pasted",
  (kind) => {
    const draft = new WrittenDraft();
    typed(draft, "a");
    draft.changed("a mail", kind, 6);
    expect(draft.draft.pasted).toEqual([[1, 6]]);
  },
);

test.each(["insertText", "insertLineBreak", "insertCompositionText", ""])("%s is typed", (kind) => {
  const draft = new WrittenDraft();
  draft.changed("あ", kind, 1);
  draft.changed("あり", kind, 2);
  expect(draft.draft.pasted).toEqual([]);
});

test("undo and redo bring back what was typed as typed, and a paste as pasted", () => {
  const draft = new WrittenDraft();
  typed(draft, "Never");
  draft.changed("Never mail", "insertFromPaste", 10);
  typed(draft, "Never mail!");
  draft.changed("Never mail", "historyUndo", 10);
  expect(draft.draft.pasted).toEqual([[5, 10]]);
  draft.changed("Never", "historyUndo", 5);
  expect(draft.draft.pasted).toEqual([]);
  draft.changed("Never mail!", "historyRedo", 11);
  expect(draft.draft.pasted).toEqual([[5, 10]]);
  draft.changed("nobody knows", "historyUndo", 12);
  expect(draft.draft.pasted).not.toEqual([]);
});

test("a text that was pasted once is not typed because it is typed as well", () => {
  const draft = new WrittenDraft();
  draft.changed("ab", "insertFromPaste", 2);
  draft.changed("", "deleteContentBackward", 0);
  typed(draft, "ab");
  expect(draft.draft.pasted).toEqual([]);
  draft.changed("", "historyUndo", 0);
  draft.changed("ab", "historyUndo", 2);
  expect(draft.draft.pasted).toEqual([[0, 2]]);
});
