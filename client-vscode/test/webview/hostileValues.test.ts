// @vitest-environment jsdom
import { expect, it } from "vitest";
import type { Entry } from "../../src/session/state";
import { call, message, meter, receipt, session } from "../values";
import { act, drawn, open, READY, send } from "./chat/openPage";

const EVIL = "https://evil.example/leak";

/** What would act or load in a text, an attribute, an address or a class. */
const VALUES = [
  "<script>globalThis.ran = true</script>",
  `<img src="${EVIL}.png" onerror=globalThis.ran=true>`,
  `"><iframe src="${EVIL}"></iframe>`,
  '" onclick="globalThis.ran=true" x="',
  "' onfocus=globalThis.ran=true autofocus '",
  "javascript:globalThis.ran=true",
  "data:text/html,<script>globalThis.ran=true</script>",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='globalThis.ran=true'/>",
  'data:image/png;base64,AAAA" onerror="globalThis.ran=true',
  `${EVIL}.png`,
  "//evil.example/x.png",
  "vscode://file/etc/passwd",
  "command:workbench.action.terminal.new",
  "file:///etc/passwd",
  "vscode-webview://evil/x",
  "blob:https://evil.example/1",
  "../../../../etc/passwd",
  "a b] , button, .question [x",
  "x'] , [data-id='y",
  "hidden",
  "question allow",
  "allowOnce",
  "answer",
  "run",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\u202eexe.txt",
  "\u0000\u0007\u001b[2J",
  "\ud800",
  "a\u2028b\u2029c",
  "</textarea><script>globalThis.ran=true</script>",
  "</style><script>globalThis.ran=true</script>",
  "{{constructor.constructor('globalThis.ran=true')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what an attacker hopes is put together.
  "${globalThis.ran=true}",
  `![x](${EVIL}.png)[y](javascript:globalThis.ran=true)`,
  '<a href="#" data-action="answer" data-request="r" data-option="allowOnce">ok</a>',
  '<button data-action="run" data-command="restartServer">x</button>',
  "A".repeat(5_000),
  "-".repeat(2_000),
];

/** The names of fields whose values are of ours: a server says nothing else there. */
const OURS =
  /^(kind|status|stage|zone|basis|mode|at|createdAt|updatedAt|level|where|role|type|seq|sessionId|turnId|streaming)$/;

/** Puts the value in the place of each text that a model, a file or a server chooses. */
function poisoned<T>(whole: T, value: string): T {
  const put = (tree: unknown, name: string): unknown => {
    if (typeof tree === "string") {
      return OURS.test(name) ? tree : value;
    }
    if (Array.isArray(tree)) {
      return tree.map((each) => put(each, name));
    }
    if (tree !== null && typeof tree === "object") {
      return Object.fromEntries(Object.entries(tree).map(([key, each]) => [key, put(each, key)]));
    }
    return tree;
  };
  return put(whole, "") as T;
}

const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
const tool = { kind: "tool", turnId: "t1", status: "completed" } as const;
const edit = call({ id: "c2", name: "file_edit", kind: "edit", detail: { diff } });

/** One of each kind that the page shows; ids are its own, so that no two are one. */
function entries(value: string): Entry[] {
  const bare: Entry[] = [
    { kind: "user", id: "m1", text: "x", attachments: ["x", "y"] },
    { kind: "answer", id: "m2", turnId: "t1", text: "x", reasoning: "y", streaming: false },
    { kind: "answer", id: "m3", turnId: "t1", text: "x", reasoning: "y", streaming: true },
    { ...tool, id: "c1", call: call({ locations: [{ uri: "x", line: 1 }] as never }), output: "x" },
    { ...tool, id: "c2", call: edit, status: "failed", output: "x", heldBack: "files" },
    { ...tool, id: "c3", call: call({ id: "c3" }), keptFiles: ["x"], asideFiles: ["y"] },
    {
      ...tool,
      id: "c4",
      call: call({ id: "c4" }),
      rejection: { by: "person", reason: "x" } as never,
    },
    { kind: "receipt", id: "e1", receipt: receipt() },
    { kind: "notice", id: "n1", level: "info", markdown: "x", settings: ["x"], undo: "y" },
    { kind: "command", id: "k1", text: "/x" },
    { kind: "error", id: "f1", errorKind: "x", message: "y", remedy: "z", item: "i", retry: true },
    {
      kind: "changes",
      id: "h1",
      files: [{ uri: "file:///w/x", name: "x", added: 1, removed: 2, callIds: ["c1"] }],
    },
  ];
  return bare.map((entry) => ({ ...poisoned(entry, value), id: entry.id }) as Entry);
}

/** What no value may bring into the page. */
function faults(element: Element): string[] {
  const found = element
    .getAttributeNames()
    .filter((name) => /^on|^(style|srcdoc|formaction)$/.test(name));
  if (
    /^(SCRIPT|IFRAME|OBJECT|EMBED|LINK|META|BASE|STYLE|FORM|IMG|VIDEO|AUDIO)$/.test(element.tagName)
  ) {
    found.push(element.outerHTML.slice(0, 80));
  }
  const href = element.getAttribute("href");
  if (href !== null && href !== "#") {
    found.push(`href ${href.slice(0, 40)}`);
  }
  const { action, href: leads = "" } = (element as HTMLElement).dataset;
  if (action !== undefined && VALUES.includes(action) && !KNOWN.has(action)) {
    found.push(`action ${action.slice(0, 40)}`);
  }
  return /^\s*(javascript|data|command|vscode|vscode-webview|blob|file):/i.test(leads)
    ? [...found, leads.slice(0, 40)]
    : found;
}

/** The actions of the page itself, and who asks for them, as it stands with harmless values. */
let KNOWN = new Set<string>();
let buttons = 0;

function actions(): string[] {
  return [...document.querySelectorAll<HTMLElement>("[data-action]")].map(
    ({ dataset }) => dataset.action ?? "",
  );
}

async function show(value: string): Promise<void> {
  open({
    ...READY,
    session: poisoned(session(), value),
    meter: poisoned(meter(), value),
    entries: entries(value),
    tasks: [{ title: value, status: "pending", children: [{ title: value, status: "completed" }] }],
    connectionMessage: value,
  });
  send({ type: "state", state: READY, attachments: [], commands: [] } as never);
  send({
    type: "state",
    state: { ...READY, entries: entries(value), session: poisoned(session(), value) },
    attachments: [{ id: "a", label: value }],
    commands: [{ name: value, arguments: value, alone: true, help: value }],
  });
  for (const [seq, update] of [
    { kind: "textDelta", turnId: "t2", messageId: "m9", text: value },
    { kind: "reasoningDelta", turnId: "t2", messageId: "m9", text: value },
    { kind: "message", message: poisoned(message({ id: "m8" }), value) },
    {
      kind: "toolCall",
      turnId: "t2",
      messageId: "m9",
      toolCall: { ...poisoned(call(), value), id: "c9" },
    },
    { kind: "toolUpdate", turnId: "t2", toolCallId: "c9", status: "running", output: value },
    { kind: "notice", turnId: "t2", level: "warning", markdown: value },
  ].entries()) {
    act({ type: "update", seq: seq + 1, update } as never);
  }
  await drawn();
}

it("knows at least 40 hostile values", () => {
  expect(new Set(VALUES).size).toBeGreaterThanOrEqual(40);
});

it.each(VALUES.map((value) => [value.slice(0, 60), value]))(
  "brings nothing that acts into cards, titles, notices, names and pieces: %s",
  async (_shown, value) => {
    if (KNOWN.size === 0) {
      await show("x");
      KNOWN = new Set(actions());
      buttons = document.querySelectorAll("button").length;
    }
    await show(value);
    expect([...document.querySelectorAll("*")].flatMap(faults)).toEqual([]);
    expect(globalThis).not.toHaveProperty("ran");
    // No value makes a button that the page does not have by itself, but those of blocks of code.
    const own = [...document.querySelectorAll("button")].filter((one) => !one.closest(".code"));
    expect(own.length).toBeLessThanOrEqual(buttons + 2);
    expect(document.querySelectorAll("article").length).toBeGreaterThan(5);
  },
);
