import type { HookRan } from "../../protocol";
import { lookup } from "../../text/lookup";
import { escapeMarkdown } from "../../text/markdown";
import type { ChatState, NoticeEntry } from "../state";

const DECIDED: Readonly<Record<string, string>> = lookup({
  deny: "denied the call",
  ask: "wants the call asked about",
  changed: "changed the call",
  block: "held it back",
  postpone: "put it off",
  said: "had words for the model",
  failed: "did not work",
});

const HOLDS_BACK: ReadonlySet<string> = new Set(["deny", "block", "failed"]);

/** The line that tells of a hook's run. */
export function hookNote(state: ChatState, ran: HookRan): NoticeEntry {
  const { turnId, event, name, decision, milliseconds } = ran;
  const said = decision ? `: ${DECIDED[decision] ?? decision}` : "";
  const seconds = (milliseconds / 1000).toFixed(1);
  return {
    kind: "notice",
    id: `hook.${turnId}.${state.entries.length}`,
    level: decision && HOLDS_BACK.has(decision) ? "warning" : "info",
    markdown: escapeMarkdown(`${event} hook ${name}${said}, ${seconds} s`),
  };
}
