import { beforeEach, describe, expect, it } from "vitest";
import type { FromChatPage, ToChatPage } from "../../../src/chat/messages";
import type { ToolCall } from "../../../src/protocol";
import type { Action } from "../../../src/session/reduce";
import { type ChatState, EMPTY_STATE } from "../../../src/session/state";
import { type ChatHost, ChatPage, type ChatPageState } from "../../../src/webview/chat/page";
import { call, message, receipt, session } from "../../values";

// @vitest-environment jsdom

const OPTIONS = [
  { optionId: "o1", name: "Allow once", kind: "allowOnce" },
  { optionId: "o2", name: "Allow for this session", kind: "allowSession" },
  { optionId: "o3", name: "Reject", kind: "rejectOnce" },
];
const COMMANDS = [
  { name: "compact", arguments: "[instructions]", help: "Compact now." },
  { name: "cost", arguments: "", help: "Show the cost." },
];
const READY: ChatState = { ...EMPTY_STATE, connection: "ready", session: session() };

let posts: FromChatPage[];
let saved: ChatPageState | undefined;
let send: (message: ToChatPage) => void;

/** The page in a document, with the host's end of the line in the test's hands. */
function open(state: ChatState = READY): void {
  posts = [];
  document.body.replaceChildren();
  const host: ChatHost = {
    post: (sent) => posts.push(sent),
    getState: () => saved,
    setState: (next) => {
      saved = next;
    },
    onMessage: (listener) => {
      send = listener;
    },
  };
  new ChatPage(host, document.body);
  send({ type: "state", state, attachments: [], commands: COMMANDS });
}

function act(action: Action): void {
  send({ type: "action", action });
}

async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

function one<T extends Element = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) {
    throw new Error(`nothing matches ${selector}`);
  }
  return found;
}

function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")].find(
    (element) => element.textContent?.includes(name) && element.closest("[hidden]") === null,
  );
  if (found === undefined) {
    throw new Error(`no button says ${name}`);
  }
  return found;
}

function field(): HTMLTextAreaElement {
  return one<HTMLTextAreaElement>("textarea[aria-label=Message]");
}

function type(text: string): void {
  field().value = text;
  field().setSelectionRange(text.length, text.length);
  field().dispatchEvent(new Event("input", { bubbles: true }));
}

function key(name: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", {
    key: name,
    bubbles: true,
    cancelable: true,
    ...init,
  });
  field().dispatchEvent(event);
  return event;
}

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

beforeEach(() => {
  saved = undefined;
});

it("says that it is ready before it shows anything", () => {
  open();
  expect(posts[0]).toEqual({ type: "ready" });
});

describe("an approval", () => {
  it.each([
    ["Allow once", "o1"],
    ["Allow for this session", "o2"],
  ])("%s answers with its option", (label, optionId) => {
    open();
    ask();
    button(label).click();
    expect(posts.at(-1)).toEqual({ type: "answer", requestId: "q1", optionId });
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

  it("shows the whole diff and counts its lines, not its head", () => {
    open();
    const diff =
      "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+-- new comment\n select 1";
    ask(call({ title: "Edit x.sql", detail: { diff } }));
    expect(one("[data-detail=diff]").textContent).toBe(`${diff}\n`);
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

describe("writing", () => {
  it("sends with Enter and empties the field when the host took it", () => {
    open();
    type("hello");
    expect(key("Enter").defaultPrevented).toBe(true);
    expect(posts.at(-1)).toEqual({ type: "send", text: "hello" });
    expect(field().value).toBe("hello");
    send({ type: "sent", ok: true });
    expect(field().value).toBe("");
  });

  it("keeps the message when it could not be sent", () => {
    open();
    type("hello");
    key("Enter");
    send({ type: "sent", ok: false });
    expect(field().value).toBe("hello");
    expect(field().readOnly).toBe(false);
  });

  it("breaks the line with Shift+Enter and sends nothing while a word is composed", () => {
    open();
    type("hello");
    expect(key("Enter", { shiftKey: true }).defaultPrevented).toBe(false);
    key("Enter", { isComposing: true });
    expect(posts.some(({ type: kind }) => kind === "send")).toBe(false);
  });

  it("stops the turn with Escape and with the button", () => {
    open({ ...READY, turnId: "t1" });
    key("Escape");
    expect(posts.at(-1)).toEqual({ type: "run", command: "cancelTurn" });
    button("Stop").click();
    expect(posts.filter(({ type: kind }) => kind === "run")).toHaveLength(2);
  });

  it("sends nothing while a turn runs, and says why", () => {
    open({ ...READY, turnId: "t1" });
    type("more");
    key("Enter");
    expect(posts.some(({ type: kind }) => kind === "send")).toBe(false);
    expect(one("[role=status]").textContent).toContain("A turn is running");
  });

  it("completes a command by the keyboard", () => {
    open();
    type("/co");
    const options = [...document.querySelectorAll("[role=option]")];
    expect(options.map((option) => option.querySelector("b")?.textContent)).toEqual([
      "/compact [instructions]",
      "/cost",
    ]);
    key("ArrowDown");
    expect(field().getAttribute("aria-activedescendant")).toBe("suggestion-1");
    key("Enter");
    expect(field().value).toBe("/cost");
    expect(posts.some(({ type: kind }) => kind === "send")).toBe(false);
    key("Enter");
    expect(posts.at(-1)).toEqual({ type: "send", text: "/cost" });
  });

  it("sends a command that is written out, with nothing left to complete", () => {
    open();
    type("/cost");
    key("Enter");
    expect(posts.at(-1)).toEqual({ type: "send", text: "/cost" });
    expect(document.querySelector("[role=option]")).toBeNull();
  });

  it("completes a file from the host, and ignores a late answer", () => {
    open();
    type("see @led");
    expect(posts.at(-1)).toEqual({ type: "findFiles", query: "led" });
    send({ type: "files", query: "le", paths: ["old.py"] });
    expect(document.querySelector("[role=option]")).toBeNull();
    send({ type: "files", query: "led", paths: ["src/ledger.py"] });
    key("Tab");
    expect(field().value).toBe("see @src/ledger.py ");
  });

  it("shows the tokens of the draft that stands there, not of an older one", () => {
    open();
    type("hello");
    send({ type: "draftTokens", text: "hell", tokens: 9 });
    send({ type: "draftTokens", text: "hello", tokens: 1024 });
    expect(one("[data-draft-tokens]").textContent).toBe("draft 1,024 tok");
  });

  it("comes back with its draft", () => {
    open();
    type("half a thought");
    open();
    expect(field().value).toBe("half a thought");
  });
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
    expect(field().value).toBe(prompt.textContent);
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

  it("shows a loaded conversation as it was", async () => {
    open();
    act({ type: "loaded", session: session(), messages: [message()], seq: 0 });
    await drawn();
    expect(one("article[data-kind=user]").textContent).toBe("Fix the build.");
  });
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
