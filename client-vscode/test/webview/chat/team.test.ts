import { expect, it } from "vitest";
import { reduce } from "../../../src/session/reduce";
import { session, teamStatus } from "../../values";
import { act, button, drawn, one, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const AWAY = teamStatus({
  state: "away",
  message: "The team's server cannot be reached.",
  remedy: "Check <b>the network</b>.",
});

it("says what is wrong with the team's server until it is right again", async () => {
  open();
  act({ type: "team", team: AWAY });
  await drawn();
  expect(one(".banner").textContent).toBe(
    "The team's server cannot be reached. Check <b>the network</b>.",
  );
  expect(document.querySelector(".banner button")).toBeNull();

  act({ type: "team", team: teamStatus() });
  await drawn();
  expect(one(".banner").textContent).toBe("");
});

it("tells a screen reader once, whatever waits to be sent meanwhile", () => {
  open();
  act({ type: "team", team: AWAY });
  expect(one("#status").textContent).toContain("cannot be reached");

  act({ type: "failed", error: { id: "f", errorKind: "busy", message: "Busy." } });
  act({ type: "team", team: { ...AWAY, queued: 3 } });
  expect(one("#status").textContent).toBe("Error: Busy.");
});

it("leads to what only a person can put right", async () => {
  open();
  act({ type: "team", team: teamStatus({ state: "refused", message: "The password is wrong." }) });
  await drawn();

  button("Team…").click();
  expect(posts.at(-1)).toEqual({ type: "run", command: "shareWithTeam" });
});

it("keeps what it knows of the team when another session is loaded", () => {
  const known = reduce(READY, { type: "team", team: AWAY });
  const loaded = reduce(known, {
    type: "loaded",
    session: session({ id: "s2" }),
    messages: [],
    seq: 0,
  });

  expect(loaded.team).toEqual(AWAY);
  expect(reduce(loaded, { type: "team" }).team).toBeUndefined();
});
