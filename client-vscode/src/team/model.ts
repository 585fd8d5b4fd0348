import type { Memory, TeamStatus } from "../protocol";
import { plural } from "../text/format";

/** States in which a person has to know that nothing is exchanged, or not all. */
const TROUBLES: ReadonlySet<string> = new Set(["readOnly", "away", "refused"]);

/** Whether the folder takes part in a team's project. */
export function isJoined(status: TeamStatus | undefined): boolean {
  return status?.project !== undefined;
}

/** What is wrong between the folder and its team's server, with what helps; undefined: nothing. */
export function teamTrouble(status: TeamStatus | undefined): string | undefined {
  if (status?.message === undefined || !TROUBLES.has(status.state)) {
    return undefined;
  }
  return [status.message, status.remedy].filter(Boolean).join(" ");
}

/** What of that stands above a conversation: that a role may only read is nothing new, until a change of one's own waits. */
export function teamBanner(status: TeamStatus | undefined): string | undefined {
  const isUsual = status?.state === "readOnly" && status.rights === "read" && status.queued === 0;
  return isUsual ? undefined : teamTrouble(status);
}

/** Only a person can put it right. */
export function isRefused(status: TeamStatus | undefined): boolean {
  return status?.state === "refused";
}

const STATES: Readonly<Record<string, string>> = {
  slow: "slow",
  readOnly: "read only",
  away: "not reachable",
  refused: "refused",
};

/** The team in a few words, for the head of a view: its project, and only what is out of the ordinary. */
export function teamNote(status: TeamStatus | undefined): string {
  if (status?.project === undefined) {
    return "";
  }
  const queued = status.queued > 0 ? `${plural(status.queued, "change")} to send` : "";
  return [status.project, STATES[status.state] ?? "", queued].filter(Boolean).join(" · ");
}

/** Where the folder takes part, and as whom. */
export function joinedText({ project = "", role }: TeamStatus): string {
  const whom = role === undefined ? "" : ` as ${role}`;
  return `This folder takes part in “${project}”${whom}. Nothing of it is shared until you share it.`;
}

/** What goes with a team that is left. */
export function leavingText({ queued }: TeamStatus): string {
  const kept =
    "What colleagues shared leaves this folder. What you shared stays with them, and stays here for you alone.";
  const dropped = `${plural(queued, "change")} that ${queued === 1 ? "waits" : "wait"} to be sent ${queued === 1 ? "is" : "are"} dropped.`;
  return queued === 0 ? kept : `${kept} ${dropped}`;
}

/** Why an address cannot be taken; undefined: it can. An empty one stands for that of the settings. */
export function addressFlaw(text: string): string | undefined {
  const address = text.trim();
  if (address === "") {
    return undefined;
  }
  if (!/^postgres(ql)?:\/\/[^/]+\/[^/?]+/.test(address)) {
    return "Write it as postgresql://NAME@HOST/DATABASE.";
  }
  return hasPassword(address) ? "Leave the password out: it is asked for next." : undefined;
}

function hasPassword(address: string): boolean {
  return /^\w+:\/\/[^/@]*:[^/]*@/.test(address) || /[?&]password=/i.test(address);
}

/** With whom a memory can be shared. */
export interface Sharing {
  readonly scope: "mine" | "team";
  readonly label: string;
  readonly detail: string;
}

/** What is personal goes to nobody else. */
const PERSONAL: ReadonlySet<string> = new Set(["user", "feedback"]);

/** With whom this memory can be shared, other than now; nobody where it is not the person's own. */
export function sharingsOf(memory: Memory, project: string): readonly Sharing[] {
  if (!isOwn(memory) || memory.state === "inbox" || memory.digest === true) {
    return [];
  }
  const team: Sharing = {
    scope: "team",
    label: `Everyone in “${project}”`,
    detail: "It waits in the inbox of each who has not accepted you before",
  };
  const mine: Sharing = {
    scope: "mine",
    label: "My other machines",
    detail: "Readable by you alone",
  };
  const all = PERSONAL.has(memory.type) ? [mine] : [team, mine];
  return all.filter(({ scope }) => scope !== memory.scope);
}

/** Others, or the person's other machines, have it too. */
export function isShared({ scope, state }: Memory): boolean {
  return (scope === "mine" || scope === "team") && state !== "inbox";
}

/** Written here or on another machine of the same person. */
export function isOwn({ authorName }: Memory): boolean {
  return authorName === undefined;
}

/** Words of what the menu of a row asks: its place, and what can be done with it. */
export function memoryContext(memory: Memory): string {
  const place = memory.state === "inbox" ? "inbox" : "memory";
  const words = [
    place,
    isOwn(memory) ? "own" : "colleague",
    isShared(memory) ? "shared" : "",
    memory.superseded !== undefined && memory.removal !== true ? "suggestion" : "",
  ];
  return words.filter(Boolean).join(" ");
}
