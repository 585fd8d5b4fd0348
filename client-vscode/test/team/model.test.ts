import { describe, expect, it } from "vitest";
import type { TeamStatus } from "../../src/protocol";
import {
  addressFlaw,
  joinedText,
  leavingText,
  memoryContext,
  sharingsOf,
  teamBanner,
  teamNote,
  teamTrouble,
} from "../../src/team/model";
import { memory, teamStatus } from "../values";

const AWAY: Partial<TeamStatus> = {
  state: "away",
  message: "The team's server cannot be reached.",
  remedy: "Check the network.",
};

describe("what a person is told of the team's server", () => {
  it("is one sentence with its remedy, where nothing is exchanged", () => {
    expect(teamTrouble(teamStatus(AWAY))).toBe(
      "The team's server cannot be reached. Check the network.",
    );
    expect(teamTrouble(teamStatus({ ...AWAY, state: "slow" }))).toBeUndefined();
    expect(teamTrouble(teamStatus())).toBeUndefined();
    expect(teamTrouble(undefined)).toBeUndefined();
  });

  it("stands above a conversation of who may only read once something waits", () => {
    const reader: Partial<TeamStatus> = { ...AWAY, state: "readOnly", rights: "read" };
    expect(teamTrouble(teamStatus(reader))).toBeDefined();
    expect(teamBanner(teamStatus(reader))).toBeUndefined();
    expect(teamBanner(teamStatus({ ...reader, queued: 1 }))).toBeDefined();
    expect(teamBanner(teamStatus({ ...reader, rights: "write" }))).toBeDefined();
    expect(teamBanner(teamStatus({ ...reader, state: "away" }))).toBeDefined();
  });

  it.each([
    [teamStatus(), "harbour"],
    [teamStatus({ ...AWAY, queued: 1 }), "harbour · not reachable · 1 change to send"],
    [teamStatus({ state: "slow", queued: 2 }), "harbour · slow · 2 changes to send"],
    [{ state: "off", queued: 0 }, ""],
    [undefined, ""],
  ])("is a few words at the head of a view (%#)", (status, words) => {
    expect(teamNote(status)).toBe(words);
  });

  it("says where one takes part, and what goes when one leaves", () => {
    expect(joinedText(teamStatus())).toMatch(/^This folder takes part in “harbour” as anna\./);
    expect(leavingText(teamStatus())).not.toContain("dropped");
    expect(leavingText(teamStatus({ queued: 1 }))).toMatch(/1 change that waits .* is dropped\.$/);
  });
});

it.each([
  ["", undefined],
  ["postgresql://anna@db.example.org/team", undefined],
  ["postgres://anna@db:5433/team?sslmode=require", undefined],
  ["db.example.org", "Write it as postgresql://NAME@HOST/DATABASE."],
  ["postgresql://anna@db", "Write it as postgresql://NAME@HOST/DATABASE."],
  ["postgresql://anna:secret@db/team", "Leave the password out: it is asked for next."],
  ["postgresql://anna@db/team?password=secret", "Leave the password out: it is asked for next."],
])("takes an address without a password alone (%#)", (address, flaw) => {
  expect(addressFlaw(address)).toBe(flaw);
});

describe("with whom a memory can be shared", () => {
  const scopes = (fields: Parameters<typeof memory>[0]) =>
    sharingsOf(memory(fields), "harbour").map(({ scope }) => scope);

  it("is the team or the person's own machines, other than now", () => {
    expect(scopes({})).toEqual(["team", "mine"]);
    expect(scopes({ scope: "team" })).toEqual(["mine"]);
    expect(sharingsOf(memory(), "harbour")[0]?.label).toBe("Everyone in “harbour”");
  });

  it("is nobody else where it is personal, and nobody where it is not the person's own to share", () => {
    expect(scopes({ type: "user" })).toEqual(["mine"]);
    expect(scopes({ type: "feedback", scope: "mine" })).toEqual([]);
    expect(scopes({ authorName: "bert" })).toEqual([]);
    expect(scopes({ state: "inbox" })).toEqual([]);
    expect(scopes({ digest: true })).toEqual([]);
  });
});

it.each([
  [memory(), "memory own"],
  [memory({ scope: "team" }), "memory own shared"],
  [memory({ scope: "team", authorName: "bert" }), "memory colleague shared"],
  [memory({ state: "inbox", scope: "team", authorName: "bert" }), "inbox colleague"],
  [memory({ state: "inbox", superseded: { title: "a", content: "b" } }), "inbox own suggestion"],
  [memory({ state: "inbox", removal: true, superseded: { title: "", content: "" } }), "inbox own"],
])("has a row that says what can be done with it (%#)", (value, words) => {
  expect(memoryContext(value)).toBe(words);
});
