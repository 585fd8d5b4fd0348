import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { browserPage } from "../../scripts/bundles.mjs";

const PAGE = "../server/plimsoll/view/page";
const WRITTEN_BY_HAND = ["icon.svg", "index.html"];

it("has the browser's page committed as it is built: npm --prefix client-vscode run build", async () => {
  const { outputFiles } = await build({ ...browserPage, write: false });
  const made = new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));

  expect(readdirSync(PAGE).sort()).toEqual([...WRITTEN_BY_HAND, ...made.keys()].sort());
  for (const [name, text] of made) {
    expect(readFileSync(path.join(PAGE, name), "utf8") === text, `${name} is not fresh`).toBe(true);
  }
});

it("writes no markup, style or script into its page but by the files that it names", () => {
  const html = readFileSync(path.join(PAGE, "index.html"), "utf8");
  const script = readFileSync(path.join(PAGE, "view.js"), "utf8");

  expect(html).not.toMatch(/<script>|<style|style=|\son\w+=/);
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
});

it("has in a browser the colours of the kinds that an editor's themes have", () => {
  const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
  const [light = "", dark = ""] = readFileSync("src/webview/style/browser/theme.css", "utf8").split(
    "@media (prefers-color-scheme: dark)",
  );

  expect(contributes.colors.length).toBeGreaterThan(0);
  for (const { id, defaults } of contributes.colors) {
    const name = `--vscode-${id.replaceAll(".", "-")}`;
    expect(light).toContain(`${name}: ${defaults.light};`);
    expect(dark).toContain(`${name}: ${defaults.dark};`);
  }
});
