import { expect, it } from "vitest";
import { type Asking, fillBox } from "../../src/git/fillBox";
import { type GitApi, repositoryOf } from "../../src/git/repositories";

/** Runs it with these answers; what was asked, and what stands in the field at the end. */
async function filled(value: string, answers: Partial<Asking> = {}) {
  const box = { value };
  const asked: string[] = [];
  const note = <T>(text: string, answer: T) => {
    asked.push(text);
    return Promise.resolve(answer);
  };
  await fillBox(box, {
    write: (beginning) => note(`write:${beginning}`, "fix: a"),
    wish: (text) => note(`wish:${text}`, "begin" as const),
    again: (error) => note(`again:${(error as Error).message}`, false),
    overwrite: () => note("overwrite", false),
    ...answers,
  });
  return [box.value, ...asked];
}

it("writes into an empty field unasked, and asks what becomes of a text", async () => {
  expect(await filled(" \n")).toEqual(["fix: a", "write:"]);
  expect(await filled("fix:\n")).toEqual(["fix: a", "wish:fix:", "write:fix:"]);
  expect(await filled("old", { wish: async () => "replace" })).toEqual(["fix: a", "write:"]);
  expect(await filled("old", { wish: async () => undefined })).toEqual(["old"]);
});

it("leaves the field as it was when it is cancelled, or fails and is not asked again", async () => {
  expect(await filled("", { write: async () => undefined })).toEqual([""]);
  const write = () => Promise.reject(new Error("down"));
  expect(await filled("", { write })).toEqual(["", "again:down"]);
  let tries = 0;
  const second = async () => {
    tries += 1;
    if (tries === 1) {
      throw new Error("down");
    }
    return "fix: b";
  };
  expect(await filled("", { write: second, again: async () => true })).toEqual(["fix: b"]);
});

it("takes the place of what was typed meanwhile on the person's word alone", async () => {
  for (const [yes, left] of [
    [false, "typed"],
    [true, "fix: a"],
  ] as const) {
    const box = { value: "" };
    const asking: Asking = {
      write: async () => {
        box.value = "typed";
        return "fix: a";
      },
      wish: async () => "begin",
      again: async () => false,
      overwrite: async () => yes,
    };
    await fillBox(box, asking);
    expect(box.value).toBe(left);
  }
});

it("takes the repository that the folder lies in, and no other", () => {
  const at = (fsPath: string) => ({ rootUri: { fsPath }, inputBox: { value: fsPath } });
  const api: GitApi = {
    repositories: [at("/a"), at("/a/b"), at("/a/bc"), at("/d")],
    getRepository: ({ fsPath }) => (fsPath === "/d" ? at("/d") : null),
  };
  const found = (fsPath: string) => repositoryOf(api, { fsPath }).rootUri.fsPath;
  expect([found("/d"), found("/a/b/c"), found("/a/b"), found("/a/x")]).toEqual([
    "/d",
    "/a/b",
    "/a/b",
    "/a",
  ]);
  expect(() => found("/e")).toThrow("no git repository of /e");
});
