import { isKeywordSearch } from "../../session/labels/sessions";
import type { ChatState } from "../../session/state";
import { h, mark } from "../dom";
import { commandButton } from "./entries";

/** Each is answered well by the built-in search too. */
const PROMPTS = [
  "What does this project do, and where does it start?",
  "Where is the configuration read?",
  "Which test files are there?",
] as const;

/** The first minute: what this is, how a model is connected, what to try. */
export function emptyView({ session }: ChatState): HTMLElement {
  const unconnected = isKeywordSearch(session?.model);
  return h(
    "div",
    { class: "empty" },
    mark(),
    h("h2", {}, "See everything the model sees."),
    h("p", {}, "Remove, pin or bring back any part. Nothing is ever lost."),
    h(
      "div",
      { class: "prompts" },
      ...(unconnected
        ? [
            commandButton("connectModel", "Connect a model", "primary wide"),
            promptButton(PROMPTS[0], "Try it without one: keyword search"),
          ]
        : []),
      commandButton("takeTour", "Take a two-minute tour", "prompt centred"),
    ),
    h("p", {}, "Then try"),
    h("div", { class: "prompts" }, ...PROMPTS.map((prompt) => promptButton(prompt))),
    h("p", { class: "hint" }, "@ adds files, problems and more · / lists the commands"),
    h("p", { class: "hint" }, "Hold Shift to drop files on the field"),
  );
}

function promptButton(prompt: string, label?: string): HTMLElement {
  const look = label === undefined ? "prompt" : "prompt centred";
  const attributes = { "data-action": "prompt", "data-prompt": prompt };
  return h("button", { type: "button", class: look, ...attributes }, label ?? prompt);
}

/** Below an answer of the built-in search, which ends with the words that no model is connected. */
export function connectLine({ session, turnId, entries }: ChatState): HTMLElement | undefined {
  const shown =
    isKeywordSearch(session?.model) && turnId === undefined && entries.at(-1)?.kind === "answer";
  return shown
    ? h(
        "div",
        { class: "connect-line" },
        commandButton("connectModel", "Connect a model", "secondary"),
      )
    : undefined;
}
