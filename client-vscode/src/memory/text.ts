import type { Memory, MemoryScope, MemoryType, MemoryUpdateParams } from "../protocol";
import { CLASSES, TYPES } from "./model";

/** What an edited document changes of its memory. */
export type MemoryEdit = Omit<MemoryUpdateParams, "memoryId">;

/** A property of a memory as a line of its document, and read from one. */
interface Property {
  readonly written: (memory: Memory) => string;
  /** Throws an error that says what can stand there. */
  readonly read: (value: string) => MemoryEdit;
}

const TYPE_NAMES: readonly MemoryType[] = TYPES.map(({ type }) => type);
const SCOPES: readonly MemoryScope[] = ["private", "mine", "team"];
const YES = "yes";

const PROPERTIES: ReadonlyMap<string, Property> = new Map(
  Object.entries({
    type: {
      written: ({ type }) => type,
      read: (value) => ({ type: oneOf("type", TYPE_NAMES, value) }),
    },
    class: {
      written: (memory) => memory.class,
      read: (value) => ({ class: oneOf("class", CLASSES, value) }),
    },
    scope: {
      written: ({ scope }) => scope,
      read: (value) => ({ scope: oneOf("scope", SCOPES, value) }),
    },
    pinned: {
      written: ({ pinned }) => (pinned ? YES : "no"),
      read: (value) => ({ pinned: oneOf("pinned", [YES, "no"], value) === YES }),
    },
    importance: {
      written: ({ importance }) => (importance === undefined ? "" : String(importance)),
      read: (value) => ({
        importance: Number(oneOf("importance", ["1", "2", "3", "4", "5"], value)),
      }),
    },
    tags: {
      written: ({ tags = [] }) => tags.join(", "),
      read: (value) => ({ tags: value.split(/[\s,#]+/).filter((tag) => tag !== "") }),
    },
  } satisfies Record<string, Property>),
);

function oneOf<T extends string>(name: string, known: readonly T[], value: string): T {
  const found = known.find((each) => each === value.toLowerCase());
  if (found === undefined) {
    throw new Error(`“${value}” is no ${name} of a memory: write ${either(known)}.`);
  }
  return found;
}

function either(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** A memory as the document in which it is edited: its properties, its title as a heading, its text. */
export function memoryText(memory: Memory): string {
  const lines = [...PROPERTIES].map(([name, { written }]) =>
    `${name}: ${written(memory)}`.trimEnd(),
  );
  return ["---", ...lines, "---", "", `# ${memory.title}`, "", memory.content.trimEnd(), ""].join(
    "\n",
  );
}

/**
 * Reads an edited document back. What has no line stays as it is, and so does the title without a
 * heading. Throws an error that says what is wrong with a property.
 */
export function editedMemory(text: string, memory: Memory): MemoryEdit {
  const found = /^---[ \t]*\r?\n((?:[^\n]*\n)*?)---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text);
  const front = found?.[1] ?? "";
  const body = found === null ? text : (found[2] ?? "");
  const changed = front
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => changedBy(line, memory));
  return Object.assign({}, ...changed, textOf(body));
}

function changedBy(line: string, memory: Memory): MemoryEdit {
  const [, name = line, value = ""] = /^\s*(\w+)\s*:(.*)$/.exec(line) ?? [];
  const property = PROPERTIES.get(name.toLowerCase());
  if (property === undefined) {
    const known = either([...PROPERTIES.keys()]);
    throw new Error(`“${line.trim()}” names no property of a memory: it is ${known}.`);
  }
  const now = value.trim();
  return now === property.written(memory) ? {} : property.read(now);
}

function textOf(body: string): MemoryEdit {
  const [, title, content] = /^\s*# *(.*)\r?\n([\s\S]*)$/.exec(body) ?? [];
  if (title === undefined || content === undefined || title.trim() === "") {
    return { content: body.trim() };
  }
  return { title: title.trim(), content: content.trim() };
}
