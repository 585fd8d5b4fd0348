import { expect, it } from "vitest";
import { Crashes } from "../../src/server/crashes";

function after(...seconds: number[]): Crashes {
  const crashes = new Crashes();
  for (const second of seconds) {
    crashes.record(second * 1000);
  }
  return crashes;
}

it("resumes after one crash, not after two in a row", () => {
  expect([after(), after(1), after(1, 2)].map(({ mayResume }) => mayResume)).toEqual([
    true,
    true,
    false,
  ]);
});

it("gives up after five crashes in three minutes", () => {
  expect(after(1, 2, 3, 4).mayRestart).toBe(true);
  expect(after(1, 2, 3, 4, 5).mayRestart).toBe(false);
  expect(after(1, 2, 3, 4, 200).mayRestart).toBe(true);
});

it("begins anew when somebody starts the server", () => {
  const crashes = after(1, 2, 3, 4, 5);
  crashes.forget();
  expect([crashes.mayResume, crashes.mayRestart]).toEqual([true, true]);
});
