import * as vscode from "vscode";
import type { App } from "../app";
import { choose, confirm, showInformation, showWarning } from "../editor/notifications";
import { TeamCreateRequest, TeamJoinRequest, TeamLeaveRequest } from "../methods";
import type { TeamStatus } from "../protocol";
import { failureText } from "../session/failure";
import { addressFlaw, isJoined, joinedText, leavingText, teamNote, teamTrouble } from "./model";
import type { TeamPasswords } from "./passwords";
import type { TeamStore } from "./store";

const TITLE = "Share with a team";

/** What a person wants to take part in. */
interface TeamWish {
  readonly isNew: boolean;
  readonly name: string;
  /** Undefined: the address of the settings. */
  readonly url: string | undefined;
  /** Also write the file that suggests the project to colleagues. */
  readonly writeFile: boolean;
}

interface Way extends vscode.QuickPickItem {
  readonly isNew: boolean;
  /** The name that the folder's own file has. */
  readonly name?: string;
}

export interface TeamParts {
  readonly app: App;
  readonly team: TeamStore;
  readonly passwords: TeamPasswords;
}

/** Asks for a project and its address, and takes part in it; where that is done, what else can be. */
export function shareWithTeam(parts: TeamParts) {
  return async () => {
    parts.team.requiredFolder();
    // Until it runs, what it knows is not known.
    await parts.app.started();
    await parts.team.refresh();
    const { status } = parts.team;
    if (status === undefined) {
      void showInformation("The server that runs knows of no teams.");
    } else if (isJoined(status)) {
      await changeTeam(parts, status);
    } else {
      await joinOne(parts, status);
    }
  };
}

/** Leaves the project, once it was said what goes with it. */
export function leaveTeam({ app, team, passwords }: TeamParts) {
  return async () => {
    const workspaceFolder = team.requiredFolder();
    await team.refresh();
    const { status } = team;
    if (status === undefined || !isJoined(status)) {
      void showInformation("This folder takes part in no team.");
      return;
    }
    if (!(await confirm(`Leave “${status.project}”?`, leavingText(status), "Leave"))) {
      return;
    }
    team.show(await app.request(TeamLeaveRequest, { workspaceFolder }));
    if (status.url !== undefined) {
      await passwords.forget(status.url);
    }
    void showInformation(`This folder takes part in “${status.project}” no more.`);
  };
}

const GIVE_PASSWORD = "Give a Password";
const LEAVE = "Leave the Team";

async function changeTeam(parts: TeamParts, status: TeamStatus): Promise<void> {
  const detail = [teamTrouble(status), status.url].filter(Boolean).join("\n\n");
  const picked = await choose(teamNote(status), detail, GIVE_PASSWORD, LEAVE);
  if (picked === LEAVE) {
    await leaveTeam(parts)();
  } else if (picked === GIVE_PASSWORD && status.url !== undefined) {
    await takePassword(parts.passwords, status.url);
    await parts.team.refresh();
  }
}

async function joinOne(parts: TeamParts, status: TeamStatus): Promise<void> {
  const way = await pickWay(status);
  let wish = way && (await wishOf(parts, way));
  while (wish !== undefined) {
    if (wish.url !== undefined && !(await takePassword(parts.passwords, wish.url))) {
      return;
    }
    if (await takePart(parts, wish)) {
      return;
    }
    const url = await askAddress(wish.url);
    wish = url === undefined ? undefined : { ...wish, url: url === "" ? undefined : url };
  }
}

function pickWay({ suggested }: TeamStatus): Thenable<Way | undefined> {
  const ways: Way[] = [
    {
      label: "Join a project…",
      detail: "A colleague has made it, or you on another machine",
      isNew: false,
    },
    {
      label: "Make a project…",
      detail: "On a PostgreSQL that your team has",
      isNew: true,
    },
  ];
  if (suggested !== undefined) {
    const label = `Join “${suggested.name}”`;
    const detail = "This folder suggests it, in .plimsoll/project";
    ways.unshift({ label, detail, isNew: false, name: suggested.name });
  }
  const placeHolder = "Memories and pins that you choose are exchanged there; all else stays here";
  return vscode.window.showQuickPick(ways, { title: TITLE, placeHolder });
}

async function wishOf({ app }: TeamParts, { isNew, name }: Way): Promise<TeamWish | undefined> {
  const called = name ?? (await askName(isNew, app.folder?.name ?? ""));
  const url = called === undefined ? undefined : await askAddress(undefined);
  const writeFile = url !== undefined && isNew ? await asksToSuggest() : false;
  if (called === undefined || url === undefined || writeFile === undefined) {
    return undefined;
  }
  return { isNew, name: called, url: url === "" ? undefined : url, writeFile };
}

async function askName(isNew: boolean, folder: string): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: `${TITLE}: the project's name`,
    prompt: isNew ? "Colleagues join it by this name." : "As the one who made it calls it.",
    value: isNew ? folder : "",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "A project has a name." : undefined),
  });
  return name?.trim();
}

/** Empty: the address of the settings. Undefined: the person has left. */
async function askAddress(value: string | undefined): Promise<string | undefined> {
  const url = await vscode.window.showInputBox({
    title: `${TITLE}: the address of its server`,
    prompt:
      "A PostgreSQL of your team, with your name there. Leave it empty for that of your settings.",
    placeHolder: "postgresql://anna@db.example.org/team",
    value: value ?? "",
    ignoreFocusOut: true,
    validateInput: addressFlaw,
  });
  return url?.trim();
}

async function asksToSuggest(): Promise<boolean | undefined> {
  const answers = [
    { label: "Suggest it to colleagues", detail: "In a file .plimsoll/project", yes: true },
    { label: "Tell them yourself", detail: "No file is written", yes: false },
  ];
  const title = `${TITLE}: how colleagues learn of it`;
  return (await vscode.window.showQuickPick(answers, { title }))?.yes;
}

/** False: the person has left. */
async function takePassword(passwords: TeamPasswords, url: string): Promise<boolean> {
  const password = await vscode.window.showInputBox({
    title: `${TITLE}: your password at ${url}`,
    prompt:
      "Kept in the editor's secret store, for this address alone. Leave it empty if none is needed, or to keep the saved one.",
    password: true,
    ignoreFocusOut: true,
  });
  if (password === undefined) {
    return false;
  }
  await (password === "" ? passwords.handOver(url) : passwords.keep(url, password));
  return true;
}

const AGAIN = "Try Again";

/** False: it failed, and the person wants to change something. */
async function takePart({ app, team }: TeamParts, wish: TeamWish): Promise<boolean> {
  const { isNew, name, url, writeFile } = wish;
  const place = { workspaceFolder: team.requiredFolder(), name, ...(url ? { url } : {}) };
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: isNew ? `Making “${name}”…` : `Joining “${name}”…`,
  };
  try {
    const status = await vscode.window.withProgress(progress, () =>
      isNew
        ? app.request(TeamCreateRequest, { ...place, writeFile })
        : app.request(TeamJoinRequest, place),
    );
    team.show(status);
    void showInformation(joinedText(status));
    return true;
  } catch (failure) {
    return (await showWarning(failureText(failure), AGAIN)) !== AGAIN;
  }
}
