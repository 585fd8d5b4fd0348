import { expect, it } from "vitest";
import type { RequestType } from "vscode-languageserver-protocol";
import type { ContentPart, SessionUpdateParams } from "../../src/protocol";
import { SessionController } from "../../src/session/controller";
import type { ServerConnection } from "../../src/session/serverConnection";
import type { UserEntry } from "../../src/session/state";
import { message, meter, session } from "../values";

type Answers = Record<string, (params: never) => unknown>;

/** A server that answers from a table and remembers what it was asked. */
function scripted(answers: Answers) {
  const asked: { method: string; params: unknown }[] = [];
  const wire: ServerConnection = {
    async request<P, R>(type: RequestType<P, R, void>, params: P) {
      asked.push({ method: type.method, params });
      const answer = answers[type.method];
      if (answer === undefined) {
        throw new Error(`unexpected ${type.method}`);
      }
      return answer(params as never) as R;
    },
    async notify() {},
  };
  return { wire, asked };
}

const report = {
  meter: meter(),
  pending: [],
  items: [],
  files: [],
  systemSections: [],
  tools: [],
  receipts: [],
  cache: { stablePrefix: 0 },
  advice: [],
};
const base: Answers = {
  "plimsoll/session/load": () => ({ session: session(), messages: [message()], seq: 4 }),
  "plimsoll/session/new": () => ({ session: session({ id: "s9" }), seq: 0 }),
  "plimsoll/session/prompt": () => ({ turnId: "t1" }),
  "plimsoll/context/meter": () => meter({ parts: [{ kind: "draft", tokens: 24 }] }),
  "plimsoll/context/report": () => report,
};

function controller(answers: Answers = base) {
  const { wire, asked } = scripted(answers);
  const errors: string[] = [];
  const made = new SessionController(wire, (context) => errors.push(context));
  const count = (method: string) => asked.filter((one) => one.method === method).length;
  return { made, asked, errors, count };
}

function update(seq: number, fields: Partial<SessionUpdateParams> = {}): SessionUpdateParams {
  const delta = { kind: "textDelta", turnId: "t1", messageId: "m2", text: "x" } as const;
  return { sessionId: "s1", seq, update: delta, ...fields };
}

it("loads again when updates were missed, once for a burst", async () => {
  const { made, count } = controller();
  await made.load("file:///w", "s1");
  made.onUpdate(update(6));
  made.onUpdate(update(7));
  await expect.poll(() => count("plimsoll/session/load")).toBe(2);
  expect(made.state.seq).toBe(4);
});

it("drops what it has seen already and takes what comes next", async () => {
  const { made } = controller();
  await made.load("file:///w", "s1");
  made.onUpdate(update(4));
  made.onUpdate(update(5));
  expect(made.state.entries.at(-1)).toMatchObject({ kind: "answer", text: "x" });
});

it("follows a command to the session that it opened", async () => {
  const { made, asked } = controller();
  await made.load("file:///w", "s1");
  const changed = { kind: "sessionChanged", session: session({ id: "s2" }) } as const;
  made.onUpdate(update(5, { update: changed }));
  expect(asked.filter(({ method }) => method === "plimsoll/session/load").at(-1)).toEqual({
    method: "plimsoll/session/load",
    params: { workspaceFolder: "file:///w", sessionId: "s2" },
  });
});

it("stays where it is when a session that is not shown changes, though a turn runs here", async () => {
  const { made, count } = controller();
  await made.load("file:///w", "s1");
  made.onUpdate(update(5, { update: { kind: "turnStarted", turnId: "t1" } }));
  const changed = { kind: "sessionChanged", session: session({ id: "s2" }) } as const;
  made.onUpdate(update(1, { sessionId: "s2", update: changed }));
  expect(count("plimsoll/session/load")).toBe(1);
});

it("ignores updates and meters of sessions that are not shown", async () => {
  const { made } = controller();
  await made.load("file:///w", "s1");
  const before = made.state;
  made.onUpdate(update(5, { sessionId: "other" }));
  made.onMeter(meter({ sessionId: "other" }));
  expect(made.state).toBe(before);
});

it("shows a slash command in the chat, a message only when the server says it", async () => {
  const { made } = controller();
  await made.create("file:///w");
  await made.prompt([{ type: "text", text: "hello" }], "hello");
  await made.prompt([{ type: "text", text: "/pins" }], "/pins");
  expect(made.state.entries).toEqual([{ kind: "command", id: "command1", text: "/pins" }]);
});

it("reads the tokens of a draft from its part of the meter", async () => {
  const { made } = controller();
  await made.create("file:///w");
  expect(await made.draftTokens("hello")).toBe(24);
});

it("says that no session is open", async () => {
  const { made } = controller();
  await expect(made.draftTokens("x")).rejects.toThrow(/No session is open/);
});

it("opens a new session where the one to carry on with cannot be opened, and says why", async () => {
  const refused = Object.assign(new Error("The session 's1' cannot be opened."), {
    code: -32803,
    data: { kind: "sessionUnreadable", remedy: "Export it." },
  });
  const load = () => {
    throw refused;
  };
  const { made } = controller({ ...base, "plimsoll/session/load": load });
  await made.loadOrCreate("file:///w", "s1");
  expect(made.state.session?.id).toBe("s9");
  expect(JSON.stringify(made.state.entries)).toContain("Export it.");
});

it("carries on with the latest session where the one that was shown is gone", async () => {
  const gone = Object.assign(new Error("No session 's1'."), {
    code: -32803,
    data: { kind: "sessionNotFound" },
  });
  const load = ({ sessionId }: { sessionId?: string }) => {
    if (sessionId === "s1") {
      throw gone;
    }
    return { session: session({ id: "s7" }), messages: [], seq: 0 };
  };
  const { made } = controller({ ...base, "plimsoll/session/load": load });
  await made.loadOrCreate("file:///w", "s1");
  expect(made.state).toMatchObject({ session: { id: "s7" }, entries: [] });
});

it("opens a new session, without a word, where none is kept", async () => {
  const load = () => {
    const data = { kind: "sessionNotFound" };
    throw Object.assign(new Error("No session 'latest'."), { code: -32803, data });
  };
  const { made } = controller({ ...base, "plimsoll/session/load": load });
  await made.loadOrCreate("file:///w", "s1");
  expect(made.state).toMatchObject({ session: { id: "s9" }, entries: [] });
});

it("knows that nothing is on disk until the server starts anew", async () => {
  const status = { store: { path: "/d", bytes: 0, kind: "memory" } };
  const { made } = controller({ ...base, "plimsoll/status": () => status });
  made.requestStoreKind();
  await expect.poll(() => made.state.inMemory).toBe(true);
  await made.create("file:///w");
  expect(made.state.inMemory).toBe(true);
  made.connection("starting");
  expect(made.state.inMemory).toBe(false);
});

const FAILED = {
  kind: "turnEnded",
  turnId: "t2",
  stopReason: "error",
  error: { kind: "providerUnavailable", message: "No connection." },
} as const;

/** A session in which something was answered, and a second prompt fails. */
function failing(answered: boolean, content: readonly ContentPart[] = []) {
  const first = [message(), message({ id: "m2", role: "assistant", parts: [] })];
  const messages = [
    first[0],
    { ...first[1], parts: [{ itemId: "m2.0", type: "text", text: "Done.", state: "verbatim" }] },
  ];
  const own = controller({
    ...base,
    "plimsoll/session/load": () => ({ session: session(), messages, seq: 0 }),
    "plimsoll/session/rewind": () => ({ session: session(), editId: "e1" }),
    "plimsoll/session/promptContent": () => ({ content }),
  });
  const said = message({ id: "m3", turnId: "t2" });
  const delta = { kind: "textDelta", turnId: "t2", messageId: "m4", text: "It" } as const;
  const fail = () => {
    own.made.onUpdate(update(1, { update: { kind: "message", message: said } }));
    own.made.onUpdate(update(2, { update: answered ? delta : { kind: "tasks", tasks: [] } }));
    own.made.onUpdate(update(3, { update: FAILED }));
  };
  return { ...own, fail };
}

it("says a prompt that failed again in its own place, with what went along", async () => {
  const content = [
    { type: "text", text: "Fix the build." },
    { type: "file", uri: "file:///w/a.py" },
  ] as const;
  const { made, asked, fail } = failing(false, content);
  await made.load("file:///w", "s1");
  await made.prompt([...content], "Fix the build.");
  fail();
  await made.retry();
  const methods = ["plimsoll/session/rewind", "plimsoll/session/prompt"];
  const told = asked.filter(({ method }) => methods.includes(method)).slice(1);
  expect(told).toEqual([
    { method: methods[0], params: { sessionId: "s1", messageId: "m3", before: true } },
    { method: methods[1], params: { sessionId: "s1", content } },
  ]);
});

it("lets the agent go on where something was answered", async () => {
  const { made, asked, count, fail } = failing(true);
  await made.load("file:///w", "s1");
  fail();
  await made.retry();
  expect(count("plimsoll/session/rewind")).toBe(0);
  expect(asked.at(-1)?.params).toMatchObject({ content: [{ text: "Go on where you stopped." }] });
});

it("asks again in the place of the first answer, with what went along", async () => {
  const image = { type: "image", mimeType: "image/png", data: "iVBO" } as const;
  const { made, asked } = controller({
    ...base,
    "plimsoll/session/rewind": () => ({ session: session(), editId: "w1" }),
    "plimsoll/session/promptContent": () => ({ content: [{ type: "text", text: "Hm." }, image] }),
    "plimsoll/session/load": () => ({
      session: session(),
      messages: [message({ id: "m1", role: "user" })],
      seq: 0,
    }),
  });
  await made.load("file:///w", "s1");
  const [prompt] = made.state.entries;
  await made.sayAgain(prompt as UserEntry);
  expect(asked).toContainEqual({
    method: "plimsoll/session/rewind",
    params: { sessionId: "s1", messageId: "m1", before: true },
  });
  expect(asked.find(({ method }) => method.endsWith("/prompt"))?.params).toMatchObject({
    sessionId: "s1",
    content: [{ type: "text", text: "Fix the build." }, image],
  });
});

it.each([[undefined], [true], [false]])(
  "goes back to before a prompt, files back: %s",
  async (restoreFiles) => {
    const done = { session: session(), editId: "w1", files: [], commands: 0 };
    const { made, asked } = controller({
      ...base,
      "plimsoll/session/load": () => ({ session: session(), messages: [], seq: 0 }),
      "plimsoll/session/rewind": () => done,
    });
    await made.load("file:///w", "s1");
    expect(await made.goBackBefore("m1", restoreFiles)).toEqual(done);
    const files = restoreFiles === undefined ? {} : { restoreFiles };
    const params = { sessionId: "s1", messageId: "m1", before: true, ...files };
    expect(asked.map(({ method }) => method).slice(-4)).toContain("plimsoll/session/load");
    expect(asked).toContainEqual({ method: "plimsoll/session/rewind", params });
  },
);

it("waits while the server is being started, and no longer", async () => {
  const { made } = controller();
  const order: string[] = [];
  const waited = made.whileStarting().then(() => order.push("waited"));
  made.dispatch({ type: "trust", trusted: true });
  await Promise.resolve();
  order.push("ready");
  made.connection("ready");
  await waited;
  expect(order).toEqual(["ready", "waited"]);
  await made.whileStarting();
});
