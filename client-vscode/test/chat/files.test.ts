import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { staysInside } from "../../src/chat/files";

let home: string;
beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), "plimsoll-links-")));
  await mkdir(path.join(home, "work", "src"), { recursive: true });
  await mkdir(path.join(home, "work-else"));
  await writeFile(path.join(home, "work", "src", "a.py"), "");
  await writeFile(path.join(home, "work-else", "b.py"), "");
  await symlink("src/a.py", path.join(home, "work", "within.py"));
  await symlink("../work-else/b.py", path.join(home, "work", "out.py"));
  await symlink("..", path.join(home, "work", "above"));
  await symlink("work", path.join(home, "opened"));
});
afterAll(() => rm(home, { recursive: true }));

it.each([
  ["work", "work/src/a.py", true],
  ["work", "work/within.py", true],
  ["opened", "opened/src/a.py", true],
  ["work", "work/out.py", false],
  ["work", "work/above/work-else/b.py", false],
  ["work", "work/above", false],
])("knows whether, opened in %s, %s stays inside", async (folder, file, wanted) => {
  expect(await staysInside(path.join(home, folder), path.join(home, file))).toBe(wanted);
});
