import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../../../src/protocol";
import { call, session } from "../../../values";
import { act, button, drawn, field, key, one, open, posts, type } from "../openPage";

// @vitest-environment jsdom

const OPTIONS = [
  { optionId: "o1", name: "Allow once", kind: "allowOnce" },
  {
    optionId: "o2",
    name: "Allow for this session",
    kind: "allowSession",
    scope: "Exactly this command, in this session.",
  },
  { optionId: "o3", name: "Reject", kind: "rejectOnce" },
];

function ask(toolCall: ToolCall = call()): void {
  act({
    type: "permissionRequested",
    requestId: "q1",
    sessionId: "s1",
    turnId: "t1",
    toolCall,
    options: OPTIONS,
  });
}

describe("an approval", () => {
  it.each([
    ["Allow", "o1"],
    ["Allow for this session", "o2"],
  ])("%s answers with its option", (label, optionId) => {
    open();
    ask();
    button(label).click();
    expect(posts.at(-1)).toEqual({ type: "answer", requestId: "q1", optionId });
  });

  it("says how much of a change is made once places of it were left out in its file", async () => {
    open();
    const place = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    const hunks = ["a", "b", "c"].map((newText) => ({ range: place, newText }));
    ask(call({ detail: { diff: "", hunks } }));
    act({ type: "hunksChosen", requestId: "q1", rejectedHunks: 1 });
    await drawn();
    button("Allow 2 of 3 changes").click();
    expect(posts.at(-1)).toEqual({ type: "answer", requestId: "q1", optionId: "o1" });
  });

  it("rejects with a reason, by the keyboard alone", () => {
    open();
    ask();
    button("Reject…").click();
    const reason = one<HTMLInputElement>("input[aria-label='Reason for the rejection']");
    expect(document.activeElement).toBe(reason);
    reason.value = "use make instead";
    one<HTMLFormElement>("form.reason").requestSubmit();
    expect(posts.at(-1)).toEqual({
      type: "answer",
      requestId: "q1",
      optionId: "o3",
      reason: "use make instead",
    });
  });

  it("shows the command exactly, with what cannot be seen spelled out", () => {
    open();
    ask(call({ detail: { command: "rm -rf build \u202E# safe\u200B" } }));
    expect(one("[data-detail=exact]").textContent).toBe("rm -rf build U+202E# safeU+200B");
    expect(document.querySelectorAll(".hidden-character")).toHaveLength(2);
  });

  it("says why it is asked each time, before what it would do", () => {
    open();
    const why = "Makefile: building runs what it says";
    ask(call({ detail: { command: "x", askedEachTime: why } }));
    expect(one(".each-time").textContent).toBe(`Asked each time, because of ${why}.`);
    expect(one(".each-time").nextElementSibling).toBe(one("[data-detail=exact]"));
  });

  it("offers what lasts in words, with its scope, and says why it asks again", () => {
    open();
    const lasting = {
      optionId: "allowAlways",
      name: "Always allow `npm test` in this folder",
      kind: "allowAlways",
      scope: "Exactly these words, until you take it back.",
    };
    const why = "You always allowed `npm test`. Since then package.json changed.";
    act({
      type: "permissionRequested",
      requestId: "q1",
      sessionId: "s1",
      turnId: "t1",
      toolCall: call({ detail: { command: "npm test", askedAgain: why } }),
      options: [...OPTIONS, lasting],
    });
    expect(one(".each-time").textContent).toBe(why);
    const offered = one<HTMLButtonElement>("[data-kind=allowAlways]");
    expect(offered.textContent).toBe(`Always allow npm test in this folder${lasting.scope}`);
    expect(offered.querySelector("code")?.textContent).toBe("npm test");
    offered.click();
    expect(posts.at(-1)).toEqual({ type: "answer", requestId: "q1", optionId: "allowAlways" });
  });

  it("says what an answer for the session covers", () => {
    open();
    ask();
    expect(one(".more-row .scope").textContent).toBe("Exactly this command, in this session.");
  });

  it.each([
    ["Enter", "", "o1"],
    ["Enter", "half a message", undefined],
  ])("Control+%s answers, but not while %j is being written", (name, draft, optionId) => {
    open();
    ask();
    type(draft);
    const before = posts.length;
    key(name, { ctrlKey: true });
    const answered = posts.slice(before).filter((post) => post.type === "answer");
    expect(answered.map((post) => post.type === "answer" && post.optionId)).toEqual(
      optionId === undefined ? [] : [optionId],
    );
  });

  it("asks for the reason by Control+Backspace", () => {
    open();
    ask();
    key("Backspace", { ctrlKey: true });
    expect(one("form.reason").hidden).toBe(false);
  });

  it("folds what stands behind the first place, and loses no changed line", () => {
    open();
    const place = (line: number) => `@@ -${line},1 +${line},2 @@\n same\n+new at ${line}`;
    const diff = ["--- a/x", "+++ b/x", place(1), place(40), place(80)].join("\n");
    ask(call({ title: "Edit x", detail: { diff } }));
    expect(one("[data-detail=diff]").textContent).toBe("@@ -1,1 +1,2 @@\n same\n+new at 1\n");
    expect(one(".diff-rest summary").textContent).toBe("… 4 more lines, 2 more places");
    expect(one(".diff-rest").textContent).toContain("+new at 80");
    expect(one(".question-title").textContent).toContain("+3 −0");
  });

  it("names each file where a change is of several, and shows what is said besides", () => {
    open();
    const of = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,1 @@\n-a\n+b`;
    const diff = ["old.txt: deleted, 1 line", "| a", of("x"), of("y")].join("\n");
    ask(call({ title: "Merge 3 files of “it”", detail: { diff } }));
    expect(one("[data-detail=diff]").textContent).toContain("old.txt: deleted, 1 line\n| a\n");
    expect(one("[data-detail=diff]").textContent).toContain("+++ b/x");
    expect(one(".diff-rest").textContent).toContain("+++ b/y");
    expect(one(".diff-rest summary").textContent).toBe("… 2 more lines, 1 more place");
    expect(one(".counts").textContent).toBe("+2 −2");
  });

  it("shows what is said of a change that has no lines", () => {
    open();
    ask(
      call({ title: "Merge run.sh of “it”", detail: { diff: "run.sh: a file that can be run" } }),
    );
    expect(one("[data-detail=diff]").textContent).toContain("run.sh: a file that can be run");
  });

  it("shows the whole diff and counts its lines, not its head", () => {
    open();
    const diff =
      "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+-- new comment\n select 1";
    ask(call({ title: "Edit x.sql", detail: { diff } }));
    expect(one("[data-detail=diff]").textContent).toBe(`${diff.split("\n").slice(2).join("\n")}\n`);
    expect(one(".counts").textContent).toBe("+1 −1");
    button("open diff").click();
    expect(posts.at(-1)).toEqual({ type: "openDiff", toolCallId: "c1" });
  });

  it("is announced and reachable, and leaves the focus where it is", () => {
    open();
    field().focus();
    ask();
    expect(one("[role=status]").textContent).toBe("Permission required: shell make test");
    expect(one("[role=group]").getAttribute("aria-labelledby")).toBe("question-q1");
    expect(document.activeElement).toBe(field());
  });

  it("keeps a half-written reason while the answer streams", async () => {
    open();
    ask();
    button("Reject…").click();
    one<HTMLInputElement>("form.reason input").value = "because";
    act({
      type: "update",
      seq: 1,
      update: { kind: "textDelta", turnId: "t1", messageId: "m9", text: "x" },
    });
    await drawn();
    expect(one<HTMLInputElement>("form.reason input").value).toBe("because");
    expect(one("form.reason").hidden).toBe(false);
  });

  it("goes when it is answered", async () => {
    open();
    ask();
    act({ type: "permissionAnswered", requestId: "q1" });
    await drawn();
    expect(document.querySelector(".question")).toBeNull();
  });
});

describe("a plan", () => {
  const PLAN = "Plan:\n1. Read the lock\n2. Mend it";
  const OPTIONS_OF_A_PLAN = [
    { optionId: "allowOnce", name: "Accept the plan", kind: "allowOnce" },
    { optionId: "rejectOnce", name: "Send it back", kind: "rejectOnce" },
  ];
  const askPlan = () =>
    act({
      type: "permissionRequested",
      requestId: "q1",
      sessionId: "s1",
      turnId: "t1",
      toolCall: call({ name: "plan", title: "Plan of 2 steps", detail: { plan: PLAN } }),
      options: OPTIONS_OF_A_PLAN,
    });
  const plan = () => one<HTMLTextAreaElement>("textarea.plan");
  const press = (pressed: string) =>
    plan().dispatchEvent(
      new KeyboardEvent("keydown", {
        key: pressed,
        ctrlKey: true,
        bubbles: true,
        cancelable: true,
      }),
    );
  const accepted = { type: "answer", requestId: "q1", optionId: "allowOnce" };

  it("stands whole in its field, and is accepted as it is", () => {
    open();
    askPlan();
    expect(plan().value).toBe(PLAN);
    button("Accept").click();
    expect(posts.at(-1)).toEqual(accepted);
  });

  it("is accepted as the person edited it, also by key", () => {
    open();
    askPlan();
    plan().value = "Plan:\n1. Oil the lock";
    act({ type: "session", session: session() });
    expect(plan().value).toBe("Plan:\n1. Oil the lock");
    press("Backspace");
    expect(one<HTMLFormElement>("form.reason").hidden).toBe(true);
    press("Enter");
    expect(posts.at(-1)).toEqual({ ...accepted, editedPlan: "Plan:\n1. Oil the lock" });
  });

  it("goes back with a reason, and what was edited does not count", () => {
    open();
    askPlan();
    plan().value = "";
    button("Send back…").click();
    one<HTMLInputElement>("form.reason input").value = "Test it first";
    one<HTMLFormElement>("form.reason").requestSubmit();
    expect(posts.at(-1)).toEqual({
      type: "answer",
      requestId: "q1",
      optionId: "rejectOnce",
      reason: "Test it first",
    });
  });
});

describe("a question of an MCP server", () => {
  const FORM = "Who are you?\n\n1. name (string):";
  const OWN = [
    { optionId: "allowOnce", name: "Send the answer", kind: "allowOnce" },
    { optionId: "rejectOnce", name: "Decline", kind: "rejectOnce" },
  ];

  it("is filled in and sent in the server's words", () => {
    open();
    act({
      type: "permissionRequested",
      requestId: "q1",
      sessionId: "s1",
      turnId: "t1",
      toolCall: call({ name: "mcp_question", title: "box asks", detail: { plan: FORM } }),
      options: OWN,
    });
    const form = one<HTMLTextAreaElement>("textarea.plan");
    expect(form.getAttribute("aria-label")).toBe("The answer; write behind the colons");
    form.value = `${FORM} Ada`;
    button("Send the answer").click();
    expect(posts.at(-1)).toEqual({
      type: "answer",
      requestId: "q1",
      optionId: "allowOnce",
      editedPlan: `${FORM} Ada`,
    });
  });
});
