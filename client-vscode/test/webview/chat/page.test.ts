import { readFileSync } from "node:fs";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/session/reduce";
import { EMPTY_STATE } from "../../../src/session/state";
import { REMEDIES } from "../../../src/webview/chat/entries";
import { message, receipt, session } from "../../values";
import { act, button, drawn, field, one, open, posts, READY, send, type } from "./openPage";

// @vitest-environment jsdom

it("says that it is ready before it shows anything", () => {
  open();
  expect(posts[0]).toEqual({ type: "ready" });
});

describe("the transcript", () => {
  const entries = [
    { kind: "user", id: "m1", text: "Why?", attachments: [] },
    { kind: "answer", id: "m2", turnId: "t1", text: "Because.", reasoning: "", streaming: false },
  ] as const;

  it("names author and position of each message, and has no live region but the status", () => {
    open({ ...READY, entries });
    const labels = [...document.querySelectorAll("article")].map((article) =>
      article.getAttribute("aria-label"),
    );
    expect(labels).toEqual(["You, 1 of 2", "Plimsoll, 2 of 2"]);
    expect(document.querySelectorAll("[aria-live]")).toHaveLength(0);
    expect(document.querySelectorAll("[role=status]")).toHaveLength(1);
  });

  it("redraws only the message that streams", async () => {
    open({ ...READY, entries });
    const [first, second] = [...document.querySelectorAll("article")];
    const paragraph = second?.querySelector("p");
    act({
      type: "update",
      seq: 1,
      update: { kind: "textDelta", turnId: "t1", messageId: "m2", text: "\n\nMore." },
    });
    await drawn();
    expect([...document.querySelectorAll("article")]).toEqual([first, second]);
    expect(second?.querySelector("p")).toBe(paragraph);
    expect(second?.textContent).toContain("More.");
  });

  it("focuses the last message on demand", () => {
    open({ ...READY, entries });
    send({ type: "focus", target: "lastMessage" });
    expect(document.activeElement?.getAttribute("data-id")).toBe("m2");
  });

  it("offers receipt, comparison and undo where a reduction happened", () => {
    open({ ...READY, entries: [{ kind: "receipt", id: "e1", receipt: receipt() }] });
    button("Undo").click();
    expect(posts.at(-1)).toEqual({ type: "receipt", editId: "e1", show: "undo" });
    button("Before / after").click();
    expect(posts.at(-1)).toEqual({ type: "receipt", editId: "e1", show: "diff" });
  });

  it("draws user text as text", () => {
    open({ ...READY, entries: [{ ...entries[0], text: "<img src=x onerror=alert(1)>" }] });
    expect(document.querySelector("img")).toBeNull();
    expect(one(".user").textContent).toBe("<img src=x onerror=alert(1)>");
  });

  it("lists the tasks with their state in words", async () => {
    open();
    const tasks = [
      {
        title: "Find the bug",
        status: "completed",
        children: [{ title: "Read", status: "pending" }],
      },
    ];
    act({ type: "update", seq: 1, update: { kind: "tasks", tasks } });
    await drawn();
    expect(one(".tasks summary").textContent).toBe("Tasks 1 of 2");
    expect(one(".tasks li").textContent).toContain("done: Find the bug");
  });

  it("says what to try when nothing was said", () => {
    open();
    const prompt = one("[data-action=prompt]");
    prompt.click();
    expect(field().value).toBe(prompt.dataset.prompt);
    expect(field().value).not.toBe("");
  });

  it("says what is wrong and what to do when the server does not run", () => {
    open({
      ...EMPTY_STATE,
      connection: "failed",
      connectionMessage: "No Python was found.",
      trusted: false,
    });
    expect(document.body.textContent).toContain("No Python was found.");
    expect(document.body.textContent).toContain("not trusted");
    button("Restart server").click();
    expect(posts.at(-1)).toEqual({ type: "run", command: "restartServer" });
  });

  it("offers what helps where the store is damaged", () => {
    open({
      ...EMPTY_STATE,
      connection: "failed",
      connectionMessage: "The store cannot be used.",
      connectionFailure: "storeDamaged",
    });
    const labels = [...document.querySelectorAll(".banner button")].map((one) => one.textContent);
    expect(labels).toEqual(["Salvage…", "Work in memory", "Restart server", "Show logs"]);
    button("Work in memory").click();
    expect(posts.at(-1)).toEqual({ type: "run", command: "useMemory" });
  });

  it("says as long as it lasts that a conversation is in memory alone", () => {
    open({ ...READY, inMemory: true });
    expect(one(".banner").textContent).toContain("Kept in memory alone");
    button("Export session…").click();
    expect(posts.at(-1)).toEqual({ type: "run", command: "exportSession" });
  });

  it("shows a loaded conversation as it was", async () => {
    open();
    act({ type: "loaded", session: session(), messages: [message()], seq: 0 });
    await drawn();
    expect(one("article[data-kind=user] .user").textContent).toBe("Fix the build.");
  });
});

describe("after a turn that failed", () => {
  const user = { kind: "user", id: "m1", text: "Fix the build.", attachments: [] } as const;
  const error = {
    kind: "providerUnavailable",
    message: "No connection.",
    fix: { kind: "address", address: "http://h/v1", setting: "model.base_url" },
  };
  const ended = { kind: "turnEnded", turnId: "t1", stopReason: "error", error } as const;
  const fail = async () => {
    act({ type: "update", seq: 1, update: ended });
    await drawn();
  };

  it("gives the prompt back, and takes it away again as it is retried", async () => {
    open({ ...READY, entries: [user], turnId: "t1" });
    await fail();
    expect(field().value).toBe("Fix the build.");
    button("Retry").click();
    expect(posts.at(-1)).toEqual({ type: "retry" });
    expect(field().value).toBe("");
  });

  it("leaves alone what is being written", async () => {
    open({ ...READY, entries: [user], turnId: "t1" });
    type("Something else");
    await fail();
    expect(field().value).toBe("Something else");
  });

  it("offers to remove the item of which it speaks", async () => {
    const item = "m1.0";
    const told = { errorKind: "providerAnswer", message: "No.", item };
    open({ ...READY, entries: [user, { kind: "error", id: "e", ...told }] });
    button("Remove from context").click();
    expect(posts).toContainEqual({ type: "removeItem", item });
  });

  it("offers what puts it right, settings by their titles", async () => {
    open({ ...READY, entries: [user], turnId: "t1" });
    await fail();
    button("Use http://h/v1").click();
    button("Model: Base Url").click();
    expect(posts).toContainEqual({ type: "useAddress", address: "http://h/v1" });
    expect(posts).toContainEqual({ type: "openSetting", setting: "model.base_url" });
    expect(document.body.textContent).not.toContain("base_url");
  });
});

it("offers remedies for errors that there are", () => {
  const wire = readFileSync(path.join(__dirname, "../../../../docs/wire.md"), "utf8");
  const unknown = Object.keys(REMEDIES).filter((kind) => !wire.includes(`| \`${kind}\` |`));
  expect(unknown).toEqual([]);
});

describe("a planned compaction", () => {
  const planned = receipt({ id: "pending", stage: "digest", status: "planned" });
  const announced: Action = {
    type: "update",
    seq: 1,
    update: { kind: "reductionPlanned", receipt: planned },
  };
  const links = () =>
    [...document.querySelectorAll("[data-kind=receipt] button")].map((link) => link.textContent);

  it("offers now, later and not in this session", async () => {
    open();
    act(announced);
    await drawn();
    expect(links()).toEqual(["Compact now", "Later", "Not in this session"]);
    const answers = links().map((name) => {
      button(name ?? "").click();
      return posts.at(-1);
    });
    expect(answers).toEqual([
      { type: "run", command: "compact" },
      { type: "postpone", until: "later" },
      { type: "postpone", until: "session" },
    ]);
  });

  it("says that it was put off, and what can still be done", async () => {
    open();
    act(announced);
    act({ type: "postponed", until: "later" });
    await drawn();
    expect(one("[data-kind=receipt]").textContent).toContain("Put off for a few turns.");
    expect(links()).toEqual(["Compact now", "Not in this session"]);
    act({ type: "postponed", until: "session" });
    await drawn();
    expect(links()).toEqual(["Compact now"]);
  });
});
