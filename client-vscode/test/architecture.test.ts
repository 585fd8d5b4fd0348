import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const SOURCE = path.join(__dirname, "..", "src");
/** What scripts/lib/protocol/generate.py writes from the server's models. */
const GENERATED = ["methods.ts", "protocol.ts"];
const SIDE_BY_SIDE = 16;
const LINES = 400;
/** A type of any kind, and what else a file exports. */
const DECLARATION =
  /^(?:(?:export )?(?:abstract )?(?:class|interface|type)|export (?:async )?(?:function|const)) (\w+)/gm;

const paths = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|css)$/.test(name))
  .sort();
const modules = paths.filter((name) => name.endsWith(".ts"));

function text(name: string): string {
  return readFileSync(path.join(SOURCE, name), "utf8");
}

/** The files of ours that a file imports, type-only imports included. */
function imports(name: string): string[] {
  return ts
    .preProcessFile(text(name))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((imported) => imported.startsWith("."))
    .map((imported) => `${path.join(path.dirname(name), imported)}.ts`);
}

/** A way from a file back to itself, or undefined. */
function circle(name: string, way: readonly string[], done: Set<string>): string[] | undefined {
  if (way.includes(name)) {
    return [...way.slice(way.indexOf(name)), name];
  }
  if (done.has(name)) {
    return undefined;
  }
  for (const imported of imports(name)) {
    const found = circle(imported, [...way, name], done);
    if (found !== undefined) {
      return found;
    }
  }
  done.add(name);
  return undefined;
}

test("every import of ours leads to a file, so that no circle hides behind a wrong path", () => {
  const wrong = modules.flatMap((name) =>
    imports(name).filter((imported) => !modules.includes(imported)),
  );

  expect(wrong).toEqual([]);
  expect(modules.flatMap(imports).length).toBeGreaterThan(modules.length);
});

test("no file imports itself by way of others, types included", () => {
  const done = new Set<string>();

  for (const name of modules) {
    expect(circle(name, [], done)).toBeUndefined();
  }
});

test(`no folder holds more than ${SIDE_BY_SIDE} files side by side`, () => {
  const counts = new Map<string, number>();
  for (const name of paths) {
    counts.set(path.dirname(name), (counts.get(path.dirname(name)) ?? 0) + 1);
  }

  expect([...counts].filter(([, count]) => count > SIDE_BY_SIDE)).toEqual([]);
});

test(`no file has more than ${LINES} lines, no test either`, () => {
  const written = paths.filter((name) => !GENERATED.includes(name));
  const tests = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join("..", "test", name));
  const long = (name: string) => text(name).split("\n").length - 1 > LINES;

  expect([...written, ...tests].filter(long)).toEqual([]);
});

test("one name is one thing: no type, and nothing exported, has its name twice", () => {
  const owners = new Map<string, string[]>();
  for (const name of modules) {
    for (const [, declared = ""] of text(name).matchAll(DECLARATION)) {
      owners.set(declared, [...(owners.get(declared) ?? []), name]);
    }
  }

  expect([...owners].filter(([, files]) => files.length > 1)).toEqual([]);
  expect(owners.size).toBeGreaterThan(modules.length);
});

test("a page in a webview loads nothing of the editor's API or of the language client", () => {
  const reached = new Set<string>();
  const follow = (name: string): void => {
    if (!reached.has(name)) {
      reached.add(name);
      imports(name).forEach(follow);
    }
  };
  modules.filter((name) => name.startsWith("webview/")).forEach(follow);
  const foreign = [...reached].filter((name) => /from "vscode[^"]*"/.test(text(name)));

  expect(foreign).toEqual([]);
});
