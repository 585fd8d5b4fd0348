import type { SessionInfo, SessionMatch } from "../../protocol";
import { formatTime, plural } from "../../text/format";

/** A model by the name that people use for it. */
export function modelName(model: string): string {
  const [, ...name] = model.split("/");
  return isKeywordSearch(model) ? "Keyword search" : name.join("/") || model;
}

/** No model is connected: the built-in search answers. */
export function isKeywordSearch(model: string | undefined): boolean {
  return model?.split("/")[0] === "embedded";
}

/** A session in a pick list: its title, when and with what, and how it began. */
export interface SessionLine {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

const SESSION_STATES: Readonly<Record<string, string>> = {
  asking: "asks you",
  running: "running",
};

export function sessionLine(session: SessionInfo, openId: string | undefined): SessionLine {
  const { id, title, updatedAt, model, turns, preview, parentId, agent, state, unread } = session;
  const { elsewhere } = session;
  const facts = [
    SESSION_STATES[state ?? ""] ?? "",
    unread ? "unread" : "",
    id === openId ? "open now" : "",
    elsewhere === undefined ? "" : `on ${elsewhere}`,
    agent ? `${agent} agent` : "",
    formatTime(updatedAt),
    modelName(model),
    plural(turns, "turn"),
    parentId === undefined || agent ? "" : "fork",
  ];
  return {
    label: title || "Untitled session",
    description: facts.filter((fact) => fact !== "").join(" · "),
    detail: preview,
  };
}

/** How the server names another machine of the person's; otherwise it names a process. */
const MACHINE = /^the machine /;

/** Who writes a session that is only followed here, named as in `heldBy`. */
export function holderWords(heldBy: string): string {
  return MACHINE.test(heldBy)
    ? `${heldBy.replace(MACHINE, "The machine ")} is using this session.`
    : `Another window is using this session: ${heldBy}.`;
}

/** That a turn runs where the session is written, named as in `heldBy`. */
export function workingWords(heldBy: string): string {
  return `Working ${MACHINE.test(heldBy) ? "on" : "in"} ${heldBy}…`;
}

/** The row of a session that was found by what was said, with the line where the words stand. */
export function matchLine(match: SessionMatch, openId: string | undefined): SessionLine {
  const speaker = SPEAKERS[match.role ?? ""];
  const detail = speaker === undefined ? match.snippet : `${speaker}: ${match.snippet}`;
  return { ...sessionLine(match.session, openId), detail };
}

const SPEAKERS: Readonly<Record<string, string>> = {
  user: "You",
  assistant: "Plimsoll",
  tool: "A tool",
};
