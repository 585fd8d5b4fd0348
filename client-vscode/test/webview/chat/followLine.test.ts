import { expect, it } from "vitest";
import { session } from "../../values";
import { act, button, drawn, field, one, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const held = session({ heldBy: "Visual Studio Code, process 12" });

it("says who writes the session in the place of the field, and offers to take over or fork", async () => {
  open({ ...READY, session: held });
  expect(one(".follow p").textContent).toBe(
    "Read only. Another window is using this session: Visual Studio Code, process 12.",
  );
  expect(one(".composer").hidden).toBe(true);
  button("Take over").click();
  expect(posts.at(-1)).toEqual({ type: "run", command: "takeOverSession" });
  button("Fork").click();
  expect(posts.at(-1)).toEqual({ type: "run", command: "forkSession" });

  act({ type: "session", session: session() });
  await drawn();
  expect(one(".follow").hidden).toBe(true);
  expect(one(".composer").hidden).toBe(false);
});

it("says whether a turn runs in the other window", async () => {
  open({ ...READY, session: { ...held, state: "running" } });
  expect(one(".follow [role=status]").textContent).toBe(
    "Working in Visual Studio Code, process 12…",
  );
  expect(one(".follow [role=status]").hidden).toBe(false);

  act({ type: "session", session: { ...held, state: "idle" } });
  await drawn();
  expect(one(".follow [role=status]").hidden).toBe(true);
});

it("says which machine writes the session, and offers the same", async () => {
  open({ ...READY, session: session({ heldBy: "the machine desk", state: "running" }) });
  expect(one(".follow p").textContent).toBe("Read only. The machine desk is using this session.");
  expect(one(".follow [role=status]").textContent).toBe("Working on the machine desk…");
  button("Take over").click();
  expect(posts.at(-1)).toEqual({ type: "run", command: "takeOverSession" });
});

it("tells a screen reader once who writes the session from now on", async () => {
  open({ ...READY, session: session() });
  const changed = session({ heldBy: "the machine desk" });
  act({ type: "update", seq: 1, update: { kind: "sessionChanged", session: changed } });
  expect(one("#status").textContent).toBe("Read only. The machine desk is using this session.");
  act({ type: "update", seq: 2, update: { kind: "turnStarted", turnId: "t1" } });
  act({ type: "session", session: changed });
  expect(one("#status").textContent).toBe("Working");
});

it("keeps what was being written while another window writes the session", async () => {
  open({ ...READY, session: session() });
  field().value = "half a sentence";
  act({ type: "session", session: held });
  await drawn();
  act({ type: "session", session: session() });
  await drawn();
  expect(field().value).toBe("half a sentence");
});
