import { expect, it } from "vitest";
import type { ToolEntry } from "../../../src/session/state";
import { call, session } from "../../values";
import { act, button, drawn, one, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const agent = { sessionId: "s5", kind: "explore", description: "find the parser" };
const delegated = call({
  name: "subagent",
  kind: "other",
  arguments: { description: "find the parser" },
  agent,
});
const { detail: _none, ...subagent } = delegated;
const running: ToolEntry = {
  kind: "tool",
  id: "c1",
  turnId: "t1",
  call: subagent,
  status: "running",
};

const doing = () => one(".tool .agent-doing").textContent;

it("says on the card what a subagent does, what it took, and opens its session", async () => {
  open({ ...READY, entries: [running] });
  const now = { ...agent, doing: "Read src/parse.py", tokens: 1240 };
  const update = { kind: "toolUpdate", turnId: "t1", toolCallId: "c1", status: "running" } as const;
  act({ type: "update", seq: 1, update: { ...update, output: "Read src/parse.py", agent: now } });
  await drawn();
  expect(one(".tool .target").textContent).toBe("find the parser");
  expect(doing()).toBe("explore agent · Read src/parse.py · 1.2k tokens");
  expect(document.querySelector(".tool .output")).toBeNull();
  button("Open session").click();
  expect(posts.at(-1)).toEqual({ type: "openSession", sessionId: "s5" });

  const ended = { ...update, status: "completed", output: "It stands in src/parse.py." } as const;
  act({ type: "update", seq: 2, update: ended });
  await drawn();
  expect(doing()).toBe("explore agent · 1.2k tokens");
  expect(one(".tool .output").textContent).toBe("It stands in src/parse.py.");
});

it("says of an agent that works apart where it does, in its card and at its changes", async () => {
  const own = { ...agent, kind: "work", isolated: true };
  const merge = call({ name: "merge", title: "Merge 2 files of “find the parser”", agent: own });
  open({
    ...READY,
    entries: [
      { ...running, call: { ...subagent, agent: own } },
      { ...running, id: "c2", call: merge },
    ],
  });
  await drawn();
  const lines = [...document.querySelectorAll(".tool .agent-doing")].map((one) => one.textContent);
  expect(lines).toEqual([
    "work agent · in a worktree of its own",
    "work agent · in a worktree of its own · find the parser",
  ]);
});

it("says which agent asks, in the question and after the answer", async () => {
  const asker = { sessionId: "s6", kind: "work", description: "mend it" };
  const title = "work: mend it - Edit src/parse.py";
  const asked = call({
    name: "file_edit",
    title,
    arguments: { path: "src/parse.py" },
    agent: asker,
  });
  const options = [{ optionId: "allowOnce", name: "Allow once", kind: "allowOnce" as const }];
  const place = { requestId: "q1", sessionId: "s1", turnId: "t1" };
  open(READY);
  act({ type: "permissionRequested", ...place, toolCall: asked, options });
  await drawn();
  expect(one(".question-title").textContent).toContain(title);
  button("Open session").click();
  expect(posts.at(-1)).toEqual({ type: "openSession", sessionId: "s6" });
  act({ type: "permissionAnswered", requestId: "q1" });
  await drawn();
  expect(doing()).toBe("work agent · mend it");
});

it("shows the way back above the session of a subagent alone", async () => {
  open({ ...READY, session: session({ id: "s5", agent: "explore", parentId: "s1" }) });
  expect(one(".caller").textContent).toContain("Session of an explore agent");
  button("Back to caller").click();
  expect(posts.at(-1)).toEqual({ type: "openSession", sessionId: "s1" });

  act({ type: "session", session: session({ parentId: "s1" }) });
  await drawn();
  expect(one(".caller").hidden).toBe(true);
});
