import { formatTime, plural } from "../format";
import type { SessionInfo } from "../protocol";
import { modelName } from "./words";

/** A session in a pick list: its title, when and with what, and how it began. */
export interface SessionLine {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

export function sessionLine(session: SessionInfo, openId: string | undefined): SessionLine {
  const { id, title, updatedAt, model, turns, preview, parentId } = session;
  const facts = [
    id === openId ? "open now" : "",
    formatTime(updatedAt),
    modelName(model),
    plural(turns, "turn"),
    parentId === undefined ? "" : "fork",
  ];
  return {
    label: title || "Untitled session",
    description: facts.filter((fact) => fact !== "").join(" · "),
    detail: preview,
  };
}
