import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MEMORY_SCHEME } from "../src/memory/files";
import { SERVER_COMMANDS } from "../src/protocol";
import { USERS_ALONE } from "../src/server/settings";
import { KIND_GROUPS } from "../src/text/kinds";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { contributes } = manifest;
const commands: string[] = contributes.commands.map((one: { command: string }) => one.command);
const properties = Object.assign(
  {},
  ...contributes.configuration.map((one: { properties: object }) => one.properties),
);

it("offers no command under a server's id", () => {
  const serverIds = new Set<string>(Object.values(SERVER_COMMANDS));
  expect(commands.filter((id) => serverIds.has(id) || id.startsWith("plimsoll.server."))).toEqual(
    [],
  );
});

it("registers every command that it offers", () => {
  const source = ["commands/register.ts", "hunks/commands.ts"]
    .map((name) => readFileSync(`src/${name}`, "utf8"))
    .join("");
  const registered = [...source.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => `plimsoll.${name}`);
  expect(commands.filter((id) => !registered.includes(id))).toEqual([]);
});

it("has every command in the palette, where each that needs something is enabled with it", () => {
  const whens = contributes.menus.commandPalette.map(({ when }: { when: string }) => when);
  expect(whens).not.toContain("false");
  const needs: string[] = contributes.commands.map(
    ({ enablement = "" }: { enablement?: string }) => enablement,
  );
  const keys = new Set([...needs, ...whens].flatMap((need) => need.match(/plimsoll\.\w+/g) ?? []));
  const sources = [
    "commands/contextKeys.ts",
    "memory/view.ts",
    "team/store.ts",
    "chat/proposals.ts",
    "hunks/store.ts",
  ]
    .map((name) => readFileSync(`src/${name}`, "utf8"))
    .join("");
  expect([...keys].filter((key) => !sources.includes(`"${key}"`))).toEqual([]);
});

it("disables no action of a row: a tree draws it once, also before what it needs is known", () => {
  const rows = contributes.menus["view/item/context"].map(
    ({ command }: { command: string }) => command,
  );
  const disabled = contributes.commands.filter(
    ({ command, enablement }: { command: string; enablement?: string }) =>
      rows.includes(command) && enablement !== undefined,
  );
  expect(disabled.map(({ command }: { command: string }) => command)).toEqual([
    "plimsoll.showMemoryAudit",
  ]);
});

it("lists only its own commands in menus and key bindings", () => {
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings] as {
    command: string;
  }[];
  expect(used.map(({ command }) => command).filter((id) => !commands.includes(id))).toEqual([]);
});

it("has a key for everything that is done often, in one row of modifiers that VS Code leaves free", () => {
  const keys = (contributes.keybindings as { command: string; key: string; mac?: string }[])
    .filter(({ key }) => key.startsWith("ctrl+shift+alt+"))
    .map(({ command, key, mac }) => {
      expect(mac).toBe(key.replace("ctrl", "cmd"));
      return [command.replace("plimsoll.", ""), key.at(-1)];
    });
  expect(Object.fromEntries(keys)).toEqual({
    focusChat: "p",
    addSelectionToChat: "a",
    allowCall: "y",
    rejectCall: "n",
    cancelTurn: "s",
    nextChange: "j",
    previousChange: "k",
    keepHunk: "l",
    undoHunk: "u",
  });
  const readme = readFileSync("README.md", "utf8");
  for (const [, letter] of keys) {
    expect(readme).toContain(`| \`${letter?.toUpperCase()}\` |`);
  }
});

it("knows files of a remote window too, where the editor names them by another scheme", () => {
  const whens = JSON.stringify(contributes).match(/resourceScheme == \w+/g) ?? [];
  expect(whens).not.toContain("resourceScheme == file");
});

it("is asked for a memory's document that a window brings back, before it has started", () => {
  expect(manifest.activationEvents).toContain(`onFileSystem:${MEMORY_SCHEME}`);
});

it("contributes a colour for every group of kinds", () => {
  const ids = contributes.colors.map((one: { id: string }) => one.id);
  expect(Object.values(KIND_GROUPS).map(({ color }) => color)).toEqual(ids);
});

it("lets no workspace set a command, an address, a provider, a key, what is logged, what commands may do, whom spans go to, or how much is spent", () => {
  const scopes = Object.entries(properties as Record<string, { scope: string }>)
    .filter(([key]) =>
      /server\.(path|interpreter)$|baseUrl$|provider$|apiKeyEnv$|trace\.server$|timeoutSeconds$|confined(Commands|Registries)$|maxSteps$|spendLimit|sandbox\.|plimsoll\.profile$|otlpEndpoint$|network\./.test(
        key,
      ),
    )
    .map(([, { scope }]) => scope);
  expect(scopes).toHaveLength(33);
  expect(scopes.every((scope) => scope === "machine" || scope === "application")).toBe(true);
});

function editorName(setting: string): string {
  return `plimsoll.${setting.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}`;
}

/** The settings of some sections as docs/settings.md has them: names of the editor, with defaults. */
function documented(...sections: string[]): [string, unknown][] {
  const page = readFileSync("../docs/settings.md", "utf8");
  return sections.flatMap((section) => {
    const table = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)];
    expect(rows, section).not.toEqual([]);
    return rows.map(([, name = "", told = ""]): [string, unknown] => [
      editorName(`${section}.${name}`),
      defaultOf(told),
    ]);
  });
}

/** `a = 1`, `b = 2` is a table; else a number, true or false, or a word. */
function defaultOf(told: string): unknown {
  const values = [...told.matchAll(/`([^`]*)`/g)].map(([, value = ""]) => value);
  if (values[0]?.includes(" = ")) {
    const pairs = values.map((each) => each.split(" = "));
    return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
  }
  const [value = ""] = values;
  return /^(true|false|[\d.]+|\[.*\]|".*")$/.test(value) ? JSON.parse(value) : value;
}

it("has every setting of memory, pruning and pointers, and the marks, with the server's defaults", () => {
  const marks = documented("budget").filter(([key]) => key.endsWith("At"));
  const wanted = [...documented("memory", "pruning", "refer", "pins"), ...marks];
  expect(wanted.length).toBeGreaterThan(24);
  for (const [key, value] of wanted) {
    expect(properties[key]?.default, key).toEqual(value);
    expect(properties[key].markdownDescription, key).toMatch(/^[A-Z].{20,}\.$/);
  }
});

const SECTIONS =
  "model budget truncation refer pruning compaction memory permission sandbox shell pins turn session telemetry subagent notifications";

it("offers every setting with the server's default, but those that docs/settings.md names", () => {
  const page = readFileSync("../docs/settings.md", "utf8");
  const [line = ""] = page.match(/^VS Code offers every setting.*$/m) ?? [];
  const named = [...line.matchAll(/`(\w+\.\w+)`/g)].map(([, name = ""]) => editorName(name));
  const settings = documented(...SECTIONS.split(" "));
  const absent = settings.filter(([key]) => !(key in properties)).map(([key]) => key);
  expect(absent.sort()).toEqual(named.sort());
  for (const [key, value] of settings.filter(([key]) => key in properties)) {
    // A number or a text that has none by itself is null in the editor, or empty.
    expect(properties[key].default ?? "", key).toEqual(value);
  }
});

it("offers no setting of those sections that the server does not have", () => {
  const known = new Set(documented("memory", "pruning", "refer", "pins").map(([key]) => key));
  const offered = Object.keys(properties).filter((key) =>
    /^plimsoll\.(memory|pruning|refer|pins)\./.test(key),
  );
  expect(offered.filter((key) => !known.has(key))).toEqual([]);
});

it("knows of each setting whether a repository may set it", () => {
  const mays =
    /^(budget|compaction|memory|pins|pruning|refer|truncation|chat)\.|\.(contextWindow|answerSeconds|firstTokenSeconds|idleSeconds|name)$/;
  const keys = Object.keys(properties).map((key) => key.replace("plimsoll.", ""));
  const ofTheUser = keys.filter((key) => !mays.test(key));
  const scopes = new Set(ofTheUser.map((key) => properties[`plimsoll.${key}`].scope));
  expect([...scopes].sort()).toEqual(["application", "machine"]);
  const sent = ofTheUser.filter((key) => properties[`plimsoll.${key}`].scope === "application");
  expect(sent.sort()).toEqual([...USERS_ALONE].sort());
});

it("restricts only settings that exist", () => {
  const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  expect(restricted.filter((key) => !(key in properties))).toEqual([]);
});
