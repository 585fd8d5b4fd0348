import * as vscode from "vscode";
import type { App } from "../app";
import { tellFailure } from "../commands/failures";
import { actionsFor } from "../context/hold/rows";
import { offerUndo } from "../context/receipts";
import { ContextEvictRequest } from "../methods";
import { addLines, goTo, type LinesParts, type ProblemPlace } from "./askOfLines";
import { type OfferedAction, offeredActions } from "./offeredActions";

const KIND = vscode.CodeActionKind.RefactorRewrite.append("plimsoll");
const KINDS = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, KIND] };

/** Offers, where the editor offers its own, what can be done with a selection, a problem and a file. */
export function registerCodeActions(parts: LinesParts): void {
  const { app } = parts;
  let held = new Map<string, string[]>();
  app.own(
    app.session.onReport(({ items }) => {
      held = new Map();
      for (const item of (items ?? []).filter((one) => actionsFor(one).includes("evict"))) {
        const uri = item.source?.uri ?? "";
        held.set(uri, [...(held.get(uri) ?? []), item.id]);
      }
    }),
    vscode.languages.registerCodeActionsProvider(
      { scheme: "file" },
      {
        provideCodeActions: (document, range, { diagnostics, only, triggerKind }) =>
          offeredActions<ProblemPlace>({
            selected: !range.isEmpty,
            invoked: triggerKind === vscode.CodeActionTriggerKind.Invoke,
            problems: diagnostics,
            held: held.get(document.uri.toString()) ?? [],
            file: vscode.workspace.asRelativePath(document.uri, false),
          })
            .map((offered) => codeAction(offered, diagnostics))
            .filter(
              ({ kind }) => only === undefined || (kind !== undefined && only.contains(kind)),
            ),
      },
      KINDS,
    ),
    command(app, "askAboutProblem", (problem: ProblemPlace) => askAbout(parts, problem)),
    command(app, "removeFile", (itemIds: string[]) => removeItems(app, itemIds)),
  );
}

function codeAction(
  offered: OfferedAction,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const { title, fixes } = offered;
  const action = new vscode.CodeAction(
    title,
    fixes === undefined ? KIND : vscode.CodeActionKind.QuickFix,
  );
  action.command = { title, command: offered.command, arguments: [...(offered.arguments ?? [])] };
  action.diagnostics = diagnostics.filter(({ message }) => message === fixes);
  return action;
}

/** These are in no palette: they need to know of what they are asked. */
function command<T>(
  app: App,
  name: string,
  run: (argument: T) => Promise<unknown>,
): vscode.Disposable {
  const id = `plimsoll.${name}`;
  return vscode.commands.registerCommand(id, (argument: T) =>
    run(argument).catch((error: unknown) => tellFailure(app, id, error)),
  );
}

/** Adds the lines of the problem to the chat and puts a question into the composer. */
async function askAbout(parts: LinesParts, problem: ProblemPlace): Promise<void> {
  goTo(problem.range);
  addLines(parts);
  await parts.chat.reveal({
    type: "compose",
    text: `What is wrong here, and how is it fixed? ${problem.message}`,
  });
}

async function removeItems(app: App, itemIds: string[]): Promise<void> {
  const params = { sessionId: app.session.requiredId(), itemIds };
  const { receipt } = await app.request(ContextEvictRequest, params);
  app.session.requestReportSoon();
  await offerUndo(app, receipt);
}
