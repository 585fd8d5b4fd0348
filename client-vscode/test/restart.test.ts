import { expect, it } from "vitest";
import { Serial } from "../src/restart";

it("runs one at a time and answers a crowd of calls with one more run", async () => {
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const serial = new Serial(async () => {
    log.push("begin");
    await new Promise<void>((resolve) => gates.push(resolve));
    log.push("end");
  });
  const calls = [serial.run(), serial.run(), serial.run()];
  expect(log).toEqual(["begin"]);
  gates[0]?.();
  await calls[0];
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.();
  await Promise.all(calls);
  expect(log).toEqual(["begin", "end", "begin", "end"]);
});

it("runs again after a failure", async () => {
  let runs = 0;
  const serial = new Serial(async () => {
    runs += 1;
    throw new Error("no");
  });
  const calls = await Promise.allSettled([serial.run(), serial.run()]);
  expect(calls.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(runs).toBe(2);
});
