import { expect, it } from "vitest";
import { editorLanguage } from "../../src/text/languages";

it("finds the editor's name of a language by what a fence says", () => {
  const known = ["python", "shellscript", "typescriptreact", "diff"];
  const fences = ["py", "Python", "bash", "tsx", "patch", "rs", "", "constructor"];
  expect(fences.map((fence) => editorLanguage(fence, known))).toEqual([
    "python",
    "python",
    "shellscript",
    "typescriptreact",
    "diff",
    "plaintext",
    "plaintext",
    "plaintext",
  ]);
});
