import { expect, test } from "vitest";
import { oneAtATime } from "../../src/hunks/order";

test("an act waits until the one before it has led on", async () => {
  const order = oneAtATime();
  let cursor = "first";
  const chosen: string[] = [];
  const choose = order(async (what: string) => {
    chosen.push(`${what} ${cursor}`);
    await new Promise((resolve) => setImmediate(resolve));
    cursor = "second";
  });
  await Promise.all([choose("keep"), choose("reject")]);
  expect(chosen).toEqual(["keep first", "reject second"]);
});

test("a failure is told to its own caller, and the next act runs", async () => {
  const order = oneAtATime();
  const fails = order(async () => {
    throw new Error("No change is here.");
  });
  const ran: string[] = [];
  const runs = order(async () => {
    ran.push("next");
  });
  const [failed] = await Promise.allSettled([fails(), runs()]);
  expect(failed).toMatchObject({ status: "rejected", reason: { message: "No change is here." } });
  expect(ran).toEqual(["next"]);
});
