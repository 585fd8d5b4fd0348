import * as vscode from "vscode";
import { isInside } from "../chat/files";
import type { ExcerptPart } from "../protocol";
import { type Problem, problemsText } from "./problemsText";

/**
 * What the editor reports of the folder, or of the active file.
 * Raises: an error that says that it reports nothing.
 */
export function problemsPart(
  folder: vscode.WorkspaceFolder,
  where: "workspace" | "file",
): ExcerptPart {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (where === "file" && active === undefined) {
    throw new Error("@problems:file: no file is open in the editor.");
  }
  const told = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => isInside(folder, uri))
    .filter(([uri]) => where === "workspace" || uri.toString() === active?.toString());
  const problems = told.flatMap(([uri, list]) => list.flatMap((one) => problemOf(uri, one)));
  const place =
    where === "workspace" || active === undefined
      ? "the workspace"
      : vscode.workspace.asRelativePath(active, false);
  if (problems.length === 0) {
    throw new Error(`@problems: the editor reports none in ${place}.`);
  }
  return { type: "excerpt", title: `problems of ${place}`, text: problemsText(problems) };
}

function severityOf({ severity }: vscode.Diagnostic): Problem["severity"] | undefined {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return "error";
    case vscode.DiagnosticSeverity.Warning:
      return "warning";
    case vscode.DiagnosticSeverity.Information:
      return "information";
    default:
      return undefined;
  }
}

/** Hints are for the editor's own drawing. */
function problemOf(uri: vscode.Uri, diagnostic: vscode.Diagnostic): Problem[] {
  const severity = severityOf(diagnostic);
  if (severity === undefined) {
    return [];
  }
  const { code, source, message, range } = diagnostic;
  const named = typeof code === "object" ? code.value : code;
  return [
    {
      path: vscode.workspace.asRelativePath(uri, false),
      line: range.start.line + 1,
      severity,
      message,
      source: [source, named].filter((one) => one !== undefined && one !== "").join(" "),
    },
  ];
}
