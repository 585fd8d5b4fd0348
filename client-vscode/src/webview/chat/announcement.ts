import { receiptText } from "../../session/labels/receipts";
import type { Action } from "../../session/reduce";
import type { ChatState } from "../../session/state";
import { teamTrouble } from "../../team/model";

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
      return teamTrouble(action.team) === teamTrouble(before.team)
        ? undefined
        : teamTrouble(action.team);
    case "failed":
      return `Error: ${action.error.message}`;
    case "update":
      return ofUpdate(action.update);
    default:
      return undefined;
  }
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
