import { expect, it } from "vitest";
import { EMPTY_STATE, type ToolEntry } from "../../../../src/session/state";
import { call } from "../../../values";
import { act, button, drawn, one, open, posts, READY } from "../openPage";

// @vitest-environment jsdom

const made = [
  {
    path: ".vscode/",
    why: "the editor runs tasks and takes settings from it",
    diff: '--- /dev/null\n+++ b/.vscode/settings.json\n@@ -0,0 +1,1 @@\n+{"a": "\u202eb"}\n',
    whole: true,
  },
  {
    path: ".envrc",
    why: "a shell runs it",
    diff: "--- /dev/null\n+++ b/.envrc\n@@ -0,0 +0,0 @@ 20,001 bytes that are not shown\n",
    whole: false,
  },
];
const title =
  "pytest made 2 protected files: .vscode/, .envrc. Keep them, or move them out of the folder?";
const asked: ToolEntry = {
  kind: "tool",
  id: "q1",
  turnId: "t1",
  call: call({ name: "made_files", kind: "other", title, arguments: {}, detail: { made } }),
  status: "waiting",
  permission: {
    requestId: "question1",
    options: [
      { optionId: "allowOnce", name: "Keep", kind: "allowOnce" },
      { optionId: "rejectOnce", name: "Set aside", kind: "rejectOnce" },
    ],
  },
};

function boxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("input[data-made]")];
}

it("asks which files that a command made are kept, with all that is in each", () => {
  open({ ...READY, entries: [asked] });
  expect(one(".question-title").textContent).toBe(title);
  expect(boxes().map(({ checked, dataset }) => [dataset.made, checked])).toEqual([
    [".vscode/", true],
    [".envrc", true],
  ]);
  const [settings, shell] = [...document.querySelectorAll(".made li")].map(
    (row) => row.textContent ?? "",
  );
  expect(settings).toContain("+1 the editor runs tasks and takes settings from it");
  expect(settings).toContain('settings.json\n+{"a": "');
  expect(settings).not.toContain("\u202e");
  expect(settings).not.toContain("Not all of it");
  expect(shell).toContain("20,001 bytes that are not shown");
  expect(shell).toContain("Not all of it is shown here.");
  const choices = [...document.querySelectorAll(".choices button")];
  expect(choices.map(({ textContent }) => textContent)).toEqual(["Keep", "Set aside…"]);
});

it("tells the host what is ticked, whatever key keeps it then", async () => {
  open({ ...READY, entries: [asked] });
  boxes()[1]?.click();
  expect(posts.at(-1)).toEqual({
    type: "chooseFiles",
    requestId: "question1",
    keptFiles: [".vscode/"],
  });
  act({ type: "filesChosen", requestId: "question1", keptFiles: [".vscode/"] });
  await drawn();
  expect(boxes().map(({ checked }) => checked)).toEqual([true, false]);
  // A checkbox that has the focus does not take the key.
  boxes()[1]?.dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }),
  );
  expect(posts.at(-1)).toEqual({ type: "answer", requestId: "question1", optionId: "allowOnce" });
});

it("keeps what was ticked when the page is made anew", () => {
  const permission = { requestId: "question1", options: [], keptFiles: [".envrc"] };
  open({ ...READY, entries: [{ ...asked, permission }] });
  expect(boxes().map(({ checked }) => checked)).toEqual([false, true]);
});

it("says afterwards in short words what became of them", () => {
  const { permission: _answered, ...rest } = asked;
  const kept = { keptFiles: [".vscode/"], asideFiles: [".envrc"] };
  const command: ToolEntry = {
    ...rest,
    id: "c1",
    call: call({ name: "shell", title: "Run pytest", arguments: { command: "pytest" } }),
    status: "completed",
    ...kept,
  };
  const aside: ToolEntry = { ...rest, id: "q2", status: "rejected", asideFiles: [".envrc"] };
  const entries = [command, { ...rest, ...kept, status: "completed" }, aside];
  open({ ...EMPTY_STATE, connection: "ready", entries });
  expect([...document.querySelectorAll(".tool")].map(({ textContent }) => textContent)).toEqual([
    "✓done: Runpytest1 kept, 1 set aside",
    "✓done: Kept.vscode/1 kept, 1 set aside",
    "⊘rejected: Set aside.envrc1 set aside",
  ]);
});

it("sets them aside with a reason", () => {
  open({ ...READY, entries: [asked] });
  button("Set aside…").click();
  one<HTMLInputElement>("form.reason input").value = "not these";
  one<HTMLFormElement>("form.reason").dispatchEvent(
    new Event("submit", { bubbles: true, cancelable: true }),
  );
  expect(posts.at(-1)).toEqual({
    type: "answer",
    requestId: "question1",
    optionId: "rejectOnce",
    reason: "not these",
  });
});
