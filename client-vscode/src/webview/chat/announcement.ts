import type { SessionInfo } from "../../protocol";
import { receiptText } from "../../session/labels/receipts";
import { holderWords } from "../../session/labels/sessions";
import type { Action } from "../../session/reduce";
import type { ChatState } from "../../session/state";
import { teamBanner } from "../../team/model";

/**
 * What a screen reader is told of an action: events, one at a time. The streaming text itself is
 * never live, or every delta would be read.
 */
export function announcement(action: Action, before: ChatState): string | undefined {
  switch (action.type) {
    case "permissionRequested":
      return `Permission required: ${action.toolCall.title}`;
    case "team":
      // What waits to be sent changes often; what is wrong is said once.
      return teamBanner(action.team) === teamBanner(before.team)
        ? undefined
        : teamBanner(action.team);
    case "failed":
      return `Error: ${action.error.message}`;
    case "loaded":
    case "session":
      return ofHolder(action.session, before);
    case "update":
      return action.update.kind === "sessionChanged"
        ? ofHolder(action.update.session, before)
        : ofUpdate(action.update);
    default:
      return undefined;
  }
}

/** That another window or machine writes the session from now on, which cannot be written here. */
function ofHolder({ heldBy }: SessionInfo, before: ChatState): string | undefined {
  return heldBy === undefined || heldBy === before.session?.heldBy
    ? undefined
    : `Read only. ${holderWords(heldBy)}`;
}

function ofUpdate(update: Extract<Action, { type: "update" }>["update"]): string | undefined {
  switch (update.kind) {
    case "turnStarted":
      return "Working";
    case "toolCall":
      return `Running ${update.toolCall.title}`;
    case "reduction":
      return receiptText(update.receipt);
    case "turnEnded":
      return update.error ? `Error: ${update.error.message}` : "Answered";
    default:
      return undefined;
  }
}
