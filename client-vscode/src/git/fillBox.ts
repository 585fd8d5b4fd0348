import type { InputBox } from "./repositories";

/** What a person wants with a text that stands in the field already. */
export type Wish = "begin" | "replace";

/** How a commit message is asked for, and the person about it. */
export interface Asking {
  /** Asks the model; `undefined`: the person cancelled it. */
  write(beginning: string): Promise<string | undefined>;
  /** What stands in the field is the beginning, or is replaced; `undefined`: neither. */
  wish(text: string): Promise<Wish | undefined>;
  /** It failed: whether it is asked again. */
  again(error: unknown): Promise<boolean>;
  /** The field was changed meanwhile: whether the message takes its place all the same. */
  overwrite(): Promise<boolean>;
}

/** Has a commit message written into the field; what a person wrote there goes on their word alone. */
export async function fillBox(box: InputBox, asking: Asking): Promise<void> {
  const before = box.value;
  const wish = before.trim() === "" ? "replace" : await asking.wish(before.trim());
  if (wish === undefined) {
    return;
  }
  for (;;) {
    try {
      const message = await asking.write(wish === "begin" ? before.trim() : "");
      if (message !== undefined && (box.value === before || (await asking.overwrite()))) {
        box.value = message;
      }
      return;
    } catch (error) {
      if (!(await asking.again(error))) {
        return;
      }
    }
  }
}
